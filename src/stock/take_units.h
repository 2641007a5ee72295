#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "operation/operation.h"
#include "stock/stock.h"

namespace shardline {

// The next step when the shards that have units are known, or the richest of them.
struct StockStep {
  enum class Kind : std::uint8_t {
    kTake,   // From this shard.
    kShare,  // Move half of this shard's units to the empty one.
    kJoin,   // Move units of this shard to the richest one, because no shard has enough.
    kNone,   // All of them together have too few.
  };
  Kind kind = Kind::kNone;
  std::size_t shard = 0;
  std::int64_t units = 0;  // That are moved.
};
// `shards` are sorted, the richest first. `dice` chooses among those that have enough. `has_empty`:
// the client has met an empty shard.
StockStep DecideStock(const std::vector<StockShard>& shards, std::int64_t units, bool has_empty,
                      std::uint64_t dice);

// Takes all of the units that the user asks for, or no unit (optimistic concurrency).
//
// It reads one random shard, and takes there. If the shard has too few, a query finds the shards
// that have some; if all of them have too few, another query finds holds whose time has passed, and
// one of these is given back. A refused commit means that another client was faster: the operation
// reads again.
//
// A take that has its units already is found by its document: the same key takes once.
class TakeUnits final : public Operation {
 public:
  // `key`: see KeyId(); empty: one is drawn. `units` must be from 1 to kMaxUnitsTaken.
  TakeUnits(OperationContext& context, Stock stock, std::string key, std::int64_t units,
            std::optional<Duration> hold);

  // {"taken": true, "key": "…", "units": 2, "heldUntil": "…"}, the last for holds alone; or
  // {"taken": false, "left": 1}: too few were left.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t {
    kReading,     // One shard, and the take's document unless it was drawn a moment ago.
    kTaking,      // The commit.
    kLooking,     // For shards that have units.
    kMoving,      // Units from one shard to another.
    kSearching,   // For holds whose time has passed.
    kReclaiming,  // The units of one of them.
    kMakingSure,  // That nothing was taken, before the user gets that answer.
  };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void Ask(Step step, Call call);
  void Commit(Step step, const Write& first, const Write& second);
  void ReadShard(std::string name);
  void ReadAnyShard();
  void Look();
  void Search();
  void MakeSure();
  void Take(const StockShard& shard);
  void Move(const StockShard& from, const StockShard& to, std::int64_t units);
  void Reclaim(const StockTake& hold);

  Status OnRead(const PaddedText& body);
  void GoOnFrom(const StockShard& shard);
  void OnLooked(StockReading reading);
  void OnFound(const StockReading& reading);
  Status OnMoved(const PaddedText& body);
  Status OnMadeSure(const PaddedText& body);
  // Whether the take's document settles the matter.
  bool IsSettledBy(const StockTake& take);
  void OnRefused(const CallFailure& failure);
  void GiveUp(Error error);
  void End(bool taken);

  // Constant after construction.
  Stock stock_;
  std::string key_;
  std::string change_;
  std::int64_t units_;
  std::optional<Duration> hold_;

  Step step_ = Step::kReading;
  std::vector<std::string> asked_;  // The documents that kReading asks for.
  StockTake basis_;                 // The take's document, as last read.
  Timestamp read_time_;
  StockShard shard_;  // The shard that the client has read, or takes from.
  std::int64_t shard_number_ = -1;
  StockShard receiver_;
  std::string reclaimed_from_;  // The hold, and its update time.
  // Those that rules refuse to give back, or whose shard was not found.
  std::vector<std::string> denied_holds_;
  // A hold's shard was not found: the stock may be gone.
  bool misses_shard_ = false;
  std::int64_t left_ = 0;
  // The take's document may be there, or appear: the user has named the key, perhaps in an earlier
  // call that ended without an answer, or a commit has failed and may yet turn out to be applied.
  bool reads_take_;
  bool maybe_applied_ = false;
  bool has_moved_ = false;
  // Security rules have refused the last commit, which relied on the shard as of this update time.
  std::optional<Error> denial_;
  std::string denied_at_;
  int refusals_ = 0;
  int steps_ = 0;
  bool was_aborted_ = false;
  bool taken_ = false;
};

}  // namespace shardline
