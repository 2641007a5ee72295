#include "rules/code.h"

#include <algorithm>

namespace shardline {
namespace {

std::size_t EndOfString(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

bool IsQuote(char c) { return c == '\'' || c == '"'; }
bool Opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool Closes(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

std::string_view Trimmed(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(start, text.find_last_not_of(' ') + 1 - start);
}

std::size_t EndOfPiece(std::string_view text, std::size_t at) {
  int depth = 0;
  do {
    const char c = text[at];
    if (Opens(c)) ++depth;
    if (Closes(c)) --depth;
    at = IsQuote(c) ? EndOfString(text, at) : at + 1;
  } while (depth > 0 && at < text.size());
  return at;
}

std::vector<std::string_view> SplitCode(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!text.substr(at).starts_with(separator)) {
      at = EndOfPiece(text, at);
      continue;
    }
    parts.push_back(text.substr(start, at - start));
    start = at += separator.size();
  }
  parts.push_back(text.substr(start));
  return parts;
}

std::vector<std::string_view> SplitChoice(std::string_view text) {
  const std::size_t question = SplitCode(text, "?").front().size();
  int open = 0;
  for (std::size_t at = question; at < text.size(); at = EndOfPiece(text, at)) {
    if (text[at] == '?') ++open;
    if (text[at] != ':' || --open > 0) continue;
    return {text.substr(0, question), text.substr(question + 1, at - question - 1),
            text.substr(at + 1)};
  }
  return {text};
}

}  // namespace shardline
