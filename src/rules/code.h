// A bracket-aware splitter: cuts the code of rules at its operators. Brackets and strings stay
// whole.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace shardline {

std::string_view Trimmed(std::string_view text);

// The end of the bracket or string that begins at `at`; `at + 1` if another character is there.
std::size_t EndOfPiece(std::string_view text, std::size_t at);

// The parts between the separators that are outside of all brackets and strings. At least one.
std::vector<std::string_view> SplitCode(std::string_view text, std::string_view separator);

// The three parts of `a ? b : c`; for any other text a single part.
std::vector<std::string_view> SplitChoice(std::string_view text);

}  // namespace shardline
