#include "firestore/value_codec.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/json_members.h"
#include "base/number.h"

namespace shardline {
namespace {

constexpr std::string_view kWireKeys[] = {
    "nullValue",  "booleanValue",   "integerValue",  "doubleValue", "timestampValue", "stringValue",
    "bytesValue", "referenceValue", "geoPointValue", "arrayValue",  "mapValue",
};

// Bounds a number in quotes; the scanner bounds those without. To read a longer one takes long.
constexpr std::size_t kMaxNumberSize = 1'000;

Value Decode(JsonScanner& scanner, int depth);

// A number, possibly in quotes; empty if there is none.
std::string_view NumberText(JsonScanner& scanner) {
  const bool quoted = scanner.Peek() == JsonScanner::Kind::kString;
  const std::string_view text = quoted ? scanner.RawString() : scanner.RawNumber();
  return text.substr(0, text.size() > kMaxNumberSize ? 0 : text.size());
}

Timestamp DecodeTimestamp(JsonScanner& scanner) {
  const auto timestamp = Timestamp::Parse(scanner.String());
  if (!timestamp) scanner.Reject("a timestampValue is no timestamp of the years 0001 to 9999");
  return timestamp.value_or(Timestamp{});
}

GeoPoint DecodeGeoPoint(JsonScanner& scanner) {
  GeoPoint point;  // A coordinate that is zero may be left out.
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("latitude")) {
      point.latitude = DecodeDouble(scanner);
    } else if (members.Is("longitude")) {
      point.longitude = DecodeDouble(scanner);
    }
  }
  if (!(std::abs(point.latitude) <= 90 && std::abs(point.longitude) <= 180)) {
    scanner.Reject("a geoPointValue is outside of -90..90, -180..180");
  }
  return point;
}

Array DecodeArray(JsonScanner& scanner, int depth) {
  Array array;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (!members.Is("values")) {
      scanner.SkipValue();
    } else if (scanner.BeginArray()) {
      while (scanner.NextElement()) array.elements.push_back(Decode(scanner, depth + 1));
    }
  }
  return array;
}

// As a Map has them. Heap sort, because the writer of an answer may choose their order; mostly they
// are sorted already.
void SortFields(JsonScanner& scanner, Map& map) {
  const auto before = [](const Field& a, const Field& b) { return a.name < b.name; };
  std::vector<Field>& fields = map.fields;
  if (!std::is_sorted(fields.begin(), fields.end(), before)) {
    std::make_heap(fields.begin(), fields.end(), before);
    std::sort_heap(fields.begin(), fields.end(), before);
  }
  for (std::size_t i = 1; i < fields.size(); ++i) {
    if (fields[i - 1].name == fields[i].name) scanner.Reject("an object has a field twice");
  }
}

Map DecodeMap(JsonScanner& scanner, int depth) {
  Map map;
  JsonMembers members(scanner);
  while (members.Next()) {
    std::string name;
    if (!AppendUnescaped(name, members.raw_key())) {
      scanner.Reject("a field name is not valid Unicode");
    }
    map.fields.push_back({std::move(name), Decode(scanner, depth + 1)});
  }
  SortFields(scanner, map);
  return map;
}

// A map that stands for a vector becomes one.
Value VectorOrMap(Map map) {
  const Value* type = map.Find("__type__");
  const Value* value = map.Find("value");
  if (!type || !value || map.fields.size() != 2) return {std::move(map)};
  const std::string* name = type->As<std::string>();
  const Array* array = value->As<Array>();
  if (!name || *name != "__vector__" || !array) return {std::move(map)};
  Vector vector;
  for (const Value& element : array->elements) {
    const double* number = element.As<double>();
    if (!number) return {std::move(map)};
    vector.elements.push_back(*number);
  }
  return {std::move(vector)};
}

Value DecodeMapValue(JsonScanner& scanner, int depth) {
  Map map;
  JsonMembers members(scanner);
  while (members.Next()) {
    if (members.Is("fields")) {
      map = DecodeMap(scanner, depth);
    }
  }
  return VectorOrMap(std::move(map));
}

// protobuf's JSON form allows the enum's name in place of null.
Value DecodeNull(JsonScanner& scanner) {
  if (scanner.Peek() == JsonScanner::Kind::kNull) {
    scanner.Null();
  } else if (scanner.RawString() != "NULL_VALUE") {
    scanner.Reject("a nullValue is not null");
  }
  return {};
}

Value DecodeKind(JsonScanner& scanner, WireKind kind, int depth) {
  switch (kind) {
    case WireKind::kNull:
      return DecodeNull(scanner);
    case WireKind::kBoolean:
      return {scanner.Boolean()};
    case WireKind::kInteger:
      return {DecodeInteger(scanner)};
    case WireKind::kDouble:
      return {DecodeDouble(scanner)};
    case WireKind::kTimestamp:
      return {DecodeTimestamp(scanner)};
    case WireKind::kString:
      return {scanner.String()};
    case WireKind::kBytes: {
      std::optional<std::string> bytes = DecodeBase64(scanner.String());
      if (!bytes) scanner.Reject("a bytesValue is no base64");
      return {Bytes{std::move(bytes).value_or("")}};
    }
    case WireKind::kReference:
      return {Reference{scanner.String()}};
    case WireKind::kGeoPoint:
      return {DecodeGeoPoint(scanner)};
    case WireKind::kArray:
      return {DecodeArray(scanner, depth)};
    case WireKind::kMap:
      return DecodeMapValue(scanner, depth);
    case WireKind::kUnknown:
      break;
  }
  scanner.Reject("a value is of an unknown type");
  return {};
}

Value Decode(JsonScanner& scanner, int depth) {
  Value value;
  std::string_view key;
  if (depth > kMaxNesting) scanner.Reject("values are nested too deeply");
  if (!scanner.BeginObject()) return value;
  int count = 0;
  for (; scanner.NextKey(key); ++count) value = DecodeKind(scanner, WireKindOf(key), depth);
  if (count != 1) scanner.Reject("a value must have exactly one type");
  return value;
}

void EncodeArray(JsonWriter& writer, const std::vector<Value>& elements) {
  writer.BeginObject();
  if (!elements.empty()) {
    writer.Key("values").BeginArray();
    for (const Value& element : elements) EncodeValue(writer, element);
    writer.EndArray();
  }
  writer.EndObject();
}

void EncodeVector(JsonWriter& writer, const Vector& vector) {
  std::vector<Value> elements;
  for (const double number : vector.elements) elements.push_back({number});
  writer.BeginObject().Key("fields").BeginObject();
  writer.Key("__type__").BeginObject().Key("stringValue").String("__vector__").EndObject();
  writer.Key("value").BeginObject().Key("arrayValue");
  EncodeArray(writer, elements);
  writer.EndObject().EndObject().EndObject();
}

void EncodeCoordinate(JsonWriter& writer, const char* name, double degrees) {
  if (degrees != 0) EncodeDouble(writer.Key(name), degrees);
}

WireKind KindOf(const Value& value) {
  constexpr WireKind kKinds[] = {
      WireKind::kNull,      WireKind::kBoolean, WireKind::kInteger, WireKind::kDouble,
      WireKind::kTimestamp, WireKind::kString,  WireKind::kBytes,   WireKind::kReference,
      WireKind::kGeoPoint,  WireKind::kArray,   WireKind::kMap,     WireKind::kMap,
  };
  return kKinds[value.data.index()];
}

}  // namespace

WireKind WireKindOf(std::string_view raw_key) {
  std::uint8_t kind = 0;
  for (const std::string_view key : kWireKeys) {
    // No two are of the same length and begin alike.
    if (raw_key.size() == key.size() && raw_key[0] == key[0] && raw_key == key) break;
    ++kind;
  }
  return static_cast<WireKind>(kind);
}

std::int64_t DecodeInteger(JsonScanner& scanner) {
  const std::string_view text = NumberText(scanner);
  if (const auto value = ParseInt64(text)) return *value;
  const auto number = ParseDouble(text);
  if (number && std::trunc(*number) == *number && std::abs(*number) < 0x1.0p63) {
    return static_cast<std::int64_t>(*number);
  }
  scanner.Reject("a number is no integer of 64 bits");
  return 0;
}

double DecodeDouble(JsonScanner& scanner) {
  const std::string_view text = NumberText(scanner);
  const std::optional<double> number = ParseDouble(text);
  if (number && !std::isinf(*number)) return *number;
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  if (text != "NaN") scanner.Reject("a doubleValue is no number");
  return std::numeric_limits<double>::quiet_NaN();
}

void EncodeInteger(JsonWriter& writer, std::int64_t integer) {
  Int64Buffer digits;
  writer.RawString(FormatInt64(integer, digits));
}

void EncodeDouble(JsonWriter& writer, double number) {
  if (std::isnan(number)) {
    writer.String("NaN");
  } else if (std::isinf(number)) {
    writer.String(number > 0 ? "Infinity" : "-Infinity");
  } else {
    std::string text;
    AppendDouble(text, number);
    writer.Raw(text);
  }
}

Value DecodeValue(JsonScanner& scanner) { return Decode(scanner, 0); }

Value DecodeValueOf(WireKind kind, JsonScanner& scanner) { return DecodeKind(scanner, kind, 0); }

Map DecodeFields(JsonScanner& scanner) { return DecodeMap(scanner, 0); }

void EncodeFields(JsonWriter& writer, const Map& fields) {
  writer.BeginObject();
  for (const Field& field : fields.fields) {
    writer.Key(field.name);
    EncodeValue(writer, field.value);
  }
  writer.EndObject();
}

void EncodeValue(JsonWriter& writer, const Value& value) {
  writer.BeginObject().Key(kWireKeys[static_cast<std::size_t>(KindOf(value))]);
  if (const auto* boolean = value.As<bool>()) {
    writer.Boolean(*boolean);
  } else if (const auto* integer = value.As<std::int64_t>()) {
    EncodeInteger(writer, *integer);
  } else if (const auto* number = value.As<double>()) {
    EncodeDouble(writer, *number);
  } else if (const auto* timestamp = value.As<Timestamp>()) {
    writer.String(timestamp->ToString());
  } else if (const auto* text = value.As<std::string>()) {
    writer.String(*text);
  } else if (const auto* bytes = value.As<Bytes>()) {
    writer.String(EncodeBase64(bytes->data));
  } else if (const auto* reference = value.As<Reference>()) {
    writer.String(reference->name);
  } else if (const auto* point = value.As<GeoPoint>()) {
    writer.BeginObject();
    EncodeCoordinate(writer, "latitude", point->latitude);
    EncodeCoordinate(writer, "longitude", point->longitude);
    writer.EndObject();
  } else if (const auto* array = value.As<Array>()) {
    EncodeArray(writer, array->elements);
  } else if (const auto* vector = value.As<Vector>()) {
    EncodeVector(writer, *vector);
  } else if (const auto* map = value.As<Map>()) {
    writer.BeginObject();
    if (!map->fields.empty()) EncodeFields(writer.Key("fields"), *map);
    writer.EndObject();
  } else {
    writer.Raw("null");
  }
  writer.EndObject();
}

}  // namespace shardline
