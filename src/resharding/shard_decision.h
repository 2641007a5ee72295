#pragma once

#include <cstdint>
#include <string>

#include "base/json_view.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// The content of a document's shard field.
enum class ShardState : std::uint8_t {
  kMissing,  // Nothing: the document has no such field.
  kWritten,  // A value that clients write into the collection's documents,
  kRead,     // or one that documents may also have (alsoRead).
  kStrange,  // Anything else; or the shard field is inside a map, and the document has another
             // value in the map's place.
};
// `fields` has the document's first field on the path of the shard field. Unless null, `shard` gets
// the value if the state is kWritten or kRead.
ShardState ReadShardState(const JsonView& fields, const ShardedCollection& collection,
                          std::string* shard = nullptr);

// The task for all documents of a collection.
enum class ShardTask : std::uint8_t {
  kBackfill,  // Documents without a shard get one.
  kReshard,   // Documents with a value of alsoRead get one that clients write.
};

// The fate of one document.
enum class ShardFate : std::uint8_t {
  kGetsShard,  // It gets one of the values that clients write, drawn at random.
  kSkipped,    // It stays as it is: the collection's queries find it.
  kOutside,    // It stays as it is, and no sharded query finds it.
};
ShardFate DecideShard(ShardTask task, ShardState state);

}  // namespace shardline
