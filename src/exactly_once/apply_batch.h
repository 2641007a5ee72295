#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "exactly_once/commit_batch.h"

namespace shardline {

// A user's batch: writes to documents and increments of counters, applied in one commit.
//
// The batch's marker makes it idempotent. A batch that the server surely refuses ends with the
// server's error: no part of it was or will be applied. After kOutcomeUnknown, the caller may send
// the batch again with the same id.
class ApplyBatch final : public CommitBatch {
 public:
  // `places`: for each of the user's increments, the index of the request's increment that includes
  // it. kInvalidArgument if the request is larger than Firestore takes, or if neither the user nor
  // the layout says how many shards a counter has.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context, BatchRequest request,
                                                  std::vector<std::size_t> places = {});
  // Use Start().
  ApplyBatch(OperationContext& context, BatchRequest request, std::vector<std::size_t> places);

  // {"applied": true, "commitTime": "…", "shards": [10]}: how many shards the counter of each of
  // the user's increments has, 0 if this operation did not read the number. `commitTime` is there
  // if the batch was applied.
  void WriteResult(JsonWriter& writer) const override;

 private:
  void Conclude() override;

  std::vector<std::size_t> places_;
};

}  // namespace shardline
