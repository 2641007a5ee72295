// Says what the rules of counters or stocks change in the rules that an app has, and which rules of
// the app let others change a counter or a stock. Rules are never evaluated: condition.h says which
// parts of a condition matter.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules_file.h"

namespace shardline {

struct RulesFinding {
  // "version": the file's version was not 2.
  // "readable": everybody can read the documents at `path`, which no other rule allows.
  // "shard-count": a rule lets others change how many shards a counter has.
  // "counts": a rule lets others write documents that counters or stocks consist of.
  // "earlier": there are other rules of counters.
  const char* kind;
  // The rule's line in the text, from 1.
  std::size_t line;
  std::string path;
  // "everybody", "users", or "some": whom the condition admits. Empty where no rule of the app is
  // meant.
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
