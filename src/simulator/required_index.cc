#include "simulator/required_index.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace shardline::simulator {
namespace {

// What one alternative of a query asks of an index.
QueryShape ShapeOf(const Query& query, const std::vector<Filter>& conditions) {
  QueryShape shape;
  for (const Filter& condition : conditions) {
    if (condition.op == Op::kArrayContains) {
      shape.AddFixed(condition.field, IndexMode::kContains);
    } else if (!IsInequality(condition.op)) {
      shape.AddFixed(condition.field, IndexMode::kAscending);
    }
  }
  for (const OrderBy& order : query.orders) shape.AddOrder(order.field, order.descending);
  return shape;
}

bool IsServed(const Query& query, const QueryShape& shape, const IndexFile& declared) {
  const auto is_exempt = [&](const QueryShape::Field& field) {
    return declared.IsExempt(query.collection_id, field.path->segments());
  };
  const std::span<const QueryShape::Field> fields = shape.fields();
  if (!shape.NeedsComposite() && std::none_of(fields.begin(), fields.end(), is_exempt)) return true;
  const IndexScope scope =
      query.all_descendants ? IndexScope::kCollectionGroup : IndexScope::kCollection;
  std::set<FieldPath> covered;
  for (const CompositeIndex& index : declared.composites()) {
    if (index.collection_group != query.collection_id || index.scope != scope) continue;
    if (!shape.CanUse(index.fields)) continue;
    for (const IndexField& field : index.fields) covered.insert(field.path);
  }
  return std::all_of(fields.begin(), fields.end(),
                     [&](const auto& field) { return covered.count(*field.path) != 0; });
}

}  // namespace

std::vector<std::string> MissingIndexes(const Query& query, const IndexFile* declared) {
  std::vector<std::string> missing;
  for (const std::vector<Filter>& conditions : Disjunctions(query.filter)) {
    const QueryShape shape = ShapeOf(query, conditions);
    const bool served =
        declared == nullptr ? !shape.NeedsComposite() : IsServed(query, shape, *declared);
    if (served) continue;
    const IndexScope scope =
        query.all_descendants ? IndexScope::kCollectionGroup : IndexScope::kCollection;
    std::string index = WriteComposite({query.collection_id, scope, shape.IndexFields()}).dump();
    if (std::find(missing.begin(), missing.end(), index) == missing.end()) {
      missing.push_back(std::move(index));
    }
  }
  return missing;
}

}  // namespace shardline::simulator
