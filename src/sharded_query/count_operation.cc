#include "sharded_query/count_operation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "firestore/answers.h"

namespace shardline {
Result<std::unique_ptr<Operation>> CountOperation::Start(OperationContext& context,
                                                         std::unique_ptr<QueryPlan> plan) {
  SHARDLINE_CHECK(CheckAggregated(*plan));
  return std::unique_ptr<Operation>(new CountOperation(context, std::move(plan)));
}

CountOperation::CountOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan)
    : ChunkOperation(context, std::move(plan), ":runAggregationQuery"),
      waiting_(this->plan().chunk_count()) {
  for (std::size_t i = 0; i < waiting_; ++i) Ask(i);
  SendQueued();
}

std::string CountOperation::MakeBody(std::size_t chunk) {
  return EncodeRunAggregation(plan().ChunkQuery(chunk, std::nullopt, plan().limit()), nullptr,
                              read_time());
}

Result<Billed> CountOperation::OnChunkAnswer(std::size_t, PaddedText& body) {
  SumAndCount answer;
  SHARDLINE_CHECK(DecodeAggregation(body, false, answer));
  SHARDLINE_CHECK(CheckCount(answer.count, count_));
  if (read_time().empty() && plan().at_one_instant()) SetReadTime(answer.read_time);
  count_ += answer.count;
  --waiting_;
  return AggregationBill(answer.count);
}

void CountOperation::Advance() {
  if (waiting_ > 0) return;
  // Each chunk was counted up to the limit by itself.
  if (plan().limit()) count_ = std::min<std::int64_t>(count_, *plan().limit());
  Finish();
}

void CountOperation::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("count").Int(count_);
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
