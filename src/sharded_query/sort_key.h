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

// One value that answers are sorted by. The usual kinds are kept as a number or as a slice of the
// answer, so that reading and comparing them allocates nothing; the rest as a Value.
class SortKey {
 public:
  // Reads the value that the scanner is in front of; errors latch there.
  void Read(JsonScanner& scanner);

  void Clear() { wire_ = {}; }

  // The value on the wire, as a slice of the answer; empty if there is none.
  std::string_view wire() const { return wire_; }
  // The same as a value of its own, for cursors. Requires that there is one, and that the scanner
  // was ok() behind it.
  EncodedValue encoded() const {
    assert(!wire_.empty());
    return EncodedValue::OfChecked(wire_);
  }

  Value ToValue() const;
  // A string without escapes as it stands in the answer, with its quotes; empty for anything else.
  std::string_view plain_json() const {
    if (kind_ != Kind::kString) return {};
    return {text_.data() - 1, text_.size() + 2};
  }

  // If it is a timestamp.
  std::optional<Timestamp> timestamp() const {
    if (kind_ != Kind::kTimestamp) return std::nullopt;
    return Timestamp{integer_};
  }

  // How strings and bytes are compared that are longer than an index holds of them.
  enum class LongValues : std::uint8_t {
    kCut,    // By what the index holds, as Firestore does.
    kWhole,  // As Google's emulator does.
  };
  // As CompareValues does, except for long values.
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
