#include "firestore/field_path.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxBytes = 1'500;

// Names that need no backticks: [a-zA-Z_][a-zA-Z_0-9]*.
bool IsSimple(std::string_view name) {
  for (const char c : name) {
    if (!IsLetterOrDigit(c) && c != '_') return false;
  }
  return name[0] < '0' || name[0] > '9';
}

Failure BadPath(std::string_view text, const char* why) {
  const bool is_shown = IsUtf8(text) && text.size() <= 200;
  return Fail(kFieldNotAllowed, "The field path ")
         << (is_shown ? "\"" : "") << Param{"field", is_shown ? text : ""}
         << (is_shown ? "\" " : "") << why;
}

// Takes one name in backticks from the front of `rest`, which begins behind the first; false if
// there is no second.
bool TakeQuoted(std::string_view& rest, std::string& name) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '`') {
      rest.remove_prefix(i + 1);
      return true;
    }
    if (rest[i] == '\\' && ++i == rest.size()) return false;
    name += rest[i];
  }
  return false;
}

}  // namespace

Status CheckFieldName(std::string_view name) {
  if (name.empty()) {
    return Fail(kFieldNotAllowed, "A field name is empty: give it a name.").With("field", "");
  }
  if (!IsUtf8(name)) {
    return Fail(kFieldNotAllowed, "A field name is not valid UTF-8.").With("field", "");
  }
  if (name.size() > kMaxBytes) {
    return Fail(kFieldNotAllowed, "A field name is longer than 1,500 bytes of UTF-8.")
        .With("field", name);
  }
  if (name.size() >= 4 && name.substr(0, 2) == "__" && name.substr(name.size() - 2) == "__") {
    return Fail(kFieldNotAllowed, "The field name \"")
           << Param{"field", name}
           << "\" is reserved by Firestore: names must not begin and end with two underscores.";
  }
  return {};
}

FieldPath::FieldPath(std::vector<std::string> segments) : segments_(std::move(segments)) {
  for (const std::string& segment : segments_) {
    if (!text_.empty()) text_ += '.';
    if (IsSimple(segment)) {
      text_ += segment;
      continue;
    }
    text_ += '`';
    for (const char c : segment) {
      if (c == '`' || c == '\\') text_ += '\\';
      text_ += c;
    }
    text_ += '`';
  }
}

FieldPath FieldPath::DocumentName() { return FieldPath({"__name__"}); }

Result<FieldPath> FieldPath::Parse(std::string_view text) {
  if (text == "__name__") return DocumentName();
  if (text.size() > kMaxBytes) return BadPath(text, "is longer than 1,500 bytes of UTF-8.");
  std::vector<std::string> segments;
  std::string_view rest = text;
  for (;;) {
    std::string name;
    if (!rest.empty() && rest[0] == '`') {
      rest.remove_prefix(1);
      if (!TakeQuoted(rest, name)) return BadPath(text, "lacks a closing backtick.");
    } else {
      const std::size_t dot = rest.find('.');
      name = std::string(rest.substr(0, dot));
      rest.remove_prefix(name.size());
    }
    if (name.empty()) {
      return BadPath(text,
                     "has an empty name: separate names by single dots, as in "
                     "price.currency.");
    }
    SHARDLINE_CHECK(CheckFieldName(name));
    segments.push_back(std::move(name));
    if (rest.empty()) break;
    if (rest[0] != '.') return BadPath(text, "has something behind a closing backtick.");
    rest.remove_prefix(1);
  }
  return FieldPath(std::move(segments));
}

bool FieldPath::IsPrefixOf(const FieldPath& other) const {
  return segments_.size() <= other.segments_.size() &&
         std::equal(segments_.begin(), segments_.end(), other.segments_.begin());
}

FieldPath FieldPath::Prefix(std::size_t length) const {
  assert(length >= 1 && length <= segments_.size());
  const auto end = segments_.begin() + static_cast<std::ptrdiff_t>(length);
  return FieldPath(std::vector<std::string>(segments_.begin(), end));
}

}  // namespace shardline
