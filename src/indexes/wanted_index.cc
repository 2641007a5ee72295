#include "indexes/wanted_index.h"

#include <algorithm>
#include <utility>

namespace shardline {
namespace {

using nlohmann::ordered_json;

// The demand of a query that needs this index.
QueryShape ShapeOf(const WantedIndex& wanted) {
  QueryShape shape;
  const std::vector<IndexField>& fields = wanted.index.fields;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i >= wanted.fixed && IsDirected(fields[i].mode)) {
      shape.AddOrder(fields[i].path, fields[i].mode == IndexMode::kDescending);
    } else {
      shape.AddFixed(fields[i].path, fields[i].mode);
    }
  }
  shape.AddOrder(FieldPath::DocumentName(), wanted.index.name_descending);
  return shape;
}

}  // namespace

bool Serves(const CompositeIndex& index, const WantedIndex& wanted) {
  return index.collection_group == wanted.index.collection_group &&
         index.scope == wanted.index.scope &&
         ShapeOf(wanted).IsServedBy(index.fields, index.name_descending);
}

void PutShardFirst(const ShardedIndexes& wanted, std::vector<IndexField>& fields) {
  IndexMode mode = IndexMode::kAscending;
  for (const FieldPath& path : {wanted.order_field, wanted.shard_field}) {
    const auto found = std::find_if(fields.begin(), fields.end(), [&](const IndexField& field) {
      return field.path == path && IsDirected(field.mode);
    });
    if (found != fields.end()) mode = found->mode;
  }
  std::erase_if(fields, [&](const IndexField& field) { return field.path == wanted.shard_field; });
  fields.insert(fields.begin(), {wanted.shard_field, mode});
}

WantedIndex ForQuery(const ShardedIndexes& wanted, const QueryIndex& query) {
  std::vector<IndexField> fields = query.fields;
  // The shard is one more, unless it is there.
  std::size_t fixed = query.fixed;
  if (wanted.is_sharded) {
    PutShardFirst(wanted, fields);
    fixed += fields.size() - query.fields.size();
  }
  std::string why = "A query needs an index of " + Describe(fields) + ".";
  if (wanted.is_sharded) {
    why += " With " + wanted.shard_field.text() +
           " in front, writes spread over as many ranges as there are shards.";
  }
  const bool name_descending = query.name_descending.value_or(UsualNameDescending(fields));
  CompositeIndex index{wanted.collection_group, wanted.scope, std::move(fields), name_descending};
  ordered_json entry = WriteComposite(index);
  return {std::move(index), std::move(entry), std::move(why), fixed};
}

WantedIndex ByOrderAlone(const ShardedIndexes& wanted, const SingleIndex& single) {
  const std::string& order = wanted.order_field.text();
  const std::string& shard = wanted.shard_field.text();
  CompositeIndex index{
      wanted.collection_group,
      single.scope,
      // As plan() has it.
      {{wanted.shard_field, IndexMode::kAscending}, {wanted.order_field, single.mode}},
      single.mode == IndexMode::kDescending};
  ordered_json entry = WriteComposite(index);
  return {std::move(index), std::move(entry),
          "Queries by " + order + " alone use Firestore's own index of " + order +
              ". This one takes its place, with " + shard +
              " in front: writes spread over as many ranges as there are shards.",
          1};
}

}  // namespace shardline
