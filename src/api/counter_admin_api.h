#pragma once

#include "api/api.h"
#include "api/counter_arguments.h"

namespace shardline {

// The rare calls of counters, mostly of administrators. Results are those of the operations; that
// of `contention` is {"suggestedShards"}.
Result<std::unique_ptr<Operation>> StartCounterCreate(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterIncrement(JsonScanner& scanner,
                                                         OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterDelete(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterResize(JsonScanner& scanner,
                                                      OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterMigrate(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterCleanUp(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartMarkersCleanUp(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartCounterPublish(JsonScanner& scanner,
                                                       OperationContext& context);
Result<std::unique_ptr<Operation>> StartContention(JsonScanner& scanner, OperationContext& context);

inline constexpr Parameter kCounterCreateParameters[] = {
    kCounterParameter,
    {.name = "ifExists",
     .type = ParameterType::kWord,
     .allowed = "keep|error",
     .description = "What to do if the counter is there: keep it, or reject with already-exists."},
    kFieldsParameter,
    kSignalParameter,
};
inline constexpr Parameter kCounterIncrementParameters[] = {
    kCounterParameter,
    kDeltaParameter,
    kSignalParameter,
};
inline constexpr Parameter kCounterDeleteParameters[] = {
    kCounterParameter,
    {.name = "hasChoices",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Whether it is a set of choices, whose shards are deleted as a whole."},
    kSignalParameter,
};
inline constexpr Parameter kCounterResizeParameters[] = {
    kCounterParameter,
    {.name = "shards",
     .type = ParameterType::kInteger,
     .required = true,
     .internal = true,
     .least = 1,
     .most = kMaxShards,
     .description = "How many shards there are to be."},
    {.name = "atLeast",
     .type = ParameterType::kBoolean,
     .description = "Whether a counter that has more shards keeps them."},
    kFieldsParameter,
    kSignalParameter,
};
inline constexpr Parameter kCounterMigrateParameters[] = {
    kCounterParameter,
    {.name = "to",
     .type = ParameterType::kObject,
     .required = true,
     .members = kCounterParameters,
     .description = "The counter that the count is moved to."},
    {.name = "shards",
     .type = ParameterType::kInteger,
     .internal = true,
     .least = 0,
     .most = kMaxShards,
     .fallback = 0,
     .description = "How many shards that counter has."},
    kSignalParameter,
};
inline constexpr Parameter kOlderThanParameter = {
    .name = "olderThan",
    .type = ParameterType::kValue,
    .allowed = "a Date, a Timestamp or a number of milliseconds",
    .description =
        "Only what expired before this time is deleted; by default all that has "
        "expired."};
inline constexpr Parameter kCounterCleanUpParameters[] = {
    kCounterParameter,
    kOlderThanParameter,
    {.name = "members",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Delete members of a counted set that were taken back, not keys."},
    kSignalParameter,
};
inline constexpr Parameter kMarkersCleanUpParameters[] = {kOlderThanParameter, kSignalParameter};
inline constexpr Parameter kCounterPublishParameters[] = {
    kCounterParameter,
    kPublishParameter,
    EveryParameter(true),
    kSignalParameter,
};
inline constexpr Parameter kContentionParameters[] = {
    {.name = "shards",
     .type = ParameterType::kInteger,
     .fallback = 0,
     .description = "How many shards there are."},
    {.name = "attempts",
     .type = ParameterType::kInteger,
     .fallback = 0,
     .description = "How many commits were tried."},
    {.name = "aborted",
     .type = ParameterType::kInteger,
     .fallback = 0,
     .description = "How many of these met with contention."},
    {.name = "perSecond",
     .type = ParameterType::kNumber,
     .fallback = 0,
     .description = "How many commits there are per second."},
};

inline constexpr ApiCall kCounterAdminCalls[] = {
    {"counter.create", StartCounterCreate, kCounterCreateParameters,
     "Makes a counter. Never changes what is there."},
    {"counter.increment", StartCounterIncrement, kCounterIncrementParameters,
     "Adds to a counter in a transaction."},
    {"counter.delete", StartCounterDelete, kCounterDeleteParameters,
     "Deletes a counter and what is kept for it."},
    {"counter.resize", StartCounterResize, kCounterResizeParameters,
     "Gives a counter another number of shards, while other clients go on counting."},
    {"counter.migrate", StartCounterMigrate, kCounterMigrateParameters,
     "Moves the count of a counter of the extension firestore-counter to another counter."},
    {"counter.cleanUp", StartCounterCleanUp, kCounterCleanUpParameters,
     "Deletes the keys of a counter's increments that have expired."},
    {"markers.cleanUp", StartMarkersCleanUp, kMarkersCleanUpParameters,
     "Deletes the markers of batches that have expired."},
    {"counter.publish", StartCounterPublish, kCounterPublishParameters,
     "Writes the total into the counter's document, unless somebody has done so lately."},
    {"contention", StartContention, kContentionParameters,
     "How many shards would do for what a client has seen. Needs no network."},
};
inline constexpr auto kCounterAdminApi = EntriesOf(kCounterAdminCalls);

}  // namespace shardline
