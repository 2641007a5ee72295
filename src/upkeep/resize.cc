#include "upkeep/resize.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"
#include "counter/shard_listing.h"
#include "firestore/write.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxBatch = 100;

// The number of a shard, by its document's name; nullopt for what is named otherwise.
std::optional<std::int64_t> ShardNumber(const std::string& name) {
  const std::string_view id = std::string_view{name}.substr(name.rfind('/') + 1);
  const std::optional<std::int64_t> number = ParseInt64(id);
  if (!number || *number < 0) return std::nullopt;
  std::string digits;
  AppendInt64(digits, *number);
  return digits == id ? number : std::nullopt;
}

// One more than the highest number of a shard that counts; 0 for none.
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

class ResizeCounter::Resizing final : public Phase {
 public:
  Resizing(const Counter& counter, const ShardGoal& goal, OperationContext& context)
      : counter_(counter),
        goal_(goal),
        context_(context),
        shards_(goal.shards),
        listing_(counter, ShardListing::Reads::kDocument),
        fold_(kMaxBatch, MaxRefusals(context.retry)) {
    Collect();
  }

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;

  std::int64_t shards() const { return shards_; }
  std::int64_t folded() const { return fold_.folded(); }

 private:
  enum class Step : std::uint8_t {
    kReadingParent,
    kSettingParent,  // And making shards, if it grows.
    kListing,
    kMakingShards,  // Where no document holds their number.
    kFolding,
    kDone,
  };

  void Collect();
  Result<Call> Commit();
  Result<Billed> OnParent(const PaddedText& body);
  Status OnParentSays(std::int64_t current);
  void OnListed();
  void AddSurplus();
  // Nothing is moved when somebody else resizes: what is surplus for us may be in use for them.
  std::optional<Write> Guard() const;

  const Counter& counter_;
  ShardGoal goal_;
  OperationContext& context_;
  Step step_ = Step::kReadingParent;
  std::int64_t shards_;  // How many there are to be.
  // What the parent says, as last read.
  std::int64_t current_ = 0;
  std::string parent_update_time_;
  // What this operation has last written to it, and what the commit under way writes.
  std::int64_t written_ = 0;
  std::int64_t writing_ = 0;
  // What a commit wrote whose answer was lost: the parent tells whether it was applied.
  std::int64_t in_doubt_ = 0;
  std::size_t writes_sent_ = 0;
  ShardListing listing_;
  std::vector<std::int64_t> missing_;  // Of kMakingShards.
  Fold fold_;
  int refusals_ = 0;
  // What ends it.
  std::optional<Error> error_;
};

void ResizeCounter::Resizing::Collect() {
  listing_ = ShardListing(counter_, ShardListing::Reads::kDocument);
  step_ = counter_.has_parent() ? Step::kReadingParent : Step::kListing;
}

Result<std::optional<Call>> ResizeCounter::Resizing::NextCall() {
  if (error_) return Fail(std::move(*error_));
  switch (step_) {
    case Step::kReadingParent:
      return counter_.ReadParent();
    case Step::kListing:
      return listing_.NextPage();
    case Step::kSettingParent:
    case Step::kMakingShards: {
      SHARDLINE_TRY(Call && commit, Commit());
      return std::move(commit);
    }
    case Step::kFolding: {
      if (fold_.empty()) break;
      SHARDLINE_TRY(Call && commit, fold_.NextCommit(context_.database, Guard(), context_.random));
      return std::move(commit);
    }
    case Step::kDone:
      break;
  }
  return std::optional<Call>();
}

Result<Call> ResizeCounter::Resizing::Commit() {
  // Adding nothing makes a shard that is missing, and leaves one that is there as it is.
  const auto make = [&](std::int64_t shard) {
    return Write::Increment(counter_.ShardName(shard), counter_.count_field(), Amount::Integer(0));
  };
  const auto set_parent = [&](std::int64_t number) {
    return Write::SetField(counter_.ParentName(), counter_.parent_field(), Amount::Integer(number),
                           Precondition::AsRead(parent_update_time_));
  };
  CommitBody writes;
  if (step_ == Step::kMakingShards) {
    while (!missing_.empty() && writes.AddIfFits(make(missing_.back()))) missing_.pop_back();
  } else {
    // The number stands last in the request, when it is known how many have room; it is as long as
    // any other.
    const std::size_t reserved = EncodeCommit(set_parent(kMaxShards)).size();
    writing_ = std::min(current_, shards_);
    while (writing_ < shards_ && writes.AddIfFits(make(writing_), reserved)) ++writing_;
    writes.Add(set_parent(writing_));
  }
  writes_sent_ = writes.size();
  return Call{context_.database.UrlPath(":commit"), writes.Take(), Effect::kRepeatable};
}

Result<Billed> ResizeCounter::Resizing::HandleAnswer(const PaddedText& body) {
  if (step_ == Step::kFolding) return fold_.HandleAnswer(body);
  if (step_ == Step::kReadingParent) return OnParent(body);
  if (step_ == Step::kListing) {
    Result<Billed> billed = listing_.AddPage(body);
    if (billed && listing_.complete()) OnListed();
    return billed;
  }
  SHARDLINE_CHECK(DecodeCommit(body, writes_sent_));
  refusals_ = 0;
  if (step_ == Step::kSettingParent) {
    written_ = writing_;
    // Read once more, for the update time and for the number that may be another by now; growing to
    // at least the goal is over with it.
    step_ = goal_.at_least && written_ == shards_ ? Step::kDone : Step::kReadingParent;
  } else if (missing_.empty()) {
    step_ = goal_.at_least ? Step::kDone : Step::kFolding;
  }
  return Billed{.writes = static_cast<std::int64_t>(writes_sent_)};
}

Result<Billed> ResizeCounter::Resizing::OnParent(const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), counter_.parent_field(), parent));
  Result<std::int64_t> current = counter_.ShardsFromParent(parent);
  parent_update_time_ = std::move(parent.update_time);
  Status status = current ? OnParentSays(*current) : Status(current.TakeFailure());
  if (!status) error_ = std::move(status.error());
  return Billed{.reads = 1};
}

Status ResizeCounter::Resizing::OnParentSays(std::int64_t current) {
  current_ = current;
  if (std::exchange(in_doubt_, 0) == current) written_ = current;
  switch (DecideResize(current, goal_, written_)) {
    case ResizeStep::kNoCounter:
      return Fail(Code::kNotFound, "There is no counter at ")
             << counter_.path() << ": call create() first.";
    case ResizeStep::kOverruled:
      return Fail(Code::kAborted,
                  "Somebody else gave the counter another number of shards meanwhile; that one "
                  "stays.");
    case ResizeStep::kGrow:
    case ResizeStep::kShrink:
      step_ = Step::kSettingParent;
      break;
    case ResizeStep::kMove:
      step_ = Step::kListing;
      break;
    case ResizeStep::kDone:
      shards_ = current;
      step_ = Step::kDone;
  }
  return {};
}

void ResizeCounter::Resizing::OnListed() {
  step_ = Step::kFolding;
  if (!counter_.has_parent()) {
    if (goal_.at_least) shards_ = std::max(goal_.shards, ShardsIn(listing_));
    missing_.clear();
    for (std::int64_t shard = 0; shard < shards_; ++shard) {
      const CountedDocument* there = listing_.Find(counter_.ShardName(shard));
      if (there == nullptr || !there->has_field) missing_.push_back(shard);
    }
    if (goal_.at_least) step_ = Step::kDone;
    if (!missing_.empty()) step_ = Step::kMakingShards;
  }
  if (!goal_.at_least) AddSurplus();
}

void ResizeCounter::Resizing::AddSurplus() {
  for (const CountedDocument& shard : listing_.shards()) {
    const std::optional<std::int64_t> number = ShardNumber(shard.name);
    if (!number || *number < shards_ || !shard.amount) continue;
    fold_.Add(TakeField(shard, counter_.count_field()));
  }
  fold_.SetTarget(&counter_, TargetShards(counter_, shards_, listing_));
}

std::optional<Write> ResizeCounter::Resizing::Guard() const {
  if (!counter_.has_parent()) return std::nullopt;
  return Write::SetField(counter_.ParentName(), counter_.parent_field(), Amount::Integer(shards_),
                         Precondition::AsRead(parent_update_time_));
}

bool ResizeCounter::Resizing::HandleFailure(const CallFailure& failure) {
  const bool commits = step_ != Step::kReadingParent && step_ != Step::kListing;
  if (!commits || !IsRefusal(failure.error.code)) return false;
  if (step_ == Step::kFolding) {
    fold_.HandleRefusal(failure);
  } else if (++refusals_ >= MaxRefusals(context_.retry)) {
    error_ = Error{Code::kAborted,
                   "Others kept writing to the counter's document. Nothing is lost: call again "
                   "later.",
                   failure.error.http_status};
  }
  if (step_ == Step::kSettingParent && failure.maybe_applied) in_doubt_ = writing_;
  Collect();
  return true;
}

Result<std::unique_ptr<Operation>> ResizeCounter::Start(OperationContext& context,
                                                        std::unique_ptr<const Counter> counter,
                                                        const ShardGoal& goal) {
  if (goal.shards < 1 || goal.shards > kMaxShards) {
    return InvalidArgument("A counter can have from 1 to 10,000 shards.");
  }
  std::unique_ptr<ResizeCounter> operation(new ResizeCounter(context, std::move(counter), goal));
  if (operation->counter_->is_extension()) {
    if (goal.at_least) {
      operation->goal_.shards = std::max(goal.shards, operation->counter_->shards());
    }
    operation->Finish();
  } else {
    auto resizing = std::make_unique<Resizing>(*operation->counter_, goal, context);
    operation->resizing_ = resizing.get();
    operation->Begin(std::move(resizing));
  }
  return operation;
}

void ResizeCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("shards").Int(resizing_ == nullptr ? goal_.shards : resizing_->shards());
  writer.Key("folded").Int(resizing_ == nullptr ? 0 : resizing_->folded()).EndObject();
}

}  // namespace shardline
