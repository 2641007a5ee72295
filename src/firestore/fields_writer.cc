#include "firestore/fields_writer.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "firestore/check_fields.h"

namespace shardline {
namespace {

void WriteText(JsonWriter& writer, const char* type, std::string_view text) {
  writer.BeginObject().Key(type).String(text).EndObject();
}

bool IsRemoved(const FieldChange& change) { return change.value.empty(); }

// The changes agree in the first `depth` names of their paths.
// NOLINTNEXTLINE(misc-no-recursion)
void WriteNested(JsonWriter& writer, std::span<const FieldChange> changes, std::size_t depth) {
  writer.BeginObject();
  while (!changes.empty()) {
    const FieldChange& first = changes.front();
    const std::string& name = first.field.segments()[depth];
    std::size_t count = 0;
    while (count < changes.size() && changes[count].field.segments()[depth] == name) ++count;
    const std::span<const FieldChange> here = changes.first(count);
    if (std::all_of(here.begin(), here.end(), IsRemoved)) {
      // Nothing.
    } else if (first.field.segments().size() > depth + 1) {
      writer.Key(name).BeginObject().Key("mapValue").BeginObject().Key("fields");
      WriteNested(writer, here, depth + 1);
      writer.EndObject().EndObject();
    } else {
      assert(IsValue(first.value));
      writer.Key(name).Raw(first.value);
    }
    changes = changes.subspan(count);
  }
  writer.EndObject();
}

}  // namespace

FieldsWriter& FieldsWriter::Boolean(std::string_view name, bool value) {
  writer_.Key(name).BeginObject().Key("booleanValue").Boolean(value).EndObject();
  return *this;
}

FieldsWriter& FieldsWriter::Number(std::string_view name, const Amount& value) {
  writer_.Key(name).Raw(value.Encode().json());
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

FieldsWriter& FieldsWriter::Map(std::string_view name, const EncodedFields& fields) {
  return Value(name, EncodedValue::Map(fields));
}

FieldsWriter& FieldsWriter::Value(std::string_view name, const EncodedValue& value) {
  assert(!value.empty());
  writer_.Key(name).Raw(value.json());
  return *this;
}

EncodedFields FieldsWriter::Take() { return EncodedFields(writer_.EndObject()); }

EncodedFields FieldsOf(const FieldPath& field, const EncodedValue& value) {
  const FieldChange change{field, value.json()};
  return FieldsOf({&change, 1});
}

EncodedFields FieldsOf(std::span<const FieldChange> changes) {
  JsonWriter writer;
  WriteNested(writer, changes, 0);
  return EncodedFields(writer);
}

}  // namespace shardline
