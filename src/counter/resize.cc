#include "counter/resize.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/number.h"
#include "counter/requests.h"

namespace shardline {
namespace {

// The number of a shard, by its document's name; nullopt for what is named otherwise.
std::optional<std::int64_t> ShardNumber(const std::string& name) {
  const std::string_view id = std::string_view{name}.substr(name.rfind('/') + 1);
  const std::optional<std::int64_t> number = ParseInt64(id);
  if (!number || *number < 0) return std::nullopt;
  std::string digits;
  AppendInt64(digits, *number);
  return digits == id ? number : std::nullopt;
}

}  // namespace

Result<std::unique_ptr<Operation>> ResizeCounter::Start(OperationContext& context,
                                                        std::unique_ptr<const Counter> counter,
                                                        std::int64_t shards) {
  if (shards < 1 || shards > kMaxShards) {
    return InvalidArgument("A counter can have from 1 to 10,000 shards.");
  }
  std::unique_ptr<ResizeCounter> operation(new ResizeCounter(context, std::move(counter), shards));
  if (operation->counter_->is_extension()) {
    operation->Finish();
  } else if (operation->counter_->has_parent()) {
    operation->ReadParent();
  } else {
    operation->List();
  }
  return operation;
}

ResizeCounter::ResizeCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                             std::int64_t shards)
    : FoldOperation(context), counter_(std::move(counter)), shards_(shards), listing_(*counter_) {}

void ResizeCounter::ReadParent() {
  step_ = Step::kReadingParent;
  Send(counter_->ReadParent());
}

Result<Billed> ResizeCounter::OnAnswer(CallId, PaddedText& body) {
  switch (step_) {
    case Step::kReadingParent:
      return OnParent(body);
    case Step::kListing:
      return OnPage(body);
    case Step::kFolding:
      return OnFolded(body);
    case Step::kCommitting:
      break;
  }
  std::optional<Amount> none;
  SHARDLINE_CHECK(DecodeCommitOf(writes_sent_, body, none));
  const Billed billed{.writes = static_cast<std::int64_t>(writes_sent_)};
  if (counter_->has_parent()) {
    // Once more, for the update time.
    settled_ = true;
    ReadParent();
  } else {
    step_ = Step::kFolding;
    FoldMore();
  }
  return billed;
}

Result<Billed> ResizeCounter::OnParent(const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_->parent_field(), parent));
  const Billed billed{.reads = 1};
  const Result<std::int64_t> before = counter_->ShardsFromParent(parent);
  if (!before) {
    FinishWithError(Fail(before.error()));
  } else if (*before == 0) {
    FinishWithError(Fail(Code::kNotFound, "There is no counter at ")
                    << counter_->path() << ": call create() first.");
  } else if (*before == shards_) {
    parent_update_time_ = std::move(parent.update_time);
    settled_ = true;
    List();
  } else if (settled_) {
    FinishWithError(Fail(Code::kAborted,
                         "Somebody else gave the counter another number of shards meanwhile; that "
                         "one stays."));
  } else {
    parent_update_time_ = std::move(parent.update_time);
    CommitShards(*before);
  }
  return billed;
}

void ResizeCounter::CommitShards(std::int64_t before) {
  step_ = Step::kCommitting;
  std::string writes;
  writes_sent_ = 0;
  if (counter_->has_parent()) {
    writes = EncodeSetField(counter_->ParentName(), counter_->parent_field(),
                            Amount::Integer(shards_), parent_update_time_);
    ++writes_sent_;
  }
  // Adding nothing makes a shard that is missing, and leaves one that is there as it is.
  for (std::int64_t shard = before; shard < shards_; ++shard) {
    if (writes_sent_++ > 0) writes += ',';
    writes +=
        EncodeIncrement(counter_->ShardName(shard), counter_->count_field(), Amount::Integer(0));
  }
  SendCommit(EncodeCommitOf(writes), Effect::kRepeatable);
}

void ResizeCounter::List() {
  step_ = Step::kListing;
  listing_ = ShardListing(*counter_);
  Send(listing_.NextPage());
}

Result<Billed> ResizeCounter::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed& billed, listing_.AddPage(body));
  if (!listing_.complete()) {
    Send(listing_.NextPage());
    return billed;
  }
  std::int64_t present = 0;
  for (const CountedDocument& shard : listing_.shards()) {
    const std::optional<std::int64_t> number = ShardNumber(shard.name);
    if (number && *number < shards_) ++present;
    if (!number || *number < shards_ || !shard.amount) continue;
    AddSurplus(shard);
  }
  if (!counter_->has_parent() && present < shards_) {
    CommitShards(0);
  } else {
    step_ = Step::kFolding;
    FoldMore();
  }
  return billed;
}

// Nothing is moved when somebody else resizes: what is surplus for us may be in use for them.
std::string ResizeCounter::Guard() const {
  if (!counter_->has_parent()) return {};
  return EncodeSetField(counter_->ParentName(), counter_->parent_field(), Amount::Integer(shards_),
                        parent_update_time_);
}

void ResizeCounter::Collect() {
  if (counter_->has_parent()) {
    ReadParent();
  } else {
    List();
  }
}

void ResizeCounter::OnFailure(CallId, const CallFailure& failure) {
  if (step_ == Step::kFolding) return OnFoldFailure(failure);
  if (step_ != Step::kCommitting || !IsRefusal(failure.error.code)) {
    return FinishWithFailure(failure);
  }
  if (MayTryAgain(failure)) Collect();
}

void ResizeCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("shards").Int(shards_);
  writer.Key("folded").Int(folded()).EndObject();
}

}  // namespace shardline
