// Numbers as JSON writes them. Exact both ways.
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

// A number in JSON's grammar, rounded to the nearest double (ties to even). Too large gives
// infinity, too small zero. nullopt if it is not such a number, or of more than 2,000 characters.
std::optional<double> ParseDouble(std::string_view text);

// Enough for every int64.
using Int64Buffer = std::array<char, 20>;
// The digits, as a part of `buffer`.
std::string_view FormatInt64(std::int64_t value, Int64Buffer& buffer);
void AppendInt64(std::string& out, std::int64_t value);

// Appends a finite value with no more digits than it takes to read back the same double, of 15, 16
// or 17: "0.1", "-0", "1e+300".
void AppendDouble(std::string& out, double value);

}  // namespace shardline
