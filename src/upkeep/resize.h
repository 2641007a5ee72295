#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "counter/counter.h"
#include "operation/phase.h"
#include "upkeep/fold.h"

namespace shardline {

// What resize() is asked for.
struct ShardGoal {
  std::int64_t shards = 0;
  // That many or more: a counter that has more keeps them, and nothing is moved.
  bool at_least = false;
};

// What follows from the number of shards that the counter's document says.
enum class ResizeStep : std::uint8_t {
  kNoCounter,  // It says none.
  kGrow,       // The number goes up, together with the new shards.
  kShrink,     // The number goes down.
  kMove,       // The number is right: surplus shards are moved.
  kDone,       // There are enough.
  kOverruled,  // Somebody else has set another number since we did: theirs stays.
};
// `current` is what the document says, 0 for nothing; `written` is what this operation has last
// written, 0 for nothing. Two operations that go for different numbers come to an end, because the
// one that is overruled gives up; growing to at least a number cannot be overruled.
ResizeStep DecideResize(std::int64_t current, const ShardGoal& goal, std::int64_t written);

// Gives a counter another number of shards, while others go on incrementing.
//
// More: the new shards and the parent's number appear in one commit; in several, each of which
// leaves the counter whole, if they do not fit into one request. Fewer: the parent's number goes
// down first, then what the surplus shards hold is moved into those that stay (fold.h). A surplus
// shard is deleted if nothing else stands in it; otherwise it loses the count field alone. Clients
// who know the old number may write to a surplus shard again, which makes it anew: it is counted
// like any other, for totals add up whatever is in the collection, and the next resize() moves it.
//
// The parent's number belongs to all counters of that collection of shards. Those that count in
// other fields keep what they have counted, wherever it stands.
//
// Interrupted, it can be resumed by anyone, by asking for the same number again. Where no document
// holds the number of shards, the clients must be told it themselves; the shards that are there
// tell how many there are for `at_least`. In the extension's layout, where shards may have any id,
// the number is each client's own matter, and nothing is to be done.
//
// Every commit repeats what it relies on: the parent's update time, and that of each shard that is
// emptied. One that arrives late is refused.
class ResizeCounter final : public PhasedOperation {
 public:
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  const ShardGoal& goal);

  // {"shards": 10, "folded": 3}: how many shards there are now, and how many documents were moved.
  void WriteResult(JsonWriter& writer) const override;

 private:
  class Resizing;

  ResizeCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                const ShardGoal& goal)
      : PhasedOperation(context), counter_(std::move(counter)), goal_(goal) {}

  std::unique_ptr<const Counter> counter_;
  ShardGoal goal_;
  const Resizing* resizing_ = nullptr;
};

}  // namespace shardline
