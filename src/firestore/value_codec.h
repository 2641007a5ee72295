#pragma once

#include <cstdint>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "firestore/value.h"

namespace shardline {

// Firestore's JSON form of a value ({"integerValue": "7"}: the protobuf JSON mapping of
// google/firestore/v1/document.proto), both ways.

// Reads one value. Malformed JSON latches the scanner's error, and the value returned means
// nothing. Takes the spellings of servers and clients: numbers with and without quotes, doubles
// also as "NaN", "Infinity" and "-Infinity".
Value DecodeValue(JsonScanner& scanner);

// Reads an object of values: a document's `fields`.
Map DecodeFields(JsonScanner& scanner);

// Writes like Firestore's servers, which leave out a coordinate that is zero, the elements of an
// empty array and the fields of an empty map.
void EncodeValue(JsonWriter& writer, const Value& value);
void EncodeFields(JsonWriter& writer, const Map& fields);

// Values nested deeper than this are refused; Firestore itself allows 20 maps.
inline constexpr int kMaxNesting = 64;

// For readers that need only a slice of a value: the kinds of value, and the key of each on the
// wire.
enum class WireKind : std::uint8_t {
  kNull,
  kBoolean,
  kInteger,
  kDouble,
  kTimestamp,
  kString,
  kBytes,
  kReference,
  kGeoPoint,
  kArray,
  kMap,
  kUnknown,
};
WireKind WireKindOf(std::string_view raw_key);
// Reads the part of a value behind its key, like DecodeValue().
Value DecodeValueOf(WireKind kind, JsonScanner& scanner);

// The number in an `integerValue`, in quotes or not; latches an error for anything else. protobuf's
// JSON form also allows 1e3 and 5.0.
std::int64_t DecodeInteger(JsonScanner& scanner);

// The number in a `doubleValue`, which may be a JSON number, in quotes or not, or "NaN", "Infinity"
// or "-Infinity"; latches an error for anything else, and for numbers too large for a double.
double DecodeDouble(JsonScanner& scanner);

// Write the content of an `integerValue`, a string of digits, and of a `doubleValue`.
void EncodeInteger(JsonWriter& writer, std::int64_t integer);
void EncodeDouble(JsonWriter& writer, double number);

}  // namespace shardline
