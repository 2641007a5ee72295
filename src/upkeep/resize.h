#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "counter/counter.h"
#include "counter/create.h"
#include "counter/shard_listing.h"
#include "operation/procedure.h"
#include "upkeep/fold.h"

namespace shardline {

// The goal of resize().
struct ShardGoal {
  std::int64_t shards = 0;
  // That many or more: a counter that has more keeps them, and nothing is moved.
  bool at_least = false;
};

// The next step, by the number of shards in the counter's document.
enum class ResizeStep : std::uint8_t {
  kNoCounter,  // It says none.
  kGrow,       // The number goes up, together with the new shards.
  kShrink,     // The number goes down.
  kMove,       // The number is right: surplus shards are moved.
  kDone,       // There are enough.
  kOverruled,  // Another client has set another number since we did: theirs stays.
};
// `current` is what the document says, 0 for nothing; `written` is what this operation has last
// written, 0 for nothing. Two operations that go for different numbers come to an end, because the
// one that is overruled gives up; growing to at least a number cannot be overruled.
ResizeStep DecideResize(std::int64_t current, const ShardGoal& goal, std::int64_t written);

// Gives a counter another number of shards, while other clients go on incrementing.
//
// More: the new shards and the parent's number appear in one commit; in several, each of which
// leaves the counter whole, if they do not fit into one request. Fewer: the parent's number goes
// down first, then what the surplus shards hold is moved into those that stay (fold.h). A surplus
// shard is deleted if nothing else stands in it; otherwise it loses the count field alone. Clients
// who know the old number may write to a surplus shard again, which makes it again: it is counted
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
class ResizeCounter final : public Procedure {
 public:
  // kInvalidArgument unless the goal is from 1 to kMaxShards.
  // `fields`: of a counter with fields, which only grows. The count field is one of them.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  const ShardGoal& goal,
                                                  const std::vector<FieldPath>& fields = {});

  // Requires the checks of Start().
  ResizeCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                const ShardGoal& goal, const std::vector<FieldPath>& fields = {});

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;
  // {"shards": 10, "folded": 3}: how many shards there are now, and how many documents were moved.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  struct ReadingParent {
    // The number that a commit wrote whose answer was lost, 0 for none: the parent tells whether it
    // was applied.
    std::int64_t in_doubt;
  };
  // A commit is under way that writes this number, and makes shards if it grows.
  struct SettingParent {
    std::int64_t number;
    std::size_t writes;
    std::string body;  // Until it is sent.
  };
  struct Listing {};
  // Where no document holds their number. A commit is under way with so many writes.
  struct MakingShards {
    std::vector<std::int64_t> missing;  // The work that is left for the next commits.
    std::size_t writes = 0;
  };
  struct Moving {};
  struct Done {};
  using State = std::variant<ReadingParent, SettingParent, Listing, MakingShards, Moving, Done>;

  // Reads everything again.
  void Collect(std::int64_t in_doubt);
  Write MakeShard(std::int64_t shard) const;
  Write SetParent(std::int64_t number) const;
  // Raises or lowers the parent's number, as far as fits into one request.
  SettingParent PlanParent(std::int64_t current) const;
  // As many of those that are missing as fit into one request.
  std::string MakeMissing(MakingShards& making) const;
  Result<Billed> OnParent(ReadingParent reading, const PaddedText& body);
  Status OnParentSays(std::int64_t current);
  Result<Billed> OnParentSet(const SettingParent& setting, const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();
  // Where no document says how many shards there are: what the listing says.
  void OnListedWithoutParent();
  Result<Billed> OnShardsMade(const MakingShards& making, const PaddedText& body);
  void MoveSurplus();
  // Nothing is moved when another client resizes: what is surplus for us may be in use for them.
  std::optional<Write> Guard() const;

  OperationContext& context_;
  std::unique_ptr<const Counter> counter_;
  ShardGoal goal_;
  std::vector<FieldAmount> nothing_;  // A new shard gets it.
  State state_;
  std::int64_t shards_;             // How many there are to be.
  std::string parent_update_time_;  // As last read.
  // The number that this operation has last written, 0 for none.
  std::int64_t written_ = 0;
  ShardListing listing_;
  Fold fold_;
  int refusals_ = 0;
  // The error that ends it.
  std::optional<Error> error_;
};

}  // namespace shardline
