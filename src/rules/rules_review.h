// Static analysis of an app's rules: the effect of the rules of counters or stocks on them, and the
// rules of the app that let others change a counter or a stock. It never evaluates rules:
// condition.h names the parts of a condition that matter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules_file.h"

namespace shardline {

struct RulesFinding {
  // "version": the file's version was not 2. "readable": everybody can read the documents at
  // `path`, which no other rule allows. "shard-count": a rule lets others change a counter's number
  // of shards. "counts": a rule lets others write the documents of a counter or a stock. "earlier":
  // there are other rules of counters.
  const char* kind;
  // The rule's line in the text, from 1.
  std::size_t line;
  std::string path;
  // "everybody", "users", or "some": the users that the condition admits. Empty if the finding is
  // not about a rule of the app.
  const char* who;
  std::string why;
  std::string todo;
};

// Rules of counters or stocks in a file.
struct RulesOfPath {
  // Their name among the parts of the file: see BeginOfRules().
  std::string part;
  std::string path;  // "posts/{post}".
  // The field of the document at `path` that says how many shards there are, if it has one.
  std::optional<std::string> shard_count = {};
  bool are_of_stocks = false;
};

// `text` holds these rules. `file` is the same text, parsed.
std::vector<RulesFinding> ReviewRules(std::string_view text, const RulesFile& file,
                                      const RulesOfPath& rules);

}  // namespace shardline
