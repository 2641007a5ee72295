#include "counter/delete.h"

#include <algorithm>
#include <utility>

#include "firestore/query.h"
#include "firestore/response.h"
#include "firestore/write.h"

namespace shardline {
namespace {

// Of one commit: Firestore takes more, but one that fails is sent again as a whole.
constexpr std::size_t kMaxDeletes = 500;

}  // namespace

DeleteCounter::DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter)
    : DrainOperation(context, std::move(counter)), listing_(this->counter()) {
  if (this->counter().is_extension()) {
    step_ = Step::kDraining;
    Collect();
  } else if (this->counter().has_parent()) {
    SendReadParent();
  } else {
    SendPage();
  }
}

void DeleteCounter::SendReadParent() {
  step_ = Step::kReadingParent;
  Send({.path = database().UrlPath(":batchGet"),
        .body = EncodeBatchGet({counter().ParentName()}),
        .attempts_before = refusals_});
}

void DeleteCounter::SendPage() {
  step_ = Step::kListing;
  Send(listing_.NextPage());
}

Result<Billed> DeleteCounter::OnAnswer(CallId, PaddedText& body) {
  switch (step_) {
    case Step::kReadingParent:
      return OnParent(body);
    case Step::kListing:
      return OnPage(body);
    case Step::kDraining:
      return OnDrainAnswer(body);
    case Step::kClearingParent:
    case Step::kDeleting:
      break;
  }
  SHARDLINE_CHECK(DecodeCommit(body));
  if (step_ == Step::kClearingParent) {
    if (deletes_parent_) ++deleted_;
    SendPage();
    return deletes_parent_ ? Billed{.deletes = 1} : Billed{.writes = 1};
  }
  const Billed billed{.deletes = static_cast<std::int64_t>(sent_)};
  deleted_ += billed.deletes;
  DeleteMore();
  return billed;
}

Result<Billed> DeleteCounter::OnParent(const PaddedText& body) {
  SHARDLINE_TRY(const std::vector<DocumentAnswer>& parents, DecodeBatchGet(body));
  if (parents.size() != 1) return InvalidArgument("One document was asked for.");
  const DocumentAnswer& parent = parents[0];
  const FieldPath& field = counter().parent_field();
  if (!parent.exists || parent.fields.Find(field.segments()[0]) == nullptr) {
    SendPage();
    return Billed{.reads = 1};
  }
  Write write{.name = counter().ParentName()};
  write.precondition = {Precondition::Kind::kUpdateTime, parent.update_time};
  deletes_parent_ = parent.fields.fields.size() == 1 && field.segments().size() == 1;
  if (deletes_parent_) {
    write.kind = Write::Kind::kDelete;
  } else {
    write.mask = std::vector<FieldPath>{field};  // Without a value: removed.
  }
  step_ = Step::kClearingParent;
  SendCommit(EncodeCommit({std::move(write)}), Effect::kRepeatable);
  return Billed{.reads = 1};
}

Result<Billed> DeleteCounter::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed& billed, listing_.AddPage(body));
  if (listing_.complete()) {
    OnListed();
  } else {
    SendPage();
  }
  return billed;
}

void DeleteCounter::OnListed() {
  // Where the path is itself the collection of shards, other documents may stand beside them.
  for (const CountedDocument& document : listing_.shards()) {
    if (document.has_field || lists_ledgers_) names_.push_back(document.name);
  }
  if (lists_ledgers_) names_.push_back(counter().RollUpName());
  DeleteMore();
}

void DeleteCounter::ListLedgers() {
  lists_ledgers_ = true;
  listing_ = ShardListing(database(), counter().OwnCollection(kLedgerCollection),
                          *FieldPath::Parse("seq"));
  SendPage();
}

void DeleteCounter::OnDrained() {
  deleted_ = drained();
  ListLedgers();
}

void DeleteCounter::DeleteMore() {
  sent_ = std::min(names_.size(), kMaxDeletes);
  if (sent_ == 0) {
    return lists_ledgers_ ? Finish() : ListLedgers();
  }
  std::vector<Write> writes;
  for (std::size_t i = 0; i < sent_; ++i) {
    writes.push_back({.kind = Write::Kind::kDelete, .name = std::move(names_.back())});
    names_.pop_back();
  }
  step_ = Step::kDeleting;
  SendCommit(EncodeCommit(writes), Effect::kRepeatable);
}

void DeleteCounter::OnFailure(CallId, const CallFailure& failure) {
  if (step_ == Step::kDraining) return OnDrainFailure(failure);
  const Code code = failure.error.code;
  const bool refused = step_ == Step::kClearingParent &&
                       (code == Code::kFailedPrecondition || code == Code::kNotFound);
  if (!refused || ++refusals_ >= context().retry.max_attempts) return FinishWithFailure(failure);
  SendReadParent();
}

void DeleteCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("deleted").Int(deleted_).EndObject();
}

}  // namespace shardline
