#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardline {

// JSON in the syntax of Firebase's tools, with comments and trailing commas. The members keep their
// order.
struct IndexText {
  nlohmann::ordered_json root;
  // Comments are not in `root`: a text written from it has no comments.
  bool has_comments = false;
};

// kInvalidArgument names the line and the column of the fault, both from 1. It refuses a member
// that an object has twice, and more than 50 levels of nesting, which no index file has.
Result<IndexText> ParseIndexText(std::string_view text);

// Writes the JSON with the indentation of `like`, or with two spaces.
std::string WriteIndexText(const nlohmann::ordered_json& root, std::string_view like);

}  // namespace shardline
