#include "upkeep/resize.h"

#include <algorithm>
#include <cassert>
#include <string_view>
#include <utility>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/write.h"

namespace shardline {
namespace {

// The number of a shard, by its document's name; nullopt for another document.
std::optional<std::int64_t> ShardNumber(const std::string& name) {
  const std::string_view id = std::string_view{name}.substr(name.rfind('/') + 1);
  const std::optional<std::int64_t> number = ParseInt64(id);
  if (!number || *number < 0) return std::nullopt;
  std::string digits;
  AppendInt64(digits, *number);
  return digits == id ? number : std::nullopt;
}

// One more than the highest number of a shard that counts; 0 if no shard counts.
std::int64_t ShardsIn(const ShardListing& listing) {
  std::int64_t shards = 0;
  for (const CountedDocument& shard : listing.shards()) {
    const std::optional<std::int64_t> number = ShardNumber(shard.name);
    if (shard.has_field && number && *number < kMaxShards) shards = std::max(shards, *number + 1);
  }
  return shards;
}

}  // namespace

ResizeStep DecideResize(std::int64_t current, const ShardGoal& goal, std::int64_t written) {
  if (current == 0) return ResizeStep::kNoCounter;
  if (goal.at_least) return current < goal.shards ? ResizeStep::kGrow : ResizeStep::kDone;
  if (current == goal.shards) return ResizeStep::kMove;
  if (written != 0 && current != written) return ResizeStep::kOverruled;
  return current < goal.shards ? ResizeStep::kGrow : ResizeStep::kShrink;
}

Result<std::unique_ptr<Operation>> ResizeCounter::Start(OperationContext& context,
                                                        std::unique_ptr<const Counter> counter,
                                                        const ShardGoal& goal,
                                                        const std::vector<FieldPath>& fields) {
  if (goal.shards < 1 || goal.shards > kMaxShards) {
    return RefuseArgument(kArgumentNotAllowed, "shards", "an integer from 1 to 10,000",
                          "A counter can have from 1 to 10,000 shards.");
  }
  if (!fields.empty() && !goal.at_least) {
    return Conflict("fields", "atLeast", "A counter with fields only grows: pass `atLeast`.");
  }
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<ResizeCounter>(context, std::move(counter), goal, fields));
}

ResizeCounter::ResizeCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                             const ShardGoal& goal, const std::vector<FieldPath>& fields)
    : context_(context),
      counter_(std::move(counter)),
      goal_(goal),
      nothing_(NothingFor(*counter_, fields)),
      shards_(goal.shards),
      listing_(*counter_, ShardListing::Reads::kDocument),
      fold_(kMaxInFold, MaxRefusals(context.retry)) {
  assert(goal.shards >= 1 && goal.shards <= kMaxShards);
  if (counter_->is_extension()) {
    if (goal_.at_least) shards_ = std::max(shards_, counter_->shards());
    state_ = Done{};
  } else {
    Collect(0);
  }
}

void ResizeCounter::Collect(std::int64_t in_doubt) {
  listing_ = ShardListing(*counter_, ShardListing::Reads::kDocument);
  if (counter_->has_parent()) {
    state_ = ReadingParent{in_doubt};
  } else {
    state_ = Listing{};
  }
}

Result<std::optional<Call>> ResizeCounter::NextCall() {
  if (error_) return Fail(std::move(*error_));
  if (std::holds_alternative<ReadingParent>(state_)) return counter_->ReadParent();
  if (std::holds_alternative<Listing>(state_)) return listing_.NextPage();
  const auto commit = [this](std::string body) {
    return Call{context_.database.UrlPath(":commit"), std::move(body), Effect::kRepeatable};
  };
  if (auto* setting = std::get_if<SettingParent>(&state_)) return commit(std::move(setting->body));
  if (auto* making = std::get_if<MakingShards>(&state_)) return commit(MakeMissing(*making));
  if (std::holds_alternative<Done>(state_) || fold_.empty()) return std::optional<Call>();
  SHARDLINE_TRY(Call && move, fold_.NextCommit(context_.database, Guard(), context_.random));
  return std::move(move);
}

Result<Billed> ResizeCounter::HandleAnswer(const PaddedText& body) {
  if (const auto* reading = std::get_if<ReadingParent>(&state_)) return OnParent(*reading, body);
  if (const auto* setting = std::get_if<SettingParent>(&state_)) return OnParentSet(*setting, body);
  if (const auto* making = std::get_if<MakingShards>(&state_)) return OnShardsMade(*making, body);
  return std::holds_alternative<Listing>(state_) ? OnPage(body) : fold_.HandleAnswer(body);
}

// ---- The parent, which says how many shards there are ----

Result<Billed> ResizeCounter::OnParent(ReadingParent reading, const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_->ParentName(), counter_->parent_field(), parent));
  Result<std::int64_t> current = counter_->ShardsFromParent(parent);
  parent_update_time_ = std::move(parent.update_time);
  if (current && reading.in_doubt == *current) written_ = *current;
  Status status = current ? OnParentSays(*current) : Status(current.TakeFailure());
  if (!status) error_ = std::move(status.error());
  return Billed{.reads = 1};
}

Status ResizeCounter::OnParentSays(std::int64_t current) {
  switch (DecideResize(current, goal_, written_)) {
    case ResizeStep::kNoCounter:
      return Fail(kCounterNotFound, "There is no counter at ")
             << Param{"path", counter_->path()} << ": call create() first.";
    case ResizeStep::kOverruled:
      return Fail(kResizeOverruled,
                  "Another client gave the counter another number of shards meanwhile, and that "
                  "number stays.");
    case ResizeStep::kGrow:
    case ResizeStep::kShrink:
      state_ = PlanParent(current);
      break;
    case ResizeStep::kMove:
      state_ = Listing{};
      break;
    case ResizeStep::kDone:
      shards_ = current;
      state_ = Done{};
  }
  return {};
}

Write ResizeCounter::MakeShard(std::int64_t shard) const {
  return Write::Increment(counter_->ShardName(shard), nothing_);
}

Write ResizeCounter::SetParent(std::int64_t number) const {
  return Write::SetField(counter_->ParentName(), counter_->parent_field(), Amount::Integer(number),
                         Precondition::AsRead(parent_update_time_));
}

ResizeCounter::SettingParent ResizeCounter::PlanParent(std::int64_t current) const {
  CommitBody writes;
  // The number is last in the request, when it is known how many have room; it is as long as any
  // other.
  const std::size_t reserved = EncodeCommit(SetParent(kMaxShards)).size();
  std::int64_t number = std::min(current, shards_);
  while (number < shards_ && writes.AddIfFits(MakeShard(number), reserved)) ++number;
  writes.Add(SetParent(number));
  const std::size_t count = writes.size();
  return {number, count, writes.Take()};
}

Result<Billed> ResizeCounter::OnParentSet(const SettingParent& setting, const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, setting.writes));
  const Billed billed{.writes = static_cast<std::int64_t>(setting.writes)};
  refusals_ = 0;
  written_ = setting.number;
  // Read once more, for the update time and for the number, which may have changed; growing to at
  // least the goal is over with it.
  if (goal_.at_least && written_ == shards_) {
    state_ = Done{};
  } else {
    state_ = ReadingParent{0};
  }
  return billed;
}

// ---- The shards ----

Result<Billed> ResizeCounter::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) OnListed();
  return billed;
}

void ResizeCounter::OnListed() {
  state_ = Moving{};
  if (!counter_->has_parent()) OnListedWithoutParent();
  if (!goal_.at_least) MoveSurplus();
}

void ResizeCounter::OnListedWithoutParent() {
  if (goal_.at_least) {
    shards_ = std::max(goal_.shards, ShardsIn(listing_));
    state_ = Done{};
  }
  MakingShards making;
  for (std::int64_t shard = 0; shard < shards_; ++shard) {
    const CountedDocument* there = listing_.Find(counter_->ShardName(shard));
    if (there == nullptr || !there->has_field) making.missing.push_back(shard);
  }
  if (!making.missing.empty()) state_ = std::move(making);
}

std::string ResizeCounter::MakeMissing(MakingShards& making) const {
  CommitBody writes;
  while (!making.missing.empty() && writes.AddIfFits(MakeShard(making.missing.back()))) {
    making.missing.pop_back();
  }
  making.writes = writes.size();
  return writes.Take();
}

Result<Billed> ResizeCounter::OnShardsMade(const MakingShards& making, const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, making.writes));
  const Billed billed{.writes = static_cast<std::int64_t>(making.writes)};
  refusals_ = 0;
  if (!making.missing.empty()) return billed;
  if (goal_.at_least) {
    state_ = Done{};
  } else {
    state_ = Moving{};
  }
  return billed;
}

void ResizeCounter::MoveSurplus() {
  for (const CountedDocument& shard : listing_.shards()) {
    const std::optional<std::int64_t> number = ShardNumber(shard.name);
    if (!number || *number < shards_ || !shard.amount) continue;
    fold_.Add(TakeField(shard, counter_->count_field()));
  }
  fold_.SetTarget(counter_.get(), TargetShards(*counter_, shards_, listing_));
}

std::optional<Write> ResizeCounter::Guard() const {
  if (!counter_->has_parent()) return std::nullopt;
  return SetParent(shards_);
}

bool ResizeCounter::HandleFailure(const CallFailure& failure) {
  const bool reads =
      std::holds_alternative<ReadingParent>(state_) || std::holds_alternative<Listing>(state_);
  if (reads || !IsRefusal(failure.error.code)) return false;
  if (std::holds_alternative<Moving>(state_)) {
    fold_.HandleRefusal(failure);
  } else if (++refusals_ >= MaxRefusals(context_.retry)) {
    error_ =
        Error(kTooMuchContention,
              "Other clients kept writing to the counter's document. Nothing is lost: call again "
              "later.",
              failure.error.http_status);
  }
  const auto* setting = std::get_if<SettingParent>(&state_);
  Collect(setting != nullptr && failure.maybe_applied ? setting->number : 0);
  return true;
}

void ResizeCounter::WriteResult(JsonWriter& writer, const Billed&) const {
  writer.BeginObject().Key("shards").Int(shards_);
  writer.Key("folded").Int(fold_.folded()).EndObject();
}

}  // namespace shardline
