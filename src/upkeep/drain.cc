#include "upkeep/drain.h"

#include <cassert>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "counter/places.h"
#include "firestore/fields_writer.h"
#include "upkeep/total_document.h"

namespace shardline {
namespace {

// The least integer has no negative: it is returned itself, and twice it is 0 for the server, too.
Amount Negative(const Amount& amount) {
  if (amount.is_double()) return Amount::Double(-amount.number());
  const auto bits = static_cast<std::uint64_t>(amount.integer());
  return Amount::Integer(static_cast<std::int64_t>(0 - bits));
}

// A write that adds to a partial (answers.h), on the condition that the partial is as it was read.
// `id` must be unique in it.
Write AddToPartial(const CountedDocument& partial, const FieldPath& field, const Amount& delta,
                   std::string_view id) {
  Write write{.name = partial.name};
  write.mask.emplace();
  const EncodedFields data = FieldsOf(field, delta.Encode());
  FieldTransform& append = write.transforms.emplace_back(
      FieldTransform{*FieldPath::Parse("_updates_"), FieldTransform::Kind::kAppendMissing});
  EncodedValues updates;
  updates.Add(EncodedValue::Map(FieldsWriter().Text("_id_", id).Map("_data_", data).Take()));
  append.value = updates.Elements();
  write.precondition = Precondition::AsRead(partial.update_time);
  return write;
}

}  // namespace

Drain::Drain(const Counter& counter, const Counter* target, std::int64_t target_shards,
             int max_refusals, Random& random)
    : counter_(counter),
      target_(target),
      target_shards_(target_shards),
      random_(random),
      listing_(counter, ShardListing::Reads::kDocument),
      fold_(kMaxInFold, max_refusals) {
  assert(counter.is_extension());
  Collect();
}

void Drain::Collect() {
  listing_ = ShardListing(counter_, ShardListing::Reads::kDocument);
  step_ = Step::kListing;
  if (target_ == nullptr) return;
  target_listing_.emplace(*target_, ShardListing::Reads::kField);
  step_ = Step::kListingTarget;
}

bool Drain::shares_document() const {
  return target_ != nullptr && target_->has_parent() &&
         target_->ParentName() == counter_.ParentName();
}

std::string Drain::origin() const {
  return counter_.count_field().text() + " of " + counter_.path();
}

Result<std::optional<Call>> Drain::NextCall() {
  if (!other_origin_.empty()) {
    return Fail(kCounterExists, "The counter ")
           << Param{"path", target_->path()} << " already holds the migrated count of "
           << other_origin_
           << ". Migrate this one to another path (`to.path`): two counts that are added up cannot "
              "be separated.";
  }
  if (step_ == Step::kFolding && fold_.empty()) OnAllFolded();
  switch (step_) {
    case Step::kListingTarget:
      return target_listing_->NextPage();
    case Step::kListing:
      return listing_.NextPage();
    case Step::kReadingPublished:
      return ReadDocument(*target_, target_->TotalName(kPublishedId), listing_.read_time());
    case Step::kReadingDocument:
      return ReadDocument(counter_, counter_.ParentName(), listing_.read_time());
    case Step::kFolding: {
      SHARDLINE_TRY(Call && commit, fold_.NextCommit(counter_.database(), claim_, random_));
      return std::move(commit);
    }
    case Step::kDone:
      break;
  }
  return std::optional<Call>();
}

Result<Billed> Drain::HandleAnswer(const PaddedText& body) {
  if (step_ == Step::kFolding) {
    Result<Billed> folded = fold_.HandleAnswer(body);
    if (folded) claim_.reset();
    return folded;
  }
  if (step_ == Step::kReadingPublished) return OnPublished(body);
  if (step_ == Step::kReadingDocument) return OnDocument(body);
  const bool is_target = step_ == Step::kListingTarget;
  ShardListing& listing = is_target ? *target_listing_ : listing_;
  Result<Billed> billed = listing.AddPage(body);
  if (!billed || !listing.complete()) return billed;
  if (is_target) {
    step_ = Step::kListing;
  } else {
    step_ = target_ != nullptr ? Step::kReadingPublished : Step::kReadingDocument;
  }
  return billed;
}

Result<Billed> Drain::OnPublished(const PaddedText& body) {
  DocumentsAnswer answer(body);
  const DocumentAnswer kept = answer.ReadOnly(target_->TotalName(kPublishedId));
  is_published_ =
      shares_document() && TotalDocument::IsPublishedInto(counter_.count_field(), kept.fields);
  std::string taken = TotalDocument::OriginIn(kept.fields);
  SHARDLINE_CHECK(answer.Finish());
  claim_.reset();
  if (taken.empty()) {
    claim_ = TotalDocument::Claim(*target_, origin(), kept.update_time);
  } else if (taken != origin()) {
    other_origin_ = std::move(taken);
  }
  step_ = Step::kReadingDocument;
  return Billed{.reads = 1};
}

Result<Billed> Drain::OnDocument(const PaddedText& body) {
  CountedDocument document;
  SHARDLINE_CHECK(DecodeCount(body, counter_.ParentName(), counter_.parent_field(), document));
  if (!is_published_) AddDocument(document, false);
  for (const CountedDocument& shard : listing_.shards()) AddDocument(shard, true);
  std::vector<TargetShard> targets;
  if (target_ != nullptr) targets = TargetShards(*target_, target_shards_, *target_listing_);
  fold_.SetTarget(target_, std::move(targets));
  step_ = Step::kFolding;
  return Billed{.reads = 1};
}

void Drain::AddDocument(const CountedDocument& document, bool may_delete) {
  if (!document.amount) return;
  const FieldPath& field = counter_.count_field();
  if (!IsPartial(document.name) || !document.has_others()) {
    return fold_.Add(TakeField(document, field, may_delete));
  }
  // A partial that already sums to 0 needs no write.
  const Amount negative = Negative(*document.amount);
  if (negative == *document.amount) return;
  fold_.Add({document.amount, AddToPartial(document, field, negative, MakeAutoId(random_))});
}

void Drain::OnAllFolded() {
  is_empty_ = fold_.folded() == 0;
  drained_ += fold_.folded();
  fold_.ForgetFolded();
  if (is_empty_ || ++passes_ == kMaxPasses) {
    step_ = Step::kDone;
  } else {
    Collect();
  }
}

bool Drain::HandleFailure(const CallFailure& failure) {
  if (step_ != Step::kFolding || !IsRefusal(failure.error.code)) return false;
  fold_.HandleRefusal(failure);
  Collect();
  return true;
}

}  // namespace shardline
