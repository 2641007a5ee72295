#include "counter/field_reading.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"
#include "operation/operation.h"

namespace shardline {
namespace {

// In one request.
constexpr std::size_t kMaxAggregations = 5;

}  // namespace

void FieldReading::Start(TotalSource source) {
  if (source == TotalSource::kSum) {
    AskForSums();
  } else {
    AskForPage();
  }
}

std::vector<FieldPath> FieldReading::NextFields() const {
  const std::vector<FieldPath>& fields = counted_.fields;
  const std::size_t most = kMaxAggregations - (counted_.is_complete ? 0 : 1);
  const auto first = fields.begin() + static_cast<std::ptrdiff_t>(sums_.size());
  return {first, first + static_cast<std::ptrdiff_t>(std::min(most, fields.size() - sums_.size()))};
}

void FieldReading::AskForSums() {
  const CollectionPath& shards = counter_.shard_collection();
  executor_.Send({.path = shards.QueryUrlPath(counter_.database(), ":runAggregationQuery"),
                  .body = EncodeSums({.collection = shards}, NextFields(), !counted_.is_complete,
                                     read_time_)});
}

void FieldReading::AskForCount() {
  step_ = Step::kCounting;
  const CollectionPath& shards = counter_.shard_collection();
  executor_.Send({.path = shards.QueryUrlPath(counter_.database(), ":runAggregationQuery"),
                  .body = EncodeSums({.collection = shards}, {}, true, read_time_)});
}

void FieldReading::AskForPage() {
  step_ = Step::kListing;
  is_listing_ = true;
  executor_.Send(listing_.NextPage());
}

Result<Billed> FieldReading::HandleAnswer(const PaddedText& body) {
  if (step_ == Step::kSumming) return OnSums(body);
  return step_ == Step::kCounting ? OnCount(body) : OnPage(body);
}

Result<Billed> FieldReading::OnSums(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, NextFields().size(), !counted_.is_complete, answer));
  const std::int64_t added = answer.count.value_or(0);
  const Billed billed{.reads = AggregationReads(answer.count.value_or(counter_.shards()))};
  if ((!sums_.empty() && added != added_) ||
      std::any_of(answer.sums.begin(), answer.sums.end(), MayHaveOverflown)) {
    AskForPage();
    return billed;
  }
  sums_.insert(sums_.end(), answer.sums.begin(), answer.sums.end());
  added_ = added;
  if (read_time_.empty()) read_time_ = std::move(answer.read_time);
  if (sums_.size() < counted_.fields.size()) {
    AskForSums();
  } else if (counted_.is_complete) {
    step_ = Step::kDone;
  } else {
    AskForCount();
  }
  return billed;
}

Result<Billed> FieldReading::OnCount(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, 0, true, answer));
  if (answer.count == added_) {
    step_ = Step::kDone;
  } else {
    AskForPage();
  }
  return Billed{.reads = AggregationReads(*answer.count)};
}

Result<Billed> FieldReading::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (!listing_.complete()) {
    AskForPage();
    return billed;
  }
  read_time_ = listing_.read_time();
  added_ = listing_.shards();
  step_ = Step::kDone;
  return billed;
}

bool FieldReading::HandleFailure(const CallFailure& failure) {
  if (is_listing_ || !CannotAggregate(failure.error.code)) return false;
  AskForPage();
  return true;
}

Result<std::vector<Amount>> FieldReading::AddUp() const {
  if (!is_listing_) return sums_;
  std::vector<Amount> totals;
  for (const Sum& sum : listing_.sums()) {
    const std::optional<Amount> total = sum.Total();
    if (!total) {
      return Fail(kTotalTooLarge, "The total of a field does not fit into a 64-bit integer.");
    }
    totals.push_back(*total);
  }
  return totals;
}

void FieldReading::Write(JsonWriter& writer, const std::vector<Amount>& totals,
                         const Billed& billed) const {
  writer.BeginObject().Key("totals").BeginArray();
  for (const Amount& total : totals) total.Write(writer);
  writer.EndArray().Key("readTime").String(read_time_).Key("added").Int(added_);
  writer.Key("source").String(is_listing_ ? "shards" : "sum");
  WriteBilled(writer.Key("billed"), billed);
  writer.EndObject();
}

}  // namespace shardline
