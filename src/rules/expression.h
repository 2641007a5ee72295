#pragma once

#include <string_view>

#include "base/result.h"

namespace shardline {

// A recursive-descent parser: checks that `text` is one expression of the language of security
// rules (https://firebase.google.com/docs/rules/rules-language), such as "request.auth != null", so
// that rules with the text in parentheses compile.
//
// Refuses text that does not parse, comments, and more than 50 operators and levels of brackets
// together, because rules that are too complex do not compile. `what` names the text in messages.
//
// Checks neither types nor names: an unknown function, or a text in place of a boolean, passes.
// Google's tools warn of these, and such an expression then grants nothing.
Status CheckExpression(std::string_view text, std::string_view what);

}  // namespace shardline
