#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "operation/procedure.h"
#include "upkeep/drain.h"

namespace shardline {

// Online migration: moves the count of a counter in the firestore-counter extension's layout into a
// distributed counter of another layout, which must exist, usually at the same document. Each
// commit takes counts out of some documents and adds them to a shard. Therefore nothing is lost or
// doubled while clients and workers of the extension go on, and while several clients migrate at
// once. Any client can begin an interrupted migration again. A later call moves the increments of
// old clients in the same way. Refuses a target that has taken the count of another counter: see
// Drain.
//
// The counter's document loses the count field: a 0 would look like a count.
class MigrateCounter final : public Procedure {
 public:
  // `shards` is the target's number of shards; 0: the operation checks everything and changes
  // nothing. Refuses counters of other layouts, and targets whose fields could be mistaken for the
  // counter's.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  std::unique_ptr<const Counter> target,
                                                  std::int64_t shards);

  // Requires what Start() checks.
  MigrateCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 std::unique_ptr<const Counter> target, std::int64_t shards);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override { return drain_.HandleAnswer(body); }
  bool HandleFailure(const CallFailure& failure) override { return drain_.HandleFailure(failure); }
  // {"folded": 3, "complete": true}: how many documents were emptied, and whether the last pass
  // found nothing. `complete` is false if other clients keep counting.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  std::unique_ptr<const Counter> target_;
  // The call asks for the check alone.
  bool checks_only_;
  Drain drain_;
};

}  // namespace shardline
