#include "sharded_query/user_filters.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_view.h"
#include "base/reason.h"
#include "firestore/limits_and_prices.h"
#include "firestore/value_codec.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxNotInValues = 10;
constexpr std::size_t kMaxInequalityFields = 10;
// Bounds all lists and the alternatives of or() together.
constexpr std::size_t kMaxCombinations = 10'000;

Failure BadFilter(const FieldPath& field, const char* why) {
  return Fail(kFilterNotAllowed, "The filter on \"")
         << Param{"field", field.text()} << "\" " << why;
}

bool TakesList(FilterOp op) {
  return op == FilterOp::kIn || op == FilterOp::kNotIn || op == FilterOp::kArrayContainsAny;
}

// Reads one operand, or one element of a list of them. null and NaN are found by == and != only.
// Ranges and array-contains would find nothing in silence. A list may hold them, with the meaning
// of Google's SDK: `in` and array-contains-any pass over them, and not-in a null finds nothing.
Status ReadOperand(std::string_view wire, const FieldPath& field, FilterOp op,
                   EncodedValue& operand) {
  SHARDLINE_CHECK(operand.Read(wire, field.text()));
  if (field.IsDocumentName() && IsText(operand.json())) {
    return BadFilter(field,
                     "needs references to documents, such as db.doc('posts/p1'), and no ids.");
  }
  if (op == FilterOp::kEqual || op == FilterOp::kNotEqual || TakesList(op)) return {};
  JsonScanner again = JsonScanner::Within(wire);
  const Value value = DecodeValue(again);
  const double* number = value.As<double>();
  if (!value.IsNull() && !(number && std::isnan(*number))) return {};
  return BadFilter(field, "compares with null or NaN: only ==, != and lists can.");
}

// Reads a list of operands, {"arrayValue":{"values":[…]}}, and counts them.
Status ReadList(std::string_view wire, const FieldPath& field, FilterOp op, std::size_t& count,
                EncodedValue& value) {
  JsonScanner scanner = JsonScanner::Within(wire);
  std::string_view key;
  EncodedValues values;
  count = 0;
  if (scanner.BeginObject() && scanner.NextKey(key) && WireKindOf(key) == WireKind::kArray &&
      scanner.BeginObject() && scanner.NextKey(key) && scanner.BeginArray()) {
    for (; scanner.NextElement(); ++count) {
      SHARDLINE_CHECK(ReadOperand(scanner.SkipValue(), field, op, value));
      values.Add(value);
    }
  }
  value = values.List();
  const bool not_in = op == FilterOp::kNotIn;
  if (count > 0 && count <= (not_in ? kMaxNotInValues : kMaxCombinations)) return {};
  return BadFilter(
      field, not_in ? "needs a list of 1 to 10 values." : "needs a list of 1 to 10,000 values.");
}

// Beyond this, the exact numbers do not matter. Twice its square is still a number of 32 bits.
constexpr std::size_t kEndless = 4 * kMaxCombinations;

std::size_t Capped(std::size_t size) { return std::min(size, kEndless); }

// The size of filters together, of which all must hold, or any.
FilterSize SizeOf(const std::vector<FilterSize>& sizes, FilterOp op) {
  if (op == FilterOp::kAnd) {
    FilterSize all{1, 0, 0, 0};
    for (const FilterSize& each : sizes) {
      all.terms = Capped(all.terms * each.disjunctions + each.terms * all.disjunctions);
      all.disjunctions = Capped(all.disjunctions * each.disjunctions);
      all.filters += each.filters;
      all.array_filters += each.array_filters;
    }
    return all;
  }
  FilterSize any{0, 0, 0, 0};
  for (const FilterSize& each : sizes) {
    any.terms = Capped(any.terms + each.terms);
    any.disjunctions = Capped(any.disjunctions + each.disjunctions);
    any.filters = std::max(any.filters, each.filters);
    any.array_filters = std::max(any.array_filters, each.array_filters);
  }
  return any;
}

// NOLINTNEXTLINE(misc-no-recursion)
void AddDisjunctions(const Filter& filter, std::vector<Conjunction>& found) {
  std::vector<Conjunction> all;
  if (filter.op == FilterOp::kOr) {
    for (const Filter& each : filter.filters) {
      std::vector<Conjunction> more = found;
      AddDisjunctions(each, more);
      all.insert(all.end(), more.begin(), more.end());
    }
    found = std::move(all);
  } else if (filter.op == FilterOp::kAnd) {
    for (const Filter& each : filter.filters) AddDisjunctions(each, found);
  } else {
    for (Conjunction& each : found) each.push_back(&filter);
  }
}

}  // namespace

Status UserFilters::Read(JsonScanner& scanner, const FieldPath* shard_field) {
  Joined all{FilterOp::kAnd, {}, {}};
  if (scanner.BeginArray()) {
    while (scanner.NextElement()) SHARDLINE_CHECK(ReadOne(scanner, shard_field, all));
  }
  filters = std::move(all.filters);
  SortPaths(inequality_fields);
  sizes = std::move(all.sizes);
  size = SizeOf(sizes, FilterOp::kAnd);
  return CheckTogether();
}

// NOLINTNEXTLINE(misc-no-recursion)
Status UserFilters::ReadOne(JsonScanner& scanner, const FieldPath* shard_field, Joined& into) {
  Arguments arguments(scanner, kChecks<kFilterParameters>, "filters.");
  const std::string path = arguments.Text("field");
  const auto op = static_cast<FilterOp>(arguments.Word("op"));
  if (arguments.ok()) {
    for (const char* needed : {"field", "value", "filters"}) {
      const bool of_composite = needed == std::string_view("filters");
      if (of_composite == IsComposite(op) && !arguments.Has(needed)) arguments.Refuse(needed);
    }
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  if (IsComposite(op)) {
    return ReadComposite(arguments.Scanner("filters"), shard_field, op, into);
  }
  SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(path));
  const std::string_view wire = arguments.Raw("value");
  if (shard_field != nullptr && field == *shard_field) {
    return BadFilter(field, "is on the shard field, by which the library itself asks.");
  }
  FilterSize& taken = into.sizes.emplace_back();
  EncodedValue value;
  if (!TakesList(op)) {
    SHARDLINE_CHECK(ReadOperand(wire, field, op, value));
  } else {
    std::size_t count = 0;
    SHARDLINE_CHECK(ReadList(wire, field, op, count, value));
    if (op != FilterOp::kNotIn) {
      has_disjunction_ = true;
      taken.disjunctions = taken.terms = count;
    }
  }
  if (op == FilterOp::kArrayContains || op == FilterOp::kArrayContainsAny) taken.array_filters = 1;
  if (op == FilterOp::kNotIn) has_not_in = true;
  if (op == FilterOp::kNotIn || op == FilterOp::kNotEqual) ++negations_;
  if (IsInequality(op)) inequality_fields.push_back(field);
  into.filters.push_back({std::move(field), op, std::move(value)});
  return {};
}

// A group joined like the groups around it merges with them; so does a single filter.
// NOLINTNEXTLINE(misc-no-recursion)
Status UserFilters::ReadComposite(JsonScanner scanner, const FieldPath* shard_field, FilterOp op,
                                  Joined& into) {
  constexpr int kMaxLevels = 20;
  if (++levels_ > kMaxLevels) return Fail(kQueryTooLarge, "and() and or() are nested too deeply.");
  Joined joined{op, {}, {}};
  const bool is_same = op == into.op;
  Joined& here = is_same ? into : joined;
  const std::size_t before = here.filters.size();
  if (scanner.BeginArray()) {
    while (scanner.NextElement()) {
      SHARDLINE_CHECK(ReadOne(scanner, shard_field, here));
    }
  }
  --levels_;
  if (here.filters.size() == before) {
    return RefuseArgument(kArgumentMissing, "filters", "a filter", "and() and or() need a filter.");
  }
  if (is_same) return {};
  if (joined.filters.size() == 1) {
    into.filters.push_back(std::move(joined.filters.front()));
    into.sizes.push_back(joined.sizes.front());
    return {};
  }
  if (op == FilterOp::kOr) has_disjunction_ = true;
  into.sizes.push_back(SizeOf(joined.sizes, op));
  into.filters.push_back({FieldPath::DocumentName(), op, {}, std::move(joined.filters)});
  return {};
}

// Refuses filters that Firestore refuses one by one
// (https://firebase.google.com/docs/firestore/query-data/queries#query_limitations).
Status UserFilters::CheckTogether() const {
  if (size.disjunctions > kMaxCombinations) {
    return Fail(kQueryTooLarge,
                "The values of the query's lists, and what or() joins, make more than 10,000 "
                "combinations: ask for fewer at a time.");
  }
  const char* why;
  if (size.array_filters > 1) {
    why = "at most one array-contains or array-contains-any of those that must hold together";
  } else if (negations_ > 1) {
    why = "at most one != or not-in";
  } else if (has_not_in && has_disjunction_) {
    why = "no not-in beside in, array-contains-any or or()";
  } else if (inequality_fields.size() > kMaxInequalityFields) {
    why = "inequalities on at most 10 fields";
  } else {
    return {};
  }
  return Fail(kQueryTooLarge, "Firestore allows a query ") << why << ".";
}

bool IsText(std::string_view wire) { return wire.starts_with("{\"stringValue\""); }

std::vector<Conjunction> Disjunctions(const std::vector<Filter>& filters) {
  std::vector<Conjunction> found(1);
  for (const Filter& filter : filters) AddDisjunctions(filter, found);
  return found;
}

void SortPaths(std::vector<FieldPath>& paths) {
  for (std::size_t i = 1; i < paths.size(); ++i) {
    for (std::size_t at = i; at > 0 && paths[at] < paths[at - 1]; --at) {
      std::swap(paths[at], paths[at - 1]);
    }
  }
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
}

}  // namespace shardline
