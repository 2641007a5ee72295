#include "simulator/required_index.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <utility>

namespace shardline::simulator {
namespace {

// The demand of one alternative of a query on an index.
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

IndexScope ScopeOf(const Query& query) {
  return query.all_descendants ? IndexScope::kCollectionGroup : IndexScope::kCollection;
}

// True if Firestore keeps an index of the field by itself that does: in the direction of an order,
// in either for an equality.
bool IsKept(const Query& query, const QueryShape::Field& field, bool is_order,
            const IndexFile* declared) {
  const std::span<const SingleIndex> kept =
      declared == nullptr ? std::span<const SingleIndex>(kAutomaticIndexes)
                          : declared->SingleIndexes(query.collection_id, field.path->segments());
  return std::any_of(kept.begin(), kept.end(), [&](const SingleIndex& each) {
    const bool same_mode =
        each.mode == field.mode || (!is_order && IsDirected(each.mode) && IsDirected(field.mode));
    return same_mode && each.scope == ScopeOf(query);
  });
}

bool IsServed(const Query& query, const QueryShape& shape, const IndexFile* declared) {
  const std::span<const QueryShape::Field> fields = shape.fields();
  // By path, and whether by elements.
  std::set<std::pair<FieldPath, bool>> covered;
  const auto cover = [&](const FieldPath& path, IndexMode mode) {
    covered.emplace(path, mode == IndexMode::kContains);
  };
  for (std::size_t i = 0; i < fields.size() && !shape.NeedsComposite(); ++i) {
    const bool is_order = i >= shape.fixed_size();
    if (IsKept(query, fields[i], is_order, declared)) cover(*fields[i].path, fields[i].mode);
  }
  std::span<const CompositeIndex> composites;
  if (declared != nullptr) composites = declared->composites();
  for (const CompositeIndex& index : composites) {
    if (index.collection_group != query.collection_id || index.scope != ScopeOf(query)) continue;
    if (!shape.CanUse(index.fields, index.name_descending)) continue;
    for (const IndexField& field : index.fields) cover(field.path, field.mode);
  }
  return std::all_of(fields.begin(), fields.end(), [&](const QueryShape::Field& field) {
    return covered.count({*field.path, field.mode == IndexMode::kContains}) != 0;
  });
}

}  // namespace

std::vector<CompositeIndex> MissingIndexes(const Query& query, const IndexFile* declared) {
  std::vector<CompositeIndex> missing;
  for (const std::vector<Filter>& conditions : Disjunctions(query.filter)) {
    const QueryShape shape = ShapeOf(query, conditions);
    if (IsServed(query, shape, declared)) continue;
    CompositeIndex index{query.collection_id, ScopeOf(query), shape.IndexFields(),
                         shape.name_descending()};
    if (std::find(missing.begin(), missing.end(), index) == missing.end()) {
      missing.push_back(std::move(index));
    }
  }
  return missing;
}

std::vector<std::string> IndexesUsed(const Query& query) {
  std::vector<std::string> used;
  for (const std::vector<Filter>& conditions : Disjunctions(query.filter)) {
    std::string text = "(";
    for (const IndexField& field : ShapeOf(query, conditions).IndexFields()) {
      if (field.path.IsDocumentName()) continue;
      text += field.path.text() + (field.mode == IndexMode::kContains     ? " CONTAINS, "
                                   : field.mode == IndexMode::kDescending ? " DESC, "
                                                                          : " ASC, ");
    }
    text += query.orders.back().descending ? "__name__ DESC)" : "__name__ ASC)";
    if (std::find(used.begin(), used.end(), text) == used.end()) used.push_back(std::move(text));
  }
  return used;
}

}  // namespace shardline::simulator
