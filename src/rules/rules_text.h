// The text of security rules, put together from templates.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace shardline
