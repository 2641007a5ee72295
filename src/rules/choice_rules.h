#pragma once

#include <string>
#include <string_view>

#include "rules/rules_options.h"

namespace shardline {

// The rules of sets of choices (ratings and reactions), as WriteCounterBlocks() writes those of
// counters. A user writes only the own member document. Its choice is one of those offered, and one
// shard moves by just the difference, in the same commit. Requires choices in the options.
std::string WriteChoiceBlocks(const RulesOptions& options, std::string_view database);

}  // namespace shardline
