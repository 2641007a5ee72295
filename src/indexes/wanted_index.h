#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firestore/query_shape.h"
#include "indexes/index_file.h"
#include "indexes/rewrite.h"

namespace shardline {

// An index that is to be there, and the entry to be written if it is not.
struct WantedIndex {
  CompositeIndex index;
  nlohmann::ordered_json entry;
  std::string why;
  std::size_t fixed;  // See QueryIndex.
};

// Whether a query that needs the second can use the first.
bool Serves(const CompositeIndex& index, const WantedIndex& wanted);

// Puts the shard field in front. Any direction will do: the shard keeps the one that plan() gives
// it. Otherwise it gets the direction of the order, which Firestore's documentation uses.
void PutShardFirst(const ShardedIndexes& wanted, std::vector<IndexField>& fields);

// The index that a query of the collection needs.
WantedIndex ForQuery(const ShardedIndexes& wanted, const QueryIndex& query);

// The index that serves queries by the order field alone in place of Firestore's own index of that
// field.
WantedIndex ByOrderAlone(const ShardedIndexes& wanted, const SingleIndex& single);

}  // namespace shardline
