#include "sharded_query/count_operation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "firestore/answers.h"
#include "sharded_query/chunk_aggregation.h"

namespace shardline {
Result<std::unique_ptr<Operation>> CountOperation::Start(OperationContext& context,
                                                         std::unique_ptr<QueryPlan> plan) {
  SHARDLINE_CHECK(CheckAggregated(*plan));
  return std::unique_ptr<Operation>(new CountOperation(context, std::move(plan)));
}

CountOperation::CountOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan)
    : Operation(context, Patience::kShort), plan_(std::move(plan)), requests_(*plan_) {
  requests_.AskAll();
  SendRequests();
}

void CountOperation::SendRequests() {
  while (const std::optional<std::size_t> chunk = requests_.Next()) {
    const Query& query = plan_->ChunkQuery(*chunk, std::nullopt, plan_->limit());
    requests_.Sent(*chunk, Send({plan_->collection().QueryUrlPath(database(), kAggregationVerb),
                                 EncodeRunAggregation(query, nullptr, requests_.read_time())}));
  }
}

Result<Billed> CountOperation::OnAnswer(CallId id, PaddedText& body) {
  SumAndCount answer;
  SHARDLINE_CHECK(DecodeAggregation(body, false, answer));
  SHARDLINE_CHECK(CheckCount(*plan_, answer.count, count_));
  count_ += answer.count;
  requests_.FixInstant(answer.read_time);
  requests_.Answered(id);
  if (requests_.idle()) {
    FinishCount();
  } else {
    SendRequests();
  }
  return AggregationBill(answer.count);
}

void CountOperation::FinishCount() {
  // Each chunk was counted up to the limit by itself.
  if (plan_->limit()) count_ = std::min<std::int64_t>(count_, *plan_->limit());
  Finish();
}

void CountOperation::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("count").Int(count_);
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
