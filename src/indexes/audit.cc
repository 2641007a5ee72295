#include "indexes/audit.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/reason.h"
#include "indexes/arguments.h"

namespace shardline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kSharedLimit =
    " The index holds all collections of this id, so they share the limit.";

// In front of the sentence that says why the index would be hot.
std::string Hint(RisingFields::Answer answer, const std::string& field) {
  if (answer == RisingFields::Answer::kYes) return "";
  if (answer == RisingFields::Answer::kTtl) {
    return "Perhaps: " + field + " has a TTL policy, and documents often expire in their order. ";
  }
  return "Perhaps: the name " + field + " suggests values that rise. ";
}

std::string Todo(const HotField& hot, const std::string& collection_group, const std::string& field,
                 const std::string& todo) {
  if (hot.is_hint()) {
    return "Find out whether " + field + " rises: `shardline indexes sample " + collection_group +
           "` reads some documents. Then pass " + field + " as `rising` or `notRising`.";
  }
  return todo + " Below 500 writes a second, leave it as it is.";
}

Finding AboutComposite(const CompositeIndex& index, const HotField& hot, ordered_json fields) {
  const FieldPath& field = index.fields[hot.position].path;
  std::string todo =
      index.has_vector()
          ? "It is an index of vectors, which rewriteIndexes() leaves as it is. Write it without " +
                field.text() + ", or with a shard field in front of " + field.text() +
                " and ask findNearest() for each shard value."
          : "Put a shard field with random values in front of " + field.text() +
                ": rewriteIndexes() adds such an index.";
  return {Finding::Where::kComposite,
          hot.heat,
          index.collection_group,
          index.scope,
          field,
          std::move(fields),
          hot.answer,
          Hint(hot.answer, field.text()) + ExplainHeat(index, hot),
          Todo(hot, index.collection_group, field.text(), todo)};
}

// "ascending and descending": the directions of the scope's indexes; empty if none sorts.
std::string Directions(std::span<const SingleIndex> indexes, IndexScope scope) {
  const auto has = [&](IndexMode mode) {
    return std::find(indexes.begin(), indexes.end(), SingleIndex{mode, scope}) != indexes.end();
  };
  const bool ascending = has(IndexMode::kAscending);
  const bool descending = has(IndexMode::kDescending);
  if (ascending && descending) return "ascending and descending";
  if (ascending) return "ascending";
  return descending ? "descending" : "";
}

// `directions` are those of the indexes of this scope, which are automatic unless an override lists
// them.
Finding AboutSingleField(const std::string& collection_group, const FieldPath& field,
                         IndexScope scope, const std::string& directions, bool is_automatic,
                         RisingFields::Answer answer) {
  const HotField hot{Heat::kHot, 0, answer};
  std::string why = Hint(answer, field.text());
  why += is_automatic ? "Firestore indexes every field by itself, "
                      : "fieldOverrides has Firestore index " + field.text() + " by itself, ";
  why += directions + (hot.is_hint() ? ". If " + field.text() + " rises, all"
                                     : ". " + field.text() + " rises, so all");
  why += " new entries go to one end, which takes about 500 writes a second.";
  if (scope == IndexScope::kCollectionGroup) why += kSharedLimit;
  return {
      Finding::Where::kSingleField,
      Heat::kHot,
      collection_group,
      scope,
      field,
      {},
      answer,
      std::move(why),
      Todo(hot, collection_group, field.text(),
           "Query it behind a shard field, and then exempt " + field.text() +
               " from indexing (fieldOverrides with indexes: []): rewriteIndexes() writes both.")};
}

// Every field that the file or the user names, once.
std::vector<std::pair<std::string, FieldPath>> NamedFields(const IndexFile& file,
                                                           const RisingFields& rising) {
  std::vector<std::pair<std::string, FieldPath>> named;
  const auto name = [&](const std::string& collection_group, const FieldPath& field) {
    const std::pair<std::string, FieldPath> entry(collection_group, field);
    if (std::find(named.begin(), named.end(), entry) == named.end()) named.push_back(entry);
  };
  for (const auto& [collection_group, fields] : rising.known()) {
    for (const FieldPath& field : fields) name(collection_group, field);
  }
  for (const CompositeIndex& index : file.composites()) {
    for (const IndexField& field : index.fields) name(index.collection_group, field.path);
  }
  for (const FieldOverride& entry : file.overrides()) {
    if (entry.field) name(entry.collection_group, *entry.field);
  }
  return named;
}

// Reads {collection: [field, …]}. `take` gets each; the path is nullopt for "*".
template <class Take>
Status ReadFields(const json& members, const std::string& option, Take take) {
  if (!members.is_object()) {
    return Fail(kArgumentNotAllowed, "The option ")
           << Param{"argument", option} << " must be "
           << Param{"allowed", "like { instruments: ['timestamp'] }"} << ".";
  }
  for (const auto& [collection, fields] : members.items()) {
    const std::string name = option + "." + collection.substr(0, 100);
    SHARDLINE_TRY(const std::string& id, ReadCollectionId(collection, name));
    json named = fields;
    if (option == "notRising" && fields.is_array()) {
      const auto star = std::find(named.begin(), named.end(), "*");
      if (star != named.end()) {
        named.erase(star);
        take(id, nullptr);
      }
    }
    SHARDLINE_TRY(const std::vector<FieldPath>& paths, ReadFieldList(named, name));
    for (const FieldPath& path : paths) take(id, &path);
  }
  return {};
}

Status ReadOption(const std::string& key, const json& value, RisingFields& rising) {
  return ReadFields(value, key, [&](const std::string& collection, const FieldPath* field) {
    if (field == nullptr) {
      rising.KnowNoOther(collection);
    } else if (key == "rising") {
      rising.Know(collection, *field);
    } else if (key == "notRising") {
      rising.KnowNot(collection, *field);
    } else {
      rising.Shard(collection, *field);
    }
  });
}

ordered_json Write(const Finding& finding) {
  const bool composite = finding.where == Finding::Where::kComposite;
  const bool group = finding.scope == IndexScope::kCollectionGroup;
  const bool is_hot = finding.heat == Heat::kHot && !finding.is_candidate();
  ordered_json written = {{"where", composite ? "composite" : "single-field"},
                          {"risk", is_hot ? "hot" : "perhaps"},
                          {"collection", finding.collection_group},
                          {"scope", group ? "COLLECTION_GROUP" : "COLLECTION"},
                          {"field", finding.field.text()},
                          {"index", finding.index}};
  if (finding.is_candidate()) {
    written["hint"] = finding.answer == RisingFields::Answer::kTtl ? "ttl" : "name";
  }
  written["why"] = finding.why;
  written["todo"] = finding.todo;
  return written;
}

}  // namespace

std::string ExplainHeat(const CompositeIndex& index, const HotField& hot) {
  const std::string& field = index.fields[hot.position].path.text();
  const std::vector<IndexField> front(
      index.fields.begin(), index.fields.begin() + static_cast<std::ptrdiff_t>(hot.position));
  const std::string rises = hot.is_hint() ? " would rise" : " rises";
  std::string why =
      hot.heat == Heat::kHot
          ? field + " comes first" +
                (hot.is_hint() ? ". If " + field + " rises, all" : " and rises, so all") +
                " new entries go to one end of the index, which takes about 500 writes a second."
          : field + rises + " behind " + Describe(front) +
                ": each value in front takes about 500 writes a second, so the index is hot if "
                "most documents have the same ones.";
  if (index.scope == IndexScope::kCollectionGroup) why += kSharedLimit;
  return why;
}

std::vector<Finding> Audit(const IndexFile& file, const RisingFields& told) {
  RisingFields rising = told;
  for (const FieldOverride& entry : file.overrides()) {
    if (entry.ttl && entry.field) rising.Expires(entry.collection_group, *entry.field);
  }
  std::vector<Finding> findings;
  for (const auto& [collection_group, field] : NamedFields(file, rising)) {
    const RisingFields::Answer answer = rising.Rises(collection_group, field);
    if (answer == RisingFields::Answer::kNo) continue;
    const std::span<const SingleIndex> indexes =
        file.SingleIndexes(collection_group, field.segments());
    for (const IndexScope scope : {IndexScope::kCollection, IndexScope::kCollectionGroup}) {
      const std::string directions = Directions(indexes, scope);
      if (directions.empty()) continue;
      findings.push_back(AboutSingleField(collection_group, field, scope, directions,
                                          indexes.data() == std::data(kAutomaticIndexes), answer));
    }
  }
  for (std::size_t i = 0; i < file.composites().size(); ++i) {
    const CompositeIndex& index = file.composites()[i];
    const HotField hot = FindHotField(rising, index);
    if (hot.heat == Heat::kNone) continue;
    findings.push_back(AboutComposite(index, hot, file.Composite(i)["fields"]));
  }
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.heat > b.heat; });
  return findings;
}

Result<std::string> AuditIndexes(const PaddedText& arguments) {
  SHARDLINE_TRY(TextAndOptions && call, ReadTextAndOptions(arguments));
  RisingFields rising;
  for (const auto& [key, value] : call.options.items()) {
    if (key != "rising" && key != "notRising" && key != "shards") {
      return UnknownOption(key.substr(0, 100), "rising, notRising and shards");
    }
    SHARDLINE_CHECK(ReadOption(key, value, rising));
  }
  SHARDLINE_TRY(const IndexFile& file, IndexFile::Parse(call.text));
  ordered_json found = {{"findings", ordered_json::array()}, {"candidates", ordered_json::array()}};
  for (const Finding& finding : Audit(file, rising)) {
    found[finding.is_candidate() ? "candidates" : "findings"].push_back(Write(finding));
  }
  return found.dump();
}

}  // namespace shardline
