#include "simulator/wire.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/base64.h"
#include "base/number.h"
#include "firestore/value_codec.h"
#include "simulator/names.h"
#include "simulator/refusal.h"

namespace shardline::simulator {
namespace {

using Kind = JsonScanner::Kind;

// Maps and arrays within each other.
constexpr int kMaxDepth = 20;
constexpr std::size_t kMaxVectorDimension = 2'048;

bool TakeNull(JsonScanner& scanner) {
  if (scanner.Peek() != Kind::kNull) return false;
  scanner.Null();
  return true;
}

// google.protobuf.NullValue has one enumerator, and every number counts as it.
void ReadNullValue(JsonScanner& scanner) {
  if (scanner.Peek() == Kind::kNumber) {
    ReadInt64(scanner);
  } else if (!TakeNull(scanner)) {
    const std::string text = scanner.String();
    if (text != "NULL_VALUE" && !ParseInt64(text)) scanner.Reject("there is no such enumerator");
  }
}

// `list`: an array may hold arrays.
Value ReadValueAt(JsonScanner& scanner, int depth, bool list = false);

void CheckFieldNameIn(JsonScanner& scanner, std::string_view name) {
  if (name.empty()) scanner.Reject("the name of a field is empty");
  if (name.size() > kMaxFieldNameBytes) scanner.Reject("the name of a field is too long");
  if (IsReserved(name)) scanner.Reject("the name of a field is reserved");
}

// The fields of a vector's map may bear reserved names, so names are checked afterwards.
Map ReadFieldsUnchecked(JsonScanner& scanner, int depth) {
  Map map;
  if (TakeNull(scanner)) return map;
  std::string_view key;
  if (!scanner.BeginObject()) return map;
  while (scanner.NextKey(key)) {
    std::string name;
    if (!AppendUnescaped(name, key)) scanner.Reject("the name of a field is half a surrogate pair");
    map.Set(std::move(name), ReadValueAt(scanner, depth));
  }
  map.fields.shrink_to_fit();
  return map;
}

void CheckFieldNames(JsonScanner& scanner, const Map& map) {
  for (const Field& field : map.fields) CheckFieldNameIn(scanner, field.name);
}

Array ReadArrayAt(JsonScanner& scanner, int depth, bool list = false) {
  Array array;
  ReadObject(scanner, [&](const std::string& member) {
    if (member != "values") return false;
    ReadArray(scanner, [&] {
      array.elements.push_back(ReadValueAt(scanner, depth));
      const Value& last = array.elements.back();
      if (list) return;
      if (last.As<Array>()) scanner.Reject("an array stands directly in an array");
      if (last.As<Vector>()) scanner.Reject("a vector stands directly in an array");
    });
    return true;
  });
  array.elements.shrink_to_fit();
  return array;
}

Value VectorOf(JsonScanner& scanner, const Map& map) {
  Vector vector;
  const Value* value = map.Find("value");
  const Array* array = value ? value->As<Array>() : nullptr;
  if (map.fields.size() != 2 || !array) {
    scanner.Reject("a vector is a map of __type__ and value, an array, and nothing else");
    return {};
  }
  for (const Value& element : array->elements) {
    const double* number = element.As<double>();
    if (!number || std::isnan(*number)) scanner.Reject("a vector holds what is no double");
    vector.elements.push_back(number ? *number : 0);
  }
  const std::size_t size = vector.elements.size();
  if (size == 0 || size > kMaxVectorDimension) scanner.Reject("a vector has no such dimension");
  return {std::move(vector)};
}

Value ReadMapAt(JsonScanner& scanner, int depth) {
  Map map;
  ReadObject(scanner, [&](const std::string& member) {
    if (member != "fields") return false;
    map = ReadFieldsUnchecked(scanner, depth);
    return true;
  });
  const Value* type = map.Find("__type__");
  const std::string* type_name = type ? type->As<std::string>() : nullptr;
  if (type_name && *type_name == "__vector__") return VectorOf(scanner, map);
  CheckFieldNames(scanner, map);
  return {std::move(map)};
}

GeoPoint ReadGeoPoint(JsonScanner& scanner) {
  GeoPoint point;
  ReadObject(scanner, [&](const std::string& member) {
    if (member != "latitude" && member != "longitude") return false;
    double& coordinate = member == "latitude" ? point.latitude : point.longitude;
    coordinate = TakeNull(scanner) ? 0 : DecodeDouble(scanner) + 0.0;
    return true;
  });
  if (!(std::abs(point.latitude) <= 90 && std::abs(point.longitude) <= 180)) {
    scanner.Reject("a coordinate is out of range");
  }
  return point;
}

Value ReadScalar(JsonScanner& scanner, std::string_view kind) {
  if (kind == "booleanValue") return {ReadBool(scanner)};
  if (kind == "integerValue") return {ReadInt64(scanner)};
  // Adding zero turns the negative zero into the positive one: Firestore keeps but one.
  if (kind == "doubleValue") return {DecodeDouble(scanner) + 0.0};
  if (kind == "stringValue") return {ReadString(scanner)};
  if (kind == "bytesValue") return {Bytes{ReadBase64(scanner)}};
  if (kind == "geoPointValue") return {ReadGeoPoint(scanner)};
  if (kind == "timestampValue") {
    const auto time = Timestamp::Parse(ReadString(scanner));
    if (!time) scanner.Reject("a timestampValue is no time");
    return {time.value_or(Timestamp{})};
  }
  if (kind == "referenceValue") {
    std::string name = ReadString(scanner);
    if (scanner.ok() && !ParseDocumentName(name)) {
      scanner.Reject("a referenceValue names no document");
    }
    return {Reference{std::move(name)}};
  }
  scanner.Reject("there is no such type of value");
  return {};
}

Value ReadKind(JsonScanner& scanner, std::string_view kind, int depth, bool list) {
  if (kind != "arrayValue" && kind != "mapValue") return ReadScalar(scanner, kind);
  if (depth >= kMaxDepth) {
    scanner.Reject("values are nested too deeply");
    return {};
  }
  if (kind == "arrayValue") return {ReadArrayAt(scanner, depth + 1, list)};
  return ReadMapAt(scanner, depth + 1);
}

Value ReadValueAt(JsonScanner& scanner, int depth, bool list) {
  Value value;
  int count = 0;
  const bool present = ReadObject(scanner, [&](const std::string& kind) {
    if (kind == "nullValue") {
      ReadNullValue(scanner);
    } else if (TakeNull(scanner)) {
      return true;
    } else {
      value = ReadKind(scanner, kind, depth, list);
    }
    ++count;
    return true;
  });
  if (!present || count != 1) scanner.Reject("a value must have exactly one type");
  return value;
}

std::size_t NameBytes(std::string_view name) { return name.size() + 1; }

std::size_t PathBytes(std::string_view path) { return path.size() + 1 + 16; }

std::size_t FieldsBytes(const Map& map);

std::size_t ValueBytes(const Value& value) {
  if (value.IsNull() || value.As<bool>()) return 1;
  if (const auto* text = value.As<std::string>()) return NameBytes(*text);
  if (const auto* bytes = value.As<Bytes>()) return bytes->data.size();
  if (const auto* reference = value.As<Reference>()) return PathBytes(reference->name);
  if (value.As<GeoPoint>()) return 16;
  if (const auto* vector = value.As<Vector>()) return 8 * vector->elements.size() + 16;
  if (const auto* map = value.As<Map>()) return FieldsBytes(*map);
  if (const auto* array = value.As<Array>()) {
    std::size_t sum = 0;
    for (const Value& element : array->elements) sum += ValueBytes(element);
    return sum;
  }
  return 8;
}

std::size_t FieldsBytes(const Map& map) {
  std::size_t sum = 0;
  for (const Field& field : map.fields) sum += NameBytes(field.name) + ValueBytes(field.value);
  return sum;
}

bool IsPlainName(std::string_view name) {
  for (const char c : name) {
    const char lower = static_cast<char>(c | 0x20);
    if (!(lower >= 'a' && lower <= 'z') && c != '_' && !(c >= '0' && c <= '9')) return false;
  }
  return !name.empty() && (name[0] < '0' || name[0] > '9');
}

// True if every name that is not in backticks needs none.
bool IsStrictPath(std::string_view text) {
  while (!text.empty() && text[0] != '`') {
    const std::size_t dot = text.find('.');
    if (!IsPlainName(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
  if (text.empty()) return false;
  std::size_t at = 1;
  while (at < text.size() && text[at] != '`') at += text[at] == '\\' ? 2U : 1U;
  if (at >= text.size() || at == 1) return false;
  text.remove_prefix(at + 1);
  return text.empty() || (text[0] == '.' && IsStrictPath(text.substr(1)));
}

}  // namespace

std::string MemberName(std::string_view raw_key) {
  std::string name;
  bool upper = false;
  for (const char c : raw_key) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    upper = false;
  }
  return name;
}

std::string ReadString(JsonScanner& scanner) {
  if (TakeNull(scanner)) return {};
  return scanner.String();
}

bool ReadBool(JsonScanner& scanner) {
  if (TakeNull(scanner)) return false;
  if (scanner.Peek() != Kind::kString) return scanner.Boolean();
  const std::string_view text = scanner.RawString();
  if (text != "true" && text != "false") scanner.Reject("a boolean was expected");
  return text == "true";
}

std::int64_t ReadInt64(JsonScanner& scanner, std::int64_t fallback) {
  if (TakeNull(scanner)) return fallback;
  return DecodeInteger(scanner);
}

std::int32_t ReadInt32(JsonScanner& scanner, std::int32_t fallback) {
  const std::int64_t value = ReadInt64(scanner, fallback);
  if (value < std::numeric_limits<std::int32_t>::min() ||
      value > std::numeric_limits<std::int32_t>::max()) {
    scanner.Reject("a number is out of range");
    return 0;
  }
  return static_cast<std::int32_t>(value);
}

std::string ReadBase64(JsonScanner& scanner) {
  std::optional<std::string> bytes = DecodeBase64(ReadString(scanner));
  if (!bytes) scanner.Reject("bytes are no base64");
  return std::move(bytes).value_or("");
}

std::size_t ReadEnum(JsonScanner& scanner, std::initializer_list<std::string_view> names) {
  if (TakeNull(scanner)) return 0;
  std::optional<std::int64_t> number;
  if (scanner.Peek() == Kind::kNumber) {
    number = ReadInt64(scanner);
  } else {
    const std::string text = scanner.String();
    const auto* name = std::find(names.begin(), names.end(), text);
    number = name == names.end() ? ParseInt64(text) : name - names.begin();
  }
  const bool known = number && *number >= 0 && *number < static_cast<std::int64_t>(names.size());
  if (!known) scanner.Reject("there is no such enumerator");
  return known ? static_cast<std::size_t>(*number) : 0;
}

std::optional<Timestamp> ParseVersionTime(std::string_view text) {
  const std::size_t dot = text.find('.');
  if (dot != std::string_view::npos) {
    std::size_t at = dot + 1;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
      if (at > dot + 6 && text[at] != '0') return std::nullopt;
    }
  }
  return Timestamp::Parse(text);
}

std::optional<Timestamp> ReadVersionTime(JsonScanner& scanner) {
  if (TakeNull(scanner)) return std::nullopt;
  const auto time = ParseVersionTime(ReadString(scanner));
  if (!time) scanner.Reject("a time of at most microseconds was expected");
  return time;
}

Value ReadValue(JsonScanner& scanner) { return ReadValueAt(scanner, 0); }

Value ReadOperand(JsonScanner& scanner) { return ReadValueAt(scanner, 0, true); }

Map ReadFields(JsonScanner& scanner) {
  Map map = ReadFieldsUnchecked(scanner, 0);
  CheckFieldNames(scanner, map);
  return map;
}

Map ReadStoredFields(JsonScanner& scanner) {
  constexpr int kAnyDepth = -1'000'000;
  return ReadFieldsUnchecked(scanner, kAnyDepth);
}

Array ReadArrayValue(JsonScanner& scanner) { return ReadArrayAt(scanner, 1); }

Result<FieldPath> ParseFieldPath(std::string_view text) {
  if (text.empty()) return InvalidArgument("A field path is empty.");
  if (!IsStrictPath(text)) {
    std::string message = "The field path \"";
    message += text;
    message += "\" is malformed: names that are not [a-zA-Z_][a-zA-Z_0-9]* go in backticks.";
    return InvalidArgument(std::move(message));
  }
  return FieldPath::Parse(text);
}

std::size_t DocumentBytes(std::string_view path, const Map& fields) {
  return PathBytes(path) + FieldsBytes(fields) + 32;
}

void WriteFieldsMember(JsonWriter& writer, const Map& fields) {
  if (fields.fields.empty()) return;
  EncodeFields(writer.Key("fields"), fields);
}

}  // namespace shardline::simulator
