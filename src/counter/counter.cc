#include "counter/counter.h"

#include <cassert>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/query.h"

namespace shardline {
namespace {

Result<CollectionPath> ShardCollection(const CounterOptions& options) {
  const std::optional<std::string>& collection = options.layout.shard_collection;
  if (!collection) return CollectionPath::Parse(options.path);
  SHARDLINE_CHECK(CheckId(*collection, "layout's shardCollection"));
  SHARDLINE_TRY(const DocumentPath& document, DocumentPath::Parse(options.path));
  return document.Collection(*collection);
}

Result<FieldPath> ParseField(std::string_view text) {
  Result<FieldPath> path = FieldPath::Parse(text);
  if (!path || !path->IsDocumentName()) return path;
  return RefuseArgument(kArgumentNotAllowed, "layout", "fields of documents",
                        "A layout's field cannot be __name__: that is a document's name.");
}

}  // namespace

Counter::Counter(const DatabaseName& database, const CounterOptions& options,
                 CollectionPath shard_collection, FieldPath count_field, DocumentPath own_document)
    : database_(database),
      path_(options.path),
      shard_collection_(std::move(shard_collection)),
      count_field_(std::move(count_field)),
      own_document_(std::move(own_document)),
      path_is_collection_(!options.layout.shard_collection),
      is_extension_(options.layout.is_extension),
      delivery_(options.delivery),
      // In the extension's layout the number is each client's own matter.
      shards_(options.shards.value_or(is_extension_ ? kDefaultShards : 0)) {}

Result<std::unique_ptr<const Counter>> Counter::Make(const DatabaseName& database,
                                                     const CounterOptions& options) {
  if (options.shards && (*options.shards < 1 || *options.shards > kMaxShards)) {
    return OptionMustBe("shards", "an integer from 1 to 10,000") << ".";
  }
  SHARDLINE_TRY(CollectionPath && shard_collection, ShardCollection(options));
  if (options.layout.is_extension && options.layout.count_field.empty()) {
    return RefuseArgument(
        kArgumentMissing, "countField", "a field's path",
        "The layout 'extension' needs the option `countField`: the field that the "
        "extension's clients are given, such as 'stats.visits'.");
  }
  SHARDLINE_TRY(FieldPath && count_field, ParseField(options.layout.count_field));
  SHARDLINE_TRY(DocumentPath && own_document,
                OwnDocumentPath(options.path, options.layout.shard_collection, count_field));
  std::unique_ptr<Counter> counter(new Counter(database, options, std::move(shard_collection),
                                               std::move(count_field), std::move(own_document)));
  if (options.layout.shard_count_field) {
    if (counter->path_is_collection_) {
      return Conflict(
          "shardCountField", "shardCollection",
          "A layout without a shardCollection cannot have a shardCountField: its path is "
          "the collection of shards, and there is no document for the field to stand in.");
    }
    SHARDLINE_TRY(counter->shard_count_field_, ParseField(*options.layout.shard_count_field));
  }
  return counter;
}

void Counter::WriteLayout(JsonWriter& writer) const {
  writer.BeginObject().Key("shardCollection");
  if (path_is_collection_) {
    writer.Raw("null");
  } else {
    writer.String(shard_collection_.id());
  }
  writer.Key("countField").String(count_field_.text()).Key("shardCountField");
  if (has_parent()) {
    writer.String(shard_count_field_->text());
  } else {
    writer.Raw("null");
  }
  writer.Key("parent").Boolean(has_parent()).EndObject();
}

std::string Counter::ShardId(std::int64_t shard) const {
  std::string id;
  if (is_extension_) {
    // Multiples of 2^32 / the golden ratio lie evenly and do not repeat, however many there are.
    const auto place = static_cast<std::uint32_t>(shard) * 0x9E3779B1U;
    for (int shift = 28; shift >= 0; shift -= 4) id += "0123456789abcdef"[place >> shift & 15U];
    id += "-shardline";
  } else {
    AppendInt64(id, shard);
  }
  return id;
}

std::string Counter::ShardName(std::int64_t shard) const {
  std::string name = database_.documents();
  name += '/';
  name += shard_collection_.text();
  name += '/';
  name += ShardId(shard);
  return name;
}

std::string Counter::ParentName() const { return database_.documents() + '/' + path_; }

std::string Counter::TotalName(std::string_view id) const {
  return own_document_.Collection(kTotalsCollection).Document(id).Name(database_);
}

Status Counter::CheckPublishedField(const FieldPath& field, const char* option) const {
  if (path_is_collection_) {
    return Conflict(option, "layout", "The option `")
           << option << "` needs a layout whose path is a document's.";
  }
  const bool has_own = has_parent() || is_extension_;
  if (field.IsDocumentName() ||
      (has_own && (field.IsPrefixOf(parent_field()) || parent_field().IsPrefixOf(field)))) {
    return Conflict(option, "layout", "The option `")
           << option << "` must name another field than the counter's own: " << field.text();
  }
  return {};
}

Call Counter::ReadParent(std::string_view read_time) const {
  assert(has_parent() || is_extension_);
  return ReadField(ParentName(), parent_field(), read_time);
}

Call Counter::ReadSum(std::string_view read_time) const {
  return {
      .path = shard_collection_.QueryUrlPath(database_, ":runAggregationQuery"),
      .body = EncodeRunAggregation({.collection = shard_collection_}, &count_field_, read_time)};
}

Call Counter::ReadShard(std::int64_t shard) const {
  return ReadField(ShardName(shard), count_field_, {});
}

Call Counter::ReadField(const std::string& name, const FieldPath& field,
                        std::string_view read_time) const {
  return {.path = database_.UrlPath(":batchGet"),
          .body = EncodeBatchGet({name}, &field, read_time)};
}

Result<std::int64_t> Counter::ShardsFromParent(const CountedDocument& parent) const {
  assert(has_parent() || is_extension_);
  if (!parent.has_field) return 0;
  if (is_extension_ && parent.amount) return shards_;
  // Some of the samples' languages write every number as a double.
  const double shards = parent.amount ? parent.amount->number() : 0;
  if (shards >= 1 && shards <= kMaxShards && std::trunc(shards) == shards) {
    return static_cast<std::int64_t>(shards);
  }
  return Fail(kCounterOfAnotherLayout, "The field ").With("path", path_)
         << Param{"field", parent_field().text()} << " of " << path_ << " is no "
         << (is_extension_ ? "number" : "integer from 1 to 10,000")
         << ": the document is no counter of this layout.";
}

}  // namespace shardline
