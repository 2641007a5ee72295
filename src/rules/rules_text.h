// The text of security rules, put together from templates.
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
// A path with names in braces, as expressions have it: {post} is $(post).
std::string InExpression(std::string_view path, std::string_view database);
std::string Indented(std::string_view text, std::string_view by);
// A whole firestore.rules with these blocks.
std::string WholeRules(std::string_view blocks);

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
