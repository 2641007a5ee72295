// Arguments that several calls of JavaScript share. The results are views: the functions keep and
// copy nothing.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/field_path.h"

namespace shardline {

struct TextAndOptions {
  std::string text;
  nlohmann::json options;  // An object.
};

// Reads [text, options]. Null means no options.
Result<TextAndOptions> ReadTextAndOptions(const PaddedText& arguments);

// The id of a collection, or the last id of a collection's path, because index files have ids
// alone. `name` is the argument's name in errors.
Result<std::string> ReadCollectionId(std::string_view path, const std::string& name);

Result<FieldPath> ReadFieldPath(const nlohmann::json& value, const std::string& name);

// Reads ["a", "b.c"].
Result<std::vector<FieldPath>> ReadFieldList(const nlohmann::json& value, const std::string& name);

}  // namespace shardline
