#include "sharded_query/count_operation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "firestore/response.h"
#include "firestore/timestamp.h"

namespace shardline {
namespace {

constexpr std::string_view kAlias = "count";

// JavaScript's numbers are exact up to here.
constexpr std::int64_t kMost = (std::int64_t{1} << 53) - 1;

}  // namespace

CountOperation::CountOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan)
    : ChunkOperation(context, std::move(plan), ":runAggregationQuery"),
      waiting_(this->plan().chunk_count()) {
  for (std::size_t i = 0; i < waiting_; ++i) Ask(i);
  SendQueued();
}

std::string CountOperation::MakeBody(std::size_t chunk) {
  const Aggregation count{.kind = Aggregation::Kind::kCount, .alias = kAlias};
  return EncodeRunAggregation(plan().ChunkQuery(chunk, std::nullopt, plan().limit()), {count},
                              read_time());
}

Result<Billed> CountOperation::OnChunkAnswer(std::size_t, PaddedText& body) {
  SHARDLINE_TRY(const AggregationAnswer& answer, DecodeAggregation(body));
  const Value* value = answer.values.Find(kAlias);
  const std::int64_t* count = value ? value->As<std::int64_t>() : nullptr;
  if (count == nullptr) {
    return InvalidArgument("Cannot read the answer to the query: it holds no count.");
  }
  const std::int64_t most = plan().limit() ? *plan().limit() : kMost;
  if (*count < 0 || *count > most || *count > kMost - count_) {
    return InvalidArgument(
        "Cannot read the answer to the query: no query finds so many documents.");
  }
  if (read_time().empty() && plan().snapshot()) {
    if (!Timestamp::Parse(answer.read_time)) {
      return InvalidArgument("Cannot read the answer to the query: it names no read time.");
    }
    SetReadTime(answer.read_time);
  }
  count_ += *count;
  --waiting_;
  // https://firebase.google.com/docs/firestore/pricing#aggregation_queries
  constexpr std::int64_t kPerRead = 1'000;
  return Billed{.reads = std::max<std::int64_t>((*count + kPerRead - 1) / kPerRead, 1)};
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
