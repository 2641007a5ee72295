#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/result.h"
#include "counter/answers.h"
#include "counter/layout.h"
#include "counter/places.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "operation/executor.h"

namespace shardline {

// The protection against an answer that gets lost on its way.
enum class Delivery : std::uint8_t {
  // A marker (exactly_once/marker.h) lets one of all that are sent be counted. Two writes.
  kExactlyOnce,
  // The increment is sent again, and may count twice. One write.
  kAtLeastOnce,
  // Read, add, write if nothing has changed since. Retries cannot count twice, but when no answer
  // comes at all, is unknown.
  kTransaction,
};

inline constexpr Delivery kDefaultDelivery = Delivery::kExactlyOnce;

// How many shards a counter gets when nothing else is said.
inline constexpr std::int64_t kDefaultShards = 10;
inline constexpr std::int64_t kMaxShards = 10'000;

// Advice, if the document into which a total should be published is missing.
inline constexpr std::string_view kWriteItFirst =
    "Publishing only changes a document that exists: write it first.";

struct CounterOptions {
  std::string path;
  Layout layout;
  std::optional<std::int64_t> shards;
  Delivery delivery = kDefaultDelivery;
};

// One distributed counter of one database (sharding): its documents, and the requests that read
// them. Its count is the sum of its shards, so that many clients can write at the same time.
class Counter {
 public:
  // Refuses layouts that contradict themselves, paths that do not suit the layout, bad ids and
  // field paths, names that are too long for places.h, and shard counts other than 1 to 10,000.
  static Result<std::unique_ptr<const Counter>> Make(const DatabaseName& database,
                                                     const CounterOptions& options);

  Delivery delivery() const { return delivery_; }
  // The number of shards, if the user has said it; otherwise 0.
  std::int64_t shards() const { return shards_; }
  // The layout spelled out: {"shardCollection": "shards", "countField": "count", "shardCountField":
  // "num_shards", "parent": true}
  void WriteLayout(JsonWriter& writer) const;

  const DatabaseName& database() const { return database_; }
  // As the user wrote it.
  const std::string& path() const { return path_; }
  const CollectionPath& shard_collection() const { return shard_collection_; }
  const FieldPath& count_field() const { return count_field_; }
  // The layout of the firestore-counter extension, in which the counter's document holds a part of
  // the count.
  bool is_extension() const { return is_extension_; }
  // The id of a shard: its number, except the extension's layout, whose workers divide shards
  // among themselves by the first letters of their ids, which are to be spread evenly.
  std::string ShardId(std::int64_t shard) const;
  // The full name of a shard, such as "projects/…/posts/p1/shards/0".
  std::string ShardName(std::int64_t shard) const;
  // The places of the counter's bookkeeping; see places.h. The full name of the document above all
  // of them. That document itself is never written.
  std::string OwnDocument() const { return own_document_.Name(database_); }
  // A collection below that document. Requires a checked id.
  CollectionPath OwnCollection(std::string_view id) const { return own_document_.Collection(id); }
  // The full name of the shared total's document, or of the document with the last published total:
  // kSharedTotalId or kPublishedId. See total_document.h.
  std::string TotalName(std::string_view id = kSharedTotalId) const;
  // Asks the server for the sum of all shards, and for their number, to be read with
  // DecodeAggregation(). `read_time` is empty or as the server wrote it.
  Call ReadSum(std::string_view read_time = {}) const;
  // Asks for one shard's count, to be read with DecodeCount().
  Call ReadShard(std::int64_t shard) const;

  // True if a document of the counter's own says how many shards there are.
  bool has_parent() const { return shard_count_field_.has_value(); }
  std::string ParentName() const;
  // Checks a field of the document at path(), into which the total is to be published: there must
  // be such a document, and the field must not be one of the counter's own, nor a map around one.
  // `option` is the option that names the field.
  Status CheckPublishedField(const FieldPath& field, const char* option = "publish") const;
  // The following methods require has_parent() or is_extension(). The field of the parent that is
  // the counter's: it says how many shards there are, or holds a part of the count.
  const FieldPath& parent_field() const {
    assert(has_parent() || is_extension_);
    return is_extension_ ? count_field_ : *shard_count_field_;
  }
  // Asks for that field, to be read with DecodeCount(). `read_time` is empty or as the server wrote
  // it.
  Call ReadParent(std::string_view read_time = {}) const;
  // The number of shards: 0 if the parent lacks the field, or is not there. kFailedPrecondition if
  // the field holds no such number.
  Result<std::int64_t> ShardsFromParent(const CountedDocument& parent) const;

 private:
  Counter(const DatabaseName& database, const CounterOptions& options,
          CollectionPath shard_collection, FieldPath count_field, DocumentPath own_document);
  Call ReadField(const std::string& name, const FieldPath& field, std::string_view read_time) const;

  DatabaseName database_;
  std::string path_;
  CollectionPath shard_collection_;
  FieldPath count_field_;
  DocumentPath own_document_;
  std::optional<FieldPath> shard_count_field_;
  bool path_is_collection_;
  bool is_extension_;
  Delivery delivery_;
  std::int64_t shards_;
};

}  // namespace shardline
