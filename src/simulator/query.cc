#include "simulator/query.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

#include "base/number.h"
#include "simulator/names.h"
#include "simulator/normal_form.h"
#include "simulator/refusal.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxInequalityFields = 10;
constexpr const char* kAfterName = "order by clause cannot contain more fields after the key";

// Adds up the parts that the rules count: the leaves of the tree in order, and whether an OR is
// above them.
struct FilterSummary {
  std::size_t terms = 0;
  std::size_t array_filters_at_once = 0;  // The most in any one conjunction.
  int exclusions = 0;                     // !=, not-in, is not null, is not NaN.
  bool not_in = false;
  bool disjunctive = false;  // in, array-contains-any, or OR.
  bool name_equality = false;
  std::set<FieldPath> inequality_fields;
  std::vector<const Filter*> leaves;
};

std::size_t ListSize(const Filter& filter) {
  const Array* array = filter.value.As<Array>();
  return array ? array->elements.size() : 0;
}

bool IsNeverTrue(const Filter& filter) {
  // A list with one value counts as this value: Google's emulator takes it for !=.
  if (const Array* list = filter.value.As<Array>(); filter.op == Op::kNotIn && list != nullptr) {
    return list->elements.size() == 1 && list->elements.front().IsNull();
  }
  const double* number = filter.value.As<double>();
  const bool range = filter.op == Op::kLess || filter.op == Op::kLessOrEqual ||
                     filter.op == Op::kGreater || filter.op == Op::kGreaterOrEqual;
  if (filter.op == Op::kNotEqual) return filter.value.IsNull();
  return range && (filter.value.IsNull() || (number && std::isnan(*number)));
}

void Count(const Filter& filter, FilterSummary& summary) {
  if (filter.kind == Filter::Kind::kOr) summary.disjunctive = true;
  for (const Filter& child : filter.children) Count(child, summary);
  if (filter.kind != Filter::Kind::kField) return;
  summary.leaves.push_back(&filter);
  summary.terms += filter.op == Op::kIn ? ListSize(filter) : 1;
  if (filter.op == Op::kIn || filter.op == Op::kArrayContainsAny) summary.disjunctive = true;
  if (filter.op == Op::kNotIn) summary.not_in = true;
  if (filter.op == Op::kNotEqual || filter.op == Op::kNotIn || filter.op == Op::kIsNotNan ||
      filter.op == Op::kIsNotNull) {
    ++summary.exclusions;
  }
  if (filter.field.IsDocumentName() && !IsInequality(filter.op)) summary.name_equality = true;
  // A comparison with null or NaN finds nothing, and needs no order.
  if (IsInequality(filter.op) && !IsNeverTrue(filter)) {
    summary.inequality_fields.insert(filter.field);
  }
}

std::size_t ArrayFiltersAtOnce(const Filter& filter) {
  std::size_t count = 0;
  for (const Filter& child : filter.children) {
    const std::size_t more = ArrayFiltersAtOnce(child);
    count = filter.kind == Filter::Kind::kOr ? std::max(count, more) : count + more;
  }
  const bool array = filter.op == Op::kArrayContains || filter.op == Op::kArrayContainsAny;
  return count + (filter.kind == Filter::Kind::kField && array ? 1 : 0);
}

bool IsOfName(const Filter* leaf) { return leaf->field.IsDocumentName(); }

// True if the query filters and orders by `__name__`, or not at all.
bool IsByNameOnly(const Query& query) {
  FilterSummary summary;
  Count(query.filter, summary);
  return std::all_of(summary.leaves.begin(), summary.leaves.end(), IsOfName) &&
         std::all_of(query.orders.begin(), query.orders.end(),
                     [](const OrderBy& order) { return order.field.IsDocumentName(); });
}

Status Refuse(std::string why) { return InvalidArgument(std::move(why)); }

std::string Text(std::size_t number) {
  std::string text;
  AppendInt64(text, static_cast<std::int64_t>(number));
  return text;
}

// The messages are Google's emulator's: the tests of Google's SDKs look for them.
Status CheckKindless(const Query& query, const FilterSummary& summary) {
  for (const Filter* leaf : summary.leaves) {
    if (leaf->field.IsDocumentName()) continue;
    return Refuse("kind is required for filter: " + leaf->field.text());
  }
  for (const OrderBy& order : query.orders) {
    if (!order.field.IsDocumentName() || order.descending) {
      return Refuse("kind is required for all orders except __key__ ascending");
    }
  }
  return {};
}

Status CheckFilter(const Query& query) {
  FilterSummary summary;
  Count(query.filter, summary);
  const std::size_t disjunctions = CountDisjunctions(query.filter);
  if (disjunctions > kMaxDisjunctions) {
    return Refuse("Too many disjunctions after normalization. Result had " + Text(disjunctions) +
                  " disjunctions which is more than the maximum of 30");
  }
  const std::size_t ancestor = query.parent.empty() ? 0 : 1;
  if (summary.terms + query.orders.size() + ancestor > kMaxTerms) {
    return Refuse("The query may not have more than 100 filters + sort orders + ancestor total.");
  }
  if (summary.exclusions > 1) {
    return Refuse(
        "Only a single 'NOT_EQUAL', 'NOT_IN', 'IS_NOT_NAN', or 'IS_NOT_NULL' filter allowed per "
        "query.");
  }
  if (summary.not_in && summary.disjunctive) {
    return Refuse(
        "'NOT_IN' cannot be used in the same query with 'IN', 'ARRAY_CONTAINS_ANY' or 'OR'.");
  }
  if (ArrayFiltersAtOnce(query.filter) > 1) {
    return Refuse("A maximum of 1 'ARRAY_CONTAINS' filter is allowed per disjunction.");
  }
  const std::size_t inequalities = summary.inequality_fields.size();
  if (inequalities > kMaxInequalityFields) {
    return Refuse("The query contains " + Text(inequalities) +
                  " distinct inequality fields. A query may not have more than 10 distinct "
                  "inequality fields.");
  }
  if (summary.name_equality && !summary.inequality_fields.empty() &&
      summary.inequality_fields.count(FieldPath::DocumentName()) == 0) {
    return Refuse(
        "Equality on key is not allowed if there are other inequality fields and key does not "
        "appear in inequalities.");
  }
  return query.collection_id.empty() ? CheckKindless(query, summary) : Status();
}

// Appends the implicit orders.
Status CompleteOrders(Query& query) {
  std::set<FieldPath> ordered;
  bool by_name = false;
  for (const OrderBy& order : query.orders) {
    if (by_name) return Refuse(kAfterName);
    if (!ordered.insert(order.field).second) {
      return Refuse("order by clause cannot contain duplicate fields " + order.field.text());
    }
    by_name = order.field.IsDocumentName();
  }
  const bool descending = !query.orders.empty() && query.orders.back().descending;
  FilterSummary summary;
  Count(query.filter, summary);
  for (const FieldPath& field : summary.inequality_fields) {
    if (field.IsDocumentName() || ordered.count(field) != 0) continue;
    if (by_name) return Refuse(kAfterName);
    query.orders.push_back({field, descending});
  }
  query.by_name = by_name || std::any_of(summary.leaves.begin(), summary.leaves.end(), IsOfName) ||
                  (query.all_descendants && !query.parent.empty());
  if (!by_name) query.orders.push_back({FieldPath::DocumentName(), descending});
  return {};
}

Status CheckNearest(const Query& query) {
  if (query.limit) return Refuse("A query limit cannot be used with FindNearest");
  if (query.offset > 0) return Refuse("A query offset cannot be used with FindNearest");
  if (query.start || query.end) return Refuse("A cursor cannot be used with FindNearest");
  return {};
}

// A cursor may not be longer than the explicit order.
Status CheckPosition(std::optional<Position>& position, const Query& query,
                     std::string_view database) {
  if (!position) return {};
  if (position->values.size() > query.orders.size()) return Refuse("Cursor has too many values.");
  for (std::size_t i = 0; i < position->values.size(); ++i) {
    if (!query.orders[i].field.IsDocumentName()) continue;
    if (!MakeRelative(position->values[i], database)) {
      return Refuse("Cursor __key__ value is not a document reference.");
    }
  }
  return {};
}

}  // namespace

Status CheckNameScan(const Query& query) {
  assert(!query.orders.empty());
  if (IsByNameOnly(query) && query.orders[0].descending) {
    return Fail(Code::kFailedPrecondition, "Firestore does not support descending key scans");
  }
  return {};
}

Status CheckQuery(Query& query, std::string_view database) {
  if (query.offset < 0) return Refuse("offset is negative");
  if (query.limit.value_or(0) < 0) return Refuse("limit is negative");
  SHARDLINE_CHECK(CheckFilter(query));
  SHARDLINE_CHECK(CheckPosition(query.start, query, database));
  SHARDLINE_CHECK(CheckPosition(query.end, query, database));
  const bool group = query.all_descendants && !query.collection_id.empty();
  if (group && !query.parent.empty() && !IsByNameOnly(query)) {
    return Refuse("collection group queries are only allowed at the root parent");
  }
  return query.nearest ? CheckNearest(query) : Status();
}

Status CompleteQuery(Query& query) { return CompleteOrders(query); }

Result<std::vector<OrderBy>> ParseOrders(std::string_view text) {
  std::vector<OrderBy> orders;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const auto trim = [](std::string_view& t) {
      while (!t.empty() && t.front() == ' ') t.remove_prefix(1);
      while (!t.empty() && t.back() == ' ') t.remove_suffix(1);
    };
    trim(part);
    const std::size_t space = part.find(' ');
    std::string_view direction = space == std::string_view::npos ? "asc" : part.substr(space + 1);
    trim(direction);
    if (direction != "asc" && direction != "desc") {
      return InvalidArgument("Invalid order by clause.");
    }
    SHARDLINE_TRY(FieldPath field, ParseFieldPath(part.substr(0, space)));
    orders.push_back({std::move(field), direction == "desc"});
  }
  Query query;
  query.orders = std::move(orders);
  SHARDLINE_CHECK(CompleteOrders(query));
  return std::move(query.orders);
}

}  // namespace shardline::simulator
