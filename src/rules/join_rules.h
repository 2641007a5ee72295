#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Joins the rules of counters into a firestore.rules file that an app has. Takes JSON,
// [text, options], with the options of MakeCounterRules(). Returns
// {text, findings: [{kind, line, path, who, why, todo}]}, where lines are those of the new text:
// see RulesFinding.
//
// Everything else in the file stays as it is, with its indentation and its ends of lines. Rules
// that an earlier call has written for the same path are replaced. A file with nothing in it
// becomes that of MakeCounterRules(). A file of version 1 becomes one of version 2, without which
// the rules do not compile.
Result<std::string> JoinCounterRules(const PaddedText& arguments);

// The same for the rules of stocks, with the options of MakeStockRules().
Result<std::string> JoinStockRules(const PaddedText& arguments);

}  // namespace shardline
