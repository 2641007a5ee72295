// Function inlining: puts the functions of a rules file in place of their calls, so that a
// condition becomes one expression.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "rules/rules_file.h"

namespace shardline {

// Finds a function by its name; nullptr if there is none of this name.
using FindFunction = std::function<const RulesFunction*(std::string_view name)>;

// The condition with each call replaced by the function's expression, each parameter by its
// argument, and each variable by its value. A call stays as it is if the function calls itself, or
// if the text would grow beyond 100,000 characters.
std::string InlineFunctions(std::string_view condition, const FindFunction& find);

}  // namespace shardline
