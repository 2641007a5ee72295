// Shared by the operations that let the server aggregate chunk by chunk.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "operation/billed.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// The method that chunks are asked by.
inline constexpr std::string_view kAggregationVerb = ":runAggregationQuery";

// Refuses a plan that cannot be aggregated chunk by chunk, as chunks find the same documents.
Status CheckAggregated(const QueryPlan& plan);

// Refuses how many documents a chunk says it has, if there cannot be so many beside `others` of
// other chunks.
Status CheckCount(const QueryPlan& plan, std::int64_t count, std::int64_t others);

// The server's bill for the aggregation of `count` documents.
Billed AggregationBill(std::int64_t count);

}  // namespace shardline
