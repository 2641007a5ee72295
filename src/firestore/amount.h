#pragma once

#include <cassert>
#include <cstdint>
#include <optional>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "firestore/encoded_value.h"

namespace shardline {

// An amount that a counter counts: an integer, until a double takes part. Firestore's own
// `increment` and `sum` do the same.
class Amount {
 public:
  static Amount Integer(std::int64_t value) { return {false, value, 0}; }
  static Amount Double(double value) { return {true, 0, value}; }

  // Reads a value in Firestore's JSON form; nullopt if it is no number. Malformed JSON latches the
  // scanner's error.
  static std::optional<Amount> Read(JsonScanner& scanner);

  bool is_double() const { return is_double_; }
  // Requires !is_double().
  std::int64_t integer() const {
    assert(!is_double_);
    return integer_;
  }
  // The amount as a double, rounded if it must be.
  double number() const { return is_double_ ? double_ : static_cast<double>(integer_); }

  // Writes the amount as Firestore's JSON form and the results contain it. An integer is a string
  // of digits, because JavaScript's numbers are too short for it. A double is a number, "NaN",
  // "Infinity" or "-Infinity".
  void Write(JsonWriter& writer) const;
  // Firestore's JSON form: {"integerValue":"5"} or {"doubleValue":0.5}
  EncodedValue Encode() const;

  // NaN equals nothing, and 1.0 is not 1.
  bool operator==(const Amount&) const = default;

 private:
  Amount(bool is_double, std::int64_t integer, double number)
      : is_double_(is_double), integer_(integer), double_(number) {}

  bool is_double_;
  std::int64_t integer_;
  double double_;
};

// The sum; nullopt if both are integers and int64 does not hold their sum.
std::optional<Amount> Add(const Amount& a, const Amount& b);

// A sum of any number of amounts. The sum of integers is exact.
class Sum {
 public:
  void Add(const Amount& amount);
  // Returns nullopt if the total is an integer that int64 does not hold.
  std::optional<Amount> Total() const;
  // The total as a double, which always holds it, rounded if it must be.
  double Number() const;

 private:
  // The sums of the integers' upper and lower halves, so that two billion integers cannot overflow:
  // high_ · 2^32 + low_.
  std::int64_t high_ = 0;
  std::int64_t low_ = 0;
  double doubles_ = 0;
  bool has_double_ = false;
};

}  // namespace shardline
