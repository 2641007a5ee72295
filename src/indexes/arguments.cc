#include "indexes/arguments.h"

#include <utility>

#include "base/reason.h"
#include "firestore/resource_name.h"

namespace shardline {

using nlohmann::json;

Result<TextAndOptions> ReadTextAndOptions(const PaddedText& arguments) {
  json parsed = json::parse(arguments.view(), nullptr, false);
  if (!parsed.is_array() || parsed.empty() || !parsed[0].is_string()) {
    return MustBe("The first argument", "a text: the content of the index file");
  }
  TextAndOptions result{parsed[0].get<std::string>(), json::object()};
  if (parsed.size() > 1 && !parsed[1].is_null()) result.options = std::move(parsed[1]);
  if (!result.options.is_object()) return MustBe("The options", "an object");
  return result;
}

Result<std::string> ReadCollectionId(std::string_view path, const std::string& name) {
  std::string id(path.substr(path.rfind('/') + 1));
  if (const Status status = CheckId(id, name.c_str()); !status) {
    return Fail(status.error());
  }
  return id;
}

Result<FieldPath> ReadFieldPath(const json& value, const std::string& name) {
  if (!value.is_string()) return MustBe(name, "a field's path");
  Result<FieldPath> path = FieldPath::Parse(value.get_ref<const std::string&>());
  if (path && !path->IsDocumentName()) return path;
  return Fail(kArgumentNotAllowed, "")
         << Param{"argument", name} << " must be " << Param{"allowed", "a field's path"}
         << (path ? "." : ": " + path.error().message);
}

Result<std::vector<FieldPath>> ReadFieldList(const json& value, const std::string& name) {
  if (!value.is_array()) return MustBe(name, "a list of fields' paths");
  std::vector<FieldPath> fields;
  for (const json& each : value) {
    SHARDLINE_TRY(FieldPath && field, ReadFieldPath(each, "Each entry of " + name));
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace shardline
