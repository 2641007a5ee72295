#pragma once

#include "api/api.h"
#include "api/collection_api.h"
#include "resharding/assign_shards.h"

namespace shardline {

// The calls that change all documents of a sharded collection. See AssignShards.
Result<std::unique_ptr<Operation>> StartCollectionBackfill(JsonScanner& scanner,
                                                           OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionReshard(JsonScanner& scanner,
                                                          OperationContext& context);

inline constexpr Parameter kPricesParameters[] = {
    {.name = "reads",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = 1'000'000,
     .description = "Dollars for a million documents that are read."},
    {.name = "writes",
     .type = ParameterType::kNumber,
     .least = 0,
     .most = 1'000'000,
     .description = "Dollars for a million documents that are written."},
};
inline constexpr Parameter kCollectionBackfillParameters[] = {
    kCollectionParameter,
    {.name = "onProgress",
     .type = ParameterType::kFunction,
     .description = "Told after every page of up to 300 documents how far it has come."},
    {.name = "resumeFrom",
     .type = ParameterType::kText,
     .nullable = true,
     .description = "What an earlier run has told last: this one goes on there. Or the path of a "
                    "document, to begin behind it. Null: from the beginning."},
    kSignalParameter,
    {.name = "dryRun",
     .type = ParameterType::kBoolean,
     .description =
         "Reads everything and writes nothing: tells how much the run would write, and its "
         "price."},
    {.name = "writesPerSecond",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = kMostWritesPerSecond,
     .fallback = kMostWritesPerSecond,
     .description = "Never more than so many, and never more than Firestore's rule for new "
                    "traffic: 500 at first, and half as many again every five minutes."},
    {.name = "location",
     .type = ParameterType::kText,
     .fallback_text = "us-central1",
     .description = "At whose published prices, of the standard edition, it tells what it costs."},
    {.name = "prices",
     .type = ParameterType::kObject,
     .members = kPricesParameters,
     .description = "In place of those of the location."},
};
inline constexpr Parameter kCollectionReshardParameters[] = {
    kCollectionBackfillParameters[0],
    {.name = "shards",
     .type = ParameterType::kValue,
     .required = true,
     .internal = true,
     .allowed = "the new shard values, or how many",
     .description = "The values that documents get, which are those that the collection writes: "
                    "the caller must know."},
    kCollectionBackfillParameters[1],
    kCollectionBackfillParameters[2],
    kCollectionBackfillParameters[3],
    kCollectionBackfillParameters[4],
    kCollectionBackfillParameters[5],
    kCollectionBackfillParameters[6],
    kCollectionBackfillParameters[7],
};

inline constexpr ApiCall kReshardingCalls[] = {
    {"collection.backfill", StartCollectionBackfill, kCollectionBackfillParameters,
     "Gives all documents that have no shard field one, while the app goes on."},
    {"collection.reshard", StartCollectionReshard, kCollectionReshardParameters,
     "Moves all documents from former shard values to those that are written, while the app goes "
     "on."},
};
inline constexpr auto kReshardingApi = EntriesOf(kReshardingCalls);

}  // namespace shardline
