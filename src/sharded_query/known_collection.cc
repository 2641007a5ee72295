#include "sharded_query/known_collection.h"

#include <string_view>

namespace shardline {

Result<std::shared_ptr<const ShardedCollection>> KnownCollection::Read(OperationContext& context,
                                                                       JsonScanner& scanner) {
  if (!context.last_collection) context.last_collection = std::make_unique<KnownCollection>();
  auto& known = static_cast<KnownCollection&>(*context.last_collection);
  const std::string_view json = scanner.SkipValue();
  if (known.collection_ == nullptr || known.json_ != json) {
    JsonScanner inside = JsonScanner::Within(json);
    SHARDLINE_TRY(known.collection_, ShardedCollection::Read(inside));
    known.json_ = json;
  }
  return known.collection_;
}

}  // namespace shardline
