// Reads the condition of a rule for the words that matter to counters. Nothing evaluates it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shardline {

std::string_view Trimmed(std::string_view text);
bool Has(std::string_view text, std::string_view word);

// The parts of a condition of which each lets users pass by itself: what `||` joins. Without parts
// that are `false`.
std::vector<std::string> AlternativesOf(std::string_view condition);

// Whether `&& more` behind the condition would belong to its last part only.
bool BindsLooserThanAnd(std::string_view condition);

// Whether the text of a condition minds the field: it bounds the changed fields to others, or names
// this one otherwise than to ask that it be there, or of which type it is.
bool Guards(std::string text, const std::string& field);

// The order: from those whom a condition admits to everybody.
enum class Who { kSome, kUsers, kEverybody };

Who WhoOf(std::string text);
Who WidestOf(const std::vector<std::string>& alternatives);

}  // namespace shardline
