#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"

namespace shardline {

// Writes an object of values in Firestore's JSON form from typed ones, name by name. No name may
// come twice.
class FieldsWriter {
 public:
  FieldsWriter() { writer_.BeginObject(); }

  FieldsWriter& Number(std::string_view name, const Amount& value);
  FieldsWriter& Text(std::string_view name, std::string_view text);
  FieldsWriter& Texts(std::string_view name, const std::vector<std::string>& texts);
  // `time` is RFC 3339, as Timestamp and servers write it.
  FieldsWriter& Time(std::string_view name, std::string_view time);
  // `fields` is an object of values that another writer made.
  FieldsWriter& Map(std::string_view name, std::string_view fields);

  std::string Take() { return writer_.EndObject().Take(); }

 private:
  JsonWriter writer_;
};

// An object of values that holds this field alone, in the maps that it lies in.
std::string FieldsOf(const FieldPath& field, const Amount& value);

}  // namespace shardline
