#pragma once

#include <memory>

#include "exactly_once/commit_batch.h"

namespace shardline {

// Adds to a counter once for each idempotency key, also if several devices ask, and if requests are
// lost, late or sent twice. The marker is the key's own document.
//
// After kOutcomeUnknown, the caller may ask again with the same key: a key counts once.
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

  // {"changed": true, "shards": 10}, and CommitCounts: `changed` is true if this operation has
  // counted the key.
  void WriteResult(JsonWriter& writer) const override;

 private:
  void Conclude() override;
};

}  // namespace shardline
