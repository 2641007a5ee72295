#pragma once

#include <string>
#include <string_view>

#include "rules/rules_options.h"

namespace shardline {

// Writes the rules of sets of choices (ratings and reactions), like WriteCounterBlocks() for
// counters. A user writes only the user's own member document. Its choice is one of those in the
// options, and the same commit changes one shard by exactly the difference. Requires choices in the
// options.
std::string WriteChoiceBlocks(const RulesOptions& options, std::string_view database);

}  // namespace shardline
