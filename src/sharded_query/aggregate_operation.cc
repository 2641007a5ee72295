#include "sharded_query/aggregate_operation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/reason.h"
#include "firestore/answers.h"
#include "sharded_query/chunk_aggregation.h"

namespace shardline {
std::optional<std::int64_t> NumbersBehind(double sum, double average, std::int64_t count) {
  // Below, doubles have fewer digits.
  constexpr double kLeast = 1e-290;
  constexpr double kTolerated = 1e-9;
  if (!(std::abs(average) >= kLeast)) return std::nullopt;
  const double ratio = sum / average;
  const double numbers = std::round(ratio);
  const bool is_one = numbers >= 1 && numbers <= static_cast<double>(count) &&
                      std::abs(ratio - numbers) <= kTolerated * numbers;
  if (!is_one) return std::nullopt;
  return static_cast<std::int64_t>(numbers);
}

Result<std::unique_ptr<Operation>> AggregateOperation::Start(OperationContext& context,
                                                             std::unique_ptr<QueryPlan> plan,
                                                             FieldPath field, Kind kind) {
  SHARDLINE_CHECK(CheckAggregated(*plan));
  if (plan->limit() && plan->chunk_count() > 1) {
    return Fail(
        kAggregationNotAllowed,
        "sum() and average() cannot have a limit here: which documents are the first ones follows "
        "only when those of all shards are merged. Read a page, and add up what it holds.");
  }
  if (plan->has_name_in_position()) {
    return Fail(
        kAggregationNotAllowed,
        "sum() and average() cannot begin or end at a document: leave continueFrom(), and the "
        "reference in startAt() or endAt(), out.");
  }
  if (field.IsDocumentName() || (plan->is_sharded() && field == plan->shard_field())) {
    return Fail(kAggregationNotAllowed, "sum() and average() need a field that holds numbers.");
  }
  return std::unique_ptr<Operation>(
      new AggregateOperation(context, std::move(plan), std::move(field), kind));
}

AggregateOperation::AggregateOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan,
                                       FieldPath field, Kind kind)
    : Operation(context, Patience::kShort),
      plan_(std::move(plan)),
      requests_(*plan_),
      field_(std::move(field)),
      kind_(kind),
      counting_(plan_->chunk_count()) {
  requests_.AskAll();
  SendRequests();
}

void AggregateOperation::SendRequests() {
  while (const std::optional<std::size_t> chunk = requests_.Next()) {
    requests_.Sent(*chunk, Send({plan_->collection().QueryUrlPath(database(), kAggregationVerb),
                                 Body(*chunk)}));
  }
}

std::string AggregateOperation::Body(std::size_t chunk) const {
  Query query = plan_->ChunkQuery(chunk, std::nullopt, plan_->limit());
  // Ordered by name, there would have to be an index with the field behind the name. The server
  // completes the order by itself, and without a limit it does not matter.
  if (!query.limit || plan_->has_usual_name_order()) query.orders.pop_back();
  if (!counting_[chunk]) {
    return EncodeRunAggregation(query, &field_, requests_.read_time(), kind_ == Kind::kAverage);
  }
  // All numbers except NaN, which cannot be there: the average would be NaN.
  const EncodedValue least = Amount::Double(-std::numeric_limits<double>::infinity()).Encode();
  query.filters.push_back({field_, FilterOp::kGreaterOrEqual, least});
  return EncodeRunAggregation(query, nullptr, requests_.read_time());
}

Result<Billed> AggregateOperation::OnAnswer(CallId id, PaddedText& body) {
  const std::size_t chunk = requests_.ChunkOf(id);
  const bool counts = counting_[chunk];
  SumAndCount answer;
  SHARDLINE_CHECK(DecodeAggregation(body, !counts, answer));
  SHARDLINE_CHECK(CheckCount(*plan_, answer.count, numbers_));
  requests_.FixInstant(answer.read_time);
  requests_.Answered(id);
  std::optional<std::int64_t> numbers = answer.count;
  if (!counts) {
    sum_.Add(answer.sum);
    if (!answer.average) numbers = 0;
    if (answer.average && answer.count > 1 && !std::isnan(answer.average->number())) {
      numbers = NumbersBehind(answer.sum.number(), answer.average->number(), answer.count);
    }
  }
  if (numbers || kind_ == Kind::kSum) {
    numbers_ += numbers.value_or(0);
  } else {
    counting_[chunk] = true;
    requests_.Ask(chunk);
  }
  if (requests_.idle()) {
    Finish();
  } else {
    SendRequests();
  }
  return AggregationBill(answer.count);
}

void AggregateOperation::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("value");
  if (kind_ == Kind::kSum) {
    sum_.Total().value_or(Amount::Double(sum_.Number())).Write(writer);
  } else if (numbers_ > 0) {
    Amount::Double(sum_.Number() / static_cast<double>(numbers_)).Write(writer);
  } else {
    writer.Raw("null");
  }
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
