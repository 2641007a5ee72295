#include "stock/take_units.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/reason.h"
#include "firestore/query.h"
#include "operation/procedure.h"

namespace shardline {
namespace {

// A look at the shards reads no more of them, unless more units are asked for.
constexpr std::int64_t kMostLookedAt = 20;
constexpr std::int32_t kMostHolds = 10;
// Half of a shard with fewer units than this is not worth a commit.
constexpr std::int64_t kWorthSharing = 8;

EncodedValue TimeValue(Timestamp time) {
  return EncodedValue::OfChecked(R"({"timestampValue":")" + time.ToString() + R"("})");
}

// The number of shards that have at least `units`.
std::size_t CountWith(const std::vector<StockShard>& shards, std::int64_t units) {
  const auto has_fewer = [units](const StockShard& shard) { return shard.left < units; };
  return static_cast<std::size_t>(std::find_if(shards.begin(), shards.end(), has_fewer) -
                                  shards.begin());
}

std::int64_t UnitsOf(const std::vector<StockShard>& shards) {
  std::int64_t sum = 0;
  for (const StockShard& shard : shards) sum = std::min(sum + shard.left, kMaxStockUnits);
  return sum;
}

}  // namespace

StockStep DecideStock(const std::vector<StockShard>& shards, std::int64_t units, bool has_empty,
                      std::uint64_t dice) {
  using enum StockStep::Kind;
  const std::size_t rich = CountWith(shards, std::max(kWorthSharing, 2 * units));
  if (has_empty && rich > 0) {
    const auto shard = static_cast<std::size_t>(dice % rich);
    return {kShare, shard, shards[shard].left / 2};
  }
  if (const std::size_t enough = CountWith(shards, units); enough > 0) {
    return {kTake, static_cast<std::size_t>(dice % enough)};
  }
  if (UnitsOf(shards) < units) return {kNone};
  return {kJoin, 1, std::min(shards[1].left, units - shards[0].left)};
}

TakeUnits::TakeUnits(OperationContext& context, Stock stock, std::string key, std::int64_t units,
                     std::optional<Duration> hold)
    : Operation(context, Patience::kShort),
      stock_(std::move(stock)),
      key_(key.empty() ? MakeAutoId(random()) : key),
      change_(MakeAutoId(random())),
      units_(units),
      hold_(hold),
      reads_take_(!key.empty()) {
  assert(units >= 1 && units <= kMaxUnitsTaken);
  basis_.name = stock_.TakeName(key_);
  ReadAnyShard();
}

void TakeUnits::Ask(Step step, Call call) {
  step_ = step;
  call.retry_aborted = call.effect == Effect::kRead;
  call.attempts_before = PauseAfter(refusals_, was_aborted_, context().retry);
  was_aborted_ = false;
  Send(std::move(call));
}

void TakeUnits::Commit(Step step, const Write& first, const Write& second) {
  CommitBody body;
  body.Add(first);
  body.Add(second);
  // A pause has come before the reading that the commit relies on.
  step_ = step;
  Send({.path = database().UrlPath(":commit"),
        .body = body.Take(),
        .effect = Effect::kRepeatable,
        .retry_aborted = false});
}

void TakeUnits::ReadShard(std::string name) {
  asked_ = {std::move(name)};
  if (reads_take_) asked_.push_back(basis_.name);
  Ask(Step::kReading, {.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet(asked_)});
}

void TakeUnits::ReadAnyShard() {
  shard_number_ = random().Another(stock_.shards(), shard_number_);
  ReadShard(stock_.ShardName(shard_number_));
}

void TakeUnits::Look() {
  if (++steps_ > MaxRefusals(context().retry) + units_) {
    return GiveUp(Error(kTooMuchContention, ""));
  }
  Query query{.collection = stock_.Collection(kStockShards)};
  query.select.push_back(StockField("left"));
  query.filters.push_back(
      {StockField("left"), FilterOp::kGreaterOrEqual, Amount::Integer(1).Encode()});
  query.orders.push_back({StockField("left"), Direction::kDescending});
  // If there are more shards than that, those that are read have enough.
  query.limit = static_cast<std::int32_t>(std::max(kMostLookedAt, units_));
  Ask(Step::kLooking, {.path = query.collection.QueryUrlPath(database(), ":runQuery"),
                       .body = EncodeRunQuery(query, {})});
}

void TakeUnits::Search() {
  Query query{.collection = stock_.Collection(kStockTakes)};
  query.filters.push_back({StockField("heldUntil"), FilterOp::kLessOrEqual, TimeValue(read_time_)});
  query.orders.push_back({StockField("heldUntil")});
  query.limit = kMostHolds;
  Ask(Step::kSearching, {.path = query.collection.QueryUrlPath(database(), ":runQuery"),
                         .body = EncodeRunQuery(query, {})});
}

void TakeUnits::MakeSure() {
  // The first shard says whether there is a stock at all.
  const bool has_met_shard = !shard_.update_time.empty();
  if (!reads_take_ && has_met_shard) return End(false);
  asked_ = {basis_.name};
  if (!has_met_shard) asked_.push_back(stock_.ShardName(std::int64_t{0}));
  Ask(Step::kMakingSure, {.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet(asked_)});
}

void TakeUnits::Take(const StockShard& shard) {
  shard_ = shard;
  if (hold_) {
    basis_.held_until = Timestamp{
        std::min<std::int64_t>(read_time_.micros + hold_->count(), Timestamp::kMaxMicros)};
  }
  const std::string shard_id(shard.id());
  Commit(Step::kTaking,
         TakeWrite(basis_, {units_, shard_id, change_, hold_ ? basis_.held_until : std::nullopt},
                   read_time_),
         ShardWrite(shard.name, -units_, ByTake(key_), Precondition::AsRead(shard.update_time)));
}

void TakeUnits::Move(const StockShard& from, const StockShard& to, std::int64_t units) {
  has_moved_ = true;
  receiver_ = to;
  Commit(Step::kMoving, ReturnWrite(to.name, units, ByShard(from.id())),
         ShardWrite(from.name, -units, ByShard(to.id()), Precondition::AsRead(from.update_time)));
}

void TakeUnits::Reclaim(const StockTake& hold) {
  reclaimed_from_ = hold.name + hold.update_time;
  receiver_ = {.name = stock_.ShardName(hold.shard)};
  const std::string shard_id = hold.shard;
  Commit(Step::kReclaiming, TakeWrite(hold, {0, shard_id, change_}, read_time_),
         ReturnWrite(receiver_.name, hold.units, ByTake(hold.key())));
}

Result<Billed> TakeUnits::OnAnswer(CallId, PaddedText& body) {
  Billed billed{.reads = static_cast<std::int64_t>(asked_.size())};
  switch (step_) {
    case Step::kReading:
      SHARDLINE_CHECK(OnRead(body));
      return billed;
    case Step::kMakingSure:
      SHARDLINE_CHECK(OnMadeSure(body));
      return billed;
    case Step::kLooking:
    case Step::kSearching: {
      StockReading reading;
      SHARDLINE_CHECK(DecodeStock(body, stock_, StreamedAnswer::kQuery, reading));
      billed.reads = std::max<std::int64_t>(
          1, static_cast<std::int64_t>(reading.shards.size() + reading.takes.size()));
      if (step_ == Step::kLooking) {
        OnLooked(std::move(reading));
      } else {
        OnFound(reading);
      }
      return billed;
    }
    case Step::kMoving:
      SHARDLINE_CHECK(OnMoved(body));
      break;
    case Step::kTaking:
      SHARDLINE_CHECK(DecodeCommit(body, 2));
      End(true);
      break;
    case Step::kReclaiming:
      SHARDLINE_CHECK(DecodeCommit(body, 2));
      ReadShard(receiver_.name);
  }
  return Billed{.writes = 2};
}

bool TakeUnits::IsSettledBy(const StockTake& take) {
  basis_ = take;
  if (take.units == 0 || take.IsExpired(read_time_)) return false;
  if (take.units == units_) {
    End(true);
  } else {
    FinishWithError(Fail(kStockKeyUsed, "The key ")
                    << Param{"key", key_}
                    << " has taken another number of units already: give each take its own key.");
  }
  return true;
}

Status TakeUnits::OnRead(const PaddedText& body) {
  StockReading reading;
  SHARDLINE_CHECK(DecodeStockDocuments(body, stock_, asked_, reading));
  read_time_ = reading.read_time;
  if (reads_take_ && IsSettledBy(reading.takes.front())) return {};
  GoOnFrom(reading.shards.front());
  return {};
}

void TakeUnits::GoOnFrom(const StockShard& shard) {
  shard_ = shard;
  const bool is_as_denied = shard.update_time + basis_.update_time == denied_at_;
  if (denial_ && is_as_denied) return GiveUp(*std::move(denial_));
  denial_.reset();
  // A hold of this key whose time has passed.
  if (basis_.units > 0) return Reclaim(basis_);
  if (shard.left >= units_) return Take(shard);
  Look();
}

void TakeUnits::OnLooked(StockReading reading) {
  read_time_ = reading.read_time;
  const std::vector<StockShard>& shards = reading.shards;
  // Another client may have filled it meanwhile.
  const bool is_empty = shard_.left == 0 &&
                        std::none_of(shards.begin(), shards.end(), [this](const StockShard& shard) {
                          return shard.name == shard_.name;
                        });
  const bool has_empty = !shard_.update_time.empty() && is_empty && !has_moved_;
  const StockStep step = DecideStock(shards, units_, has_empty, random().Next());
  left_ = UnitsOf(shards);
  switch (step.kind) {
    case StockStep::Kind::kTake:
      return Take(shards[step.shard]);
    case StockStep::Kind::kShare:
      return Move(shards[step.shard], shard_, step.units);
    case StockStep::Kind::kJoin:
      return Move(shards[step.shard], shards[0], step.units);
    case StockStep::Kind::kNone:
      return Search();
  }
}

void TakeUnits::OnFound(const StockReading& reading) {
  std::vector<const StockTake*> holds;
  for (const StockTake& take : reading.takes) {
    const bool is_denied = std::find(denied_holds_.begin(), denied_holds_.end(),
                                     take.name + take.update_time) != denied_holds_.end();
    if (take.units > 0 && take.IsExpired(reading.read_time) && !is_denied) holds.push_back(&take);
  }
  if (holds.empty()) return MakeSure();
  Reclaim(*holds[static_cast<std::size_t>(random().Below(holds.size()))]);
}

Status TakeUnits::OnMoved(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 2, &answer));
  const std::optional<Amount> left = answer.results.empty() ? std::nullopt : answer.results[0];
  if (!left || left->is_double()) {
    return Fail(kAnswerUnreadable, "it does not say how many units a shard has now");
  }
  receiver_.left = left->integer();
  receiver_.update_time = answer.update_time;
  if (receiver_.left >= units_) {
    Take(receiver_);
  } else {
    Look();
  }
  return {};
}

Status TakeUnits::OnMadeSure(const PaddedText& body) {
  StockReading reading;
  SHARDLINE_CHECK(DecodeStockDocuments(body, stock_, asked_, reading));
  read_time_ = reading.read_time;
  if (IsSettledBy(reading.takes.front())) return {};
  if (!reading.shards.empty() && reading.shards.front().update_time.empty()) {
    FinishWithError(stock_.NotFound());
  } else if (std::exchange(misses_shard_, false)) {
    Look();
  } else {
    End(false);
  }
  return {};
}

void TakeUnits::OnFailure(CallId, const CallFailure& failure) {
  const bool is_commit =
      step_ == Step::kTaking || step_ == Step::kMoving || step_ == Step::kReclaiming;
  const bool is_denied = failure.error.code == Code::kPermissionDenied;
  if (step_ == Step::kTaking) {
    reads_take_ = true;
    maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  }
  // Rules may know nothing of holds.
  if (step_ == Step::kSearching && is_denied) return MakeSure();
  if (!is_commit || !IsAboutStock(failure.error.code)) return GiveUp(failure.error);
  OnRefused(failure);
}

void TakeUnits::OnRefused(const CallFailure& failure) {
  if (++refusals_ >= MaxRefusals(context().retry)) return GiveUp(Error(kTooMuchContention, ""));
  const bool is_denied = failure.error.code == Code::kPermissionDenied;
  was_aborted_ = failure.error.code == Code::kAborted;
  if (step_ == Step::kReclaiming) {
    // A stock that is being deleted has no shards any more, and may still have holds.
    misses_shard_ = failure.error.code == Code::kNotFound;
    if (is_denied || misses_shard_) denied_holds_.push_back(reclaimed_from_);
    return misses_shard_ ? MakeSure() : Look();
  }
  if (step_ == Step::kTaking && is_denied) {
    denial_ = failure.error;
    denied_at_ = shard_.update_time + basis_.update_time;
    return ReadShard(shard_.name);
  }
  ReadAnyShard();
}

void TakeUnits::GiveUp(Error error) {
  if (maybe_applied_) {
    return FinishWithError(Fail(kStockTakeInDoubt,
                                "The answer to a request was lost, and the units may have been "
                                "taken: ask again with the key ")
                           << Param{"key", key_} << ", which takes once.");
  }
  if (error.reason == kTooMuchContention.name) {
    error.message = "Other clients kept changing the same shards, and nothing was taken.";
  } else if (error.by_rules) {
    NextSentence(error.message) += "Security rules must allow one commit to write a take (";
    error.message += basis_.name.substr(database().documents().size() + 1);
    error.message +=
        ") and its shard: see stockRules(). If they ask for a user, the key must begin with the "
        "user's id.";
  }
  FinishWithError(Fail(std::move(error)));
}

void TakeUnits::End(bool taken) {
  taken_ = taken;
  Finish();
}

void TakeUnits::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("taken").Boolean(taken_);
  if (taken_) {
    writer.Key("key").String(key_).Key("units").Int(units_);
    if (basis_.held_until) writer.Key("heldUntil").String(basis_.held_until->ToString());
  } else {
    writer.Key("left").Int(left_);
  }
  writer.EndObject();
}

}  // namespace shardline
