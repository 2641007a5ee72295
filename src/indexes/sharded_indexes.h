#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "indexes/rewrite.h"

namespace shardline {

// Reads JavaScript's options about a sharded collection:
//
//   collection  the collection's id or path
//   shardField  default "shard"
//   orderField  default "timestamp"
//   ordinary    true: it has neither
//   writesPerSecond  of its documents. Up to 500, nothing changes. Default: more.
//   scope       "COLLECTION" (default) or "COLLECTION_GROUP": of its queries
//   queries     the queries: for each a list of the fields that it fixes, ["exchange"] (sorted by
//               the order field, descending), or the result of its plan(), or the list `index` of
//               that (sorted from the order field on). Default: the queries with an index in the
//               file, and queries by the order field alone.
//
// Errors put `name`, which is empty or ends in a dot, in front of the options' names.
Result<ShardedIndexes> ReadShardedIndexes(const nlohmann::json& options, const std::string& name);

}  // namespace shardline
