#pragma once

#include "api/api.h"
#include "ids/sequence.h"

namespace shardline {

// The calls of a sequence of ids. ids.check refuses wrong arguments, and ends at once, with {}; for
// the other results see SetUpSequence and TakeIds.
Result<std::unique_ptr<Operation>> StartIdsCheck(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsCreate(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsResize(JsonScanner& scanner, OperationContext& context);
Result<std::unique_ptr<Operation>> StartIdsTake(JsonScanner& scanner, OperationContext& context);

// The largest integer that a number of JavaScript holds exactly.
inline constexpr std::int64_t kMaxFirstId = 9'007'199'254'740'991;

inline constexpr Parameter kIdsPathParameter = {.name = "path",
                                                .type = ParameterType::kText,
                                                .required = true,
                                                .internal = true,
                                                .description = "The sequence's document."};
inline constexpr Parameter kIdsShardsParameter = {
    .name = "shards",
    .type = ParameterType::kInteger,
    .least = 1,
    .most = kMaxIdShards,
    .fallback = 0,
    .description =
        "Over how many documents the sequence is spread. Left out: as its own document "
        "says, which is read once; create() makes 10."};

inline constexpr Parameter kIdsCheckParameters[] = {
    kIdsPathParameter,
    kIdsShardsParameter,
    {.name = "maxShards",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = kMaxIdShards,
     .fallback = 0,
     .description = "For create(): how many shards the sequence may ever have. By default 100, or "
                    "`shards` if that is more."},
    {.name = "block",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = kMaxIdsTaken,
     .fallback = 20,
     .description = "How many ids are taken at once."},
};
inline constexpr Parameter kIdsCreateParameters[] = {
    kIdsPathParameter,
    kIdsShardsParameter,
    kIdsCheckParameters[2],
    {.name = "startAt",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = kMaxFirstId,
     .fallback = 1,
     .description =
         "The least id: to go on from numbers that were given away before, one more than "
         "the largest of them."},
    kSignalParameter,
};
inline constexpr Parameter kIdsResizeParameters[] = {
    kIdsPathParameter,
    {.name = "shards",
     .type = ParameterType::kInteger,
     .required = true,
     .least = 1,
     .most = kMaxIdShards,
     .description = "How many shards are to be in use, up to the sequence's `maxShards`."},
    kSignalParameter,
};
inline constexpr Parameter kIdsTakeParameters[] = {
    kIdsPathParameter,
    kIdsShardsParameter,
    {.name = "count",
     .type = ParameterType::kInteger,
     .required = true,
     .least = 1,
     .most = kMaxIdsTaken,
     .description = "How many ids to take."},
    kSignalParameter,
};

inline constexpr ApiCall kIdsCalls[] = {
    {"ids.check", StartIdsCheck, kIdsCheckParameters,
     "Refuses bad options of a sequence. Needs no network."},
    {"ids.take", StartIdsTake, kIdsTakeParameters, "Takes ids that nobody else is ever given."},
};
inline constexpr ApiCall kIdsAdminCalls[] = {
    {"ids.create", StartIdsCreate, kIdsCreateParameters,
     "Makes a sequence of ids. Never changes what is there."},
    {"ids.resize", StartIdsResize, kIdsResizeParameters,
     "Changes how many shards of a sequence are in use."},
};
inline constexpr auto kIdsApi = EntriesOf(kIdsCalls);
inline constexpr auto kIdsAdminApi = EntriesOf(kIdsAdminCalls);

}  // namespace shardline
