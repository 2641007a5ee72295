// Reads the structure of a firestore.rules file: which block stands where, and what each rule
// allows. A recursive-descent parser that knows braces, brackets, strings and comments. It takes
// conditions as text, because nothing here needs to evaluate them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace shardline {

// A segment of a `match`: an id, {name} for any id, or {name=**} for any number of ids.
struct RulesSegment {
  enum class Kind { kId, kAnyId, kRest };
  Kind kind;
  std::string text;  // The id, or the name.
};
using RulesPath = std::vector<RulesSegment>;

// "posts/{post}", also without braces around a segment.
RulesPath ParseRulesPath(std::string_view path);
std::string FormatRulesPath(const RulesPath& path);

struct RulesAllow {
  std::size_t start;
  std::vector<std::string> methods;
  // Without comments. Empty if there is none, which allows everything.
  std::string condition;
};

struct RulesFunction {
  std::string name;
  std::vector<std::string> parameters;
  std::string body;  // Without comments.
};

// A `match`; or a service, which has no path.
struct RulesBlock {
  std::size_t start = 0;
  // The braces.
  std::size_t open = 0;
  std::size_t close = 0;
  RulesPath path;
  std::vector<RulesAllow> allows;
  std::vector<RulesFunction> functions;
  std::vector<RulesBlock> blocks;
};

struct RulesFile {
  // `rules_version = '2'`: where the version's text with its quotes stands.
  struct Version {
    std::size_t start;
    std::size_t end;
    std::string text;
  };
  std::optional<Version> version;
  // The service cloud.firestore, if there is one.
  std::optional<RulesBlock> firestore;
  // Whether there is anything but spaces and comments.
  bool is_empty = true;
  // The functions outside of all services.
  std::vector<RulesFunction> functions;
};

// Fails with kRulesFileUnreadable, and names the line, if blocks, strings or comments do not close,
// or if something other than a statement stands where one must. Conditions are not checked.
Result<RulesFile> ParseRulesFile(std::string_view text);

// The failure kRulesFileUnreadable about a place in the text.
Failure UnreadableRules(std::string_view text, std::size_t offset, std::string_view problem);

// From 1.
std::size_t LineOf(std::string_view text, std::size_t offset);

}  // namespace shardline
