#pragma once

#include <cassert>
#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json_scanner.h"
#include "firestore/encoded_value.h"
#include "firestore/value.h"

namespace shardline {

// A value of the query's order. It keeps the usual kinds as a number or as a slice of the answer
// (zero-copy), so that reading and comparing allocates nothing; other kinds are a Value.
class SortKey {
 public:
  // Reads the scanner's next value; errors latch in the scanner.
  void Read(JsonScanner& scanner);

  void Clear() { wire_ = {}; }

  // The value on the wire, as a slice of the answer; empty if there is no value.
  std::string_view wire() const { return wire_; }
  // A copy of the value, for cursors. Requires that there is one, and that the scanner was ok()
  // behind it.
  EncodedValue encoded() const {
    assert(!wire_.empty());
    return EncodedValue::OfChecked(wire_);
  }

  Value ToValue() const;
  // The JSON text of a string without escapes, with its quotes; empty for anything else.
  std::string_view plain_json() const {
    if (kind_ != Kind::kString) return {};
    return {text_.data() - 1, text_.size() + 2};
  }

  // If it is a timestamp.
  std::optional<Timestamp> timestamp() const {
    if (kind_ != Kind::kTimestamp) return std::nullopt;
    return Timestamp{integer_};
  }

  // The comparison of strings and bytes that are longer than an index holds.
  enum class LongValues : std::uint8_t {
    kCut,    // Only by the part that the index holds, like Firestore.
    kWhole,  // By the whole value, like Google's emulator.
  };
  // The order of CompareValues(), except for long values.
  static std::weak_ordering Compare(const SortKey& a, const SortKey& b, LongValues how);

 private:
  enum class Kind : std::uint8_t { kInteger, kDouble, kTimestamp, kString, kOther };

  void ReadText(JsonScanner& scanner, Kind kind);
  // The content of a string or bytes; empty for values of another type.
  std::string_view Text() const;
  std::string_view BytesOf() const;

  Kind kind_ = Kind::kOther;
  std::int64_t integer_ = 0;  // kInteger; kTimestamp: microseconds.
  double number_ = 0;
  std::string_view text_;  // kString; without escapes.
  Value value_;            // kOther
  std::string_view wire_;
};

}  // namespace shardline
