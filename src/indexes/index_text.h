#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardline {

// A JSON text as Firebase's tools take it: with comments and trailing commas. The members keep
// their order.
struct IndexText {
  nlohmann::ordered_json root;
  // Comments are not in `root`: who writes it out loses them.
  bool has_comments = false;
};

// kInvalidArgument names line and column of what is wrong, both from 1. A member that stands twice
// in an object is refused, and so is what is nested deeper than 50 levels: nothing in an index file
// is.
Result<IndexText> ParseIndexText(std::string_view text);

// Writes it with the indentation that `like` has, or with two spaces.
std::string WriteIndexText(const nlohmann::ordered_json& root, std::string_view like);

}  // namespace shardline
