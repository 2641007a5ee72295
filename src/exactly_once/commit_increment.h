#pragma once

#include <memory>

#include "exactly_once/commit_batch.h"

namespace shardline {

// A batch of one increment, which the outbox sends. Its marker makes it idempotent. Without a
// marker it is the delivery kAtLeastOnce: after a lost answer it is sent again, and may count
// twice.
class CommitIncrement final : public CommitBatch {
 public:
  // kInvalidArgument if neither the user nor the layout says how many shards there are.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context, BatchRequest request);
  // Use Start().
  CommitIncrement(OperationContext& context, BatchRequest request);

  // {"outcome": "counted" | "refused" | "unknown" | "waiting", "commitTime", "error": {…},
  // "mayArrive": true, "shard": "3", "shards": 10}, and CommitCounts. `commitTime` is present if
  // the increment was counted, and `mayArrive` if it waits and one of its requests may be without
  // an answer. The operation has no error, unless it is cancelled.
  void WriteResult(JsonWriter& writer) const override;

 private:
  void Conclude() override;
};

}  // namespace shardline
