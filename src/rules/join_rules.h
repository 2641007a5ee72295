#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// An idempotent merge: joins the rules of counters into an app's firestore.rules file. Takes JSON,
// [text, options], with the options of MakeCounterRules(). Returns {text, findings: [{kind, line,
// path, who, why, todo}]} with the lines of the new text: see RulesFinding.
//
// Everything else in the file stays as it is, with its indentation and its line endings. The new
// rules replace rules of an earlier call for the same path. An empty file becomes the text of
// MakeCounterRules(). A file of version 1 becomes one of version 2, which the rules need to
// compile.
Result<std::string> JoinCounterRules(const PaddedText& arguments);

// The same for the rules of stocks, with the options of MakeStockRules().
Result<std::string> JoinStockRules(const PaddedText& arguments);

}  // namespace shardline
