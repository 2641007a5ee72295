#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_writer.h"
#include "base/random.h"
#include "base/result.h"
#include "counter/answers.h"
#include "counter/layout.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "operation/executor.h"

namespace shardline {

// What is done about an answer that gets lost on its way.
enum class Delivery : std::uint8_t {
  // A ledger tells whether the increment was counted, and it is sent again if not. Two writes.
  kExactlyOnce,
  // The increment is sent again, and may count twice. One write.
  kAtLeastOnce,
  // Read, add, write if nothing has changed since. Retries cannot count twice, but when no answer
  // comes at all, nobody can tell.
  kTransaction,
};

inline constexpr Delivery kDefaultDelivery = Delivery::kExactlyOnce;

// How many shards a counter gets when nothing else is said.
inline constexpr std::int64_t kDefaultShards = 10;
inline constexpr std::int64_t kMaxShards = 10'000;

struct CounterOptions {
  std::string path;
  Layout layout;
  std::optional<std::int64_t> shards;
  Delivery delivery = kDefaultDelivery;
};

// One distributed counter of one database: which documents it consists of, and how to read them.
class Counter {
 public:
  // Refuses layouts that contradict themselves, paths that do not suit the layout, bad ids and
  // field paths, and shard counts other than 1 to 10,000.
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
  // The full name of a shard, such as "projects/…/posts/p1/shards/0".
  std::string ShardName(std::int64_t shard) const;
  // The full name of the document below which Shardline keeps what is its own: the counter's, or
  // for a path that is a collection, `shardline` in it. It need not exist.
  std::string OwnDocument() const;
  // A collection below that document. Requires a checked id.
  CollectionPath OwnCollection(std::string_view id) const;
  // The full name of the roll-up document; see roll_up.h.
  std::string RollUpName() const;
  // The full name of a client's ledger; see ledger.h. Requires a checked id.
  std::string LedgerName(std::string_view client) const;
  // Asks for one shard's count, to be read with DecodeCount().
  Call ReadShard(std::int64_t shard) const;

  // True if a document of the counter's own says how many shards there are. What follows requires
  // it.
  bool has_parent() const { return shard_count_field_.has_value(); }
  const FieldPath& shard_count_field() const { return *shard_count_field_; }
  std::string ParentName() const;
  // Asks for the number of shards, to be read with DecodeShardCount(): 0 if the parent does not say
  // it, or is not there. kFailedPrecondition if what it says is no such number.
  Call ReadParent() const;
  Result<std::int64_t> ShardsFromParent(const CountedDocument& parent) const;

 private:
  Counter(const DatabaseName& database, const CounterOptions& options,
          CollectionPath shard_collection, FieldPath count_field);
  Call ReadField(const std::string& name, const FieldPath& field) const;

  DatabaseName database_;
  std::string path_;
  CollectionPath shard_collection_;
  FieldPath count_field_;
  std::optional<FieldPath> shard_count_field_;
  bool path_is_collection_;
  Delivery delivery_;
  std::int64_t shards_;
};

// A shard other than `last`, if there is one; pass -1 for any. Uniform over [0, shards).
std::int64_t PickShard(std::int64_t shards, std::int64_t last, Random& random);

}  // namespace shardline
