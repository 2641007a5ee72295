#include "upkeep/shard_removal.h"

#include <cassert>
#include <utility>

#include "base/reason.h"

namespace shardline {
namespace {

// Bounds one commit: Firestore takes more, but a failed commit is sent again as a whole.
constexpr std::size_t kMaxInCommit = 500;
// The most listings of the shards. Each is read whole, and clients may go on counting for ever.
constexpr int kMaxListings = 20;

}  // namespace

ParentFate DecideParent(const CountedDocument& parent, bool counts_for_others) {
  if (!parent.has_field || counts_for_others) return ParentFate::kStays;
  return parent.has_others() ? ParentFate::kIsRemoved : ParentFate::kIsDeleted;
}

ShardRemoval::ShardRemoval(const Counter& counter, OperationContext& context, ShardFields fields)
    : counter_(counter),
      context_(context),
      fields_(fields),
      listing_(counter, ShardListing::Reads::kDocument),
      fold_(kMaxInCommit, MaxRefusals(context.retry)) {
  assert(!counter.is_extension());
}

void ShardRemoval::Collect() {
  // The bookkeeping for the shards goes up to the last listing's time. Therefore it forgets the
  // shards that this listing finds, even if they were removed before.
  fold_.ForgetFolded();
  ++listings_;
  listing_ = ShardListing(counter_, ShardListing::Reads::kDocument);
  state_ = Listing{};
}

Result<std::optional<Call>> ShardRemoval::NextCall() {
  if (std::holds_alternative<Listing>(state_)) {
    if (listings_ > kMaxListings) {
      return Fail(
          kTooMuchContention,
          "Other clients kept counting while the counter was being deleted. What they count "
          "stays: call again later.");
    }
    return listing_.NextPage();
  }
  if (std::holds_alternative<ReadingParent>(state_)) return ReadParent();
  if (const auto* clearing = std::get_if<ClearingParent>(&state_)) {
    return Call{context_.database.UrlPath(":commit"), EncodeCommit(clearing->removal.write),
                Effect::kRepeatable};
  }
  if (fold_.empty()) return std::optional<Call>();
  SHARDLINE_TRY(Call && commit, fold_.NextCommit(context_.database, std::nullopt, context_.random));
  return std::move(commit);
}

Result<std::optional<Call>> ShardRemoval::ReadParent() const {
  if (refusals_ >= context_.retry.max_attempts) {
    return Fail(kTooMuchContention, "Other clients kept writing to the document ")
           << counter_.path() << ". Nothing has been deleted so far: call again later.";
  }
  Call call = ReadDocument(counter_, counter_.ParentName());
  // The first refusal usually means that another client was faster: look at once.
  call.attempts_before = refusals_ > 1 ? refusals_ : 0;
  return std::optional<Call>(std::move(call));
}

Result<Billed> ShardRemoval::HandleAnswer(const PaddedText& body) {
  if (std::holds_alternative<Listing>(state_)) return OnPage(body);
  if (const auto* reading = std::get_if<ReadingParent>(&state_)) return OnParent(*reading, body);
  const auto* clearing = std::get_if<ClearingParent>(&state_);
  return clearing != nullptr ? OnCleared(*clearing, body) : fold_.HandleAnswer(body);
}

Result<Billed> ShardRemoval::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) OnListed();
  return billed;
}

Result<Billed> ShardRemoval::OnCleared(const ClearingParent& clearing, const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  const bool deleted = clearing.removal.deletes();
  parent_deleted_ = parent_deleted_ || deleted;
  state_ = Emptying{};
  return deleted ? Billed{.deletes = 1} : Billed{.writes = 1};
}

// Where the path is itself the collection of shards, other documents may stand beside them.
void ShardRemoval::AddShard(const CountedDocument& shard) {
  if (fields_ == ShardFields::kCount) {
    if (shard.has_field) fold_.Add(TakeField(shard, counter_.count_field()));
  } else if (shard.has_field || shard.counts_for_others) {
    fold_.Add({{}, Write::Delete(shard.name, Precondition::AsRead(shard.update_time))});
  }
}

void ShardRemoval::OnListed() {
  counts_for_others_ = false;
  for (const CountedDocument& shard : listing_.shards()) {
    counts_for_others_ = counts_for_others_ || shard.counts_for_others || IsPartial(shard.name);
    AddShard(shard);
  }
  fold_.SetTarget(nullptr, {});
  if (counter_.has_parent()) {
    state_ = ReadingParent{};
  } else {
    state_ = Emptying{};
  }
}

Result<Billed> ShardRemoval::OnParent(ReadingParent reading, const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), counter_.parent_field(), parent));
  // Another client may have deleted it: this operation has its goal.
  if (reading.may_be_deleted && !parent.has_field) parent_deleted_ = true;
  if (DecideParent(parent, counts_for_others_) == ParentFate::kStays) {
    state_ = Emptying{};
  } else {
    state_ = ClearingParent{TakeField(parent, counter_.parent_field())};
  }
  return Billed{.reads = 1};
}

bool ShardRemoval::HandleFailure(const CallFailure& failure) {
  if (!IsRefusal(failure.error.code)) return false;
  if (std::holds_alternative<Emptying>(state_)) {
    fold_.HandleRefusal(failure);
    Collect();
    return true;
  }
  const auto* clearing = std::get_if<ClearingParent>(&state_);
  if (clearing == nullptr) return false;
  ++refusals_;
  state_ = ReadingParent{failure.maybe_applied && clearing->removal.deletes()};
  return true;
}

}  // namespace shardline
