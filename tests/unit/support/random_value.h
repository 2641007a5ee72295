// Random Firestore values, from small sets so that equal and nearly equal ones are common.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "base/random.h"
#include "firestore/value.h"

namespace shardline {

class RandomValues {
 public:
  explicit RandomValues(std::uint64_t seed) : random_(seed) {}

  // Deeper ones become rarer; arrays hold no arrays and no vectors.
  shardline::Value Value(int depth = 0, bool in_array = false) {
    switch (Below(depth > 3 ? 10 : 13)) {
      case 0:
        return {};
      case 1:
        return {Below(2) == 0};
      case 2:
      case 3:
        return {Integer()};
      case 4:
      case 5:
        return {Number()};
      case 6:
        return {Timestamp{static_cast<std::int64_t>(Below(4)) * 500'000 - 1'000'000}};
      case 7:
        return {String()};
      case 8:
        return {Bytes{String()}};
      case 9:
        return {Below(2) == 0 ? shardline::Value{GeoPoint{Degrees(), Degrees()}} : Name()};
      case 10:
        if (in_array) return {};
        return Below(3) == 0 ? shardline::Value{Numbers()} : shardline::Value{List(depth)};
      default:
        return {Fields(depth + 1)};
    }
  }

  Map Fields(int depth = 0) {
    Map map;
    for (std::size_t count = Below(4); count > 0; --count) map.Set(FieldName(), Value(depth));
    return map;
  }

 private:
  std::size_t Below(std::size_t bound) { return static_cast<std::size_t>(random_.Below(bound)); }

  std::int64_t Integer() {
    constexpr std::int64_t kBases[] = {0,         1,         INT64_MIN,        INT64_MAX - 3,
                                       1LL << 53, 1LL << 62, -(1LL << 53) - 2, -1};
    return kBases[Below(std::size(kBases))] + static_cast<std::int64_t>(Below(3));
  }

  double Number() {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    constexpr double kBases[] = {0.0,        -0.0,
                                 0.5,        -0.5,
                                 1,          2,
                                 0x1p53,     -0x1p53,
                                 0.1,        0x1p63,
                                 -0x1p63,    kInfinity,
                                 -kInfinity, std::numeric_limits<double>::quiet_NaN()};
    const double base = kBases[Below(std::size(kBases))];
    return Below(4) == 0 ? std::nextafter(base, Below(2) == 0 ? -1e300 : 1e300) : base;
  }

  double Degrees() { return static_cast<double>(Below(5)) * 45 - 90; }

  std::string String() {
    constexpr const char* kPieces[] = {"a", "b", "Z", "\n", "\"", "é", "\uFFFD", "😀", "/", "\\"};
    std::string text;
    for (std::size_t count = Below(4); count > 0; --count)
      text += kPieces[Below(std::size(kPieces))];
    return text;
  }

  std::string FieldName() {
    constexpr const char* kNames[] = {"a", "b", "aa", "é", "x.y", "😀", "value", "`", "\\"};
    return kNames[Below(std::size(kNames))];
  }

  shardline::Value Name() {
    constexpr const char* kIds[] = {"a", "b", "a-b", "__id7__", "__id10__", "é", "😀"};
    std::string name = "projects/p/databases/d/documents";
    for (std::size_t count = 2 + 2 * Below(2); count > 0; --count) {
      name += '/';
      name += kIds[Below(std::size(kIds))];
    }
    return {Reference{std::move(name)}};
  }

  Vector Numbers() {
    Vector vector;
    for (std::size_t count = 1 + Below(3); count > 0; --count) vector.elements.push_back(Number());
    return vector;
  }

  Array List(int depth) {
    Array array;
    for (std::size_t count = Below(4); count > 0; --count) {
      array.elements.push_back(Value(depth + 1, true));
    }
    return array;
  }

  Random random_;
};

}  // namespace shardline
