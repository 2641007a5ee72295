#include "rules/condition.h"

#include <algorithm>
#include <cstddef>

#include "rules/words.h"

namespace shardline {
namespace {

// For each character of a condition, the number of brackets and strings around it. Brackets and
// quotes belong to what they enclose.
std::vector<int> DepthsOf(std::string_view text) {
  std::vector<int> depths;
  int depth = 0;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote == 0) {
      if (Has("([{'\"", std::string_view{&c, 1})) ++depth;
      if (c == '\'' || c == '"') quote = c;
      depths.push_back(depth);
      if (Has(")]}", std::string_view{&c, 1})) --depth;
    } else {
      depths.push_back(depth);
      if (c == '\\' && ++at < text.size()) depths.push_back(depth);
      if (c != quote) continue;
      quote = 0;
      --depth;
    }
  }
  return depths;
}

// The parts of a condition between the operators `separator` outside of all brackets.
std::vector<std::string_view> Split(std::string_view text, std::string_view separator) {
  const std::vector<int> depths = DepthsOf(text);
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  for (std::size_t at = 0; (at = text.find(separator, at)) != std::string_view::npos; ++at) {
    if (depths[at] != 0) continue;
    parts.push_back(text.substr(start, at - start));
    start = at + separator.size();
  }
  parts.push_back(text.substr(start));
  return parts;
}

// The parts of a condition of which each lets users pass by itself.
void AddAlternatives(std::string_view text, std::vector<std::string>& alternatives) {
  text = Trimmed(text);
  const std::vector<std::string_view> parts = Split(text, "||");
  const std::vector<int> depths = DepthsOf(text);
  if (parts.size() > 1) {
    for (const std::string_view part : parts) AddAlternatives(part, alternatives);
  } else if (text.starts_with('(') && std::find(depths.begin(), depths.end(), 0) == depths.end()) {
    AddAlternatives(text.substr(1, text.size() - 2), alternatives);
  } else if (text != "false") {
    alternatives.emplace_back(text);
  }
}

// The list in the parentheses of a call that begin at `open`.
std::string_view ArgumentsAt(std::string_view text, std::size_t open) {
  return text.substr(open, text.find(')', open) - open);
}

}  // namespace

std::string_view Trimmed(std::string_view text) {
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(start, text.find_last_not_of(' ') + 1 - start);
}

bool Has(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

std::vector<std::string> AlternativesOf(std::string_view condition) {
  std::vector<std::string> alternatives;
  AddAlternatives(condition, alternatives);
  return alternatives;
}

bool BindsLooserThanAnd(std::string_view condition) {
  return Split(condition, "||").size() > 1 || Split(condition, "?").size() > 1;
}

bool Guards(std::string text, const std::string& field) {
  const std::string quoted[] = {'\'' + field + '\'', '"' + field + '"'};
  const auto names = [&](std::string_view part) {
    return Has(part, quoted[0]) || Has(part, quoted[1]);
  };
  for (const std::string_view call : {".hasOnly(", ".hasAll("}) {
    for (std::size_t at = 0; (at = text.find(call, at)) != std::string::npos; ++at) {
      const std::size_t open = at + call.size() - 1;
      const std::string_view list = ArgumentsAt(text, open);
      // The receiver of keys.hasOnly() may be a variable, that of data.tags.hasOnly() is a field.
      const std::size_t from = text.find_last_of(" (!&|=", at == 0 ? 0 : at - 1) + 1;
      const std::string_view receiver = std::string_view{text}.substr(from, at - from);
      const bool is_keys =
          receiver.ends_with("eys()") || !Has(text.substr(from, at - from), ".data.");
      if (call == ".hasOnly(" && is_keys && Has(list, "[") && !names(list)) return true;
      text.replace(open, list.size(), list.size(), ' ');
    }
  }
  if (names(text)) return true;
  const std::string member = "." + field;
  for (std::size_t at = 0; (at = text.find(member, at)) != std::string::npos; ++at) {
    const std::string_view behind = std::string_view{text}.substr(at + member.size());
    if (!behind.starts_with(" is ") && (behind.empty() || !IsWordCharacter(behind.front()))) {
      return true;
    }
  }
  return false;
}

Who WhoOf(std::string text) {
  constexpr std::string_view kSignedIn = "auth.uid != null";
  while (Has(text, kSignedIn)) text.replace(text.find(kSignedIn), kSignedIn.size(), "auth");
  if (Has(text, "auth.uid") || Has(text, "auth.token") || Has(text, "get(/") ||
      Has(text, "exists(/")) {
    return Who::kSome;
  }
  return Has(text, "auth") ? Who::kUsers : Who::kEverybody;
}

Who WidestOf(const std::vector<std::string>& alternatives) {
  Who widest = Who::kSome;
  for (const std::string& each : alternatives) widest = std::max(widest, WhoOf(each));
  return widest;
}

}  // namespace shardline
