// Reads and writes JSON numbers. Both directions are exact.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace shardline {

constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A decimal integer with an optional minus sign, as in `integerValue`. nullopt if it is anything
// else or outside int64.
std::optional<std::int64_t> ParseInt64(std::string_view text);

// A number in JSON's grammar, rounded to the nearest double (ties to even). A number that is too
// large becomes infinity, and one that is too small becomes zero. nullopt for any other text, and
// for more than 2,000 characters.
std::optional<double> ParseDouble(std::string_view text);

// Enough for every int64.
using Int64Buffer = std::array<char, 20>;
// Returns the digits, a part of `buffer`.
std::string_view FormatInt64(std::int64_t value, Int64Buffer& buffer);
void AppendInt64(std::string& out, std::int64_t value);

// Appends a finite value with the fewest digits of 15, 16 or 17 that read back as the same double:
// "0.1", "-0", "1e+300".
void AppendDouble(std::string& out, double value);

}  // namespace shardline
