#include "firestore/fields_writer.h"

#include <cstddef>

namespace shardline {
namespace {

void WriteText(JsonWriter& writer, const char* type, std::string_view text) {
  writer.BeginObject().Key(type).String(text).EndObject();
}

}  // namespace

FieldsWriter& FieldsWriter::Number(std::string_view name, const Amount& value) {
  writer_.Key(name).Raw(value.Encode());
  return *this;
}

FieldsWriter& FieldsWriter::Text(std::string_view name, std::string_view text) {
  WriteText(writer_.Key(name), "stringValue", text);
  return *this;
}

FieldsWriter& FieldsWriter::Texts(std::string_view name, const std::vector<std::string>& texts) {
  writer_.Key(name).BeginObject().Key("arrayValue").BeginObject().Key("values").BeginArray();
  for (const std::string& text : texts) WriteText(writer_, "stringValue", text);
  writer_.EndArray().EndObject().EndObject();
  return *this;
}

FieldsWriter& FieldsWriter::Time(std::string_view name, std::string_view time) {
  WriteText(writer_.Key(name), "timestampValue", time);
  return *this;
}

FieldsWriter& FieldsWriter::Map(std::string_view name, std::string_view fields) {
  writer_.Key(name).BeginObject().Key("mapValue").BeginObject().Key("fields").Raw(fields);
  writer_.EndObject().EndObject();
  return *this;
}

std::string FieldsOf(const FieldPath& field, const Amount& value) {
  const std::vector<std::string>& names = field.segments();
  std::string fields = FieldsWriter().Number(names.back(), value).Take();
  for (std::size_t i = names.size() - 1; i-- > 0;) {
    fields = FieldsWriter().Map(names[i], fields).Take();
  }
  return fields;
}

}  // namespace shardline
