#include "counter/drain.h"

#include <cstdint>
#include <utility>

#include "counter/requests.h"

namespace shardline {
namespace {

// Of the least integer, which has none, itself.
Amount Negative(const Amount& amount) {
  if (amount.is_double()) return Amount::Double(-amount.number());
  const auto bits = static_cast<std::uint64_t>(amount.integer());
  return Amount::Integer(static_cast<std::int64_t>(0 - bits));
}

}  // namespace

void DrainOperation::Collect() {
  step_ = Step::kListing;
  listing_ = ShardListing(*counter_);
  Send(listing_.NextPage());
}

Result<Billed> DrainOperation::OnDrainAnswer(const PaddedText& body) {
  switch (step_) {
    case Step::kListing:
      return OnPage(body);
    case Step::kReadingDocument:
      return OnDocument(body);
    case Step::kFolding:
      break;
  }
  return OnFolded(body);
}

Result<Billed> DrainOperation::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) {
    step_ = Step::kReadingDocument;
    Send(counter_->ReadParent(listing_.read_time()));
  } else {
    Send(listing_.NextPage());
  }
  return billed;
}

Result<Billed> DrainOperation::OnDocument(const PaddedText& body) {
  CountedDocument document;
  SHARDLINE_CHECK(DecodeCount(body, counter_->parent_field(), document));
  document.has_others = true;  // It is not ours to delete.
  AddDocument(document);
  for (const CountedDocument& shard : listing_.shards()) AddDocument(shard);
  step_ = Step::kFolding;
  FoldMore();
  return Billed{.reads = 1};
}

void DrainOperation::AddDocument(const CountedDocument& document) {
  if (!document.amount) return;
  const bool is_shared = document.has_others && IsPartial(document.name);
  // What cancels out already may stay.
  if (!is_shared || Negative(*document.amount) != *document.amount) AddSurplus(document);
}

std::string DrainOperation::Emptying(const CountedDocument& document) const {
  const std::string& name = document.name;
  const FieldPath& field = counter_->count_field();
  if (!IsPartial(name)) return EncodeRemoveField(name, field, document.update_time);
  return EncodeAddToPartial(name, field, Negative(*document.amount), MakeAutoId(random()),
                            document.update_time);
}

void DrainOperation::OnAllFolded() {
  is_empty_ = folded() == 0;
  drained_ += folded();
  ForgetFolded();
  if (is_empty_ || ++passes_ == kMaxPasses) return OnDrained();
  Collect();
}

void DrainOperation::OnDrainFailure(const CallFailure& failure) {
  if (step_ == Step::kFolding) return OnFoldFailure(failure);
  FinishWithFailure(failure);
}

}  // namespace shardline
