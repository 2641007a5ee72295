#include "stock/change_take.h"

#include <utility>

#include "base/reason.h"
#include "firestore/query.h"
#include "operation/procedure.h"

namespace shardline {

TakeChangeStep DecideTakeChange(const StockTake& take, TakeWish wish, std::int64_t units,
                                std::string_view change) {
  if (take.update_time.empty()) return TakeChangeStep::kMissing;
  const bool is_mine = take.change == change || take.before == change;
  if (wish == TakeWish::kPutBack && is_mine) return TakeChangeStep::kDone;
  if (take.units == 0) return TakeChangeStep::kNothing;
  if (wish == TakeWish::kPutBack) {
    return units > take.units ? TakeChangeStep::kTooMany : TakeChangeStep::kCommit;
  }
  return take.held_until ? TakeChangeStep::kCommit : TakeChangeStep::kDone;
}

ChangeTake::ChangeTake(OperationContext& context, Stock stock, TakeWish wish,
                       const std::string& key, std::int64_t units)
    : Operation(context, Patience::kShort),
      stock_(std::move(stock)),
      wish_(wish),
      units_(units),
      change_(MakeAutoId(random())) {
  take_.name = stock_.TakeName(key);
  Read();
}

void ChangeTake::Read() {
  is_committing_ = false;
  Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({take_.name})};
  call.attempts_before = PauseAfter(refusals_, was_aborted_, context().retry);
  Send(std::move(call));
}

void ChangeTake::Commit() {
  is_committing_ = true;
  const bool puts_back = wish_ == TakeWish::kPutBack;
  const std::int64_t back = units_ == 0 ? take_.units : units_;
  units_now_ = puts_back ? take_.units - back : take_.units;
  const bool keeps_hold = puts_back && units_now_ > 0;
  CommitBody body;
  body.Add(TakeWrite(
      take_, {units_now_, take_.shard, change_, keeps_hold ? take_.held_until : std::nullopt},
      read_time_));
  if (puts_back) {
    body.Add(ReturnWrite(stock_.ShardName(take_.shard), back, ByTake(take_.key())));
  }
  Send({.path = database().UrlPath(":commit"),
        .body = body.Take(),
        .effect = Effect::kRepeatable,
        .retry_aborted = false});
}

Result<Billed> ChangeTake::OnAnswer(CallId, PaddedText& body) {
  if (is_committing_) {
    const std::size_t writes = wish_ == TakeWish::kPutBack ? 2 : 1;
    SHARDLINE_CHECK(DecodeCommit(body, writes));
    End(true, units_now_);
    return Billed{.writes = static_cast<std::int64_t>(writes)};
  }
  StockReading reading;
  SHARDLINE_CHECK(DecodeStockDocuments(body, stock_, {take_.name}, reading));
  const bool has_moved = reading.takes.front().update_time != take_.update_time;
  take_ = std::move(reading.takes.front());
  read_time_ = reading.read_time;
  if (is_shard_gone_ && !has_moved) {
    FinishWithError(stock_.NotFound());
  } else if (denial_ && !has_moved) {
    GiveUp(*std::move(denial_));
  } else {
    denial_.reset();
    GoOn();
  }
  return Billed{.reads = 1};
}

void ChangeTake::GoOn() {
  switch (DecideTakeChange(take_, wish_, units_, change_)) {
    case TakeChangeStep::kMissing:
      return FinishWithError(Fail(kStockNotTaken, "The key ")
                             << Param{"key", take_.key()} << " has taken nothing of the stock at "
                             << Param{"path", stock_.path()} << ".");
    case TakeChangeStep::kTooMany:
      return FinishWithError(Fail(kStockKeyUsed, "The key ")
                             << Param{"key", take_.key()}
                             << " has taken fewer units than you put back.");
    case TakeChangeStep::kNothing:
      return End(false, 0);
    case TakeChangeStep::kDone:
      return End(true, take_.units);
    case TakeChangeStep::kCommit:
      return Commit();
  }
}

void ChangeTake::OnFailure(CallId, const CallFailure& failure) {
  if (is_committing_) maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  if (!is_committing_ || !IsAboutStock(failure.error.code)) return GiveUp(failure.error);
  if (++refusals_ >= MaxRefusals(context().retry)) {
    return GiveUp(Error(kTooMuchContention, "Other clients kept changing the same take or shard."));
  }
  was_aborted_ = failure.error.code == Code::kAborted;
  is_shard_gone_ = failure.error.code == Code::kNotFound;
  if (failure.error.code == Code::kPermissionDenied) denial_ = failure.error;
  Read();
}

void ChangeTake::End(bool changed, std::int64_t units) {
  changed_ = changed;
  units_now_ = units;
  Finish();
}

void ChangeTake::GiveUp(Error error) {
  if (maybe_applied_) {
    return FinishWithError(Fail(kStockTakeInDoubt,
                                "The answer to a request was lost, and the take may have been "
                                "changed: ask again with the key ")
                           << Param{"key", take_.key()} << ".");
  }
  FinishWithError(Fail(std::move(error)));
}

void ChangeTake::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("changed").Boolean(changed_);
  writer.Key("units").Int(units_now_).EndObject();
}

}  // namespace shardline
