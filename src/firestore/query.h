#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "firestore/encoded_value.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"

namespace shardline {

// The part of Firestore's query (google/firestore/v1/query.proto) that the runtime needs.

enum class FilterOp : std::uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kIn,
  kNotIn,
  kArrayContains,
  kArrayContainsAny,
  // Joins other filters: all of them must hold (kAnd), or one of them (kOr).
  kAnd,
  kOr,
};
// As Firebase's libraries write them, in this order.
inline constexpr const char* kFilterOpWords =
    "==|!=|<|<=|>|>=|in|not-in|array-contains|array-contains-any|and|or";

// True for the operators that sort by their field: all except ==, in and the two array operators.
bool IsInequality(FilterOp op);
// True for kAnd and kOr.
constexpr bool IsComposite(FilterOp op) { return op >= FilterOp::kAnd; }

struct Filter {
  FieldPath field;  // Ignored if there are child filters.
  FilterOp op;
  EncodedValue value;                // Set for all operators but kAnd and kOr.
  std::vector<Filter> filters = {};  // Set for kAnd and kOr; at least one.
};

enum class Direction : std::uint8_t { kAscending, kDescending };

struct Order {
  FieldPath field;
  Direction direction = Direction::kAscending;
};

// A position in the order (a cursor): a value for each of the first orders. It is just before the
// documents that have these values if `before` is true, otherwise just after them.
struct Position {
  EncodedValues values;
  bool before = false;

  // The position of the document with that full name, in the order of names.
  static Position AtDocument(std::string_view name, bool before);
};

struct Query {
  CollectionPath collection;
  // The server returns only these fields; empty for all of them.
  std::vector<FieldPath> select = {};
  // All filters must hold.
  std::vector<Filter> filters = {};
  std::vector<Order> orders = {};
  std::optional<Position> start = {};
  std::optional<Position> end = {};
  std::optional<std::int32_t> limit = {};
};

// The body of a :runQuery. `read_time` is empty or a timestamp as the server wrote it.
std::string EncodeRunQuery(const Query& query, std::string_view read_time);

// The body of a :runAggregationQuery that counts the documents of the query, and adds up a field of
// them unless `sum` is null. `average` asks for the field's average, too. With a sum, Firestore
// counts only documents that have the field.
std::string EncodeRunAggregation(const Query& query, const FieldPath* sum,
                                 std::string_view read_time, bool average = false);

// The body of a :runAggregationQuery that adds up fields under the aliases "c0", "c1", …. With
// `counts` it also counts the documents that have all of them. Firestore takes up to five
// aggregations. `read_time`: as for EncodeRunQuery().
std::string EncodeSums(const Query& query, const std::vector<FieldPath>& fields, bool counts,
                       std::string_view read_time = {});

// The body of a :batchGet of the documents with these full names. It reads this field alone, or the
// whole documents if `field` is null.
std::string EncodeBatchGet(const std::vector<std::string>& names, const FieldPath* field = nullptr,
                           std::string_view read_time = {});

}  // namespace shardline
