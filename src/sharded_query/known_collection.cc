#include "sharded_query/known_collection.h"

namespace shardline {

Result<std::shared_ptr<const ShardedCollection>> KnownCollection::Read(OperationContext& context,
                                                                       std::string_view json) {
  if (!context.last_collection) context.last_collection = std::make_unique<KnownCollection>();
  auto& known = static_cast<KnownCollection&>(*context.last_collection);
  if (known.collection_ == nullptr || known.json_ != json) {
    SHARDLINE_TRY(known.collection_, ShardedCollection::Read(json));
    known.json_ = json;
  }
  return known.collection_;
}

}  // namespace shardline
