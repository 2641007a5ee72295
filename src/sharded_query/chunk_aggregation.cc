#include "sharded_query/chunk_aggregation.h"

#include "base/reason.h"
#include "firestore/limits_and_prices.h"

namespace shardline {
namespace {

// JavaScript's numbers are exact up to here.
constexpr std::int64_t kMostCounted = (std::int64_t{1} << 53) - 1;

}  // namespace

Status CheckAggregated(const QueryPlan& plan) {
  if (!plan.overlaps()) return {};
  return Fail(kAggregationNotAllowed,
              "count(), sum() and average() cannot be had of array-contains-any and or() with more "
              "than 30 combinations: what several requests find would be counted several times.");
}

Status CheckCount(const QueryPlan& plan, std::int64_t count, std::int64_t others) {
  const std::int64_t most = plan.limit() ? *plan.limit() : kMostCounted;
  if (count <= most && count <= kMostCounted - others) return {};
  return Fail(kAnswerUnreadable,
              "Cannot read the answer to the query: no query finds so many documents.");
}

Billed AggregationBill(std::int64_t count) { return {.reads = AggregationReads(count)}; }

}  // namespace shardline
