#include "simulator/required_index.h"

#include <set>

#include "base/json_writer.h"

namespace shardline::simulator {
namespace {

using Field = CompositeIndex::Field;

// What one alternative of a query asks of an index.
struct Need {
  std::set<FieldPath> equal;
  std::set<FieldPath> contains;  // array-contains
  std::vector<OrderBy> orders;   // Without `__name__`.
};

Need NeedOf(const Query& query, const std::vector<Filter>& conditions) {
  Need need;
  for (const Filter& condition : conditions) {
    if (condition.field.IsDocumentName()) continue;
    if (condition.op == Op::kArrayContains) {
      need.contains.insert(condition.field);
    } else if (!IsInequality(condition.op)) {
      need.equal.insert(condition.field);
    }
  }
  for (const OrderBy& order : query.orders) {
    // A field that is fixed to one value has no order.
    if (!order.field.IsDocumentName() && need.equal.count(order.field) == 0) {
      need.orders.push_back(order);
    }
  }
  return need;
}

// True if the automatic indexes of single fields do.
bool IsSimple(const Need& need) {
  if (need.orders.empty()) return true;
  return need.orders.size() == 1 && need.equal.empty() && need.contains.empty();
}

// True if the index ends in the order, forwards or backwards.
bool EndsInOrder(const CompositeIndex& index, const Need& need) {
  if (index.fields.size() < need.orders.size()) return false;
  const std::size_t start = index.fields.size() - need.orders.size();
  bool forwards = true;
  bool backwards = true;
  for (std::size_t i = 0; i < need.orders.size(); ++i) {
    const Field& field = index.fields[start + i];
    if (field.array || !(field.path == need.orders[i].field)) return false;
    (field.descending == need.orders[i].descending ? backwards : forwards) = false;
  }
  return forwards || backwards;
}

// Adds what the index's beginning covers; false if it has a field that the query does not fix.
bool Cover(const CompositeIndex& index, const Need& need, std::set<FieldPath>& covered) {
  const std::size_t count = index.fields.size() - need.orders.size();
  for (std::size_t i = 0; i < count; ++i) {
    const Field& field = index.fields[i];
    const std::set<FieldPath>& wanted = field.array ? need.contains : need.equal;
    if (wanted.count(field.path) == 0) return false;
  }
  for (std::size_t i = 0; i < count; ++i) covered.insert(index.fields[i].path);
  return true;
}

std::string Describe(const Query& query, const Need& need) {
  JsonWriter writer;
  const auto field = [&](const FieldPath& path, std::string_view key, std::string_view value) {
    writer.BeginObject().Key("fieldPath").String(path.text()).Key(key).String(value).EndObject();
  };
  writer.BeginObject().Key("collectionGroup").String(query.collection_id);
  writer.Key("queryScope").String(query.all_descendants ? "COLLECTION_GROUP" : "COLLECTION");
  writer.Key("fields").BeginArray();
  for (const FieldPath& path : need.contains) field(path, "arrayConfig", "CONTAINS");
  for (const FieldPath& path : need.equal) field(path, "order", "ASCENDING");
  for (const OrderBy& order : need.orders) {
    field(order.field, "order", order.descending ? "DESCENDING" : "ASCENDING");
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace

std::optional<std::string> MissingIndex(const Query& query,
                                        const std::vector<CompositeIndex>& declared) {
  for (const std::vector<Filter>& conditions : Disjunctions(query.filter)) {
    const Need need = NeedOf(query, conditions);
    if (IsSimple(need)) continue;
    std::set<FieldPath> covered;
    bool any = false;
    for (const CompositeIndex& index : declared) {
      if (index.collection_group != query.collection_id || !EndsInOrder(index, need)) continue;
      any = Cover(index, need, covered) || any;
    }
    if (!any || covered.size() < need.equal.size() + need.contains.size()) {
      return Describe(query, need);
    }
  }
  return std::nullopt;
}

}  // namespace shardline::simulator
