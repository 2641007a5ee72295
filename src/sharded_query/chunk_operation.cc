#include "sharded_query/chunk_operation.h"

#include <algorithm>

#include "base/reason.h"

namespace shardline {
namespace {

// Browsers keep about a hundred requests per HTTP/2 connection under way, and time is running for
// each: a collection with thousands of shards must not ask for all of them at once.
constexpr std::size_t kMaxUnderWay = 32;

// JavaScript's numbers are exact up to here.
constexpr std::int64_t kMostCounted = (std::int64_t{1} << 53) - 1;

}  // namespace

Status ChunkOperation::CheckCount(std::int64_t count, std::int64_t others) const {
  const std::int64_t most = plan_->limit() ? *plan_->limit() : kMostCounted;
  if (count <= most && count <= kMostCounted - others) return {};
  return Fail(kAnswerUnreadable,
              "Cannot read the answer to the query: no query finds so many documents.");
}

Status ChunkOperation::CheckAggregated(const QueryPlan& plan) {
  if (!plan.overlaps()) return {};
  return Fail(kAggregationNotAllowed,
              "count(), sum() and average() cannot be had of array-contains-any and or() with more "
              "than 30 combinations: what several requests find would be counted several times.");
}

// https://firebase.google.com/docs/firestore/pricing#aggregation_queries
Billed ChunkOperation::AggregationBill(std::int64_t count) {
  constexpr std::int64_t kPerRead = 1'000;
  return {.reads = std::max<std::int64_t>((count + kPerRead - 1) / kPerRead, 1)};
}

void ChunkOperation::SendQueued() {
  // The first answer tells the others their instant.
  const bool alone = plan_->at_one_instant() && read_time_.empty();
  const std::size_t most = alone ? 1 : kMaxUnderWay;
  while (queue_start_ < queue_.size() && under_way_.size() < most) {
    const std::size_t chunk = queue_[queue_start_++];
    ++requests_;
    under_way_.push_back({Send({path_, MakeBody(chunk)}), chunk});
  }
  if (queue_start_ == queue_.size()) {
    queue_.clear();
    queue_start_ = 0;
  }
}

Result<Billed> ChunkOperation::OnAnswer(CallId id, PaddedText& body) {
  const auto at = std::find_if(under_way_.begin(), under_way_.end(),
                               [&](const UnderWay& under_way) { return under_way.call == id; });
  Result<Billed> billed = OnChunkAnswer(at->chunk, body);
  if (!billed) return billed;
  under_way_.erase(at);
  Advance();
  if (!done()) SendQueued();
  return billed;
}

}  // namespace shardline
