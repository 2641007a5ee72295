#include "upkeep/shard_removal.h"

#include <utility>

namespace shardline {
namespace {

// Of one commit: Firestore takes more, but one that fails is sent again as a whole.
constexpr std::size_t kMaxBatch = 500;

}  // namespace

ParentFate DecideParent(const CountedDocument& parent, bool counts_for_others) {
  if (!parent.has_field || counts_for_others) return ParentFate::kStays;
  return parent.has_others() ? ParentFate::kIsRemoved : ParentFate::kIsDeleted;
}

ShardRemoval::ShardRemoval(const Counter& counter, OperationContext& context)
    : counter_(counter),
      context_(context),
      listing_(counter, ShardListing::Reads::kDocument),
      fold_(kMaxBatch, MaxRefusals(context.retry)) {}

void ShardRemoval::Collect() {
  listing_ = ShardListing(counter_, ShardListing::Reads::kDocument);
  step_ = Step::kListing;
}

Result<std::optional<Call>> ShardRemoval::NextCall() {
  switch (step_) {
    case Step::kListing:
      return listing_.NextPage();
    case Step::kReadingParent: {
      if (refusals_ >= context_.retry.max_attempts) {
        return Fail(Code::kAborted, "Others kept writing to the document ")
               << counter_.path() << ". Nothing has been deleted so far: call again later.";
      }
      Call call = ReadDocument(counter_, counter_.ParentName());
      // The first refusal means as a rule that somebody else was faster: look at once.
      call.attempts_before = refusals_ > 1 ? refusals_ : 0;
      return std::optional<Call>(std::move(call));
    }
    case Step::kClearingParent:
      return Call{context_.database.UrlPath(":commit"), EncodeCommit(*clearing_),
                  Effect::kRepeatable};
    case Step::kEmptying:
      break;
  }
  if (fold_.empty()) return std::optional<Call>();
  SHARDLINE_TRY(Call && commit, fold_.NextCommit(context_.database, std::nullopt, context_.random));
  return std::move(commit);
}

Result<Billed> ShardRemoval::HandleAnswer(const PaddedText& body) {
  switch (step_) {
    case Step::kListing: {
      Result<Billed> billed = listing_.AddPage(body);
      if (billed && listing_.complete()) OnListed();
      return billed;
    }
    case Step::kReadingParent:
      return OnParent(body);
    case Step::kClearingParent:
      break;
    case Step::kEmptying:
      return fold_.HandleAnswer(body);
  }
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  parent_deleted_ = parent_deleted_ || deletes_parent_;
  step_ = Step::kEmptying;
  return deletes_parent_ ? Billed{.deletes = 1} : Billed{.writes = 1};
}

void ShardRemoval::OnListed() {
  counts_for_others_ = false;
  for (const CountedDocument& shard : listing_.shards()) {
    counts_for_others_ = counts_for_others_ || shard.counts_for_others || IsPartial(shard.name);
    // Where the path is itself the collection of shards, other documents may stand beside them.
    if (shard.has_field) fold_.Add(TakeField(shard, counter_.count_field()));
  }
  fold_.SetTarget(nullptr, {});
  step_ = counter_.has_parent() ? Step::kReadingParent : Step::kEmptying;
}

Result<Billed> ShardRemoval::OnParent(const PaddedText& body) {
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), counter_.parent_field(), parent));
  const ParentFate fate = DecideParent(parent, counts_for_others_);
  // Whoever has deleted it: it is gone, as this operation wanted it.
  if (std::exchange(parent_in_doubt_, false) && !parent.has_field) {
    parent_deleted_ = parent_deleted_ || deletes_parent_;
  }
  step_ = fate == ParentFate::kStays ? Step::kEmptying : Step::kClearingParent;
  if (step_ == Step::kClearingParent) {
    FieldRemoval removal = TakeField(parent, counter_.parent_field());
    deletes_parent_ = removal.deletes();
    clearing_ = std::move(removal.write);
  }
  return Billed{.reads = 1};
}

bool ShardRemoval::HandleFailure(const CallFailure& failure) {
  if (!IsRefusal(failure.error.code)) return false;
  if (step_ == Step::kEmptying) {
    fold_.HandleRefusal(failure);
    Collect();
    return true;
  }
  if (step_ != Step::kClearingParent) return false;
  ++refusals_;
  parent_in_doubt_ = failure.maybe_applied;
  step_ = Step::kReadingParent;
  return true;
}

}  // namespace shardline
