#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "operation/operation.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {

// A cache of one entry: keeps the collection of the last query, so that the next query need not
// make thousands of shard values again.
class KnownCollection final : public Leftovers {
 public:
  // Like ShardedCollection::Read(), for the connection of this context.
  static Result<std::shared_ptr<const ShardedCollection>> Read(OperationContext& context,
                                                               std::string_view json);

 private:
  std::string json_;  // The JSON that it was read from.
  std::shared_ptr<const ShardedCollection> collection_;
};

}  // namespace shardline
