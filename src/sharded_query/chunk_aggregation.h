// Scatter-gather of aggregations: shared by the operations that let the server aggregate chunk by
// chunk.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "operation/billed.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// The REST method of the requests to chunks.
inline constexpr std::string_view kAggregationVerb = ":runAggregationQuery";

// Refuses a plan whose chunks can find the same documents: the sum over chunks would count these
// twice.
Status CheckAggregated(const QueryPlan& plan);

// Refuses an impossible number of documents in a chunk, beside `others` documents of other chunks.
Status CheckCount(const QueryPlan& plan, std::int64_t count, std::int64_t others);

// The server's bill for the aggregation of `count` documents.
Billed AggregationBill(std::int64_t count);

}  // namespace shardline
