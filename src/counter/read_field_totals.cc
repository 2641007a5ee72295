#include "counter/read_field_totals.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"

namespace shardline {
namespace {

// Firestore takes five aggregations in one request. The fifth one counts the documents.
constexpr std::size_t kMostSums = 4;

}  // namespace

ReadFieldTotals::ReadFieldTotals(OperationContext& context, std::unique_ptr<const Counter> counter,
                                 std::vector<FieldPath> fields, TotalSource source)
    : Operation(context, Patience::kShort),
      counter_(std::move(counter)),
      fields_(std::move(fields)),
      choice_(*counter_),
      listing_(*counter_, fields_) {
  if (source == TotalSource::kShards || !ShardChoice::Check(*counter_)) {
    AskForPage();
  } else if (choice_.shards() == 0) {
    Send(choice_.AskForShards());
  } else {
    AskForSums();
  }
}

std::vector<FieldPath> ReadFieldTotals::NextFields() const {
  const std::size_t first = totals_.size();
  const std::size_t end = std::min(first + kMostSums, fields_.size());
  return {fields_.begin() + static_cast<std::ptrdiff_t>(first),
          fields_.begin() + static_cast<std::ptrdiff_t>(end)};
}

void ReadFieldTotals::AskForSums() {
  step_ = Step::kSumming;
  const CollectionPath& shards = counter_->shard_collection();
  Send({.path = shards.QueryUrlPath(database(), ":runAggregationQuery"),
        .body = EncodeSums({.collection = shards}, NextFields(), true, read_time_)});
}

void ReadFieldTotals::AskForPage() {
  step_ = Step::kListing;
  Send(listing_.NextPage());
}

Result<Billed> ReadFieldTotals::OnAnswer(CallId, PaddedText& body) {
  switch (step_) {
    case Step::kCountingShards:
      return OnShardCount(body);
    case Step::kSumming:
      return OnSums(body);
    case Step::kListing:
      break;
  }
  return OnPage(body);
}

Result<Billed> ReadFieldTotals::OnShardCount(const PaddedText& body) {
  // Without a counter there are no shards that could be missing.
  Failure no_counter;
  SHARDLINE_TRY(const Billed billed, choice_.HandleAnswer(body, no_counter));
  AskForSums();
  return billed;
}

Result<Billed> ReadFieldTotals::OnSums(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, NextFields().size(), true, answer));
  const std::int64_t count = answer.count.value_or(0);
  const Billed billed{.reads = AggregationReads(count)};
  if (count < choice_.shards() ||
      std::any_of(answer.sums.begin(), answer.sums.end(), MayHaveOverflown)) {
    AskForPage();
    return billed;
  }
  totals_.insert(totals_.end(), answer.sums.begin(), answer.sums.end());
  added_ = count;
  if (read_time_.empty()) read_time_ = std::move(answer.read_time);
  if (totals_.size() < fields_.size()) {
    AskForSums();
  } else {
    Finish();
  }
  return billed;
}

Result<Billed> ReadFieldTotals::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) {
    OnListed();
  } else {
    AskForPage();
  }
  return billed;
}

void ReadFieldTotals::OnListed() {
  totals_.clear();
  for (const Sum& sum : listing_.sums()) {
    const std::optional<Amount> total = sum.Total();
    if (!total) {
      return FinishWithError(
          Fail(kTotalTooLarge, "The total of a field does not fit into a 64-bit integer."));
    }
    totals_.push_back(*total);
  }
  read_time_ = listing_.read_time();
  added_ = listing_.shards();
  Finish();
}

void ReadFieldTotals::OnFailure(CallId, const CallFailure& failure) {
  // A page may be forbidden to read the counter's document: that is not needed to read the shards.
  const bool can_list = step_ == Step::kCountingShards ||
                        (step_ == Step::kSumming && CannotAggregate(failure.error.code));
  if (!can_list) return FinishWithFailure(failure);
  AskForPage();
}

void ReadFieldTotals::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("totals").BeginArray();
  for (const Amount& total : totals_) total.Write(writer);
  writer.EndArray().Key("readTime").String(read_time_);
  writer.Key("added").Int(added_).Key("shards").Int(choice_.shards());
  writer.Key("source").String(step_ == Step::kListing ? "shards" : "sum");
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
