// Arguments that several calls of JavaScript share. Nothing here keeps or copies what it is given.
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

// Reads [text, options], where null stands for no options.
Result<TextAndOptions> ReadTextAndOptions(const PaddedText& arguments);

// The id of a collection, or the last id of a collection's path: indexes know no more. `name` is
// what errors call it.
Result<std::string> ReadCollectionId(std::string_view path, const std::string& name);

Result<FieldPath> ReadFieldPath(const nlohmann::json& value, const std::string& name);

// Reads ["a", "b.c"].
Result<std::vector<FieldPath>> ReadFieldList(const nlohmann::json& value, const std::string& name);

}  // namespace shardline
