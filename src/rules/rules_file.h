// A recursive-descent parser of firestore.rules files: it reads the places of blocks, and the
// methods and condition of each rule. It knows braces, brackets, strings and comments. It keeps
// conditions as text, because nothing here evaluates them.
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

// Parses "posts/{post}", also without braces around a segment.
RulesPath ParseRulesPath(std::string_view path);
std::string FormatRulesPath(const RulesPath& path);

struct RulesAllow {
  std::size_t start;
  std::vector<std::string> methods;
  // The condition without comments. Empty if there is no condition, which allows everything.
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
  // `rules_version = '2'`: the place of the version's text with its quotes.
  struct Version {
    std::size_t start;
    std::size_t end;
    std::string text;
  };
  std::optional<Version> version;
  // The service cloud.firestore, if there is one.
  std::optional<RulesBlock> firestore;
  // True if the file has only spaces and comments.
  bool is_empty = true;
  // The functions outside of all services.
  std::vector<RulesFunction> functions;
};

// Fails with kRulesFileUnreadable, and names the line, if blocks, strings or comments do not close,
// or if a block has anything other than statements. It does not check conditions.
Result<RulesFile> ParseRulesFile(std::string_view text);

// The failure kRulesFileUnreadable about a place in the text.
Failure UnreadableRules(std::string_view text, std::size_t offset, std::string_view problem);

// From 1.
std::size_t LineOf(std::string_view text, std::size_t offset);

}  // namespace shardline
