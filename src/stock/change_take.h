#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "operation/operation.h"
#include "stock/stock.h"

namespace shardline {

// The wish for a take: that units of it go back, or that its hold becomes final.
enum class TakeWish : std::uint8_t { kPutBack, kConfirm };

// The next step when the take has been read.
//
//   the take        put back                        confirm
//   --------------  ------------------------------  -------------------------------------
//   is not there    kMissing                        kMissing
//   has this        kDone: an earlier request was   the next rows say the same
//   change          applied
//   has no units    kNothing: they went back        kNothing: the hold has ended
//                   before
//   has fewer than  kTooMany                        -
//   asked for
//   has a hold      kCommit                         kCommit
//   any other       kCommit                         kDone
enum class TakeChangeStep : std::uint8_t { kMissing, kDone, kNothing, kTooMany, kCommit };
// `units`: how many are to go back; 0 for all.
TakeChangeStep DecideTakeChange(const StockTake& take, TakeWish wish, std::int64_t units,
                                std::string_view change);

// Puts units of a take back into its shard, or makes its hold final. Each commit requires that the
// take is as it was read (optimistic concurrency), so no more units go back than were taken.
class ChangeTake final : public Operation {
 public:
  // `key`: see KeyId(). `units`: 0 for all of them.
  ChangeTake(OperationContext& context, Stock stock, TakeWish wish, const std::string& key,
             std::int64_t units);

  // {"changed": true, "units": 0}: whether this operation has changed the take, or found its hold
  // to be final already; and how many units the take has now.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void Read();
  void Commit();
  void GoOn();
  void End(bool changed, std::int64_t units);
  void GiveUp(Error error);

  // Constant after construction.
  Stock stock_;
  TakeWish wish_;
  std::int64_t units_;
  std::string change_;

  bool is_committing_ = false;
  StockTake take_;  // As last read.
  Timestamp read_time_;
  // The server has not found a document of the last commit. If the take is there, it is the shard.
  bool is_shard_gone_ = false;
  std::optional<Error> denial_;
  bool maybe_applied_ = false;
  bool was_aborted_ = false;
  int refusals_ = 0;
  bool changed_ = false;
  std::int64_t units_now_ = 0;
};

}  // namespace shardline
