#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "firestore/query_shape.h"
#include "indexes/index_file.h"

namespace shardline {

// The index that a query needs.
struct QueryIndex {
  std::vector<IndexField> fields;
  // The number of fixed fields, which come first, in any order and direction. The others are the
  // order.
  std::size_t fixed = 0;
  // Whether `__name__` ends the order descending. nullopt: it has the direction of the field before
  // it.
  std::optional<bool> name_descending = std::nullopt;
};

// The indexes of a collection whose documents carry a shard field in front of one that rises.
struct ShardedIndexes {
  std::string collection_group;
  FieldPath shard_field;
  FieldPath order_field;
  // The scope of the queries.
  IndexScope scope = IndexScope::kCollection;
  // nullopt: the queries with an index in the file or in Firestore, and the queries by the order
  // field alone.
  std::optional<std::vector<QueryIndex>> queries;
  // False for an ordinary collection, which has neither field: its queries get their own indexes.
  bool is_sharded = true;
  // The writes a second of the collection. nullopt: more than an index takes.
  std::optional<double> writes_per_second = std::nullopt;
};

// A field to exempt from indexing.
struct WantedExemption {
  std::string collection_group;
  FieldPath field;
  // Whether the field has a TTL policy.
  bool ttl = false;
  std::string why;
};

struct RewritePlan {
  std::vector<ShardedIndexes> collections;
  std::vector<WantedExemption> exemptions;
  // Indexes to add without a change, for example those that queries have lacked. Single-field
  // indexes become overrides.
  std::optional<IndexFile> composites = std::nullopt;
  // True if no query needs the old indexes any more that sharded queries replace.
  bool remove_old = false;
};

struct IndexChange {
  enum class Kind : std::uint8_t { kRemoved, kAdded, kExempted };

  Kind kind = Kind::kAdded;
  nlohmann::ordered_json entry;
  std::string why;
};

struct RewrittenIndexes {
  // The given text if nothing changes; otherwise the new text, without comments.
  std::string text;
  std::vector<IndexChange> changes;
  // Sentences about hot indexes that stay because only their owner can rewrite them, and about
  // queries by the order field alone that have no index because the given queries do not include
  // them.
  std::vector<std::string> notes;
  bool comments_lost = false;
};

// Rewrites a file for the plan
// (https://firebase.google.com/docs/firestore/solutions/shard-timestamp), and lists the changes.
// For each sharded collection:
//
//   - each query gets an index with the shard field first, unless there is one that serves it;
//   - with `remove_old`, composite indexes go that hold the order field without a shard field in
//     front of it, and both fields are exempted from indexing by themselves. Before, the queries
//     that the app has asked so far would fail without them.
//
// A collection of up to 500 writes a second keeps its indexes. Indexes that hold a vector or
// something unknown stay, too.
//
// For each ordinary collection: each query gets an index, without a shard field. An index for an
// ordinary collection or from `composites` stays, even if it is hot for a sharded collection of the
// same id.
//
// The rest of the file stays as it is. The rewrite is idempotent.
Result<RewrittenIndexes> Rewrite(std::string_view text, const RewritePlan& plan);

}  // namespace shardline
