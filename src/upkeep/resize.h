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
  // The counter gets at least this many: if it has more, it keeps them, and nothing is moved.
  bool at_least = false;
};

// The next step, which depends on the number of shards in the counter's document.
enum class ResizeStep : std::uint8_t {
  kNoCounter,  // The document has no number.
  kGrow,       // The number goes up, together with the new shards.
  kShrink,     // The number goes down.
  kMove,       // The number is right: surplus shards are moved.
  kDone,       // There are enough.
  kOverruled,  // Another client has set another number since we did: theirs stays.
};
// `current` is the number in the document, and `written` the last one that this operation wrote;
// both 0 for no number. Two operations with different goals come to an end, because the overruled
// one gives up. An operation that grows to at least a number cannot be overruled.
ResizeStep DecideResize(std::int64_t current, const ShardGoal& goal, std::int64_t written);

// Changes a counter's number of shards, while other clients go on incrementing (online resharding
// with optimistic concurrency).
//
// More shards: one commit makes the new shards and raises the parent's number. If they do not fit
// into one request, several commits do, and each leaves the counter whole. Fewer shards: the
// parent's number goes down first, and then the counts of the surplus shards move into those that
// stay (fold.h). A surplus shard is deleted if it has no other field; otherwise it loses only the
// count field. A client that knows the old number may make a surplus shard again. The shard counts
// like any other, because totals add up the whole collection, and the next resize() moves it.
//
// The parent's number belongs to all counters of that collection of shards. Counters in other
// fields keep their counts, in all shards.
//
// Any client can resume an interrupted resize: it asks for the same number again. If no document
// holds the number of shards, each client's app must pass it, and `at_least` compares with the
// number of existing shards. In the extension's layout shards may have any id, so each client
// chooses its own number, and there is nothing to do.
//
// Every commit has preconditions: the parent's update time, and the update time of each shard that
// it empties. The server refuses a late commit.
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
  // {"shards": 10, "folded": 3}: the number of shards now, and the number of documents that were
  // moved.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  struct ReadingParent {
    // The number in a commit whose answer was lost, otherwise 0. The parent tells whether the
    // commit was applied.
    std::int64_t in_doubt;
  };
  // A commit under way that writes this number, and makes shards if it grows.
  struct SettingParent {
    std::int64_t number;
    std::size_t writes;
    std::string body;  // Until it is sent.
  };
  struct Listing {};
  // A commit under way that makes shards, if no document holds their number.
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
  // Raises or lowers the parent's number, as far as one request can.
  SettingParent PlanParent(std::int64_t current) const;
  // The commit that makes as many missing shards as fit into one request.
  std::string MakeMissing(MakingShards& making) const;
  Result<Billed> OnParent(ReadingParent reading, const PaddedText& body);
  Status OnParentSays(std::int64_t current);
  Result<Billed> OnParentSet(const SettingParent& setting, const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();
  // Decides by the listing, if no document holds the number of shards.
  void OnListedWithoutParent();
  Result<Billed> OnShardsMade(const MakingShards& making, const PaddedText& body);
  void MoveSurplus();
  // The write that forbids a move while another client resizes: a shard that is surplus here may be
  // in use there.
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
