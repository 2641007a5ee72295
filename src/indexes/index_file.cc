#include "indexes/index_file.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/reason.h"
#include "firestore/limits_and_prices.h"
#include "indexes/index_text.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

// A place in the file: "indexes[2].fields[0].order".
Failure Wrong(const std::string& where, std::string_view what) {
  return Fail(kIndexFileUnreadable, "In the index file, ") << Param{"where", where} << " " << what;
}

std::string At(const std::string& list, std::size_t index) {
  return list + "[" + std::to_string(index) + "]";
}

Result<std::string> ReadText(const ordered_json& entry, const char* name,
                             const std::string& where) {
  const auto member = entry.find(name);
  if (member == entry.end() || !member->is_string() ||
      member->get_ref<const std::string&>().empty()) {
    return Wrong(where + "." + name, "must be a text.");
  }
  return member->get<std::string>();
}

Result<std::string> ReadCollection(const ordered_json& entry, const std::string& where) {
  // The name in files of 2018.
  const bool old = entry.contains("collectionId") && !entry.contains("collectionGroup");
  return ReadText(entry, old ? "collectionId" : "collectionGroup", where);
}

Result<FieldPath> ReadPath(const ordered_json& entry, const std::string& where) {
  SHARDLINE_TRY(const std::string& text, ReadText(entry, "fieldPath", where));
  Result<FieldPath> path = FieldPath::Parse(text);
  if (!path) return Wrong(where + ".fieldPath", "is no field's path: ") << path.error().message;
  return path;
}

Result<IndexMode> ReadMode(const ordered_json& entry, const std::string& where) {
  if (const auto order = entry.find("order"); order != entry.end()) {
    if (*order == "ASCENDING") return IndexMode::kAscending;
    if (*order == "DESCENDING") return IndexMode::kDescending;
    return Wrong(where + ".order", "must be ASCENDING or DESCENDING.");
  }
  if (const auto array = entry.find("arrayConfig"); array != entry.end()) {
    if (*array == "CONTAINS") return IndexMode::kContains;
    return Wrong(where + ".arrayConfig", "must be CONTAINS.");
  }
  if (entry.contains("vectorConfig")) return IndexMode::kVector;
  if (const auto mode = entry.find("mode"); mode != entry.end()) {  // In files of 2018.
    if (*mode == "ASCENDING") return IndexMode::kAscending;
    if (*mode == "DESCENDING") return IndexMode::kDescending;
    if (*mode == "ARRAY_CONTAINS") return IndexMode::kContains;
  }
  return IndexMode::kOther;
}

Result<IndexScope> ReadScope(const ordered_json& entry, const std::string& where) {
  if (!entry.contains("queryScope")) return IndexScope::kCollection;
  SHARDLINE_TRY(const std::string& scope, ReadText(entry, "queryScope", where));
  return scope == "COLLECTION_GROUP" ? IndexScope::kCollectionGroup : IndexScope::kCollection;
}

Result<CompositeIndex> ReadComposite(const ordered_json& entry, const std::string& where) {
  if (!entry.is_object()) return Wrong(where, "must be an object.");
  CompositeIndex index;
  SHARDLINE_TRY(index.collection_group, ReadCollection(entry, where));
  SHARDLINE_TRY(index.scope, ReadScope(entry, where));
  const auto fields = entry.find("fields");
  if (fields == entry.end() || !fields->is_array() || fields->empty() ||
      fields->size() > kMaxIndexFields) {
    return Wrong(where + ".fields", "must be a list of 1 to 100 fields.");
  }
  for (std::size_t i = 0; i < fields->size(); ++i) {
    const std::string place = At(where + ".fields", i);
    const ordered_json& field = (*fields)[i];
    if (!field.is_object()) return Wrong(place, "must be an object.");
    SHARDLINE_TRY(FieldPath && path, ReadPath(field, place));
    SHARDLINE_TRY(const IndexMode mode, ReadMode(field, place));
    const bool is_last = i + 1 == fields->size();
    if (is_last && path.IsDocumentName() && IsDirected(mode)) {
      index.name_descending = mode == IndexMode::kDescending;
      return index;
    }
    index.fields.push_back({std::move(path), mode});
  }
  index.name_descending = UsualNameDescending(index.fields);
  return index;
}

Result<FieldOverride> ReadOverride(const ordered_json& entry, const std::string& where) {
  if (!entry.is_object()) return Wrong(where, "must be an object.");
  FieldOverride result;
  SHARDLINE_TRY(result.collection_group, ReadCollection(entry, where));
  SHARDLINE_TRY(const std::string& name, ReadText(entry, "fieldPath", where));
  if (name != "*") {
    SHARDLINE_TRY(result.field, ReadPath(entry, where));
  }
  if (const auto ttl = entry.find("ttl"); ttl != entry.end()) {
    const bool is_text = *ttl == "true" || *ttl == "false";
    if (!ttl->is_boolean() && !is_text) return Wrong(where + ".ttl", "must be true or false.");
    result.ttl = *ttl == true || *ttl == "true";
  }
  if (const auto indexes = entry.find("indexes"); indexes != entry.end()) {
    if (!indexes->is_array()) return Wrong(where + ".indexes", "must be a list.");
    result.indexes.emplace();
    for (std::size_t i = 0; i < indexes->size(); ++i) {
      const std::string place = At(where + ".indexes", i);
      if (!(*indexes)[i].is_object()) return Wrong(place, "must be an object.");
      SHARDLINE_TRY(const IndexMode mode, ReadMode((*indexes)[i], place));
      SHARDLINE_TRY(const IndexScope scope, ReadScope((*indexes)[i], place));
      result.indexes->push_back({mode, scope});
    }
  }
  return result;
}

const char* ScopeName(IndexScope scope) {
  return scope == IndexScope::kCollectionGroup ? "COLLECTION_GROUP" : "COLLECTION";
}

void WriteMode(IndexMode mode, ordered_json& entry) {
  if (mode == IndexMode::kContains) {
    entry["arrayConfig"] = "CONTAINS";
  } else {
    entry["order"] = mode == IndexMode::kDescending ? "DESCENDING" : "ASCENDING";
  }
}

// Reads each entry of a list; there may be no list.
template <class Entry, class ReadEntry>
Status ReadList(const ordered_json& root, const char* name, ReadEntry read,
                std::vector<Entry>& entries) {
  const auto list = root.find(name);
  if (list == root.end()) return {};
  if (!list->is_array()) return Wrong(name, "must be a list.");
  for (std::size_t i = 0; i < list->size(); ++i) {
    SHARDLINE_TRY(Entry && entry, read((*list)[i], At(name, i)));
    entries.push_back(std::move(entry));
  }
  return {};
}

}  // namespace

bool CompositeIndex::has_vector() const {
  return std::any_of(fields.begin(), fields.end(),
                     [](const IndexField& field) { return field.mode == IndexMode::kVector; });
}

Result<IndexFile> IndexFile::Parse(std::string_view text) {
  SHARDLINE_TRY(IndexText && parsed, ParseIndexText(text));
  IndexFile file;
  file.root_ = std::move(parsed.root);
  file.has_comments_ = parsed.has_comments;
  SHARDLINE_CHECK(file.Read());
  return file;
}

Status IndexFile::Read() {
  if (!root_.is_object()) {
    return MustBe("The index file", "an object with the lists indexes and fieldOverrides");
  }
  SHARDLINE_CHECK(ReadList(root_, "indexes", ReadComposite, composites_));
  return ReadList(root_, "fieldOverrides", ReadOverride, overrides_);
}

ordered_json& IndexFile::List(const char* name) {
  ordered_json& list = root_[name];
  if (list.is_null()) list = ordered_json::array();
  return list;
}

void IndexFile::AddComposite(ordered_json entry, CompositeIndex index) {
  List("indexes").push_back(std::move(entry));
  composites_.push_back(std::move(index));
}

void IndexFile::RemoveComposite(std::size_t index) {
  List("indexes").erase(index);
  composites_.erase(composites_.begin() + static_cast<std::ptrdiff_t>(index));
}

std::size_t IndexFile::Own(const std::string& collection_group, const FieldPath& field) {
  ordered_json& list = List("fieldOverrides");
  const auto own = std::find_if(overrides_.begin(), overrides_.end(), [&](const auto& each) {
    return each.collection_group == collection_group && each.field == field;
  });
  const auto at = static_cast<std::size_t>(own - overrides_.begin());
  if (own == overrides_.end()) {
    list.push_back({{"collectionGroup", collection_group}, {"fieldPath", field.text()}});
    overrides_.push_back({collection_group, field, false, std::nullopt});
  }
  return at;
}

const ordered_json* IndexFile::AddSingle(const CompositeIndex& index) {
  const IndexField& field = index.fields.front();
  const SingleIndex wanted{field.mode, index.scope};
  const std::vector<std::string>& names = field.path.segments();
  const std::span<const SingleIndex> there = SingleIndexes(index.collection_group, names);
  if (std::find(there.begin(), there.end(), wanted) != there.end()) return nullptr;
  std::vector<SingleIndex> indexes(there.begin(), there.end());
  // The field's own entry replaces its present indexes, so it must list these as well.
  ordered_json written = ordered_json::array();
  if (const std::size_t nearest = Nearest(index.collection_group, names);
      nearest < overrides_.size()) {
    written = Override(nearest)["indexes"];
  } else {
    for (const SingleIndex& each : indexes) written.push_back(WriteSingle(each));
  }
  indexes.push_back(wanted);
  written.push_back(WriteSingle(wanted));
  const std::size_t at = Own(index.collection_group, field.path);
  overrides_[at].indexes = std::move(indexes);
  ordered_json& entry = List("fieldOverrides")[at];
  entry["indexes"] = std::move(written);
  return &entry;
}

const ordered_json* IndexFile::Exempt(const std::string& collection_group, const FieldPath& field,
                                      bool ttl, const std::vector<SingleIndex>& kept) {
  const std::size_t count = overrides_.size();
  const std::size_t at = Own(collection_group, field);
  FieldOverride& known = overrides_[at];
  ordered_json& entry = List("fieldOverrides")[at];
  const bool is_new = at == count || !known.indexes;
  std::vector<SingleIndex> indexes;
  ordered_json written = ordered_json::array();
  for (std::size_t i = 0; known.indexes && i < known.indexes->size(); ++i) {
    const SingleIndex& each = (*known.indexes)[i];
    if (std::find(kept.begin(), kept.end(), each) == kept.end()) continue;
    indexes.push_back(each);
    written.push_back(entry["indexes"][i]);
  }
  if (!is_new && indexes.size() == known.indexes->size() && (known.ttl || !ttl)) return nullptr;
  if (ttl) entry["ttl"] = true;
  entry["indexes"] = std::move(written);
  known.ttl = known.ttl || ttl;
  known.indexes = std::move(indexes);
  return &entry;
}

std::size_t IndexFile::Nearest(std::string_view collection_group,
                               const std::vector<std::string>& names) const {
  std::size_t nearest = overrides_.size();
  const auto depth = [](const FieldOverride& each) {
    return each.field ? each.field->segments().size() : 0;
  };
  const auto is_around = [&](const std::vector<std::string>& outer) {
    return outer.size() <= names.size() && std::equal(outer.begin(), outer.end(), names.begin());
  };
  for (std::size_t i = 0; i < overrides_.size(); ++i) {
    const FieldOverride& each = overrides_[i];
    if (!each.indexes || each.collection_group != collection_group) continue;
    if (each.field && !is_around(each.field->segments())) continue;
    if (nearest == overrides_.size() || depth(each) > depth(overrides_[nearest])) nearest = i;
  }
  return nearest;
}

std::span<const SingleIndex> IndexFile::SingleIndexes(std::string_view collection_group,
                                                      const std::vector<std::string>& names) const {
  const std::size_t nearest = Nearest(collection_group, names);
  if (nearest == overrides_.size()) return kAutomaticIndexes;
  return *overrides_[nearest].indexes;
}

IndexField NameOf(const CompositeIndex& index) {
  return {FieldPath::DocumentName(),
          index.name_descending ? IndexMode::kDescending : IndexMode::kAscending};
}

ordered_json WriteField(const IndexField& field) {
  ordered_json entry = {{"fieldPath", field.path.text()}};
  WriteMode(field.mode, entry);
  return entry;
}

ordered_json WriteSingle(const SingleIndex& index) {
  ordered_json entry;
  WriteMode(index.mode, entry);
  entry["queryScope"] = ScopeName(index.scope);
  return entry;
}

ordered_json WriteComposite(const CompositeIndex& index) {
  ordered_json fields = ordered_json::array();
  for (const IndexField& field : index.fields) fields.push_back(WriteField(field));
  if (!index.has_usual_name()) fields.push_back(WriteField(NameOf(index)));
  return {{"collectionGroup", index.collection_group},
          {"queryScope", ScopeName(index.scope)},
          {"fields", std::move(fields)}};
}

std::string Describe(const CompositeIndex& index) {
  std::vector<IndexField> fields = index.fields;
  if (!index.has_usual_name()) fields.push_back(NameOf(index));
  return Describe(fields);
}

std::string Describe(const std::vector<IndexField>& fields) {
  constexpr std::string_view kModes[] = {" ascending", " descending", " by element", " as a vector",
                                         ""};
  std::string text;
  for (const IndexField& field : fields) {
    if (!text.empty()) text += ", ";
    text += field.path.text();
    text += kModes[static_cast<std::size_t>(field.mode)];
  }
  return text;
}

}  // namespace shardline
