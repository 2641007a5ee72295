#include "exactly_once/read_choices.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/limits_and_prices.h"
#include "firestore/query.h"
#include "operation/collection_page.h"

namespace shardline {
namespace {

// In one request.
constexpr std::size_t kMaxAggregations = 5;
constexpr std::size_t kPageSize = 300;

}  // namespace

ReadChoices::ReadChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
                         std::vector<FieldPath> choices, bool is_complete, TotalSource source)
    : Operation(context, Patience::kShort),
      counter_(std::move(counter)),
      choices_(std::move(choices)),
      is_complete_(is_complete),
      sums_(choices_.size()) {
  const std::size_t aggregations = choices_.size() + (is_complete_ ? 0 : 1);
  if (source == TotalSource::kSum && aggregations <= kMaxAggregations) {
    AskForSums();
  } else {
    AskForPage();
  }
}

void ReadChoices::AskForSums() {
  Send({.path = counter_->shard_collection().QueryUrlPath(database(), ":runAggregationQuery"),
        .body = EncodeSums({.collection = counter_->shard_collection()}, choices_, !is_complete_)});
}

void ReadChoices::AskForPage() {
  is_listing_ = true;
  Send(ReadPage(database(), {.collection = counter_->shard_collection(),
                             .limit = static_cast<int>(kPageSize),
                             .after = last_shard_,
                             .read_time = read_time_}));
}

Result<Billed> ReadChoices::OnAnswer(CallId, PaddedText& body) {
  return is_listing_ ? OnPage(body) : OnSums(body);
}

Result<Billed> ReadChoices::OnSums(const PaddedText& body) {
  SumsAndCount answer;
  SHARDLINE_CHECK(DecodeSums(body, choices_.size(), !is_complete_, answer));
  const std::int64_t shards = answer.count.value_or(counter_->shards());
  if (shards < counter_->shards()) {
    AskForPage();
  } else {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i].Add(answer.sums[i]);
    read_time_ = std::move(answer.read_time);
    End();
  }
  return Billed{.reads = AggregationReads(shards)};
}

Result<Billed> ReadChoices::OnPage(const PaddedText& body) {
  const std::string collection = database().documents() + '/' + counter_->shard_collection().text();
  std::string last = last_shard_;
  std::vector<Sum> sums = sums_;
  PageBounds bounds{collection, last, {}, kPageSize};
  DocumentsAnswer answer(body, StreamedAnswer::kQuery);
  std::int64_t size = 0;
  for (; answer.Next(); ++size) {
    const DocumentAnswer& shard = answer.document();
    SHARDLINE_CHECK(bounds.Take(shard.name));
    bounds.after = last = shard.name;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
      const JsonView field = shard.fields.Member(choices_[i].segments().front());
      if (const std::optional<Amount> amount = field.Read(Amount::Read)) sums[i].Add(*amount);
    }
  }
  SHARDLINE_CHECK(answer.Finish());
  if (read_time_.empty()) read_time_ = answer.read_time();
  last_shard_ = std::move(last);
  sums_ = std::move(sums);
  if (size < static_cast<std::int64_t>(kPageSize)) {
    End();
  } else {
    AskForPage();
  }
  // A query that finds nothing costs one read.
  return Billed{.reads = std::max<std::int64_t>(size, 1)};
}

void ReadChoices::OnFailure(CallId, const CallFailure& failure) {
  // As in TotalReading::HandleFailure().
  const Code code = failure.error.code;
  const bool cannot_aggregate =
      code == Code::kUnimplemented || code == Code::kFailedPrecondition || code == Code::kNotFound;
  if (is_listing_ || !cannot_aggregate) return FinishWithFailure(failure);
  AskForPage();
}

void ReadChoices::End() {
  for (const Sum& sum : sums_) {
    const std::optional<Amount> count = sum.Total();
    if (!count) {
      return FinishWithError(
          Fail(kTotalTooLarge, "A choice's count does not fit into a 64-bit integer."));
    }
    counts_.push_back(*count);
  }
  Finish();
}

void ReadChoices::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("counts").BeginArray();
  for (const Amount& count : counts_) count.Write(writer);
  writer.EndArray().Key("readTime").String(read_time_);
  writer.Key("source").String(is_listing_ ? "shards" : "sum");
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
