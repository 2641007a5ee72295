#include "indexes/index_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMaxDepth = 50;

std::string Place(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n') + 1;  // 0 if there is none.
  const auto column = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(start),
                                    before.end(), [](char c) { return (c & 0xC0) != 0x80; }) +
                      1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

// The offset behind the string that begins at `at`.
std::size_t SkipString(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// The offset behind the comment that begins at `at`; `at` if none does, or if it has no end.
std::size_t SkipComment(std::string_view text, std::size_t at) {
  const std::string_view start = text.substr(at, 2);
  if (start == "//") return std::min(text.find('\n', at), text.size());
  if (start != "/*") return at;
  const std::size_t end = text.find("*/", at + 2);
  return end == std::string_view::npos ? at : end + 2;
}

// Puts spaces in place of comments and trailing commas, so that everything else stays where it is.
std::string Blank(std::string_view text, bool& has_comments) {
  std::string plain(text);
  std::size_t comma = std::string::npos;  // One that may turn out to be the last.
  char before = '\0';                     // The last character other than white space.
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (const std::size_t end = SkipComment(text, at); end != at) {
      has_comments = true;
      for (; at < end; ++at) {
        if (text[at] != '\n') plain[at] = ' ';
      }
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
      continue;
    }
    if ((c == '}' || c == ']') && comma != std::string::npos) plain[comma] = ' ';
    const bool ends_value =
        before != '\0' && std::string_view("[{,:").find(before) == std::string_view::npos;
    comma = c == ',' && ends_value ? at : std::string::npos;
    before = c;
    at = c == '"' ? SkipString(text, at) : at + 1;
  }
  return plain;
}

// Finds the fault of a text, without keeping any of it.
class Checker {
 public:
  bool null() { return true; }
  bool boolean(bool) { return true; }
  bool number_integer(std::int64_t) { return true; }
  bool number_unsigned(std::uint64_t) { return true; }
  bool number_float(double, const std::string&) { return true; }
  bool string(const std::string&) { return true; }
  bool binary(const ordered_json::binary_t&) { return true; }
  bool start_object(std::size_t) { return Enter(); }
  bool end_object() { return Leave(); }
  bool start_array(std::size_t) { return Enter(); }
  bool end_array() { return Leave(); }
  bool key(const std::string& name) {
    if (names_.back().insert(name).second) return true;
    problem = "the member \"" + name.substr(0, 100) + "\" stands twice in one object";
    return false;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    offset = position > 0 ? position - 1 : 0;
    return false;
  }

  // Empty for JSON that is malformed at `offset`.
  std::string problem;
  std::size_t offset = 0;

 private:
  bool Enter() {
    names_.emplace_back();
    if (names_.size() <= kMaxDepth) return true;
    problem = "lists and objects are nested too deeply";
    return false;
  }
  bool Leave() {
    names_.pop_back();
    return true;
  }

  std::vector<std::set<std::string>> names_;
};

Failure NotJson(std::string_view text, std::size_t offset) {
  Failure failure = Fail(kIndexFileUnreadable, "The index file is not JSON at ")
                    << Param{"where", Place(text, offset)};
  if (offset >= text.size()) return std::move(failure) << ": it ends too early.";
  const char c = text[offset];
  if (c <= ' ' || c > '~') return std::move(failure) << ".";
  return std::move(failure) << ": unexpected `" << std::string(1, c) << "`.";
}

}  // namespace

Result<IndexText> ParseIndexText(std::string_view text) {
  if (WasUtf16(text)) {
    return Fail(kIndexFileUnreadable,
                "The index file is UTF-16, as PowerShell writes it with `>`. "
                "Save it as UTF-8.")
        .With("where", "");
  }
  IndexText parsed;
  const std::string plain = Blank(text, parsed.has_comments);
  Checker checker;
  if (!ordered_json::sax_parse(plain, &checker)) {
    if (checker.problem.empty()) return NotJson(text, checker.offset);
    return Fail(kIndexFileUnreadable, "In the index file, ").With("where", "")
           << checker.problem << ".";
  }
  parsed.root = ordered_json::parse(plain, nullptr, false);
  return parsed;
}

std::string WriteIndexText(const ordered_json& root, std::string_view like) {
  constexpr std::size_t kUsual = 2;
  constexpr std::size_t kMost = 8;
  const std::size_t line = like.find('\n');
  std::string_view indent = line == std::string_view::npos ? "" : like.substr(line + 1);
  const char unit = indent.substr(0, 1) == "\t" ? '\t' : ' ';
  indent = indent.substr(0, std::min(indent.find_first_not_of(unit), indent.size()));
  const std::size_t width = indent.empty() || indent.size() > kMost ? kUsual : indent.size();
  return root.dump(static_cast<int>(width), unit) + '\n';
}

}  // namespace shardline
