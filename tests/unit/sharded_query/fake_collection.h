// A collection on a server: answers :runQuery by looking at every document, in the plainest way. It
// is a second opinion on the results of queries, apart from the embedded Firestore's, and it serves
// documents that that one would not store: reserved names of fields, references to nothing, the
// oldest times.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/random.h"
#include "firestore/field_path.h"
#include "unit/sharded_query/api_caller.h"
#include "unit/support/values.h"

namespace shardline {

struct Document {
  std::string id;
  Map fields;
};

// The value with all numbers of its vectors finite: Firestore stores no NaN in them, and one with
// an infinity comes back as the map that it is on the wire.
inline Value FiniteVectors(Value value) {
  if (auto* vector = std::get_if<Vector>(&value.data)) {
    for (double& number : vector->elements) {
      if (!std::isfinite(number)) number = 1.5;
    }
  } else if (auto* array = std::get_if<Array>(&value.data)) {
    for (Value& element : array->elements) element = FiniteVectors(element);
  } else if (auto* map = std::get_if<Map>(&value.data)) {
    for (Field& field : map->fields) field.value = FiniteVectors(field.value);
  }
  return value;
}

class FakeCollection {
 public:
  explicit FakeCollection(std::vector<Document> documents, std::uint64_t seed = 1)
      : documents_(std::move(documents)), random_(seed) {
    for (Document& document : documents_) {
      for (Field& field : document.fields.fields) field.value = FiniteVectors(field.value);
    }
  }

  static std::string NameOf(const std::string& id) { return Name("instruments/" + id); }

  // All documents that a structured query finds, in order.
  std::vector<Document> Find(const json& query) const {
    // With what it is sorted by.
    using Row = std::pair<std::vector<Value>, const Document*>;
    std::vector<Row> rows;
    const std::vector<Condition> conditions = ConditionsOf(query);
    for (const Document& document : documents_) {
      if (Fits(document, query, conditions)) rows.emplace_back(KeysOf(document, query), &document);
    }
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
      return ComparePositions(a.first, b.first, query) < 0;
    });
    const auto position = [&](const char* key) {
      std::vector<Value> values;
      for (const json& value : query[key]["values"]) values.push_back(FromWire(value.dump()));
      return values;
    };
    if (query.contains("startAt")) {
      const std::vector<Value> start = position("startAt");
      const bool before = query["startAt"].value("before", false);
      std::erase_if(rows, [&](const Row& row) {
        const auto order = ComparePositions(row.first, start, query);
        return before ? order < 0 : order <= 0;
      });
    }
    if (query.contains("endAt")) {
      const std::vector<Value> end = position("endAt");
      const bool before = query["endAt"].value("before", false);
      std::erase_if(rows, [&](const Row& row) {
        const auto order = ComparePositions(row.first, end, query);
        return before ? order >= 0 : order > 0;
      });
    }
    const std::size_t limit = std::min(query.value("limit", rows.size()), rows.size());
    std::vector<Document> found;
    for (std::size_t i = 0; i < limit; ++i) {
      found.push_back({rows[i].second->id, Select(rows[i].second->fields, query)});
    }
    return found;
  }

  // The answer to a :runQuery, laid out in one of the ways in which JSON can be.
  Reply Answer(const SentRequest& request) {
    EXPECT_EQ(request.path, "/v1/projects/demo/databases/(default)/documents:runQuery");
    const std::vector<Document> found = Find(request.body["structuredQuery"]);
    served_ += std::max<std::size_t>(found.size(), 1);
    const std::string time = request.body.value("readTime", NextTime());
    json answer = json::array();
    for (const Document& document : found) {
      answer.push_back({{"document",
                         {{"name", NameOf(document.id)},
                          {"createTime", "2026-01-01T00:00:00.5Z"},
                          {"updateTime", "1969-12-31T23:59:59.000001Z"}}},
                        {"readTime", time}});
      if (!document.fields.fields.empty()) {
        answer.back()["document"]["fields"] = json::parse(Wire(document.fields));
      }
    }
    if (answer.empty() || random_.Below(4) == 0) answer.push_back({{"readTime", time}});
    if (random_.Below(4) == 0) answer.push_back({{"done", true}});
    if (random_.Below(4) == 0) answer.push_back({{"skippedResults", 0}, {"zzz", {{"a", 1}}}});
    const int indent = random_.Below(2) == 0 ? -1 : static_cast<int>(random_.Below(4));
    Reply reply = OkText(answer.dump(indent, ' ', random_.Below(2) == 0));
    reply.latency = std::chrono::milliseconds(1 + random_.Below(50));
    return reply;
  }

  Server server() {
    return [this](const SentRequest& request) { return Answer(request); };
  }

  const std::vector<Document>& documents() const { return documents_; }
  // The reads that Firestore bills for all answers so far.
  std::size_t served() const { return served_; }

 private:
  struct Condition {
    std::string path;
    std::string op;
    Value operand;
  };

  static std::vector<Condition> ConditionsOf(const json& query) {
    std::vector<Condition> conditions;
    const auto add = [&](const json& filter) {
      conditions.push_back(
          {filter["field"]["fieldPath"], filter["op"], FromWire(filter["value"].dump())});
    };
    if (!query.contains("where")) return conditions;
    const json& where = query["where"];
    if (where.contains("compositeFilter")) {
      EXPECT_EQ(where["compositeFilter"]["op"], "AND");
      for (const json& filter : where["compositeFilter"]["filters"]) add(filter["fieldFilter"]);
    } else {
      add(where["fieldFilter"]);
    }
    return conditions;
  }

  static const Value* Get(const Map& fields, const std::string& path) {
    const Map* map = &fields;
    const Value* value = nullptr;
    const FieldPath parsed = FieldPath::Parse(path).value();
    for (const std::string& segment : parsed.segments()) {
      value = map ? map->Find(segment) : nullptr;
      map = value ? value->As<Map>() : nullptr;
    }
    return value;
  }

  static bool Fits(const Document& document, const json& query,
                   const std::vector<Condition>& conditions) {
    for (const json& order : query["orderBy"]) {
      const std::string path = order["field"]["fieldPath"];
      if (path != "__name__" && Get(document.fields, path) == nullptr) return false;
    }
    return std::all_of(conditions.begin(), conditions.end(),
                       [&](const Condition& condition) { return Passes(document, condition); });
  }

  static bool Passes(const Document& document, const Condition& condition) {
    const auto& [path, op, operand] = condition;
    const Value* value = Get(document.fields, path);
    if (value == nullptr) return false;
    if (op == "EQUAL") return CompareValues(*value, operand) == 0;
    if (op == "GREATER_THAN") {
      return value->As<std::int64_t>() != nullptr && CompareValues(*value, operand) > 0;
    }
    EXPECT_EQ(op, "IN");
    const std::vector<Value>& list = operand.As<Array>()->elements;
    return std::any_of(list.begin(), list.end(),
                       [&](const Value& element) { return CompareValues(*value, element) == 0; });
  }

  static std::vector<Value> KeysOf(const Document& document, const json& query) {
    std::vector<Value> keys;
    for (const json& order : query["orderBy"]) {
      const std::string path = order["field"]["fieldPath"];
      keys.push_back(path == "__name__" ? Ref(NameOf(document.id)) : *Get(document.fields, path));
    }
    return keys;
  }

  // As far as both go.
  static std::weak_ordering ComparePositions(const std::vector<Value>& a,
                                             const std::vector<Value>& b, const json& query) {
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      const std::weak_ordering order = CompareValues(a[i], b[i]);
      if (order == 0) continue;
      return query["orderBy"][i]["direction"] == "DESCENDING" ? 0 <=> order : order;
    }
    return std::weak_ordering::equivalent;
  }

  static Map Select(const Map& fields, const json& query) {
    if (!query.contains("select")) return fields;
    Map selected;
    for (const json& field : query["select"]["fields"]) {
      const std::string path = field["fieldPath"];
      if (path != "__name__") {
        CopyPath(fields, FieldPath::Parse(path).value().segments(), 0, selected);
      }
    }
    return selected;
  }

  static void CopyPath(const Map& from, const std::vector<std::string>& segments, std::size_t depth,
                       Map& to) {
    const Value* value = from.Find(segments[depth]);
    if (value == nullptr) return;
    if (depth + 1 == segments.size()) return to.Set(segments[depth], *value);
    const Map* inner = value->As<Map>();
    if (inner == nullptr) return;
    Map part;
    if (const Value* had = to.Find(segments[depth])) part = *had->As<Map>();
    CopyPath(*inner, segments, depth + 1, part);
    if (!part.fields.empty()) to.Set(segments[depth], {part});
  }

  std::string NextTime() { return Timestamp{1'767'225'600'000'000 + ++clock_}.ToString(); }

  std::vector<Document> documents_;
  Random random_;
  std::int64_t clock_ = 0;
  std::size_t served_ = 0;
};

}  // namespace shardline
