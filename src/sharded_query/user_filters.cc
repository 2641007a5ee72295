#include "sharded_query/user_filters.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_view.h"
#include "firestore/limits_and_prices.h"
#include "firestore/value_codec.h"
#include "firestore/write.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxNotInValues = 10;
constexpr std::size_t kMaxInequalityFields = 10;
// Of a list that is asked for piece by piece.
constexpr std::size_t kMaxWideValues = 10'000;

Failure BadFilter(const FieldPath& field, const char* why) {
  return InvalidArgument("The filter on \"") << field.text() << "\" " << why;
}

bool TakesList(FilterOp op) {
  return op == FilterOp::kIn || op == FilterOp::kNotIn || op == FilterOp::kArrayContainsAny;
}

// Checks one operand, or one element of a list of them. null and NaN are found by == and != only;
// other operators would pass over them in silence.
Status CheckOperand(std::string_view wire, const FieldPath& field, FilterOp op) {
  JsonScanner scanner = JsonScanner::Within(wire);
  SHARDLINE_CHECK(CheckValue(scanner, field.text()));
  if (op == FilterOp::kEqual || op == FilterOp::kNotEqual) return {};
  JsonScanner again = JsonScanner::Within(wire);
  const Value value = DecodeValue(again);
  const double* number = value.As<double>();
  if (!value.IsNull() && !(number && std::isnan(*number))) return {};
  return BadFilter(field, "compares with null or NaN: only == and != can.");
}

// Checks a list of operands, {"arrayValue":{"values":[…]}}, and counts them.
Status CheckList(std::string_view wire, const FieldPath& field, FilterOp op, std::size_t& count) {
  JsonScanner scanner = JsonScanner::Within(wire);
  std::string_view key;
  count = 0;
  if (scanner.BeginObject() && scanner.NextKey(key) && WireKindOf(key) == WireKind::kArray &&
      scanner.BeginObject() && scanner.NextKey(key) && scanner.BeginArray()) {
    for (; scanner.NextElement(); ++count) {
      SHARDLINE_CHECK(CheckOperand(scanner.SkipValue(), field, op));
    }
  }
  const bool not_in = op == FilterOp::kNotIn;
  if (count > 0 && count <= (not_in ? kMaxNotInValues : kMaxWideValues)) return {};
  return BadFilter(
      field, not_in ? "needs a list of 1 to 10 values." : "needs a list of 1 to 10,000 values.");
}

// The values of a list, sorted, and each once: 1 is 1.0. A heap sort takes less code than others.
std::vector<std::string> DistinctValues(std::string_view wire) {
  struct Sorted {
    Value value;
    std::string_view wire;
    bool operator<(const Sorted& other) const { return CompareValues(value, other.value) < 0; }
  };
  std::vector<Sorted> sorted;
  JsonScanner scanner = JsonScanner::Within(wire);
  const JsonView list(scanner);
  for (JsonItems values(list["arrayValue.values"]); values.Next();) {
    sorted.push_back({values.value().Read(DecodeValue), values.value().Raw()});
  }
  std::make_heap(sorted.begin(), sorted.end());
  std::sort_heap(sorted.begin(), sorted.end());
  std::vector<std::string> distinct;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i == 0 || sorted[i - 1] < sorted[i]) distinct.emplace_back(sorted[i].wire);
  }
  return distinct;
}

bool IsArrayOp(const Filter& filter) {
  return filter.op == FilterOp::kArrayContains || filter.op == FilterOp::kArrayContainsAny;
}

bool IsNegation(const Filter& filter) {
  return filter.op == FilterOp::kNotEqual || filter.op == FilterOp::kNotIn;
}

}  // namespace

Status UserFilters::Read(JsonScanner& scanner, const FieldPath& shard_field) {
  if (scanner.BeginArray()) {
    while (scanner.NextElement()) SHARDLINE_CHECK(ReadOne(scanner, shard_field));
  }
  SortPaths(inequality_fields);
  SetWide();
  return CheckTogether();
}

void UserFilters::SetWide() {
  std::size_t combinations = 1;
  const List* longest = nullptr;
  for (const List& list : lists_) {
    // Beyond the limit, the exact number does not matter.
    combinations = std::min(combinations * list.size, kMaxDisjunctions + 1);
    if (longest == nullptr || list.size > longest->size) longest = &list;
  }
  if (combinations <= kMaxDisjunctions) {
    disjunctions = combinations;
    return;
  }
  for (const List& list : lists_) {
    if (&list != longest) disjunctions = std::min(disjunctions * list.size, kMaxDisjunctions + 1);
  }
  wide = longest->filter;
  wide_values = DistinctValues(longest->wire);
}

Status UserFilters::ReadOne(JsonScanner& scanner, const FieldPath& shard_field) {
  Arguments arguments(scanner, kChecks<kFilterParameters>, "filters.");
  const std::string path = arguments.Text("field");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(path));
  const auto op = static_cast<FilterOp>(arguments.Word("op"));
  const std::string_view value = arguments.Raw("value");
  if (field == shard_field) {
    return BadFilter(field, "is on the shard field, by which the library itself asks.");
  }
  if (!TakesList(op)) {
    SHARDLINE_CHECK(CheckOperand(value, field, op));
  } else {
    std::size_t count = 0;
    SHARDLINE_CHECK(CheckList(value, field, op, count));
    if (op != FilterOp::kNotIn) lists_.push_back({filters.size(), count, value});
  }
  if (op == FilterOp::kNotIn) has_not_in = true;
  if (IsInequality(op)) inequality_fields.push_back(field);
  filters.push_back({std::move(field), op, std::string(value)});
  return {};
}

// What Firestore refuses of filters that it takes one by one
// (https://firebase.google.com/docs/firestore/query-data/queries#query_limitations).
Status UserFilters::CheckTogether() const {
  const bool has_list = std::any_of(filters.begin(), filters.end(), [](const Filter& filter) {
    return filter.op == FilterOp::kIn || filter.op == FilterOp::kArrayContainsAny;
  });
  const char* why;
  if (std::count_if(filters.begin(), filters.end(), IsArrayOp) > 1) {
    why = "at most one array-contains or array-contains-any";
  } else if (std::count_if(filters.begin(), filters.end(), IsNegation) > 1) {
    why = "at most one != or not-in";
  } else if (has_not_in && has_list) {
    why = "no not-in beside in or array-contains-any";
  } else if (disjunctions > kMaxDisjunctions) {
    why =
        "at most 30 combinations of the values of its in and array-contains-any lists, the longest "
        "of which may be longer";
  } else if (inequality_fields.size() > kMaxInequalityFields) {
    why = "inequalities on at most 10 fields";
  } else {
    return {};
  }
  return InvalidArgument("Firestore allows a query ") << why << ".";
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
