#pragma once

#include <cstdint>
#include <string>

#include "base/json_view.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// The content of a document's shard field.
enum class ShardState : std::uint8_t {
  kMissing,  // Nothing: the document has no such field.
  kWritten,  // A value that the collection's documents are written with,
  kRead,     // or one that they may have besides (alsoRead).
  kStrange,  // Anything else; or the shard field is inside a map, and something that is no map
             // stands in its place.
};
// `fields` are those of a document, down to the first name of the shard field. Unless null, `shard`
// gets the value if it is kWritten or kRead.
ShardState ReadShardState(const JsonView& fields, const ShardedCollection& collection,
                          std::string* shard = nullptr);

// The task for all documents of a collection.
enum class ShardTask : std::uint8_t {
  kBackfill,  // Those that have no shard get one.
  kReshard,   // Those of a shard that is only read get one that is written.
};

// The fate of one document.
enum class ShardFate : std::uint8_t {
  kGetsShard,  // One of those that are written, drawn at random.
  kSkipped,    // It is as it should be: the collection's queries find it.
  kOutside,    // It stays as it is, and no sharded query finds it.
};
ShardFate DecideShard(ShardTask task, ShardState state);

}  // namespace shardline
