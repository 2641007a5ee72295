#include "indexes/sharded_indexes.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "firestore/limits_and_prices.h"
#include "indexes/arguments.h"

namespace shardline {
namespace {

using nlohmann::json;

Failure BadQuery(const std::string& name) {
  return MustBe(name, "a list of fields, such as ['exchange'], or the plan() of a query");
}

// Reads [{field, order | arrayConfig}, …], of which the last may be `__name__`.
Result<std::vector<IndexField>> ReadPlan(const json& index, const std::string& name,
                                         std::optional<bool>* name_descending) {
  std::vector<IndexField> fields;
  for (const json& entry : index) {
    if (!entry.is_object() || !entry.contains("field")) return BadQuery(name);
    if (&entry == &index.back() && entry["field"] == "__name__" && !fields.empty()) {
      *name_descending = entry.contains("order") && entry["order"] == "DESCENDING";
      break;
    }
    SHARDLINE_TRY(FieldPath && path, ReadFieldPath(entry["field"], name + ".field"));
    IndexMode mode = IndexMode::kAscending;
    if (entry.contains("order") && entry["order"] == "DESCENDING") mode = IndexMode::kDescending;
    if (entry.contains("arrayConfig")) mode = IndexMode::kContains;
    fields.push_back({std::move(path), mode});
  }
  return fields;
}

// Up to the order field, all fields are fixed.
QueryIndex SortedFrom(const FieldPath& order_field, std::vector<IndexField> fields) {
  const auto order = std::find_if(fields.begin(), fields.end(), [&](const IndexField& field) {
    return field.path == order_field;
  });
  const auto fixed = static_cast<std::size_t>(order - fields.begin());
  return {std::move(fields), fixed};
}

// A list of fields that the query fixes, or a plan's `index`.
Result<QueryIndex> ReadFields(const json& list, const std::string& name,
                              const FieldPath& order_field) {
  if (!list.is_array()) return BadQuery(name);
  if (!list.empty() && list.front().is_object()) {
    std::optional<bool> name_descending;
    SHARDLINE_TRY(std::vector<IndexField> && index, ReadPlan(list, name, &name_descending));
    QueryIndex query = SortedFrom(order_field, std::move(index));
    query.name_descending = name_descending;
    return query;
  }
  SHARDLINE_TRY(const std::vector<FieldPath>& paths, ReadFieldList(list, name));
  std::vector<IndexField> fields;
  for (const FieldPath& path : paths) {
    const auto is_it = [&](const IndexField& field) { return field.path == path; };
    if (path == order_field || std::any_of(fields.begin(), fields.end(), is_it)) continue;
    fields.push_back({path, IndexMode::kAscending});
  }
  fields.push_back({order_field, IndexMode::kDescending});
  return SortedFrom(order_field, std::move(fields));
}

// Adds the indexes that the query needs.
Status ReadQuery(const json& query, const std::string& name, const FieldPath& order_field,
                 std::vector<QueryIndex>& found) {
  const bool is_plan = query.is_object();
  const auto indexes = is_plan ? query.find("indexes") : query.end();
  if (is_plan && indexes != query.end()) {
    if (!indexes->is_array()) return BadQuery(name);
    for (const json& index : *indexes) {
      const bool is_index = index.is_object() && index.contains("fields") &&
                            index["fields"].is_array() && index.contains("fixed") &&
                            index["fixed"].is_number_integer() && index["fixed"] >= 0;
      if (!is_index) return BadQuery(name);
      QueryIndex read{{}, index["fixed"].get<std::size_t>()};
      SHARDLINE_TRY(read.fields, ReadPlan(index["fields"], name, &read.name_descending));
      found.push_back(std::move(read));
    }
    return {};
  }
  if (is_plan && !query.contains("index")) return BadQuery(name);
  SHARDLINE_TRY(QueryIndex && index,
                ReadFields(is_plan ? query["index"] : query, name, order_field));
  found.push_back(std::move(index));
  return {};
}

}  // namespace

Result<ShardedIndexes> ReadShardedIndexes(const json& options, const std::string& name) {
  const auto text = [&](const char* member, const char* usual) -> Result<std::string> {
    const auto found = options.find(member);
    if (found == options.end()) return std::string(usual);
    if (!found->is_string()) return MustBe(name + member, "a text");
    return found->get<std::string>();
  };
  for (const auto& [key, value] : options.items()) {
    if (key == "collection" || key == "shardField" || key == "orderField" || key == "scope" ||
        key == "queries" || key == "ordinary" || key == "writesPerSecond") {
      continue;
    }
    return UnknownOption(name + key.substr(0, 100),
                         "collection, shardField, orderField, scope, queries and writesPerSecond");
  }
  SHARDLINE_TRY(const std::string& path, text("collection", ""));
  if (path.empty()) return MustBe(name + "collection", "the id of a collection");
  SHARDLINE_TRY(std::string && id, ReadCollectionId(path, name + "collection"));
  SHARDLINE_TRY(const std::string& shard, text("shardField", "shard"));
  SHARDLINE_TRY(FieldPath && shard_field, ReadFieldPath(shard, name + "shardField"));
  SHARDLINE_TRY(const std::string& order, text("orderField", "timestamp"));
  SHARDLINE_TRY(FieldPath && order_field, ReadFieldPath(order, name + "orderField"));
  if (shard_field == order_field) {
    return Fail(kArgumentsConflict, "")
           << Param{"argument", name + "shardField"} << " and "
           << Param{"other", name + "orderField"} << " must be two fields.";
  }
  SHARDLINE_TRY(const std::string& scope, text("scope", "COLLECTION"));
  if (scope != "COLLECTION" && scope != "COLLECTION_GROUP") {
    return MustBe(name + "scope", "COLLECTION or COLLECTION_GROUP");
  }
  ShardedIndexes result{
      std::move(id), std::move(shard_field), std::move(order_field),
      scope == "COLLECTION" ? IndexScope::kCollection : IndexScope::kCollectionGroup, std::nullopt};
  if (const auto ordinary = options.find("ordinary"); ordinary != options.end()) {
    if (!ordinary->is_boolean()) return MustBe(name + "ordinary", "true or false");
    result.is_sharded = !ordinary->get<bool>();
  }
  if (const auto writes = options.find("writesPerSecond"); writes != options.end()) {
    const bool is_rate = writes->is_number() && writes->get<double>() >= 0;
    if (!is_rate) return MustBe(name + "writesPerSecond", "a number from 0 on");
    result.writes_per_second = writes->get<double>();
  }
  const auto queries = options.find("queries");
  if (queries == options.end()) return result;
  if (!queries->is_array()) return MustBe(name + "queries", "a list of queries");
  result.queries.emplace();
  for (std::size_t i = 0; i < queries->size(); ++i) {
    const std::string each = name + "queries[" + std::to_string(i) + "]";
    SHARDLINE_CHECK(ReadQuery((*queries)[i], each, result.order_field, *result.queries));
  }
  for (const QueryIndex& query : *result.queries) {
    // The shard is one more.
    if (query.fields.size() >= kMaxIndexFields) return BadQuery(name + "queries");
  }
  return result;
}

}  // namespace shardline
