#include "documents/document_write.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/padded_text.h"
#include "base/reason.h"
#include "firestore/check_fields.h"
#include "firestore/field_place.h"
#include "firestore/fields_writer.h"

namespace shardline {
namespace {

Failure Refuse(const FieldPath& field, const char* why) {
  return Fail(kValueNotAllowed, "Field \"") << Param{"field", field.text()} << "\" " << why;
}

Failure RefuseShard(const ShardedCollection& collection) {
  return Refuse(collection.shard_field(), "must have one of the collection's shard values: ")
         << collection.DescribeShards() << ". Leave it out, and add() and set() choose one.";
}

// Appends a name to a path.
void AppendQuoted(std::string& path, std::string_view name) {
  if (!path.empty()) path += '.';
  path += '`';
  for (const char c : name) {
    if (c == '`' || c == '\\') path += '\\';
    path += c;
  }
  path += '`';
}

// A shard value in plain JSON.
Value ReadPlainShard(JsonScanner scanner) {
  if (scanner.Peek() == JsonScanner::Kind::kString) return {scanner.String()};
  const std::optional<std::int64_t> integer = ParseInt64(scanner.RawNumber());
  return integer ? Value{*integer} : Value{};
}

// Reads ["price", "micros"]. `first_has_dots`: the first one is a path by itself.
Result<FieldPath> ReadPath(JsonScanner scanner, bool first_has_dots) {
  std::string text;
  scanner.BeginArray();
  while (scanner.NextElement()) {
    const std::string name = scanner.String();
    if (text.empty() && first_has_dots) {
      text = name;
      continue;
    }
    AppendQuoted(text, name);
  }
  if (!scanner.ok()) return scanner.failure("a transform");
  return FieldPath::Parse(text);
}

// Reads {"values": […]}.
Status ReadElements(std::string_view wire, const FieldPath& field, EncodedValue& value) {
  JsonScanner scanner = JsonScanner::Within(wire);
  std::string_view key;
  EncodedValues values;
  if (scanner.BeginObject() && scanner.NextKey(key) && scanner.BeginArray()) {
    while (scanner.NextElement()) {
      SHARDLINE_CHECK(values.Read(scanner.SkipValue(), field.text()));
    }
  }
  value = values.Elements();
  if (!scanner.ok()) return scanner.failure("a transform");
  return {};
}

// Reads one transform into `write`, or as a field to be removed into `changes`; null if this is no
// update.
Status ReadTransform(JsonScanner& scanner, const ShardedCollection& collection, Write& write,
                     std::vector<FieldChange>* changes, bool first_has_dots) {
  using Kind = FieldTransform::Kind;
  // In the order of the words. The last one stands for "delete".
  constexpr Kind kKinds[] = {Kind::kServerTimestamp, Kind::kIncrement, Kind::kAppendMissing,
                             Kind::kRemoveAll, Kind::kServerTimestamp};
  Arguments arguments(scanner, kChecks<kTransformParameters>, "transforms.");
  if (!arguments.ok()) return arguments.TakeFailure();
  const std::size_t word = arguments.Word("kind");
  SHARDLINE_TRY(FieldPath && field, ReadPath(arguments.Scanner("path"), first_has_dots));
  if (word + 1 == std::size(kKinds)) {
    if (changes == nullptr) {
      return Refuse(field, "is deleted, which only update() can, and set() with merge.");
    }
    changes->push_back({std::move(field), {}});
    return {};
  }
  const FieldPath& shard = collection.shard_field();
  const bool overlap = field.IsPrefixOf(shard) || shard.IsPrefixOf(field);
  if (overlap && collection.is_sharded()) return RefuseShard(collection);
  FieldTransform transform{std::move(field), kKinds[word]};
  const std::string_view value = arguments.Raw("value");
  if (transform.kind == Kind::kIncrement) {
    SHARDLINE_CHECK(transform.value.Read(value, transform.field.text()));
  } else if (transform.kind != Kind::kServerTimestamp) {
    SHARDLINE_CHECK(ReadElements(value, transform.field, transform.value));
  }
  write.transforms.push_back(std::move(transform));
  return {};
}

Status ReadTransforms(const Arguments& document, const ShardedCollection& collection, Write& write,
                      std::vector<FieldChange>* changes, bool first_has_dots) {
  if (!document.Has("transforms")) return {};
  JsonScanner scanner = document.Scanner("transforms");
  scanner.BeginArray();
  while (scanner.NextElement()) {
    SHARDLINE_CHECK(ReadTransform(scanner, collection, write, changes, first_has_dots));
  }
  if (!scanner.ok()) return scanner.failure("the document");
  return {};
}

// The JSON of a shard value; refuses other values. `value` is empty if there is none.
Status ReadShard(std::string_view value, const ShardedCollection& collection, std::string& shard) {
  if (value.empty()) return RefuseShard(collection);
  JsonScanner scanner = JsonScanner::Within(value);
  shard = ReadShardValue(scanner);
  if (!collection.IsWritten(shard)) return RefuseShard(collection);
  return {};
}

// The same at a place that is not free.
Status ReadShard(const FieldPlace& place, const ShardedCollection& collection, std::string& shard) {
  return ReadShard(place.is_found() ? place.value() : std::string_view(), collection, shard);
}

// https://firebase.google.com/docs/firestore/storage-size
Status CheckSize(std::size_t fields_size, const DocumentPath& path) {
  constexpr std::size_t kOverhead = 1 + 16 + 32;  // 17 of them belong to the name.
  if (path.text().size() + fields_size + kOverhead <= kMaxDocumentBytes) return {};
  return Fail(kDocumentTooLarge,
              "The document is larger than 1 MiB, which is all that Firestore "
              "takes: split it, or move large fields to documents of their own.");
}

// Whether the fields of a map, which have been checked, mean a vector.
bool AreOfVector(std::string_view fields) {
  JsonScanner scanner = JsonScanner::Within(fields);
  std::string_view key;
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    scanner.SkipValue();
    if (RawEquals(key, "__type__")) return true;
  }
  return false;
}

// Adds all fields that are to be set: those inside of maps by themselves, unless the map is empty.
// NOLINTNEXTLINE(misc-no-recursion)
Status AddLeaves(std::string_view object, const std::string& prefix,
                 std::vector<FieldChange>& changes) {
  JsonScanner scanner = JsonScanner::Within(object);
  std::string_view key;
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    std::string name;
    if (!AppendUnescaped(name, key)) scanner.Reject("a field name is not valid Unicode");
    std::string path = prefix;
    AppendQuoted(path, name);
    const std::string_view value = scanner.SkipValue();
    const std::string_view inside = MapFields(value);
    JsonScanner members = JsonScanner::Within(inside);
    std::string_view first;
    if (!inside.empty() && members.BeginObject() && members.NextKey(first) &&
        !AreOfVector(inside)) {
      SHARDLINE_CHECK(AddLeaves(inside, path, changes));
      continue;
    }
    SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(path));
    changes.push_back({std::move(field), value});
  }
  if (!scanner.ok()) return scanner.failure("the document");
  return {};
}

// A field inside another one comes directly behind it.
void SortChanges(std::vector<FieldChange>& changes) {
  const auto is_less = [](const FieldChange& a, const FieldChange& b) { return a.field < b.field; };
  std::make_heap(changes.begin(), changes.end(), is_less);
  std::sort_heap(changes.begin(), changes.end(), is_less);
}

// Drops the maps that only look empty, because they have only transforms: they are no leaves.
// Requires sorted changes.
void DropEmptied(std::vector<FieldChange>& changes, const Write& write) {
  std::vector<FieldChange> kept;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    FieldChange& change = changes[i];
    const auto holds = [&](const FieldPath& field) {
      return change.field.IsPrefixOf(field) && !(change.field == field);
    };
    const bool is_map = !MapFields(change.value).empty();
    const bool is_emptied =
        is_map &&
        ((i + 1 < changes.size() && holds(changes[i + 1].field)) ||
         std::any_of(write.transforms.begin(), write.transforms.end(),
                     [&](const FieldTransform& transform) { return holds(transform.field); }));
    if (!is_emptied) kept.push_back(std::move(change));
  }
  changes = std::move(kept);
}

// Reads the fields to be set, and returns their size.
Result<std::size_t> ReadSetFields(JsonScanner scanner, std::vector<FieldChange>& changes) {
  std::size_t size = 0;
  std::string_view key;
  scanner.BeginObject();
  while (scanner.NextKey(key)) {
    std::string name;
    if (!AppendUnescaped(name, key)) scanner.Reject("a field name is not valid Unicode");
    SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(name));
    const std::string_view value = scanner.SkipValue();
    JsonScanner inside = JsonScanner::Within(value);
    SHARDLINE_TRY(const std::size_t value_size, CheckValue(inside, field.text()));
    size += value_size;
    changes.push_back({std::move(field), value});
  }
  if (!scanner.ok()) return scanner.failure("the document");
  return size;
}

// Refuses changes that contradict each other. Requires sorted ones.
Status CheckChanges(const std::vector<FieldChange>& changes) {
  const FieldChange* previous = nullptr;
  for (const FieldChange& change : changes) {
    if (change.field.IsDocumentName()) return Refuse(change.field, "is the document's name.");
    if (previous && previous->field.IsPrefixOf(change.field)) {
      return Refuse(change.field, "is changed twice, by itself and as a part of another field.");
    }
    previous = &change;
  }
  return {};
}

// Reads the shard value that the changes make, if they touch it.
Status ReadChangedShard(const std::vector<FieldChange>& changes,
                        const ShardedCollection& collection, std::string& shard) {
  if (!collection.is_sharded()) return {};
  const FieldPath& field = collection.shard_field();
  for (const FieldChange& change : changes) {
    const std::size_t depth = change.field.segments().size();
    if (change.field == field) return ReadShard(change.value, collection, shard);
    if (field.IsPrefixOf(change.field)) return RefuseShard(collection);
    if (!change.field.IsPrefixOf(field)) continue;
    const std::string_view inside = change.value.empty() ? change.value : MapFields(change.value);
    if (inside.empty()) return RefuseShard(collection);
    return ReadShard(FieldPlace::Find(inside, field, depth), collection, shard);
  }
  return {};
}

void PutChanges(const std::vector<FieldChange>& changes, Write& write) {
  write.mask.emplace();
  for (const FieldChange& change : changes) write.mask->push_back(change.field);
  write.fields = FieldsOf(changes);
}

// Makes the write that changes just these fields.
Status SetChanges(std::vector<FieldChange>& changes, const ShardedCollection& collection,
                  DocumentWrite& document) {
  SortChanges(changes);
  SHARDLINE_CHECK(CheckChanges(changes));
  SHARDLINE_CHECK(ReadChangedShard(changes, collection, document.shard));
  PutChanges(changes, document.write);
  return {};
}

// Sets the fields of a whole document, which lacks its shard value, and puts one in.
Status PutShard(const Arguments& arguments, const FieldPlace& place,
                const ShardedCollection& collection, Random& random, DocumentWrite& document) {
  document.shard = collection.RandomShard(random);
  if (arguments.Has("shard")) {
    document.shard = ShardedCollection::ShardJson(ReadPlainShard(arguments.Scanner("shard")));
    if (!collection.IsWritten(document.shard)) return RefuseShard(collection);
  }
  document.write.fields = place.Insert(EncodedValue::OfPlain(document.shard));
  return {};
}

}  // namespace

Failure RefuseMove(const FieldPath& shard_field) {
  return Fail(kShardFieldChanged, "Field \"")
         << Param{"field", shard_field.text()}
         << "\" would move the document to another shard: leave it out, or say so with "
            "{ move: true }.";
}

Status ReadDocument(JsonScanner& scanner, const ShardedCollection& collection,
                    const DocumentPath& path, Random& random, DocumentWrite& document) {
  Arguments arguments(scanner, kChecks<kDocumentParameters>);
  if (!arguments.ok()) return arguments.TakeFailure();
  const std::string_view fields = arguments.Raw("fields");
  std::size_t size = 0;
  SHARDLINE_CHECK(document.write.fields.Read(fields, size));
  SHARDLINE_CHECK(CheckSize(size, path));
  SHARDLINE_CHECK(ReadTransforms(arguments, collection, document.write, nullptr, false));
  if (!collection.is_sharded()) return {};
  const FieldPlace place = FieldPlace::Find(fields, collection.shard_field());
  if (place.is_free()) return PutShard(arguments, place, collection, random, document);
  return ReadShard(place, collection, document.shard);
}

Status ReadChanges(JsonScanner& scanner, const ShardedCollection& collection,
                   const DocumentPath& path, DocumentWrite& document) {
  Arguments arguments(scanner, kChecks<kDocumentParameters>);
  if (!arguments.ok()) return arguments.TakeFailure();
  std::vector<FieldChange> changes;
  SHARDLINE_TRY(const std::size_t size, ReadSetFields(arguments.Scanner("fields"), changes));
  SHARDLINE_CHECK(CheckSize(size, path));
  SHARDLINE_CHECK(ReadTransforms(arguments, collection, document.write, &changes, true));
  SHARDLINE_CHECK(SetChanges(changes, collection, document));
  document.write.precondition.kind = Precondition::Kind::kExists;
  return {};
}

Result<DocumentMerge> ReadMerge(std::string_view json, const ShardedCollection& collection,
                                const DocumentPath& path, const std::string& name, Random& random,
                                bool move) {
  Arguments arguments(json, kChecks<kDocumentParameters>);
  if (!arguments.ok()) return arguments.TakeFailure();
  DocumentMerge merge{DocumentWrite{{.name = name}}, std::nullopt, std::nullopt};
  std::vector<FieldChange> changes;
  JsonScanner fields = arguments.Scanner("fields");
  SHARDLINE_TRY(const std::size_t size, CheckFields(fields));
  SHARDLINE_CHECK(CheckSize(size, path));
  SHARDLINE_CHECK(AddLeaves(arguments.Raw("fields"), "", changes));
  SHARDLINE_CHECK(ReadTransforms(arguments, collection, merge.merge.write, &changes, false));
  SortChanges(changes);
  DropEmptied(changes, merge.merge.write);
  SHARDLINE_CHECK(SetChanges(changes, collection, merge.merge));
  const bool names_shard = !merge.merge.shard.empty();
  if (!collection.is_sharded() || (names_shard && move)) return merge;
  Write& write = merge.merge.write;
  DocumentWrite& whole = merge.if_missing.emplace(DocumentWrite{{.name = name}});
  whole.write.transforms = write.transforms;
  whole.write.precondition.kind = Precondition::Kind::kMissing;
  // Without maps in which there is nothing but removed fields, and transforms.
  whole.write.fields = write.fields;
  if (names_shard) {
    whole.shard = merge.merge.shard;
    Write& unsharded = merge.if_unsharded.emplace(Write{.name = name});
    unsharded.transforms = write.transforms;
    PutChanges(changes, unsharded);
    const auto is_shard = [&](const FieldChange& change) {
      return change.field == collection.shard_field();
    };
    changes.erase(std::find_if(changes.begin(), changes.end(), is_shard));
    PutChanges(changes, write);
  } else {
    const PaddedText set(write.fields.json());
    const FieldPlace place = FieldPlace::Find(set.view(), collection.shard_field());
    SHARDLINE_CHECK(PutShard(arguments, place, collection, random, whole));
  }
  write.precondition.kind = Precondition::Kind::kExists;
  return merge;
}

}  // namespace shardline
