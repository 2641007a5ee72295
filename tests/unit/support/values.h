// One-word builders of Firestore values, and how tests print and compare them.
#pragma once

#include <gmock/gmock.h>

#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "firestore/encoded_value.h"
#include "firestore/value.h"
#include "firestore/value_codec.h"
#include "unit/support/text.h"

namespace shardline {

inline Value Null() { return {}; }
inline Value Bool(bool value) { return {value}; }
inline Value Int(std::int64_t value) { return {value}; }
inline Value Double(double value) { return {value}; }
inline Value Str(std::string text) { return {std::move(text)}; }
inline Value Blob(std::string bytes) { return {Bytes{std::move(bytes)}}; }
inline Value Ref(std::string name) { return {Reference{std::move(name)}}; }
inline Value Geo(double latitude, double longitude) { return {GeoPoint{latitude, longitude}}; }
inline Value List(std::vector<Value> elements) { return {Array{std::move(elements)}}; }
inline Value Vec(std::vector<double> elements) { return {Vector{std::move(elements)}}; }
inline Value Time(std::string_view text) { return {Timestamp::Parse(text).value()}; }
inline Map Fields(std::initializer_list<std::pair<std::string, Value>> fields) {
  Map map;
  for (const auto& [name, value] : fields) map.Set(name, value);
  return map;
}
inline Value Obj(std::initializer_list<std::pair<std::string, Value>> fields) {
  return {Fields(fields)};
}

// Firestore's wire form of a value.
inline std::string Wire(const Value& value) {
  JsonWriter writer;
  EncodeValue(writer, value);
  return writer.Take();
}
inline std::string Wire(const Map& fields) {
  JsonWriter writer;
  EncodeFields(writer, fields);
  return writer.Take();
}

// The same as requests hold them; fails the test if Firestore does not take it.
inline EncodedValue WireValue(std::string_view wire) { return EncodedValue::OfChecked(wire); }
inline EncodedValues WireValues(std::initializer_list<std::string_view> wires) {
  EncodedValues values;
  for (const std::string_view wire : wires) values.Add(WireValue(wire));
  return values;
}
inline EncodedFields WireFields(std::string_view wire) {
  std::size_t size = 0;
  EncodedFields fields;
  EXPECT_TRUE(fields.Read(Text(wire).view(), size)) << wire;
  return fields;
}

// The value that stands in wire form; fails the test if it cannot be read.
inline Value FromWire(std::string_view wire) {
  const PaddedText text = Text(wire);
  JsonScanner scanner(text);
  Value value = DecodeValue(scanner);
  EXPECT_TRUE(scanner.Finish()) << wire << ": " << Complaint(scanner);
  return value;
}

inline void PrintTo(const Value& value, std::ostream* out) { *out << Wire(value); }
inline void PrintTo(const Map& fields, std::ostream* out) { *out << Wire(fields); }

// The same value of the same type; unlike in Firestore's order, 1 is not 1.0 and 0.0 not -0.0.
MATCHER_P(IsValue, expected, "is " + testing::PrintToString(expected)) {
  return Wire(arg) == Wire(expected);
}

}  // namespace shardline
