#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "counter/counter.h"
#include "operation/phase.h"
#include "upkeep/drain.h"
#include "upkeep/own_documents.h"
#include "upkeep/shard_removal.h"

namespace shardline {

// Deletes a counter: what it has counted, what its document says about it, and what the library has
// kept for it (ledgers, votes, members, keys, the shared total). Other fields stay wherever they
// stand, and so do other counters, also of the same shards; a document goes if nothing else stands
// in it. The number of shards stays as long as other counters need it: see DecideParent().
//
// Interrupted, it can be begun again by anyone. Clients who know the number of shards may make
// shards anew meanwhile. What they count stays, and so do their ledgers, votes and keys: without
// them it could be counted once more. A commit of it that arrives late, when the counter has been
// created again, is refused: each names the times at which the documents were last written.
class DeleteCounter final : public PhasedOperation {
 public:
  DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter);

  // {"deleted": 12}: how many documents have been deleted.
  void WriteResult(JsonWriter& writer) const override;

 private:
  std::unique_ptr<Phase> NextPhase() override;

  std::unique_ptr<const Counter> counter_;
  // The phases, each owned by the operation while it runs: the count first, then what is kept, kind
  // by kind.
  std::size_t kinds_begun_ = 0;
  const Drain* drain_ = nullptr;
  const ShardRemoval* removal_ = nullptr;
  const OwnDocuments* own_ = nullptr;
  // When the shards were read that were removed.
  std::optional<Timestamp> counted_until_;
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
