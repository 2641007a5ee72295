#pragma once

#include "api/api.h"

namespace shardline {

// What is asked of all documents of a sharded collection at once, now and then; "collection" is as
// ShardedCollection::Read takes it. What stands in brackets may be left out.
//
//   collection.backfill  {"collection", ["resumeFrom": text], ["dryRun": false],
//                        ["writesPerSecond": 1 to 10,000]} -> see AssignShards
//   collection.reshard   the same, and "shards": the values that documents get, as the collection
//                        has them: whoever calls must know that it is those that are written
Result<std::unique_ptr<Operation>> StartCollectionBackfill(JsonScanner& scanner,
                                                           OperationContext& context);
Result<std::unique_ptr<Operation>> StartCollectionReshard(JsonScanner& scanner,
                                                          OperationContext& context);

inline constexpr ApiEntry kReshardingApi[] = {
    {"collection.backfill", StartCollectionBackfill},
    {"collection.reshard", StartCollectionReshard},
};

}  // namespace shardline
