#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "firestore/timestamp.h"

namespace shardline {

struct Value;
struct Field;

struct Bytes {
  std::string data;  // Not base64.
};
// "projects/p/databases/d/documents/c/i"
struct Reference {
  std::string name;
};
// Degrees: latitude -90 to 90, longitude -180 to 180.
struct GeoPoint {
  double latitude = 0;
  double longitude = 0;
};
struct Array {
  std::vector<Value> elements;
};
// An embedding: a map {"__type__": "__vector__", "value": [doubles]} on the wire.
struct Vector {
  std::vector<double> elements;
};
struct Map {
  std::vector<Field> fields;  // Sorted by name, in the order of UTF-8 bytes; names are unique.

  const Value* Find(std::string_view name) const;
  // Adds or replaces.
  void Set(std::string name, Value value);
};

// A Firestore value (google/firestore/v1/document.proto). The alternatives are in Firestore's order
// of types, except the two kinds of number, which sort as one.
struct Value {
  std::variant<std::monostate, bool, std::int64_t, double, Timestamp, std::string, Bytes, Reference,
               GeoPoint, Array, Vector, Map>
      data;

  template <class T>
  const T* As() const {
    return std::get_if<T>(&data);
  }
  bool IsNull() const { return data.index() == 0; }
};

struct Field {
  std::string name;
  Value value;
};

// Firestore's total order of all values, for sorting, cursors and ranges
// (https://firebase.google.com/docs/firestore/manage-data/data-types): null, booleans, numbers (NaN
// first; integers and doubles compared exactly), timestamps, strings (as UTF-8 bytes), bytes,
// references, geo points, arrays, vectors, maps. 1 equals 1.0 in this order, 0 equals -0.0, and NaN
// equals itself.
std::weak_ordering CompareValues(const Value& a, const Value& b);

// The order of `__name__`: segment by segment, numeric ids (`__id7__`) before all others and among
// themselves by number, the rest by UTF-8 bytes. Takes whole names or parts that start alike.
std::weak_ordering CompareNames(std::string_view a, std::string_view b);

// The order of two numbers as real numbers: no rounding, NaN first.
std::weak_ordering CompareNumbers(std::int64_t a, double b);
std::weak_ordering CompareDoubles(double a, double b);

}  // namespace shardline
