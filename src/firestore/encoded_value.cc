#include "firestore/encoded_value.h"

#include <cassert>

#include "base/json_scanner.h"
#include "base/number.h"
#include "base/padded_text.h"
#include "firestore/check_fields.h"

namespace shardline {
namespace {

// For assertions.
[[maybe_unused]] bool IsPlain(std::string_view json) {
  if (json.empty() || json[0] != '"') return ParseInt64(json).has_value();
  const PaddedText text(json);
  JsonScanner scanner(text);
  scanner.String();
  return scanner.Finish();
}

}  // namespace

Status EncodedFields::Read(std::string_view wire, std::size_t& size) {
  JsonScanner scanner = JsonScanner::Within(wire);
  SHARDLINE_TRY(size, CheckFields(scanner));
  json_ = wire;
  return {};
}

Status EncodedValue::Read(std::string_view wire, std::string_view where) {
  JsonScanner scanner = JsonScanner::Within(wire);
  SHARDLINE_CHECK(CheckValue(scanner, where));
  json_ = wire;
  return {};
}

EncodedValue EncodedValue::OfChecked(std::string_view wire) {
  assert(IsValue(wire));
  EncodedValue value;
  value.json_ = wire;
  return value;
}

EncodedValue EncodedValue::OfPlain(std::string_view json) {
  assert(IsPlain(json));
  JsonWriter writer;
  writer.BeginObject();
  if (json[0] == '"') {
    writer.Key("stringValue").Raw(json);
  } else {
    writer.Key("integerValue").RawString(json);
  }
  writer.EndObject();
  return EncodedValue(writer);
}

EncodedValue EncodedValue::Reference(std::string_view name) {
  JsonWriter writer;
  writer.BeginObject().Key("referenceValue").String(name).EndObject();
  return EncodedValue(writer);
}

EncodedValue EncodedValue::Map(const EncodedFields& fields) {
  JsonWriter writer;
  writer.BeginObject().Key("mapValue").BeginObject().Key("fields").Raw(fields.json());
  writer.EndObject().EndObject();
  return EncodedValue(writer);
}

Status EncodedValues::Read(std::string_view wire, std::string_view where) {
  EncodedValue value;
  SHARDLINE_CHECK(value.Read(wire, where));
  Add(std::move(value));
  return {};
}

EncodedValue EncodedValues::List(std::size_t begin, std::size_t end) const {
  assert(begin <= end && end <= size());
  JsonWriter writer;
  writer.BeginObject().Key("arrayValue").BeginObject().Key("values").BeginArray();
  for (std::size_t i = begin; i < end; ++i) writer.Raw(json_[i]);
  return EncodedValue(writer.EndArray().EndObject().EndObject());
}

EncodedValue EncodedValues::Elements() const {
  JsonWriter writer;
  writer.BeginObject().Key("values").BeginArray();
  for (const std::string& json : json_) writer.Raw(json);
  return EncodedValue(writer.EndArray().EndObject());
}

}  // namespace shardline
