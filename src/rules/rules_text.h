// Texts of rules, put together from templates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/rules_options.h"

namespace shardline {

struct RulesPart {
  std::string_view name;
  std::string value;
};

// The text with each @name@ replaced. A value is taken as it is: users write some of them. A line
// that is nothing but a value that is empty is left out.
std::string Fill(std::string_view text, const std::vector<RulesPart>& parts);

std::string Indented(std::string_view text, std::string_view by);

// Where things are, as a `match` inside the counter's own has them, and in expressions.
struct RulesPlaces {
  std::string shards;
  std::string own;
  std::string shard_path;
  std::string parent_path;
};
// `database` is the segment behind /databases in expressions.
RulesPlaces PlacesOf(const RulesOptions& options, std::string_view database);

}  // namespace shardline
