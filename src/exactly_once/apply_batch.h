#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "exactly_once/commit_batch.h"

namespace shardline {

// A user's batch: writes to documents and increments of counters, applied in one commit.
//
// A batch that the server refuses, surely, ends with what it said, and nothing of it was or will be
// applied. One that ends with kOutcomeUnknown may be asked for again with the same id.
class ApplyBatch final : public CommitBatch {
 public:
  // `places`: for each increment that the user has asked for, which one of the request's it is part
  // of. kInvalidArgument if the request is larger than Firestore takes, or if neither the user nor
  // the layout says how many shards a counter has.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context, BatchRequest request,
                                                  std::vector<std::size_t> places = {});
  // Use Start().
  ApplyBatch(OperationContext& context, BatchRequest request, std::vector<std::size_t> places);

  // {"applied": true, "commitTime": "…", "shards": [10]}: how many shards the counter of each of
  // the user's increments has, 0 where that was never asked. `commitTime` is there if the batch was
  // applied.
  void WriteResult(JsonWriter& writer) const override;

 private:
  void Conclude() override;

  std::vector<std::size_t> places_;
};

}  // namespace shardline
