#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "counter/counter.h"
#include "counter/layout.h"

namespace shardline {

enum class Access : std::uint8_t { kPublic, kSignedIn, kOneVote, kOneLike };

// The options of MakeCounterRules(); counter_rules.h explains them.
struct RulesOptions {
  // "posts/{post}", checked: segments of letters, digits, `_`, `-` and `.`, and wildcards.
  std::string path;
  // Never the extension's layout. The fields' names are words.
  Layout layout;
  std::int64_t shards = kDefaultShards;
  // In the syntax of rules: an integer, or digits with a point.
  std::string max_delta = "1";
  // Whether counts may have a fraction.
  bool fractions = false;
  Access access = Access::kPublic;
  // Whether an increment may make the shard that it goes to, in a layout without a document that
  // has the number of shards.
  bool makes_shards = true;
  // Whether clients cannot read the document with the number of shards.
  bool is_parent_private = false;
  // An expression, or nullopt for no user.
  std::optional<std::string> admin;
  // For ratings and reactions: the fields of a shard, which are words. Empty for counters.
  std::vector<std::string> choices;
  // The same for counters with fields.
  std::vector<std::string> fields;

  // The name of these rules among those of the file.
  std::string part() const {
    const bool is_counter = choices.empty() && fields.empty();
    return is_counter ? path : path + '/' + layout.shard_collection.value_or("fields");
  }
};

// Reads and checks them. kInvalidArgument names the option.
Result<RulesOptions> ReadRulesOptions(const nlohmann::json& members);

// Reads `ratings` or `reactions` into the names of the shards' fields.
Status ReadChoices(const std::string& key, const nlohmann::json& value,
                   std::vector<std::string>& choices);

// Reads `fields`, the names of a counter's fields.
Status ReadFields(const nlohmann::json& value, std::vector<std::string>& fields);

// Reads a counter's layout, and checks that rules and indexes can be written for it.
Status ReadCheckedLayout(const nlohmann::json& value, Layout& layout);

// Whether the text of the rules uses this name for a variable or function. A wildcard in the path
// cannot have such a name.
bool IsNameInRules(std::string_view name);

// Whether a word of the expression is the name of one of the path's wildcards.
bool MentionsWildcard(std::string_view expression, const std::string& path);

}  // namespace shardline
