// A template engine for the text of security rules.
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

// The text with each @name@ replaced by its value, in one pass: a value that a user wrote is not
// searched for names. A line with only an empty value is left out.
std::string Fill(std::string_view text, const std::vector<RulesPart>& parts);
// A path with names in braces in the syntax of expressions: {post} is $(post).
std::string InExpression(std::string_view path, std::string_view database);
std::string Indented(std::string_view text, std::string_view by);
// A whole firestore.rules with these blocks.
std::string WholeRules(std::string_view blocks);

// The paths of a counter's documents, relative to the counter's own `match`, and in expressions.
struct RulesPlaces {
  std::string shards;
  std::string own;
  std::string shard_path;
  std::string parent_path;
};
// `database` is the segment behind /databases in expressions.
RulesPlaces PlacesOf(const RulesOptions& options, std::string_view database);

}  // namespace shardline
