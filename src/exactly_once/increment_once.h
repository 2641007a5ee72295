#pragma once

#include <memory>

#include "exactly_once/commit_batch.h"

namespace shardline {

// Adds to a counter unless the same key has done so before: whatever device asks, however often,
// and whatever is lost, late or sent twice. The marker is the key's own document.
//
// When the operation gives up, with kOutcomeUnknown, the same may be asked again: a key counts
// once.
class IncrementOnce final : public CommitBatch {
 public:
  // The key's document has the id `id` (see KeyId()). `now`: see BatchRequest. `delta` must be
  // finite. kInvalidArgument if neither the user nor the layout says how many shards there are.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  std::string_view id, const Amount& delta,
                                                  Timestamp now);
  // Use Start().
  IncrementOnce(OperationContext& context, BatchRequest request);

  // {"changed": true, "shards": 10}, and CommitCounts: `changed` says whether it was this operation
  // that has counted the key.
  void WriteResult(JsonWriter& writer) const override;

 private:
  void Conclude() override;
};

}  // namespace shardline
