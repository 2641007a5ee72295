#include "indexes/missing_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>

#include "base/base64.h"
#include "base/reason.h"
#include "base/utf8.h"
#include "firestore/resource_name.h"
#include "indexes/arguments.h"
#include "indexes/audit.h"
#include "indexes/rising_fields.h"

namespace shardline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// Reads a message of protocol buffers field by field
// (https://protobuf.dev/programming-guides/encoding). Stops for good at anything malformed.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : rest_(bytes) {}

  // False at the end, and at a malformed part.
  bool Next() {
    if (rest_.empty() || !ok_) return false;
    const std::uint64_t tag = Varint();
    field_ = tag >> 3U;
    text_ = {};
    number_ = 0;
    switch (tag & 7U) {
      case 0:
        number_ = Varint();
        break;
      case 1:
        Take(8);
        break;
      case 2:
        text_ = Take(Varint());
        break;
      case 5:
        Take(4);
        break;
      default:
        ok_ = false;
    }
    return ok_;
  }

  bool ok() const { return ok_; }
  std::uint64_t field() const { return field_; }
  // 0 unless it is a number.
  std::uint64_t number() const { return number_; }
  // The bytes of a text or a message; empty otherwise.
  std::string_view text() const { return text_; }

 private:
  std::uint64_t Varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }
  std::string_view Take(std::uint64_t size) {
    if (!ok_ || size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, static_cast<std::size_t>(size));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view rest_;
  std::string_view text_;
  std::uint64_t field_ = 0;
  std::uint64_t number_ = 0;
  bool ok_ = true;
};

void AppendVarint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}
void AppendNumber(std::string& out, unsigned field, std::uint64_t value) {
  AppendVarint(out, field << 3U);
  AppendVarint(out, value);
}
// A text or a message.
void AppendBytes(std::string& out, unsigned field, std::string_view bytes) {
  AppendVarint(out, field << 3U | 2U);
  AppendVarint(out, bytes.size());
  out += bytes;
}

void AppendField(std::string& out, std::string_view path, IndexMode mode) {
  std::string field;
  AppendBytes(field, 1, path);
  if (mode == IndexMode::kContains) {
    AppendNumber(field, 3, 1);
  } else {
    AppendNumber(field, 2, mode == IndexMode::kDescending ? 2 : 1);
  }
  AppendBytes(out, 3, field);
}

Failure Unreadable(std::string_view why) {
  return Fail(kIndexLinkUnreadable, "The link to the missing index cannot be read: ")
         << why << " Open the link in a browser to see the index.";
}

// One of the names that the protocol gives to a number, from 1 on; null for any other.
ordered_json NameOf(std::uint64_t number, std::initializer_list<const char*> names) {
  if (number < 1 || number > names.size()) return nullptr;
  return *(names.begin() + static_cast<std::ptrdiff_t>(number - 1));
}

ordered_json ReadVector(std::string_view bytes, bool& ok) {
  ordered_json config = {{"dimension", 0}};
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) config["dimension"] = reader.number();
    if (reader.field() == 2) config["flat"] = ordered_json::object();
  }
  ok = ok && reader.ok();
  return config;
}

// Reads {1 path, 2 order, 3 array config, 4 vector} as the index file has it; null if malformed.
ordered_json ReadField(std::string_view bytes) {
  ordered_json field = {{"fieldPath", ""}};
  WireReader reader(bytes);
  bool ok = true;
  while (reader.Next()) {
    if (reader.field() == 1) {
      ok = ok && IsUtf8(reader.text());
      if (ok) field["fieldPath"] = std::string(reader.text());
    } else if (reader.field() == 2) {
      field["order"] = NameOf(reader.number(), {"ASCENDING", "DESCENDING"});
    } else if (reader.field() == 3) {
      field["arrayConfig"] = NameOf(reader.number(), {"CONTAINS"});
    } else if (reader.field() == 4) {
      field["vectorConfig"] = ReadVector(reader.text(), ok);
    }
  }
  return ok && reader.ok() ? field : ordered_json();
}

// The default order of a last field `__name__`.
ordered_json NameOrder(const ordered_json& fields) {
  const ordered_json descending = "DESCENDING";
  const bool is_descending = fields.size() > 1 && fields[fields.size() - 2].contains("order") &&
                             fields[fields.size() - 2]["order"] == descending;
  return {{"fieldPath", "__name__"}, {"order", is_descending ? "DESCENDING" : "ASCENDING"}};
}

// The text between `before` and the next slash; empty if `before` is missing.
std::string Between(std::string_view name, std::string_view before) {
  const std::size_t start = name.find(before);
  if (start == std::string_view::npos) return {};
  name.remove_prefix(start + before.size());
  return std::string(name.substr(0, name.find('/')));
}

// Reads the Index into an entry of `indexes`, without its collection.
Status ReadIndex(std::string_view bytes, std::string& name, ordered_json& entry) {
  ordered_json fields = ordered_json::array();
  WireReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 1) name = reader.text();
    if (reader.field() == 2) {
      entry["queryScope"] =
          NameOf(reader.number(), {"COLLECTION", "COLLECTION_GROUP", "COLLECTION_RECURSIVE"});
    }
    if (reader.field() == 3) {
      fields.push_back(ReadField(reader.text()));
      if (fields.back().is_null()) return Unreadable("one of its fields is malformed.");
    }
    if (reader.field() == 5 && reader.number() != 0) {
      entry["apiScope"] = NameOf(reader.number(), {"DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"});
    }
    if (reader.field() == 6 && reader.number() != 0) {
      entry["density"] = NameOf(reader.number(), {"SPARSE_ALL", "SPARSE_ANY", "DENSE"});
    }
  }
  if (!reader.ok() || !IsUtf8(name)) return Unreadable("it is cut short, or not from Firestore.");
  // The name that every index ends in goes without saying.
  if (!fields.empty() && fields.back() == NameOrder(fields)) fields.erase(fields.size() - 1);
  entry["fields"] = std::move(fields);
  return {};
}

// The place of the field's own override; the number of overrides if there is none.
std::size_t OverrideOf(const CompositeIndex& index, const IndexFile& file) {
  const auto& overrides = file.overrides();
  const auto own = std::find_if(overrides.begin(), overrides.end(), [&](const FieldOverride& each) {
    return each.collection_group == index.collection_group &&
           each.field == index.fields.front().path;
  });
  return static_cast<std::size_t>(own - overrides.begin());
}

// An override with the field's present indexes and the missing one. An override lists all indexes
// of its field, and Firestore drops the others
// (https://firebase.google.com/docs/reference/firestore/indexes).
ordered_json SingleFieldEntry(const CompositeIndex& index, IndexFile& file) {
  const IndexField& field = index.fields.front();
  if (field.mode <= IndexMode::kContains) {
    if (const ordered_json* const entry = file.AddSingle(index)) return *entry;
  }
  // The file has the index; so it is not deployed, or Firestore has an override that it lacks.
  const std::size_t own = OverrideOf(index, file);
  if (own < file.overrides().size()) return file.Override(own);
  ordered_json indexes = ordered_json::array();
  for (const SingleIndex& each :
       file.SingleIndexes(index.collection_group, field.path.segments())) {
    indexes.push_back(WriteSingle(each));
  }
  return {{"collectionGroup", index.collection_group},
          {"fieldPath", field.path.text()},
          {"indexes", std::move(indexes)}};
}

std::string Explain(const MissingIndex& missing, const HotField& hot, bool has_file) {
  const CompositeIndex& index = missing.index;
  const bool group = index.scope == IndexScope::kCollectionGroup;
  std::string text = "The query on " + std::string(group ? "all collections" : "a collection") +
                     " of the id " + index.collection_group + " needs an index of " +
                     Describe(index) + ". Add the entry to ";
  text += missing.is_single_field ? "fieldOverrides" : "indexes";
  if (missing.takes_place) text += ", in place of the one for this field,";
  text +=
      " in firestore.indexes.json and run `firebase deploy --only firestore:indexes`; the query "
      "works when the index is built.";
  if (missing.is_single_field && !has_file) {
    text +=
        " If the file has an entry for this field already, pass its text as the option `indexes`: "
        "the new entry takes its place, and what it leaves out is dropped.";
  }
  if (hot.heat != Heat::kNone) {
    text += " Perhaps: the name " + index.fields[hot.position].path.text() +
            " suggests values that rise. " + ExplainHeat(index, hot);
  }
  return text;
}

}  // namespace

Result<MissingIndex> ReadMissingIndex(std::string_view message, const IndexFile* file) {
  constexpr std::string_view kComposite = "create_composite=";
  constexpr std::string_view kExemption = "create_exemption=";
  MissingIndex missing;
  std::size_t at = message.find(kComposite);
  if (at == std::string_view::npos) {
    at = message.find(kExemption);
    missing.is_single_field = true;
  }
  if (at == std::string_view::npos) {
    return Fail(
        kIndexLinkUnreadable,
        "There is no link to a missing index in the text: pass the whole message of the error, "
        "which has …/indexes?create_composite=… in it.");
  }
  std::string_view code = message.substr(at + kComposite.size());
  code =
      code.substr(0, code.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                            "0123456789-_+/="));
  const std::optional<std::string> bytes = DecodeBase64(code);
  if (!bytes || bytes->empty()) return Unreadable("it is no base64.");
  std::string name;
  ordered_json entry = {{"collectionGroup", ""}, {"queryScope", "COLLECTION"}};
  SHARDLINE_CHECK(ReadIndex(*bytes, name, entry));
  missing.project = Between(name, "projects/");
  missing.database = Between(name, "/databases/");
  entry["collectionGroup"] = Between(name, "/collectionGroups/");
  // The same checks as for a file.
  ordered_json root;
  root["indexes"].push_back(entry);
  const Result<IndexFile> read = IndexFile::Parse(root.dump());
  if (!read) return Unreadable(read.error().message);
  missing.index = read->composites().front();
  if (missing.index.fields.empty()) return Unreadable("it names no field.");
  if (missing.is_single_field) {
    missing.takes_place =
        file != nullptr && OverrideOf(missing.index, *file) < file->overrides().size();
    SHARDLINE_TRY(IndexFile && known, file ? Result<IndexFile>(*file) : IndexFile::Parse("{}"));
    missing.entry = SingleFieldEntry(missing.index, known);
  } else {
    missing.entry = std::move(entry);
  }
  return missing;
}

std::string WriteMissingIndexLink(std::string_view database, const CompositeIndex& index) {
  const bool is_single_field = index.is_single();
  const IndexField& last = index.fields.back();
  std::string name(database);
  name += "/collectionGroups/" + index.collection_group;
  name += is_single_field ? "/fields/" + last.path.text() : "/indexes/_";
  std::string bytes;
  AppendBytes(bytes, 1, name);
  AppendNumber(bytes, 2, index.scope == IndexScope::kCollectionGroup ? 2 : 1);
  for (const IndexField& field : index.fields) AppendField(bytes, field.path.text(), field.mode);
  if (!is_single_field) {
    AppendField(bytes, "__name__",
                index.name_descending ? IndexMode::kDescending : IndexMode::kAscending);
  }
  std::string link = "https://console.firebase.google.com/v1/r/project/";
  link += Between(database, "projects/");
  link += "/firestore/indexes?create_";
  link += is_single_field ? "exemption=" : "composite=";
  return link + EncodeBase64Url(bytes);
}

Result<std::string> ExplainMissingIndex(const PaddedText& arguments) {
  SHARDLINE_TRY(const TextAndOptions& call, ReadTextAndOptions(arguments));
  for (const auto& [key, value] : call.options.items()) {
    if (key != "indexes") return UnknownOption(key.substr(0, 100), "indexes");
    if (!value.is_string()) return MustBe("indexes", "a text: the content of the index file");
  }
  const bool has_file = call.options.contains("indexes");
  SHARDLINE_TRY(const IndexFile& file,
                IndexFile::Parse(has_file ? call.options["indexes"].get<std::string>() : "{}"));
  SHARDLINE_TRY(const MissingIndex& missing,
                ReadMissingIndex(call.text, has_file ? &file : nullptr));
  const HotField hot = FindHotField(RisingFields(), missing.index);
  const bool group = missing.index.scope == IndexScope::kCollectionGroup;
  return ordered_json({{"kind", missing.is_single_field ? "single-field" : "composite"},
                       {"project", missing.project},
                       {"database", missing.database},
                       {"collection", missing.index.collection_group},
                       {"scope", group ? "COLLECTION_GROUP" : "COLLECTION"},
                       {"entry", missing.entry},
                       {"risk", hot.heat == Heat::kNone ? "none" : "perhaps"},
                       {"explanation", Explain(missing, hot, has_file)}})
      .dump();
}

}  // namespace shardline
