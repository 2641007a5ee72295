// A structured query (google/firestore/v1/query.proto), read from JSON and checked by the server's
// rules.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "firestore/limits_and_prices.h"
#include "simulator/store.h"

namespace shardline::simulator {

// The operators of `fieldFilter`, and behind them those of `unaryFilter`.
enum class Op : std::uint8_t {
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kEqual,
  kNotEqual,
  kArrayContains,
  kIn,
  kArrayContainsAny,
  kNotIn,
  kIsNan,
  kIsNull,
  kIsNotNan,
  kIsNotNull,
};

// A tree: `and` and `or` of others, or a condition on one field.
struct Filter {
  enum class Kind : std::uint8_t { kAnd, kOr, kField };
  Kind kind = Kind::kAnd;
  std::vector<Filter> children;  // Set for kAnd and kOr. An empty kAnd always holds.
  // Set for kField. A value to compare with `__name__` is a Reference with a path inside the
  // database.
  FieldPath field = FieldPath::DocumentName();
  Op op = Op::kEqual;
  Value value;
};

// A cursor. `before`: just before the documents with these values, else just after them.
struct Position {
  std::vector<Value> values;
  bool before = false;
};

// `findNearest`: only the documents whose vectors are nearest to a given one, nearest first.
struct Nearest {
  enum class Measure : std::uint8_t { kEuclidean, kCosine, kDotProduct };
  FieldPath field = FieldPath::DocumentName();
  Vector to;
  Measure measure = Measure::kEuclidean;
  std::int64_t limit = 0;
  // The largest distance; for a dot product, the smallest product.
  std::optional<double> threshold;
  // The name of the field that shows the distance; empty: no field does.
  std::string result_field;
};

struct Query {
  std::string parent;         // A document's path; empty for the root.
  std::string collection_id;  // Empty: any.
  bool all_descendants = false;
  Filter filter;
  // The complete order, with the implicit orders: the last is always `__name__`.
  std::vector<OrderBy> orders;
  // True if the request itself orders by `__name__` or filters by it.
  bool by_name = false;
  std::optional<Position> start;
  std::optional<Position> end;
  std::int64_t offset = 0;
  std::optional<std::int64_t> limit;
  std::optional<Nearest> nearest;
  std::optional<std::vector<FieldPath>> select;
};

// Reads `structuredQuery`. A malformed query latches the scanner's error, which is also the result.
Result<Query> ReadQuery(JsonScanner& scanner, std::string_view database, std::string_view parent);

// Refuses queries that break a rule on their own, and makes names in cursors relative.
Status CheckQuery(Query& query, std::string_view database);

// Appends the implicit orders, and refuses orders that no index can have. Requires CheckQuery() to
// have passed.
Status CompleteQuery(Query& query);

// Refuses queries that would read names backwards. Requires a complete query.
Status CheckNameScan(const Query& query);

// Parses "v desc, __name__", the `orderBy` of a list, and appends the implicit orders.
Result<std::vector<OrderBy>> ParseOrders(std::string_view text);

// True if the filter holds. `path` is the document's.
bool Matches(const Filter& filter, const Content& content, std::string_view path);

// True for the operators that need an order by their field.
bool IsInequality(Op op);

// The filter as alternatives, each of which is a list of conditions that must all hold; `in` and
// `array-contains-any` become alternatives too. Empty conditions: always. Requires the tree to have
// at most kMaxDisjunctions of them, as every Query's has.
std::vector<std::vector<Filter>> Disjunctions(const Filter& filter);

}  // namespace shardline::simulator
