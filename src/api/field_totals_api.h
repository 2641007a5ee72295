#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"

namespace shardline {

// The totals of counters with fields. The result is ReadFieldTotals'.
Result<std::unique_ptr<Operation>> StartFieldTotals(JsonScanner& scanner,
                                                    OperationContext& context);

inline constexpr Parameter kFieldTotalsParameters[] = {
    kCounterParameter,
    kFieldsParameter,
    {.name = "source",
     .type = ParameterType::kWord,
     .allowed = "sum|shards",
     .description = "Who adds up: the server, or this client, which reads every shard."},
    kSignalParameter,
};
inline constexpr ApiCall kFieldTotalsCalls[] = {
    {"counter.fieldTotals", StartFieldTotals, kFieldTotalsParameters,
     "Reads the totals of a counter with fields."},
};
inline constexpr auto kFieldTotalsApi = EntriesOf(kFieldTotalsCalls);

}  // namespace shardline
