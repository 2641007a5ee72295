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
  // How many of them, the first ones, are fixed, so that their order and directions do not matter.
  // The others are the order.
  std::size_t fixed = 0;
  // Whether `__name__` ends the order descending. nullopt: as the field before it.
  std::optional<bool> name_descending = std::nullopt;
};

// The indexes of a collection whose documents carry a shard field in front of one that rises.
struct ShardedIndexes {
  std::string collection_group;
  FieldPath shard_field;
  FieldPath order_field;
  // The scope of the queries.
  IndexScope scope = IndexScope::kCollection;
  // nullopt: the queries that the file or Firestore has indexes for, and those by the order field
  // alone.
  std::optional<std::vector<QueryIndex>> queries;
  // False for an ordinary collection, which has neither field: its queries get indexes as they are.
  bool is_sharded = true;
  // How many writes it takes. nullopt: more than an index takes.
  std::optional<double> writes_per_second = std::nullopt;
};

// A field that is not to be indexed.
struct WantedExemption {
  std::string collection_group;
  FieldPath field;
  // Whether it says when a document may be deleted.
  bool ttl = false;
  std::string why;
};

struct RewritePlan {
  std::vector<ShardedIndexes> collections;
  std::vector<WantedExemption> exemptions;
  // Indexes that are to be there as they are, such as those that queries have lacked. Those of one
  // field are overrides.
  std::optional<IndexFile> composites = std::nullopt;
  // True if no query needs the indexes any more that sharded queries replace.
  bool remove_old = false;
};

struct IndexChange {
  enum class Kind : std::uint8_t { kRemoved, kAdded, kExempted };

  Kind kind = Kind::kAdded;
  nlohmann::ordered_json entry;
  std::string why;
};

struct RewrittenIndexes {
  // The text that came in, if nothing changes; otherwise without its comments.
  std::string text;
  std::vector<IndexChange> changes;
  // Sentences about hot indexes that stay because only their owner can rewrite them, and about
  // queries by the order field alone that the given queries leave without an index.
  std::vector<std::string> notes;
  bool comments_lost = false;
};

// The content that a file needs for the plan to work
// (https://firebase.google.com/docs/firestore/solutions/shard-timestamp), and its difference from
// the file. For each sharded collection:
//
//   - each query gets an index with the shard field first, unless there is one that serves it;
//   - with `remove_old`, composite indexes go that hold the order field without a shard field in
//     front of it, and both fields are exempted from indexing by themselves. Before, the queries
//     that the app has asked so far would fail without them.
//
// A collection of up to 500 writes a second stays as it is. Indexes that hold a vector or something
// unknown stay, too.
//
// For each ordinary one: the second, without a shard field. An index for an ordinary collection or
// from `composites` stays, even if it is hot for a sharded collection of the same id.
//
// The rest of the file stays as it is. The result rewritten once more is the same.
Result<RewrittenIndexes> Rewrite(std::string_view text, const RewritePlan& plan);

}  // namespace shardline
