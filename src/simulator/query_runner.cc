#include "simulator/query_runner.h"

#include <algorithm>
#include <set>
#include <utility>

#include "simulator/names.h"

namespace shardline::simulator {
namespace {

// Below this many documents looking at each is as fast as any index.
constexpr std::size_t kSmallCollection = 64;
// A query whose alternatives need more different indexes than this looks at each document.
constexpr std::size_t kMaxShapes = 4;

bool HasOrders(const Query& query, const Content& content) {
  return std::all_of(query.orders.begin(), query.orders.end(), [&](const OrderBy& order) {
    return order.field.IsDocumentName() || SortValue(content, order.field);
  });
}

// The position of a document relative to a cursor: negative before, positive after, 0 among equal
// documents.
int CompareWithPosition(const Query& query, const Row& row, const Position& position) {
  for (std::size_t i = 0; i < position.values.size(); ++i) {
    const OrderBy& order = query.orders[i];
    const std::weak_ordering compared =
        order.field.IsDocumentName()
            ? CompareNames(row.document->path(), position.values[i].As<Reference>()->name)
            : CompareValues(*SortValue(*row.content, order.field), position.values[i]);
    if (compared != 0) return (compared < 0) != order.descending ? -1 : 1;
  }
  return 0;
}

bool WithinCursors(const Query& query, const Row& row) {
  if (query.start) {
    const int compared = CompareWithPosition(query, row, *query.start);
    if (compared < 0 || (compared == 0 && !query.start->before)) return false;
  }
  if (query.end) {
    const int compared = CompareWithPosition(query, row, *query.end);
    if (compared > 0 || (compared == 0 && query.end->before)) return false;
  }
  return true;
}

// ---- Every document, one by one ----

bool Selects(const Query& query, std::string_view collection_path) {
  if (!query.collection_id.empty() && LastId(collection_path) != query.collection_id) return false;
  const std::string_view parent = ParentPath(collection_path);
  if (parent == query.parent) return true;
  if (!query.all_descendants) return false;
  return query.parent.empty() || (parent.substr(0, query.parent.size()) == query.parent &&
                                  parent[query.parent.size()] == '/');
}

void ScanCollection(const Collection& collection, const Query& query, std::optional<Timestamp> at,
                    std::vector<Row>& rows) {
  for (const auto& [id, document] : collection.documents()) {
    const ContentPtr& content = at ? document->At(*at) : document->current();
    if (!content || !HasOrders(query, *content)) continue;
    if (!Matches(query.filter, *content, document->path())) continue;
    const Row row{document.get(), content};
    if (WithinCursors(query, row)) rows.push_back(row);
  }
}

// The first offset + limit of the rows, in order.
QueryRows SortAndCut(const Query& query, std::vector<Row> rows) {
  const auto less = [&](const Row& a, const Row& b) {
    return CompareInOrder(query.orders, *a.content, a.document->path(), *b.content,
                          b.document->path()) < 0;
  };
  const auto offset = static_cast<std::size_t>(query.offset);
  std::size_t wanted = rows.size();
  if (query.limit) {
    wanted = std::min(wanted, offset + static_cast<std::size_t>(*query.limit));
  }
  std::partial_sort(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(wanted), rows.end(),
                    less);
  rows.resize(wanted);
  QueryRows result;
  const std::size_t skipped = std::min(offset, rows.size());
  rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(skipped));
  result.skipped = static_cast<std::int64_t>(skipped);
  result.rows = std::move(rows);
  return result;
}

QueryRows ScanEverything(const Store& store, const Query& query, std::optional<Timestamp> at) {
  std::vector<Row> rows;
  for (const auto& [path, collection] : store.collections()) {
    if (Selects(query, path)) ScanCollection(collection, query, at, rows);
  }
  return SortAndCut(query, std::move(rows));
}

// ---- By indexes ----

// A range of an index, in which one alternative of the filter finds all its documents.
struct Range {
  Index::Entries::const_iterator at;
  Index::Entries::const_iterator end;
};

// The values that an alternative fixes, one for each field; false if it fixes a field to two.
bool FixedValues(const std::vector<Filter>& conditions,
                 std::vector<std::pair<FieldPath, Value>>& fixed) {
  for (const Filter& condition : conditions) {
    if (condition.op != Op::kEqual || condition.field.IsDocumentName()) continue;
    const auto same = std::find_if(fixed.begin(), fixed.end(), [&](const auto& other) {
      return other.first == condition.field;
    });
    if (same == fixed.end()) {
      fixed.emplace_back(condition.field, condition.value);
    } else if (CompareValues(same->second, condition.value) != 0) {
      return false;
    }
  }
  std::sort(fixed.begin(), fixed.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return true;
}

// Narrows a range's ends by the cursors and by the conditions on the first order's field.
class Narrowing {
 public:
  Narrowing(const Query& query, std::vector<Value> prefix)
      : query_(query), start_{prefix, false}, end_{prefix, true}, prefix_(std::move(prefix)) {}

  void ByCursors() {
    if (query_.start) start_ = Bound(query_.start->values, !query_.start->before);
    if (query_.end) end_ = Bound(query_.end->values, !query_.end->before);
  }

  void By(const Filter& condition) {
    const OrderBy& order = query_.orders[0];
    if (!(condition.field == order.field)) return;
    const bool from_below = condition.op == Op::kGreater || condition.op == Op::kGreaterOrEqual;
    const bool from_above = condition.op == Op::kLess || condition.op == Op::kLessOrEqual;
    if (condition.op == Op::kEqual && condition.field.IsDocumentName()) {
      if (!query_.start) start_ = Bound({condition.value}, false);
      if (!query_.end) end_ = Bound({condition.value}, true);
      return;
    }
    if (!from_below && !from_above) return;
    const bool strict = condition.op == Op::kGreater || condition.op == Op::kLess;
    if (from_below != order.descending) {
      if (!query_.start) start_ = Bound({condition.value}, strict);
    } else {
      if (!query_.end) end_ = Bound({condition.value}, !strict);
    }
  }

  Range In(const Index& index) const {
    Range range{index.entries().lower_bound(start_), index.entries().lower_bound(end_)};
    // Cursors may be in the wrong order.
    if (range.at == index.entries().end() ||
        (range.end != index.entries().end() && index.entries().key_comp()(*range.end, *range.at))) {
      range.end = range.at;
    }
    return range;
  }

 private:
  IndexBound Bound(const std::vector<Value>& values, bool after) const {
    IndexBound bound{prefix_, after};
    bound.values.insert(bound.values.end(), values.begin(), values.end());
    return bound;
  }

  const Query& query_;
  IndexBound start_;
  IndexBound end_;
  std::vector<Value> prefix_;
};

// The ranges that together hold every match; nullopt if there is no index for one of them.
std::optional<std::vector<Range>> FindRanges(Collection& collection, const Query& query) {
  struct Alternative {
    IndexShape shape;
    std::vector<Value> prefix;
    std::vector<Filter> conditions;
  };
  std::vector<Alternative> alternatives;
  std::set<std::string> shapes;
  for (std::vector<Filter>& conditions : Disjunctions(query.filter)) {
    std::vector<std::pair<FieldPath, Value>> fixed;
    if (!FixedValues(conditions, fixed)) continue;
    Alternative alternative;
    for (auto& [field, value] : fixed) {
      alternative.shape.equal.push_back(field);
      alternative.prefix.push_back(std::move(value));
    }
    alternative.shape.orders = query.orders;
    alternative.conditions = std::move(conditions);
    shapes.insert(alternative.shape.Key());
    alternatives.push_back(std::move(alternative));
  }
  if (shapes.size() > kMaxShapes) return std::nullopt;
  std::vector<Range> ranges;
  std::map<std::string, const Index*> indexes;
  for (Alternative& alternative : alternatives) {
    const auto [known, is_new] = indexes.emplace(alternative.shape.Key(), nullptr);
    if (is_new) known->second = collection.IndexFor(alternative.shape);
    if (!known->second) return std::nullopt;
    Narrowing narrowing(query, std::move(alternative.prefix));
    narrowing.ByCursors();
    for (const Filter& condition : alternative.conditions) narrowing.By(condition);
    const Range range = narrowing.In(*known->second);
    if (range.at != range.end) ranges.push_back(range);
  }
  return ranges;
}

// Merges the ranges in the query's order and stops at its limit.
QueryRows MergeRanges(const Query& query, std::vector<Range> ranges) {
  const auto after = [&](const Range& a, const Range& b) {
    const Document& x = **a.at;
    const Document& y = **b.at;
    return CompareInOrder(query.orders, *x.current(), x.path(), *y.current(), y.path()) > 0;
  };
  std::make_heap(ranges.begin(), ranges.end(), after);
  QueryRows result;
  const Document* last = nullptr;
  while (!ranges.empty()) {
    if (query.limit && result.rows.size() >= static_cast<std::size_t>(*query.limit)) break;
    std::pop_heap(ranges.begin(), ranges.end(), after);
    Range& range = ranges.back();
    const Document* document = *range.at;
    // A document that several alternatives find comes from each of them in a row.
    if (document != last) {
      const Row row{document, document->current()};
      if (Matches(query.filter, *row.content, document->path()) && WithinCursors(query, row)) {
        if (result.skipped < query.offset) {
          ++result.skipped;
        } else {
          result.rows.push_back(row);
        }
      }
    }
    last = document;
    if (++range.at == range.end) {
      ranges.pop_back();
    } else {
      std::push_heap(ranges.begin(), ranges.end(), after);
    }
  }
  return result;
}

}  // namespace

QueryRows RunQuery(Store& store, const Query& query, std::optional<Timestamp> at) {
  if (at || query.all_descendants || query.collection_id.empty()) {
    return ScanEverything(store, query, at);
  }
  std::string path = query.parent;
  if (!path.empty()) path += '/';
  path += query.collection_id;
  Collection* collection = store.FindCollection(path);
  if (!collection) return {};
  if (collection->size() > kSmallCollection) {
    if (auto ranges = FindRanges(*collection, query)) return MergeRanges(query, std::move(*ranges));
  }
  std::vector<Row> rows;
  ScanCollection(*collection, query, at, rows);
  return SortAndCut(query, std::move(rows));
}

}  // namespace shardline::simulator
