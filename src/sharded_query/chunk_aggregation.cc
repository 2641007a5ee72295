#include "sharded_query/chunk_aggregation.h"

#include <algorithm>

#include "base/reason.h"

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

// https://firebase.google.com/docs/firestore/pricing#aggregation_queries
Billed AggregationBill(std::int64_t count) {
  constexpr std::int64_t kPerRead = 1'000;
  return {.reads = std::max<std::int64_t>((count + kPerRead - 1) / kPerRead, 1)};
}

}  // namespace shardline
