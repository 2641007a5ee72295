#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arguments.h"
#include "base/random.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "firestore/value.h"
#include "sharded_query/text_set.h"

namespace shardline {

inline constexpr std::int64_t kMaxCollectionShards = 10'000;

// The options of a collection: `db.shardedCollection(path, options)` and `db.collection(path)`.
inline constexpr Parameter kCollectionParameters[] = {
    {.name = "path",
     .type = ParameterType::kText,
     .required = true,
     .internal = true,
     .description = "The collection's path."},
    {.name = "shards",
     .type = ParameterType::kValue,
     .allowed = "a number of shards from 1 to 10,000, or a list of as many distinct values, each a "
                "string of at most 1,500 bytes or an integer",
     .description = "The shard values, or how many: 3 stands for '0', '1' and '2'."},
    {.name = "alsoRead",
     .type = ParameterType::kValue,
     .allowed = "a number of shards or a list of values, like `shards`, and together with those at "
                "most 10,000 values",
     .description = "Values that documents may have besides: queries ask for them, and nothing is "
                    "written with them. For the time in which the values change."},
    {.name = "shardField",
     .type = ParameterType::kText,
     .fallback_text = "shard",
     .description = "The field that holds the shard value."},
    {.name = "orderField",
     .type = ParameterType::kText,
     .fallback_text = "timestamp",
     .description = "The field that documents are sorted by."},
    {.name = "ordinary",
     .type = ParameterType::kBoolean,
     .internal = true,
     .description = "Whether it has neither shard field nor order field."},
};

// Sharding of a collection that takes more writes than one monotonic index allows: every document
// has one of N shard values, and every index has the shard field in front of the monotonic one, the
// order field.
//
// While the values of a live collection change, it is *in transition*: clients write one list of
// values, and documents may also have values of another list, which queries include. A document may
// then move from one value to another at any time, so a query reads all chunks as of one instant.
//
// An ordinary collection counts as one with a single shard, and its documents have no shard field.
class ShardedCollection {
 public:
  // Reads an object with kCollectionParameters.
  static Result<std::shared_ptr<const ShardedCollection>> Read(std::string_view json);

  const CollectionPath& path() const { return path_; }
  // Reads a list of values, ["x", "y", 7], or a number n for "0" to "n-1"; empty if it is neither.
  static std::vector<std::string> ReadShards(JsonScanner scanner);

  // All values that documents may have. They are distinct, and each is JSON: a string or an
  // integer. An ordinary collection has one empty text.
  const std::vector<std::string>& shards() const { return shards_; }
  // The number of values that clients write: the first ones of shards().
  std::size_t written_count() const { return written_count_; }
  bool in_transition() const { return written_count_ < shards_.size(); }
  bool is_sharded() const { return is_sharded_; }
  // Both are __name__ in an ordinary collection.
  const FieldPath& shard_field() const { return shard_field_; }
  const FieldPath& order_field() const { return order_field_; }

  const std::string& RandomShard(Random& random) const {
    return shards_[static_cast<std::size_t>(random.Below(written_count_))];
  }
  // Whether clients write this value.
  bool IsWritten(std::string_view json) const {
    const std::optional<std::size_t> index = IndexOfShard(json);
    return index && *index < written_count_;
  }
  // The index of a value in shards(); nullopt if it is not there.
  std::optional<std::size_t> IndexOfShard(std::string_view json) const {
    return shard_set_.IndexOf(json);
  }
  // The JSON of a shard value, one text for all values that Firestore treats as equal; empty if the
  // value cannot be a shard value.
  static std::string ShardJson(const Value& value);
  // The values that clients write, "x", "y", "z"; if there are many, the first few.
  std::string DescribeShards() const;

 private:
  ShardedCollection(CollectionPath path, std::vector<std::string> shards, std::size_t written_count,
                    FieldPath shard_field, FieldPath order_field);
  explicit ShardedCollection(CollectionPath path)
      : ShardedCollection(std::move(path), {""}, 1, FieldPath::DocumentName(),
                          FieldPath::DocumentName()) {
    is_sharded_ = false;
  }

  CollectionPath path_;
  std::vector<std::string> shards_;
  std::size_t written_count_;
  TextSet shard_set_;
  FieldPath shard_field_;
  FieldPath order_field_;
  bool is_sharded_ = true;
};

// Reads a value on the wire back into the JSON of a shard value; empty if the value cannot be one.
std::string ReadShardValue(JsonScanner& value);

}  // namespace shardline
