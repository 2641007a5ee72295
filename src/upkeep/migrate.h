#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "operation/procedure.h"
#include "upkeep/drain.h"

namespace shardline {

// Moves what a counter of the firestore-counter extension's layout has counted into a distributed
// counter of another layout, as a rule at the same document, which must have been created. Each
// commit takes it out of some documents and adds it to a shard, so nothing is lost or doubled,
// whatever clients and workers of the extension do meanwhile, and also when several move at once.
// Interrupted, it can be begun again by anyone. A later call moves the increments of old clients in
// the same way. Refuses a target that has taken the count of another counter: see Drain.
//
// The counter's document loses the count field: a 0 would look like a count.
class MigrateCounter final : public Procedure {
 public:
  // `shards` is how many the target has; 0: everything is checked, and nothing done. Refuses
  // counters of other layouts, and targets whose fields would be mistaken for the counter's.
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
  // {"folded": 3, "complete": true}: how many documents were emptied; and whether nothing was found
  // in the end, or other clients keep counting.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  std::unique_ptr<const Counter> target_;
  // Nothing but the check was asked for.
  bool checks_only_;
  Drain drain_;
};

}  // namespace shardline
