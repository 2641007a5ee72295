#include "exactly_once/choice_reading.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"
#include "operation/collection_page.h"
#include "operation/operation.h"

namespace shardline {
namespace {

// In one request.
constexpr std::size_t kMaxAggregations = 5;
constexpr std::size_t kPageSize = 300;

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
  executor_.Send(ReadPage(counter_.database(), {.collection = counter_.shard_collection(),
                                                .limit = static_cast<int>(kPageSize),
                                                .after = last_shard_,
                                                .read_time = read_time_}));
}

Result<Billed> ChoiceReading::HandleAnswer(const PaddedText& body) {
  return is_listing_ ? OnPage(body) : OnSums(body);
}

Result<Billed> ChoiceReading::OnSums(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, sums_.size(), !choices_.is_complete, answer));
  const std::int64_t shards = answer.count.value_or(counter_.shards());
  if (shards < counter_.shards()) {
    AskForPage();
  } else {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].Add(answer.sums[i]);
    read_time_ = std::move(answer.read_time);
    is_complete_ = true;
  }
  return Billed{.reads = AggregationReads(shards)};
}

Result<Billed> ChoiceReading::OnPage(const PaddedText& body) {
  const std::string collection =
      counter_.database().documents() + '/' + counter_.shard_collection().text();
  std::string last = last_shard_;
  std::vector<Sum> sums = sums_;
  PageBounds bounds{collection, last, {}, kPageSize};
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  std::int64_t size = 0;
  for (; answer.Next(); ++size) {
    const DocumentAnswer& shard = answer.document();
    SHARDLINE_CHECK(bounds.Take(shard.name));
    bounds.after = last = shard.name;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const JsonView field = shard.fields.Member(choices_.fields[i].segments().front());
      if (const std::optional<Amount> amount = field.Read(Amount::Read)) sums[i].Add(*amount);
    }
  }
  SHARDLINE_CHECK(answer.Finish());
  if (read_time_.empty()) read_time_ = answer.read_time();
  last_shard_ = std::move(last);
  sums_ = std::move(sums);
  if (size < static_cast<std::int64_t>(kPageSize)) {
    is_complete_ = true;
  } else {
    AskForPage();
  }
  // A query that finds nothing costs one read.
  return Billed{.reads = std::max<std::int64_t>(size, 1)};
}

bool ChoiceReading::HandleFailure(const CallFailure& failure) {
  // As in TotalReading::HandleFailure().
  const Code code = failure.error.code;
  const bool cannot_aggregate =
      code == Code::kUnimplemented || code == Code::kFailedPrecondition || code == Code::kNotFound;
  if (is_listing_ || !cannot_aggregate) return false;
  AskForPage();
  return true;
}

Result<std::vector<Amount>> ChoiceReading::AddUp() const {
  std::vector<Amount> counts;
  for (const Sum& sum : sums_) {
    const std::optional<Amount> count = sum.Total();
    if (!count) {
      return Fail(kTotalTooLarge, "A choice's count does not fit into a 64-bit integer.");
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
