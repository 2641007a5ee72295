#include "exactly_once/choice_reading.h"

#include <algorithm>
#include <cstddef>
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

void ChoiceReading::Start(TotalSource source) {
  const std::size_t aggregations = choices_.fields.size() + (choices_.is_complete ? 0 : 1);
  if (source == TotalSource::kSum && aggregations <= kMaxAggregations) {
    AskForSums();
  } else {
    AskForPage();
  }
}

void ChoiceReading::AskForSums() {
  const CollectionPath& shards = counter_.shard_collection();
  executor_.Send(
      {.path = shards.QueryUrlPath(counter_.database(), ":runAggregationQuery"),
       .body = EncodeSums({.collection = shards}, choices_.fields, !choices_.is_complete)});
}

void ChoiceReading::AskForPage() {
  is_listing_ = true;
  executor_.Send(listing_.NextPage());
}

Result<Billed> ChoiceReading::HandleAnswer(const PaddedText& body) {
  return is_listing_ ? OnPage(body) : OnSums(body);
}

Result<Billed> ChoiceReading::OnSums(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, choices_.fields.size(), !choices_.is_complete, answer));
  const std::int64_t shards = answer.count.value_or(counter_.shards());
  if (shards < counter_.shards() ||
      std::any_of(answer.sums.begin(), answer.sums.end(), MayHaveOverflown)) {
    AskForPage();
  } else {
    sums_ = std::move(answer.sums);
    read_time_ = std::move(answer.read_time);
    is_complete_ = true;
  }
  return Billed{.reads = AggregationReads(shards)};
}

Result<Billed> ChoiceReading::OnPage(const PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, listing_.AddPage(body));
  if (listing_.complete()) {
    read_time_ = listing_.read_time();
    is_complete_ = true;
  } else {
    AskForPage();
  }
  return billed;
}

bool ChoiceReading::HandleFailure(const CallFailure& failure) {
  if (is_listing_ || !CannotAggregate(failure.error.code)) return false;
  AskForPage();
  return true;
}

Result<std::vector<Amount>> ChoiceReading::AddUp() const {
  if (!is_listing_) return sums_;
  std::vector<Amount> counts;
  for (const Sum& sum : listing_.sums()) {
    const std::optional<Amount> count = sum.Total();
    if (!count) {
      return Fail(kTotalTooLarge, "The total of a field does not fit into a 64-bit integer.");
    }
    counts.push_back(*count);
  }
  return counts;
}

void ChoiceReading::Write(JsonWriter& writer, const std::vector<Amount>& counts,
                          const Billed& billed) const {
  writer.BeginObject().Key("counts").BeginArray();
  for (const Amount& count : counts) count.Write(writer);
  writer.EndArray().Key("readTime").String(read_time_);
  writer.Key("source").String(is_listing_ ? "shards" : "sum");
  WriteBilled(writer.Key("billed"), billed);
  writer.EndObject();
}

}  // namespace shardline
