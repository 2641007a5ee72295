#include "sharded_query/sharded_collection.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/number.h"
#include "base/reason.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

Value ReadPlain(JsonScanner& scanner) {
  if (scanner.Peek() == JsonScanner::Kind::kString) return {scanner.String()};
  const std::optional<std::int64_t> integer = ParseInt64(scanner.RawNumber());
  if (!integer) return {};
  return {*integer};
}

Failure BadFields(const char* why) {
  return Conflict("shardField", "orderField", "`shardField` and `orderField` ") << why;
}

// An error says which of the two it is about: of a long path it shows nothing.
Result<FieldPath> ReadField(const char* name, std::string_view path) {
  Result<FieldPath> field = FieldPath::Parse(path);
  if (!field) field.error().message.insert(0, std::string(name) + ": ");
  return field;
}

}  // namespace

std::vector<std::string> ShardedCollection::ReadShards(JsonScanner scanner) {
  std::vector<std::string> shards;
  if (scanner.Peek() == JsonScanner::Kind::kNumber) {
    const std::int64_t count = ParseInt64(scanner.RawNumber()).value_or(0);
    if (count < 1 || count > kMaxCollectionShards) return {};
    shards.reserve(static_cast<std::size_t>(count));
    std::string shard;
    for (std::int64_t i = 0; i < count; ++i) {
      shard = '"';
      AppendInt64(shard, i);
      shard += '"';
      shards.push_back(shard);
    }
    return shards;
  }
  if (!scanner.BeginArray()) return {};
  while (scanner.NextElement()) {
    shards.push_back(ShardJson(ReadPlain(scanner)));
    if (shards.back().empty() || shards.size() > kMaxCollectionShards) return {};
  }
  return shards;
}

ShardedCollection::ShardedCollection(CollectionPath path, std::vector<std::string> shards,
                                     std::size_t written_count, FieldPath shard_field,
                                     FieldPath order_field)
    : path_(std::move(path)),
      shards_(std::move(shards)),
      written_count_(written_count),
      shard_field_(std::move(shard_field)),
      order_field_(std::move(order_field)) {
  for (const std::string& shard : shards_) shard_set_.Add(shard);
}

Result<std::shared_ptr<const ShardedCollection>> ShardedCollection::Read(std::string_view json) {
  Arguments arguments(json, kChecks<kCollectionParameters>);
  const std::string path = arguments.Text("path");
  const std::string shard_field = arguments.Text("shardField");
  const std::string order_field = arguments.Text("orderField");
  if (!arguments.ok()) return arguments.TakeFailure();
  if (arguments.Boolean("ordinary")) {
    SHARDLINE_TRY(CollectionPath && collection, CollectionPath::Parse(path));
    return std::shared_ptr<const ShardedCollection>(new ShardedCollection(std::move(collection)));
  }
  std::vector<std::string> shards = ReadShards(arguments.Scanner("shards"));
  TextSet known;
  for (const std::string& shard : shards) known.Add(shard);
  if (shards.empty() || known.size() < shards.size()) arguments.Refuse("shards");
  // Behind them the values of alsoRead, without duplicates.
  const std::size_t written_count = shards.size();
  std::vector<std::string> others;
  if (arguments.Has("alsoRead")) {
    others = ReadShards(arguments.Scanner("alsoRead"));
    if (others.empty()) arguments.Refuse("alsoRead");
  }
  std::vector<std::string> all = shards;
  for (const std::string& shard : others) {
    if (known.Add(shard)) all.push_back(shard);
  }
  if (all.size() > kMaxCollectionShards) arguments.Refuse("alsoRead");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_TRY(CollectionPath && collection, CollectionPath::Parse(path));
  SHARDLINE_TRY(FieldPath && shard, ReadField("shardField", shard_field));
  SHARDLINE_TRY(FieldPath && order, ReadField("orderField", order_field));
  if (shard.IsDocumentName() || order.IsDocumentName()) {
    return BadFields("must be fields of the documents: __name__ is none.");
  }
  if (shard.IsPrefixOf(order) || order.IsPrefixOf(shard)) {
    return BadFields("must be different fields, neither inside the other.");
  }
  return std::shared_ptr<const ShardedCollection>(new ShardedCollection(
      std::move(collection), std::move(all), written_count, std::move(shard), std::move(order)));
}

std::string ShardedCollection::ShardJson(const Value& value) {
  JsonWriter writer;
  if (const auto* text = value.As<std::string>(); text && text->size() <= kMaxIdBytes) {
    writer.String(*text);
  } else if (const auto* integer = value.As<std::int64_t>()) {
    writer.Int(*integer);
  } else if (const auto* number = value.As<double>();
             number && std::abs(*number) < 0x1p63 && std::trunc(*number) == *number) {
    writer.Int(static_cast<std::int64_t>(*number));
  }
  return writer.Take();
}

std::string ShardedCollection::DescribeShards() const {
  constexpr std::size_t kMaxShown = 10;
  std::string text;
  for (std::size_t i = 0; i < written_count_ && i < kMaxShown; ++i) {
    if (i > 0) text += ", ";
    text += shards_[i];
  }
  if (written_count_ > kMaxShown) text += ", …";
  return text;
}

std::string ReadShardValue(JsonScanner& value) {
  return ShardedCollection::ShardJson(DecodeValue(value));
}

}  // namespace shardline
