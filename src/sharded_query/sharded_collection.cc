#include "sharded_query/sharded_collection.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/json_writer.h"
#include "base/number.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

Failure BadShards() {
  return InvalidArgument(
      "`shards` must be a number of shards from 1 to 10,000, or a list of as many distinct values, "
      "each a string of at most 1,500 bytes or an integer.");
}

Value ReadPlain(JsonScanner& scanner) {
  if (scanner.Peek() == JsonScanner::Kind::kString) return {scanner.String()};
  const std::optional<std::int64_t> integer = ParseInt64(scanner.RawNumber());
  if (!integer) return {};
  return {*integer};
}

// Appends the values that are only read, but for those that are there already.
Status ReadOthers(JsonScanner& scanner, std::vector<std::string>& shards) {
  if (scanner.Peek() == JsonScanner::Kind::kNull) {
    scanner.Null();
    return {};
  }
  const std::vector<std::string> others = ShardedCollection::ReadShards(scanner);
  TextSet known;
  for (const std::string& shard : shards) known.Add(shard);
  std::vector<std::string> all = shards;
  for (const std::string& shard : others) {
    if (known.Add(shard)) all.push_back(shard);
  }
  if (others.empty() || all.size() > ShardedCollection::kMaxShards) {
    return InvalidArgument(
        "`alsoRead` must be a number of shards or a list of values, like `shards`, and the two "
        "together at most 10,000 values.");
  }
  shards = std::move(all);
  return {};
}

Failure BadFields(const char* why) {
  return InvalidArgument("`shardField` and `orderField` ") << why;
}

}  // namespace

std::vector<std::string> ShardedCollection::ReadShards(JsonScanner& scanner) {
  std::vector<std::string> shards;
  if (scanner.Peek() == JsonScanner::Kind::kNumber) {
    const std::int64_t count = ParseInt64(scanner.RawNumber()).value_or(0);
    if (count < 1 || count > static_cast<std::int64_t>(kMaxShards)) return {};
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
    if (shards.back().empty() || shards.size() > kMaxShards) return {};
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

Result<std::shared_ptr<const ShardedCollection>> ShardedCollection::Read(JsonScanner& scanner) {
  scanner.BeginArray();
  scanner.NextElement();
  std::vector<std::string> shards = ReadShards(scanner);
  if (shards.empty()) return BadShards();
  scanner.NextElement();
  const std::string path = scanner.String();
  scanner.NextElement();
  const std::string shard_field = scanner.String();
  scanner.NextElement();
  const std::string order_field = scanner.String();
  const std::size_t written_count = shards.size();
  bool has_more = scanner.NextElement();
  if (has_more && scanner.ok()) {
    SHARDLINE_CHECK(ReadOthers(scanner, shards));
    has_more = scanner.NextElement();
  }
  if (has_more || !scanner.ok()) {
    return BadFields("must be strings, and so must the path.");
  }
  SHARDLINE_TRY(CollectionPath && collection, CollectionPath::Parse(path));
  SHARDLINE_TRY(FieldPath && shard, FieldPath::Parse(shard_field));
  SHARDLINE_TRY(FieldPath && order, FieldPath::Parse(order_field));
  if (shard.IsDocumentName() || order.IsDocumentName()) {
    return BadFields("must be fields of the documents: __name__ is none.");
  }
  if (shard.IsPrefixOf(order) || order.IsPrefixOf(shard)) {
    return BadFields("must be different fields, neither inside the other.");
  }
  std::shared_ptr<const ShardedCollection> made(new ShardedCollection(
      std::move(collection), std::move(shards), written_count, std::move(shard), std::move(order)));
  if (made->shard_set_.size() < made->shards_.size()) return BadShards();
  return made;
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

void AppendShardValue(std::string& out, std::string_view json) {
  const bool is_string = json[0] == '"';
  out += is_string ? R"({"stringValue":)" : R"({"integerValue":")";
  out += json;
  out += is_string ? "}" : "\"}";
}

std::string ReadShardValue(JsonScanner& value) {
  return ShardedCollection::ShardJson(DecodeValue(value));
}

}  // namespace shardline
