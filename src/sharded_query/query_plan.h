#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arguments.h"
#include "base/json_writer.h"
#include "firestore/query.h"
#include "firestore/query_shape.h"
#include "sharded_query/filter_pieces.h"
#include "sharded_query/sharded_collection.h"
#include "sharded_query/sort_key.h"
#include "sharded_query/user_filters.h"

namespace shardline {

inline constexpr Parameter kPositionParameters[] = {
    {.name = "inclusive",
     .type = ParameterType::kBoolean,
     .description = "Whether documents with just these values are part of it."},
    {.name = "values",
     .type = ParameterType::kList,
     .required = true,
     .description = "As they stand on the wire, in the order of the query."},
};

inline constexpr Parameter kOrderParameters[] = {
    {.name = "field",
     .type = ParameterType::kText,
     .description = "A field path with dots; left out: the collection's order field."},
    {.name = "direction",
     .type = ParameterType::kWord,
     .allowed = "asc|desc",
     .description = "Whether the smallest or the largest comes first."},
};

// The options of a query, which the methods of a Query collect and get() sends.
inline constexpr Parameter kQueryParameters[] = {
    {.name = "filters",
     .type = ParameterType::kList,
     .members = kFilterParameters,
     .description = "All of which the documents meet: where()."},
    {.name = "orders",
     .type = ParameterType::kList,
     .members = kOrderParameters,
     .description = "What documents are sorted by: orderBy(). Left out: by the collection's order "
                    "field."},
    {.name = "limit",
     .type = ParameterType::kInteger,
     .least = 1,
     .most = INT32_MAX,
     .description = "How many documents a page has at the most. Left out: all there are."},
    {.name = "select",
     .type = ParameterType::kList,
     .description = "Field paths; left out: all fields."},
    {.name = "start",
     .type = ParameterType::kObject,
     .members = kPositionParameters,
     .description = "Where it begins: startAt(), startAfter()."},
    {.name = "end",
     .type = ParameterType::kObject,
     .members = kPositionParameters,
     .description = "Where it ends: endAt(), endBefore()."},
    {.name = "continueFrom",
     .type = ParameterType::kText,
     .description = "The token that a page of the same query ended with: continueFrom()."},
    {.name = "chunkReads",
     .type = ParameterType::kWord,
     .allowed = "share|whole-page",
     .description = "Whether each chunk of shards is asked for its share of a page and again if it "
                    "runs dry, or for the whole page at once."},
    {.name = "consistentRead",
     .type = ParameterType::kBoolean,
     .description = "Whether all chunks and pages are read at one instant."},
    {.name = "stream",
     .type = ParameterType::kText,
     .internal = true,
     .description = "The stream that the page belongs to. The stream's next page begins with the "
                    "documents that this page fetches too much."},
};

// Turns a user's query of a sharded collection into Firestore's queries (scatter-gather): one for
// each chunk of shard values, all in the same complete order, so that a k-way merge can join their
// answers.
//
// The order is Firestore's complete order of the unsharded query: the user's orders, then the
// fields of inequalities by path, then the document's name, both in the direction of the last order
// before them
// (https://cloud.google.com/firestore/docs/reference/rpc/google.firestore.v1#structuredquery).
//
// Filters beyond Firestore's limits are cut into pieces; then there is a chunk for each group of
// shards and piece of the filters.
//
// A chunk is as large as Firestore allows: shards × the disjunctions of the user's filters ≤ 30,
// and filters + orders + parent ≤ 100, where filters count once for each disjunction
// (https://firebase.google.com/docs/firestore/quotas).
class QueryPlan {
 public:
  // Reads an object with kQueryParameters. kInvalidArgument for impossible queries, and for tokens
  // of other queries.
  static Result<std::unique_ptr<QueryPlan>> Read(
      std::shared_ptr<const ShardedCollection> collection, std::string_view json);

  std::size_t chunk_count() const { return chunk_count_; }
  // The expected share of the documents in the chunk, from 0 to 1. Chunks have even sizes.
  double Share(std::size_t chunk) const;
  // Whether two chunks may find the same document.
  bool overlaps() const { return pieces_.overlap(); }
  bool is_sharded() const { return collection_->is_sharded(); }
  // Whether the chunk's query finds documents with this value in the shard field.
  bool HasShard(std::size_t chunk, const SortKey& shard) const;
  // The orders of the answers. Only the last one is the name.
  const std::vector<Order>& orders() const { return query_.orders; }
  // Whether the name's direction is the server's default.
  bool has_usual_name_order() const;
  std::optional<std::int32_t> limit() const { return limit_; }
  bool reads_whole_pages() const { return reads_whole_pages_; }
  // Whether all chunks are read as of one instant.
  bool at_one_instant() const { return consistent_read_ || collection_->in_transition(); }
  // Whether the later pages read the same instant as this one.
  bool keeps_instant() const { return consistent_read_ || !read_time_.empty(); }
  // The read time of the earlier pages of a consistent read; or empty.
  const std::string& read_time() const { return read_time_; }
  // The fields that the user gets, sorted and without overlap; nullopt for all fields. The server
  // sends more if the query sorts by a field that the user has not selected.
  const std::optional<std::vector<FieldPath>>& projection() const { return projection_; }
  const CollectionPath& collection() const { return collection_->path(); }
  const FieldPath& shard_field() const { return collection_->shard_field(); }
  // The position at which the page begins; nullopt for the first document.
  const std::optional<Position>& start() const { return start_; }
  // Whether the query begins or ends between documents that differ only in their names.
  bool has_name_in_position() const;
  // The token of the page before; empty for the first page.
  const std::string& continue_from() const { return continue_from_; }
  // The name of the stream that the page belongs to; empty for a page by itself.
  const std::string& stream() const { return stream_; }
  // A hash that distinguishes tokens of this query from others. It ignores the limit, the selection
  // and the way of fetching.
  std::uint64_t fingerprint() const { return fingerprint_; }

  // The query over one chunk, from the start or from `after` on. Valid until the next call.
  const Query& ChunkQuery(std::size_t chunk, const std::optional<Position>& after,
                          std::optional<std::int32_t> limit);

  // Writes {"chunks": [["x", "y"], …], "requests", "worstCaseReads", "index": [{"field", "order"},
  // …], "indexes": [{"fields", "fixed"}, …], "orders": ["timestamp", "__name__"]}. `indexes` has an
  // index for each alternative of or() that needs another one, without Firestore's single-field
  // indexes. `index` has the fields of the first. `fixed` is the number of its first fields that
  // filters fix.
  void Describe(JsonWriter& writer) const;

 private:
  explicit QueryPlan(std::shared_ptr<const ShardedCollection> collection)
      : collection_(std::move(collection)), query_{.collection = collection_->path()} {}

  Status ReadFilters(const Arguments& arguments);
  Status ReadOrders(const Arguments& arguments);
  Status ReadOrder(JsonScanner& scanner);
  // Whether the user's own order ends in the name.
  bool is_by_name() const;
  bool IsOrderedBy(const FieldPath& field) const;
  Status SetChunks();
  Status SetPieces(std::size_t terms);
  Status ReadSelect(const Arguments& arguments);
  Status ReadPositions(Arguments& arguments);
  // The chunks are the groups of shards; if the filters are cut, each group has a chunk for each
  // piece.
  Range Shards(std::size_t chunk) const {
    return Range::Part(shard_count(), chunk / piece_count(), chunk_count_ / piece_count());
  }
  std::size_t piece_count() const { return std::max<std::size_t>(pieces_.size(), 1); }
  void SetShards(Filter& filter, const Range& shards) const;
  // The index that one alternative needs.
  QueryShape ShapeOf(const Conjunction& filters) const;
  std::size_t shard_count() const { return collection_->shards().size(); }

  std::shared_ptr<const ShardedCollection> collection_;
  // In a sharded collection, the first filter selects the chunk's shard values.
  Query query_;
  UserFilters user_;
  std::optional<Position> start_;
  std::optional<std::vector<FieldPath>> projection_;
  std::optional<std::int32_t> limit_;
  std::string read_time_;
  std::string continue_from_;
  std::string stream_;
  std::uint64_t fingerprint_ = 0;
  std::size_t chunk_count_ = 0;
  FilterPieces pieces_;  // Empty if one query can hold the filters.
  bool reads_whole_pages_ = false;
  bool consistent_read_ = false;
};

}  // namespace shardline
