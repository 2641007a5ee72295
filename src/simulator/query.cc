#include "simulator/query.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <set>
#include <utility>

#include "firestore/resource_name.h"
#include "simulator/names.h"
#include "simulator/normal_form.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxInequalityFields = 10;
constexpr std::size_t kMaxInValues = 30;
constexpr std::size_t kMaxNotInValues = 10;
// Of AND and OR within each other: protobuf's own readers give up at a hundred levels of messages.
constexpr int kMaxFilterDepth = 30;

// Turns the full name of a document of the database into its path; false for anything else.
bool MakeRelative(Value& value, std::string_view database) {
  const Reference* reference = value.As<Reference>();
  Result<ResourcePath> name = ParseDocumentName(reference ? reference->name : "");
  const bool ours = name && name->database == database;
  value = {Reference{ours ? std::move(name->path) : std::string()}};
  return ours;
}

// Reads the JSON; what can be checked in place is.
class Reader {
 public:
  Reader(JsonScanner& scanner, std::string_view database)
      : scanner_(scanner), database_(database) {}

  bool ReadQuery(Query& query) {
    return ReadObject(scanner_, [&](const std::string& member) {
      if (member == "from") return ReadFrom(query);
      if (member == "where") return Done(query.filter = ReadFilter(0));
      if (member == "select") return ReadSelect(query);
      if (member == "orderBy") return ReadOrders(query);
      if (member == "startAt") return Done(query.start = ReadPosition());
      if (member == "endAt") return Done(query.end = ReadPosition());
      if (member == "offset") return Done(query.offset = ReadInt32(scanner_));
      if (member != "limit") return false;
      if (scanner_.Peek() == JsonScanner::Kind::kNull) return scanner_.Null(), true;
      return Done(query.limit = ReadInt32(scanner_));
    });
  }

 private:
  template <class T>
  static bool Done(const T& /*read*/) {
    return true;
  }

  FieldPath ReadPath() {
    Result<FieldPath> path = ParseFieldPath(ReadString(scanner_));
    if (!path) scanner_.Reject("a field path is malformed");
    return path ? std::move(*path) : FieldPath::DocumentName();
  }

  // `{fieldPath: "a.b"}`
  FieldPath ReadField() {
    std::optional<FieldPath> path;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member != "fieldPath") return false;
      path = ReadPath();
      return true;
    });
    if (!path) scanner_.Reject("a field lacks its path");
    return path ? std::move(*path) : FieldPath::DocumentName();
  }

  bool ReadFrom(Query& query) {
    int count = 0;
    ReadArray(scanner_, [&] {
      if (++count > 1) scanner_.Reject("a query has more than one collection selector");
      ReadObject(scanner_, [&](const std::string& member) {
        if (member == "collectionId") {
          query.collection_id = ReadString(scanner_);
          if (!query.collection_id.empty() && !CheckCollectionId(query.collection_id)) {
            scanner_.Reject("the collection id is invalid");
          }
          return true;
        }
        return member == "allDescendants" && Done(query.all_descendants = ReadBool(scanner_));
      });
    });
    return true;
  }

  bool ReadSelect(Query& query) {
    std::vector<FieldPath> fields;
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      if (member != "fields") return false;
      ReadArray(scanner_, [&] { fields.push_back(ReadField()); });
      return true;
    });
    if (present) query.select = std::move(fields);
    return true;
  }

  bool ReadOrders(Query& query) {
    ReadArray(scanner_, [&] {
      OrderBy order{FieldPath::DocumentName()};
      bool named = false;
      ReadObject(scanner_, [&](const std::string& member) {
        if (member == "field") return named = true, Done(order.field = ReadField());
        if (member != "direction") return false;
        order.descending =
            ReadEnum(scanner_, {"DIRECTION_UNSPECIFIED", "ASCENDING", "DESCENDING"}) == 2;
        return true;
      });
      if (!named) scanner_.Reject("an order lacks its field");
      query.orders.push_back(std::move(order));
    });
    return true;
  }

  std::optional<Position> ReadPosition() {
    Position position;
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      if (member == "before") return Done(position.before = ReadBool(scanner_));
      if (member != "values") return false;
      ReadArray(scanner_, [&] { position.values.push_back(ReadValue(scanner_)); });
      return true;
    });
    if (!present) return std::nullopt;
    return position;
  }

  Filter ReadFilter(int depth) {
    Filter filter;
    int count = 0;
    if (depth > kMaxFilterDepth) {
      scanner_.Reject("filters are nested too deeply");
      return filter;
    }
    const bool present = ReadObject(scanner_, [&](const std::string& member) {
      ++count;
      if (member == "compositeFilter") return Done(filter = ReadComposite(depth));
      if (member == "fieldFilter") return Done(filter = ReadFieldFilter());
      return member == "unaryFilter" && Done(filter = ReadUnaryFilter());
    });
    if (depth > 0 ? !present || count != 1 : present && count != 1) {
      scanner_.Reject("a filter must have exactly one type");
    }
    return filter;
  }

  Filter ReadComposite(int depth) {
    Filter filter;
    std::size_t op = 0;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "op") {
        op = ReadEnum(scanner_, {"OPERATOR_UNSPECIFIED", "AND", "OR"});
        return true;
      }
      if (member != "filters") return false;
      ReadArray(scanner_, [&] { filter.children.push_back(ReadFilter(depth + 1)); });
      return true;
    });
    if (op == 0) scanner_.Reject("a composite filter lacks its operator");
    if (op == 2 && filter.children.empty()) scanner_.Reject("an OR has no filters");
    filter.kind = op == 2 ? Filter::Kind::kOr : Filter::Kind::kAnd;
    return filter;
  }

  Filter ReadFieldFilter() {
    // By the numbers of the proto's enumerators, of which the first means none.
    constexpr Op kOps[] = {
        Op::kEqual, Op::kLess,     Op::kLessOrEqual,   Op::kGreater, Op::kGreaterOrEqual,
        Op::kEqual, Op::kNotEqual, Op::kArrayContains, Op::kIn,      Op::kArrayContainsAny,
        Op::kNotIn};
    Filter filter;
    filter.kind = Filter::Kind::kField;
    std::size_t op = 0;
    bool named = false;
    bool valued = false;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "field") return named = true, Done(filter.field = ReadField());
      if (member == "value") return valued = true, Done(filter.value = ReadOperand(scanner_));
      if (member != "op") return false;
      op = ReadEnum(scanner_, {"OPERATOR_UNSPECIFIED", "LESS_THAN", "LESS_THAN_OR_EQUAL",
                               "GREATER_THAN", "GREATER_THAN_OR_EQUAL", "EQUAL", "NOT_EQUAL",
                               "ARRAY_CONTAINS", "IN", "ARRAY_CONTAINS_ANY", "NOT_IN"});
      return true;
    });
    if (!named || !valued || op == 0) scanner_.Reject("a field filter lacks field, op or value");
    filter.op = kOps[op];
    CheckOperand(filter);
    return filter;
  }

  Filter ReadUnaryFilter() {
    constexpr Op kOps[] = {Op::kIsNull, Op::kIsNull,   Op::kIsNan,    Op::kIsNull,
                           Op::kIsNull, Op::kIsNotNan, Op::kIsNotNull};
    Filter filter;
    filter.kind = Filter::Kind::kField;
    std::size_t op = 0;
    bool named = false;
    ReadObject(scanner_, [&](const std::string& member) {
      if (member == "field") return named = true, Done(filter.field = ReadField());
      if (member != "op") return false;
      op = ReadEnum(scanner_, {"OPERATOR_UNSPECIFIED", "", "IS_NAN", "IS_NULL", "", "IS_NOT_NAN",
                               "IS_NOT_NULL"});
      return true;
    });
    constexpr std::size_t kMissing[] = {0, 1, 4};
    if (!named || std::find(std::begin(kMissing), std::end(kMissing), op) != std::end(kMissing)) {
      scanner_.Reject("a unary filter lacks field or op");
    }
    filter.op = Op{kOps[op]};
    if (filter.field.IsDocumentName()) scanner_.Reject("__name__ is never null and no number");
    return filter;
  }

  void CheckOperand(Filter& filter) {
    const bool list =
        filter.op == Op::kIn || filter.op == Op::kNotIn || filter.op == Op::kArrayContainsAny;
    if (list) {
      const Array* array = filter.value.As<Array>();
      const std::size_t size = array ? array->elements.size() : 0;
      if (size == 0) scanner_.Reject("the operator requires a non-empty array");
      if (size > (filter.op == Op::kNotIn ? kMaxNotInValues : kMaxInValues)) {
        scanner_.Reject("the operator supports no more values");
      }
    }
    if (!filter.field.IsDocumentName() || !scanner_.ok()) return;
    if (filter.op == Op::kArrayContains || filter.op == Op::kArrayContainsAny) {
      scanner_.Reject("__name__ is no array");
    } else if (list) {
      Array names = *filter.value.As<Array>();
      for (Value& name : names.elements) MakePathRelative(name);
      filter.value = {std::move(names)};
    } else {
      MakePathRelative(filter.value);
    }
  }

  void MakePathRelative(Value& value) {
    if (!MakeRelative(value, database_)) {
      scanner_.Reject("__name__ is compared with what names no document of this database");
    }
  }

  JsonScanner& scanner_;
  std::string_view database_;
};

// Adds up what the rules count. Leaves of the tree in order, and whether an OR stands above them.
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
  // What compares with null or NaN finds nothing, and needs no order.
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

Status Refuse(std::string_view why) { return InvalidArgument(std::string(why)); }

Status CheckKindless(const Query& query, const FilterSummary& summary) {
  for (const Filter* leaf : summary.leaves) {
    if (!leaf->field.IsDocumentName()) return Refuse("Without a collection, filter by __name__.");
  }
  for (const OrderBy& order : query.orders) {
    if (!order.field.IsDocumentName() || order.descending) {
      return Refuse("Without a collection, order by __name__ ascending.");
    }
  }
  return {};
}

Status CheckFilter(const Query& query) {
  FilterSummary summary;
  Count(query.filter, summary);
  if (CountDisjunctions(query.filter) > kMaxDisjunctions) {
    return Refuse("Too many disjunctions after normalization: the maximum is 30.");
  }
  const std::size_t ancestor = query.parent.empty() ? 0 : 1;
  if (summary.terms + query.orders.size() + ancestor > kMaxTerms) {
    return Refuse("The query may not have more than 100 filters + sort orders + ancestor total.");
  }
  if (summary.exclusions > 1) return Refuse("Only one !=, not-in or negated unary filter, please.");
  if (summary.not_in && summary.disjunctive) {
    return Refuse("not-in cannot stand with in, array-contains-any or OR.");
  }
  if (ArrayFiltersAtOnce(query.filter) > 1) {
    return Refuse("A conjunction may have one array-contains or array-contains-any.");
  }
  if (summary.inequality_fields.size() > kMaxInequalityFields) {
    return Refuse("A query may not have more than 10 distinct inequality fields.");
  }
  if (summary.name_equality && !summary.inequality_fields.empty() &&
      summary.inequality_fields.count(FieldPath::DocumentName()) == 0) {
    return Refuse("An equality on __name__ cannot stand beside inequalities on other fields only.");
  }
  return query.collection_id.empty() ? CheckKindless(query, summary) : Status();
}

// Appends the implicit orders.
Status CompleteOrders(Query& query) {
  std::set<FieldPath> ordered;
  bool by_name = false;
  for (const OrderBy& order : query.orders) {
    if (by_name) return Refuse("An order cannot contain more fields after __name__.");
    if (!ordered.insert(order.field).second) return Refuse("An order names a field twice.");
    by_name = order.field.IsDocumentName();
  }
  const bool descending = !query.orders.empty() && query.orders.back().descending;
  FilterSummary summary;
  Count(query.filter, summary);
  for (const FieldPath& field : summary.inequality_fields) {
    if (field.IsDocumentName() || ordered.count(field) != 0) continue;
    if (by_name) return Refuse("An order cannot contain more fields after __name__.");
    query.orders.push_back({field, descending});
  }
  query.by_name = by_name || std::any_of(summary.leaves.begin(), summary.leaves.end(), IsOfName) ||
                  (query.all_descendants && !query.parent.empty());
  if (!by_name) query.orders.push_back({FieldPath::DocumentName(), descending});
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
      return Refuse("A cursor's value for __name__ names no document of this database.");
    }
  }
  return {};
}

}  // namespace

Status CheckNameScan(const Query& query) {
  assert(!query.orders.empty());
  if (IsByNameOnly(query) && query.orders[0].descending) {
    return Fail(Code::kFailedPrecondition, "Firestore does not support descending key scans.");
  }
  return {};
}

Result<Query> ReadQuery(JsonScanner& scanner, std::string_view database, std::string_view parent) {
  Query query;
  query.parent = std::string(parent);
  Reader reader(scanner, database);
  reader.ReadQuery(query);
  if (!scanner.ok()) return scanner.failure("structuredQuery");
  return query;
}

Status CheckQuery(Query& query, std::string_view database) {
  if (query.offset < 0) return Refuse("offset is negative");
  if (query.limit.value_or(0) < 0) return Refuse("limit is negative");
  SHARDLINE_CHECK(CheckFilter(query));
  SHARDLINE_CHECK(CheckPosition(query.start, query, database));
  SHARDLINE_CHECK(CheckPosition(query.end, query, database));
  const bool group = query.all_descendants && !query.collection_id.empty();
  if (group && !query.parent.empty() && !IsByNameOnly(query)) {
    return Refuse("Collection group queries are only allowed at the root parent.");
  }
  return {};
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
