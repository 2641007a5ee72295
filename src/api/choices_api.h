#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"
#include "api/exactly_once_api.h"

namespace shardline {

// The totals of ratings and reactions, and their publication. The results are those of ReadChoices
// and PublishChoices.
Result<std::unique_ptr<Operation>> StartChoicesSummary(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartChoicesPublish(JsonScanner& scanner,
                                                       OperationContext& context);

inline constexpr Parameter kIsCompleteParameter = {
    .name = "isComplete",
    .type = ParameterType::kBoolean,
    .internal = true,
    .description = "Whether these choices were offered from the beginning."};
inline constexpr Parameter kChoicesSummaryParameters[] = {
    kCounterParameter,
    kChoicesParameter,
    kIsCompleteParameter,
    {.name = "source",
     .type = ParameterType::kWord,
     .allowed = "sum|shards",
     .description = "Who adds up: the server, or this client, which reads every shard."},
    kSignalParameter,
};
inline constexpr Parameter kChoicesPublishParameters[] = {
    kCounterParameter,
    kChoicesParameter,
    kIsCompleteParameter,
    {.name = "from",
     .type = ParameterType::kInteger,
     .internal = true,
     .least = 0,
     .most = 100,
     .fallback = 0,
     .description = "The value of the first choice. Each next one is worth 1 more."},
    {.name = "average",
     .type = ParameterType::kText,
     .description = "The field of the document that gets the average."},
    {.name = "count",
     .type = ParameterType::kText,
     .description = "The field of the document that gets the number of users."},
    {.name = "counts",
     .type = ParameterType::kText,
     .description = "The field of the document that gets a map with the number of each kind."},
    {.name = "field",
     .type = ParameterType::kText,
     .description = "The same for the totals of a counter with fields."},
    EveryParameter(false),
    kSignalParameter,
};
inline constexpr ApiCall kChoicesCalls[] = {
    {"choices.summary", StartChoicesSummary, kChoicesSummaryParameters,
     "Reads how many members have each choice."},
};
inline constexpr auto kChoicesApi = EntriesOf(kChoicesCalls);
inline constexpr ApiCall kChoicesAdminCalls[] = {
    {"choices.publish", StartChoicesPublish, kChoicesPublishParameters,
     "Writes how many members have each choice into fields of their document."},
};
inline constexpr auto kChoicesAdminApi = EntriesOf(kChoicesAdminCalls);

}  // namespace shardline
