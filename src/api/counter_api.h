#pragma once

#include <cstdint>

#include "api/api.h"
#include "api/counter_arguments.h"

namespace shardline {

// The frequent calls of counters, from pages. The result of counter.check is {"layout"}; the others
// are those of ReadTotal, ReadSharedTotal and ReadPublished.
Result<std::unique_ptr<Operation>> StartCounterCheck(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterTotal(JsonScanner& scanner,
                                                     OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterSharedTotal(JsonScanner& scanner,
                                                           OperationContext& context);
Result<std::unique_ptr<Operation>> StartCountersPublished(JsonScanner& scanner,
                                                          OperationContext& context);

// The outbox uses these options; the core only checks them.
inline constexpr Parameter kCounterCheckParameters[] = {kCounterParameter, kMaxDeltaParameter,
                                                        kPublishParameter};
inline constexpr Parameter kCounterTotalParameters[] = {
    kCounterParameter,
    {.name = "source",
     .type = ParameterType::kWord,
     .allowed = "sum|shards",
     .description = "Who adds up: the server, or this client, which reads every shard."},
    kSignalParameter,
};
inline constexpr std::int64_t kMaxAgeMillis = 1'000'000'000'000;  // Thirty years.
inline constexpr Parameter kCounterSharedTotalParameters[] = {
    kCounterParameter,
    {.name = "maxAgeMs",
     .type = ParameterType::kInteger,
     .required = true,
     .least = 0,
     .most = kMaxAgeMillis,
     .description = "How many milliseconds old a shared total may be that is read instead."},
    {.name = "published",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Read the total that was published last, and write none."},
    kSignalParameter,
};

inline constexpr Parameter kCountersPublishedParameters[] = {
    {.name = "counters",
     .type = ParameterType::kList,
     .required = true,
     .internal = true,
     .members = kCounterParameters,
     .description = "The counters."},
    {.name = "publish",
     .type = ParameterType::kText,
     .required = true,
     .description = "The field of the counters' documents into which totals are published."},
    kSignalParameter,
};

inline constexpr ApiCall kCounterCalls[] = {
    {"counter.check", StartCounterCheck, kCounterCheckParameters,
     "Refuses bad options of a counter. Needs no network."},
    {"counter.total", StartCounterTotal, kCounterTotalParameters, "Reads the total of a counter."},
    {"counter.sharedTotal", StartCounterSharedTotal, kCounterSharedTotalParameters,
     "Reads the shared total of a counter, and makes it again where it is too old."},
    {"counters.published", StartCountersPublished, kCountersPublishedParameters,
     "Reads the totals that counters have published."},
};
inline constexpr auto kCounterApi = EntriesOf(kCounterCalls);

}  // namespace shardline
