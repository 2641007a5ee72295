// The words of the language of security rules.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace shardline {

inline bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

inline bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// True for a character that a segment of a path may have without quotes.
inline bool IsPathCharacter(char c) { return IsWordCharacter(c) || c == '-' || c == '.'; }

// True for words that cannot be a variable's name.
inline bool IsKeyword(std::string_view word) {
  constexpr std::string_view kKeywords[] = {
      "allow",         "break",    "continue", "default", "else",    "false",
      "for",           "function", "if",       "import",  "in",      "is",
      "let",           "match",    "not",      "null",    "package", "return",
      "rules_version", "service",  "true",     "var",     "while"};
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) != std::end(kKeywords);
}

// True for names that must be before a dot.
inline bool IsPackage(std::string_view word) {
  constexpr std::string_view kPackages[] = {"duration", "hashing", "latlng", "math", "timestamp"};
  return std::find(std::begin(kPackages), std::end(kPackages), word) != std::end(kPackages);
}

}  // namespace shardline
