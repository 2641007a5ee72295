#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/result.h"
#include "indexes/rewrite.h"

namespace shardline {

// Reads what JavaScript says of a sharded collection:
//
//   collection  the collection's id or path
//   shardField  default "shard"
//   orderField  default "timestamp"
//   ordinary    true: it has neither
//   writesPerSecond  of its documents. Up to 500, nothing changes. Default: more.
//   scope       "COLLECTION" (default) or "COLLECTION_GROUP": of its queries
//   queries     what is queried: for each query a list of the fields that it fixes, ["exchange"]
//               (sorted by the order field, descending), or what plan() says of it, or the list
//               `index` of that (sorted from the order field on). Default: what the file has
//               indexes for, and queries by the order field alone.
//
// kInvalidArgument calls the options `name`, which is empty or ends in a dot.
Result<ShardedIndexes> ReadShardedIndexes(const nlohmann::json& options, const std::string& name);

}  // namespace shardline
