#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arguments.h"
#include "base/random.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "firestore/value.h"
#include "sharded_query/text_set.h"

namespace shardline {

inline constexpr std::int64_t kMaxCollectionShards = 10'000;

// A collection, as `db.shardedCollection(path, options)` has it.
inline constexpr Parameter kCollectionParameters[] = {
    {.name = "path",
     .type = ParameterType::kText,
     .required = true,
     .internal = true,
     .description = "The collection's path."},
    {.name = "shards",
     .type = ParameterType::kValue,
     .required = true,
     .allowed = "a number of shards from 1 to 10,000, or a list of as many distinct values, each a "
                "string of at most 1,500 bytes or an integer",
     .description = "The shard values, or how many: 3 stands for '0', '1' and '2'."},
    {.name = "shardField",
     .type = ParameterType::kText,
     .fallback_text = "shard",
     .description = "The field that holds the shard value."},
    {.name = "orderField",
     .type = ParameterType::kText,
     .fallback_text = "timestamp",
     .description = "The field that documents are sorted by."},
};

// A collection that is written faster than one monotonic index allows: every document carries one
// of N shard values, and every index has the shard field in front of the monotonic one, the order
// field.
class ShardedCollection {
 public:
  // Reads an object with kCollectionParameters.
  static Result<std::shared_ptr<const ShardedCollection>> Read(std::string_view json);

  const CollectionPath& path() const { return path_; }
  // Distinct values, each as JSON: a string or an integer.
  const std::vector<std::string>& shards() const { return shards_; }
  const FieldPath& shard_field() const { return shard_field_; }
  const FieldPath& order_field() const { return order_field_; }

  const std::string& RandomShard(Random& random) const {
    return shards_[static_cast<std::size_t>(random.Below(shards_.size()))];
  }
  // The place of a value in shards(); nullopt if it is none of them.
  std::optional<std::size_t> IndexOfShard(std::string_view json) const {
    return shard_set_.IndexOf(json);
  }
  // A value as the JSON of a shard value, one text for all values that Firestore takes to be equal;
  // empty if it can be no shard value.
  static std::string ShardJson(const Value& value);
  // "x", "y", "z" or, if there are many, the first few.
  std::string DescribeShards() const;

 private:
  ShardedCollection(CollectionPath path, std::vector<std::string> shards, TextSet shard_set,
                    FieldPath shard_field, FieldPath order_field);

  CollectionPath path_;
  std::vector<std::string> shards_;
  TextSet shard_set_;
  FieldPath shard_field_;
  FieldPath order_field_;
};

// Appends a shard value, given as JSON, as a value on the wire: {"stringValue":"x"}.
void AppendShardValue(std::string& out, std::string_view json);

// Reads a value on the wire back into the JSON of a shard value; empty if it can be none.
std::string ReadShardValue(JsonScanner& value);

}  // namespace shardline
