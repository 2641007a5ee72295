#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "firestore/amount.h"
#include "firestore/encoded_value.h"
#include "firestore/field_path.h"

namespace shardline {

// Encodes an object of values from typed ones, name by name. No name may come twice.
class FieldsWriter {
 public:
  FieldsWriter() { writer_.BeginObject(); }

  FieldsWriter& Boolean(std::string_view name, bool value);
  FieldsWriter& Number(std::string_view name, const Amount& value);
  FieldsWriter& Text(std::string_view name, std::string_view text);
  FieldsWriter& Texts(std::string_view name, const std::vector<std::string>& texts);
  // `time` is RFC 3339, in the spelling of Timestamp or of servers.
  FieldsWriter& Time(std::string_view name, std::string_view time);
  FieldsWriter& Map(std::string_view name, const EncodedFields& fields);
  FieldsWriter& Value(std::string_view name, const EncodedValue& value);

  EncodedFields Take();

 private:
  JsonWriter writer_;
};

// An object of values that holds this field alone, inside its maps.
EncodedFields FieldsOf(const FieldPath& field, const EncodedValue& value);

// The change of a field.
struct FieldChange {
  FieldPath field;
  std::string_view value;  // On the wire; empty if the field is removed.
};

// The values of all changes, each inside its field's maps. A removed field leaves no trace, not
// even its maps. Requires values that pass CheckValue(), and changes that are sorted by field, with
// no field inside another.
EncodedFields FieldsOf(std::span<const FieldChange> changes);

}  // namespace shardline
