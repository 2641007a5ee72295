#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"
#include "api/exactly_once_api.h"

namespace shardline {

// The total of ratings and reactions. The result is ReadChoices'.
Result<std::unique_ptr<Operation>> StartChoicesSummary(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr Parameter kChoicesSummaryParameters[] = {
    kCounterParameter,
    kChoicesParameter,
    {.name = "isComplete",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Whether these choices were offered from the beginning."},
    {.name = "source",
     .type = ParameterType::kWord,
     .allowed = "sum|shards",
     .description = "Who adds up: the server, or this client, which reads every shard."},
    kSignalParameter,
};
inline constexpr ApiCall kChoicesCalls[] = {
    {"choices.summary", StartChoicesSummary, kChoicesSummaryParameters,
     "Reads how many members have each choice."},
};
inline constexpr auto kChoicesApi = EntriesOf(kChoicesCalls);

}  // namespace shardline
