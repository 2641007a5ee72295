#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firestore/query_shape.h"
#include "indexes/index_file.h"
#include "indexes/rewrite.h"

namespace shardline {

// An index that the file must have, and the entry to write if it is missing.
struct WantedIndex {
  CompositeIndex index;
  nlohmann::ordered_json entry;
  std::string why;
  std::size_t fixed;  // See QueryIndex.
};

// Whether a query that needs `wanted` can use `index`.
bool Serves(const CompositeIndex& index, const WantedIndex& wanted);

// Puts the shard field in front. Its direction does not matter to the server. A shard field that is
// there keeps the direction from plan(). A new one gets the direction of the order, like in
// Firestore's documentation.
void PutShardFirst(const ShardedIndexes& wanted, std::vector<IndexField>& fields);

// The index that a query of the collection needs.
WantedIndex ForQuery(const ShardedIndexes& wanted, const QueryIndex& query);

// The index that serves queries by the order field alone, in place of Firestore's single-field
// index.
WantedIndex ByOrderAlone(const ShardedIndexes& wanted, const SingleIndex& single);

}  // namespace shardline
