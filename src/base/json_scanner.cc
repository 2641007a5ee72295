#include "base/json_scanner.h"

#include <bit>

#include "base/lanes.h"
#include "base/number.h"
#include "base/utf8.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxNumberSize = 1'000;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The value of a hexadecimal digit, or -1.
int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::uint32_t FourHexDigits(const char* digits) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 4 | static_cast<std::uint32_t>(HexValue(digits[i]));
  return value;
}

}  // namespace

char JsonScanner::SkipSpace() {
  // Mostly there is none, or a line break and an indentation.
  if (static_cast<unsigned char>(*at_) > ' ') return *at_;
  for (;; at_ += 16) {
    const std::uint32_t rest = Lanes::NonSpace(at_);
    if (rest == 0) continue;
    at_ += std::countr_zero(rest);
    return *at_;
  }
}

JsonScanner::Kind JsonScanner::Peek() {
  if (!ok()) return Kind::kInvalid;
  const char c = SkipSpace();
  switch (c) {
    case '{':
      return Kind::kObject;
    case '[':
      return Kind::kArray;
    case '"':
      return Kind::kString;
    case 't':
    case 'f':
      return Kind::kBoolean;
    case 'n':
      return Kind::kNull;
    default:
      return c == '-' || IsDigit(c) ? Kind::kNumber : Kind::kInvalid;
  }
}

void JsonScanner::Reject(const char* why) {
  if (!ok()) return;
  why_ = why;
  error_at_ = at_;
}

void JsonScanner::Refuse(const char* why) {
  // Whatever seems wrong at the very end is wrong because the text ends there.
  Reject(at_ >= end_ ? "it ends too early" : why);
}

Failure JsonScanner::failure(const char* what) const {
  Int64Buffer position;
  return InvalidArgument("Cannot read ")
         << what << ": " << why_ << " at byte " << FormatInt64(error_at_ - begin_, position) << ".";
}

void JsonScanner::RequireUtf8() {
  const std::string_view text(begin_, static_cast<std::size_t>(end_ - begin_));
  if (text.substr(0, 3) == "\xEF\xBB\xBF") Reject("it begins with a byte order mark");
  if (!IsUtf8(text)) Reject("it is not UTF-8");
}

bool JsonScanner::Finish() {
  if (ok()) {
    SkipSpace();
    if (at_ < end_) Refuse("something follows the JSON");
  }
  return ok();
}

bool JsonScanner::BeginObject() {
  if (Peek() != Kind::kObject) {
    Refuse("an object was expected");
    return false;
  }
  ++at_;
  fresh_ = true;
  return true;
}

bool JsonScanner::BeginArray() {
  if (Peek() != Kind::kArray) {
    Refuse("an array was expected");
    return false;
  }
  ++at_;
  fresh_ = true;
  return true;
}

// Consumes the comma between two members, or the closing bracket; true if a member follows.
bool JsonScanner::Separator(char close) {
  if (!ok()) return false;
  const char c = SkipSpace();
  if (c == close) {
    ++at_;
    fresh_ = false;
    return false;
  }
  if (!fresh_) {
    if (c != ',') {
      Refuse("a comma was expected");
      return false;
    }
    ++at_;
  }
  fresh_ = false;
  return true;
}

bool JsonScanner::NextKey(std::string_view& raw_key) {
  if (!Separator('}')) return false;
  raw_key = RawString();
  if (!ok()) return false;
  if (SkipSpace() != ':') {
    Refuse("a colon was expected");
    return false;
  }
  ++at_;
  return true;
}

bool JsonScanner::NextElement() { return Separator(']'); }

// Checks one escape; `at_` is at its backslash and ends behind it.
bool JsonScanner::SkipEscape() {
  has_escapes_ = true;
  ++at_;
  switch (*at_) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      ++at_;
      return true;
    case 'u':
      ++at_;
      for (int i = 0; i < 4; ++i, ++at_) {
        if (HexValue(*at_) < 0) {
          Refuse("a string has a malformed escape");
          return false;
        }
      }
      return true;
    default:
      Refuse("a string has a malformed escape");
      return false;
  }
}

// `at_` is behind the opening quote and ends behind the closing one.
bool JsonScanner::SkipString() {
  has_escapes_ = false;
  for (;;) {
    const std::uint32_t stops = Lanes::StringStops(at_);
    if (stops == 0) {
      at_ += 16;
      continue;
    }
    at_ += std::countr_zero(stops);
    if (*at_ == '"') {
      ++at_;
      return true;
    }
    if (*at_ != '\\') {
      Refuse("a string holds a control character");
      return false;
    }
    if (!SkipEscape()) return false;
  }
}

std::string_view JsonScanner::RawString() {
  if (Peek() != Kind::kString) {
    Refuse("a string was expected");
    return {};
  }
  const char* start = ++at_;
  if (!SkipString()) return {};
  fresh_ = false;
  return {start, static_cast<std::size_t>(at_ - start - 1)};
}

std::string JsonScanner::String() {
  std::string text;
  const std::string_view raw = RawString();
  if (ok() && !AppendUnescaped(text, raw)) Reject("a string is not valid Unicode");
  return text;
}

std::string_view JsonScanner::RawNumber() {
  if (Peek() != Kind::kNumber) {
    Refuse("a number was expected");
    return {};
  }
  const char* start = at_;
  const auto digits = [&] {
    const char* first = at_;
    while (IsDigit(*at_)) ++at_;
    if (at_ == first) Refuse("a number is malformed");
  };
  if (*at_ == '-') ++at_;
  if (*at_ == '0') {
    ++at_;
  } else {
    digits();
  }
  if (*at_ == '.') {
    ++at_;
    digits();
  }
  if (*at_ == 'e' || *at_ == 'E') {
    ++at_;
    if (*at_ == '-' || *at_ == '+') ++at_;
    digits();
  }
  const auto size = static_cast<std::size_t>(at_ - start);
  if (size > kMaxNumberSize) Refuse("a number is too long");
  if (!ok()) return {};
  fresh_ = false;
  return {start, size};
}

bool JsonScanner::Boolean() {
  if (Peek() == Kind::kBoolean) {
    for (const std::string_view word : {std::string_view("true"), std::string_view("false")}) {
      if (std::string_view(at_, PaddedText::kGuard).substr(0, word.size()) != word) continue;
      at_ += word.size();
      fresh_ = false;
      return word.size() == 4;
    }
  }
  Refuse("true or false was expected");
  return false;
}

void JsonScanner::Null() {
  if (Peek() == Kind::kNull && std::string_view(at_, 4) == "null") {
    at_ += 4;
    fresh_ = false;
  } else {
    Refuse("null was expected");
  }
}

// `at_` is at an opening bracket and ends behind the one that closes it.
bool JsonScanner::SkipContainer() {
  int depth = 0;
  for (;;) {
    std::uint32_t structure = Lanes::Structure(at_);
    const char* const lane = at_;
    at_ += 16;
    for (; structure != 0; structure &= structure - 1) {
      const char* const here = lane + std::countr_zero(structure);
      if (*here == '"') {
        at_ = here + 1;
        if (!SkipString()) return false;
        break;
      }
      if (*here == '{' || *here == '[') {
        ++depth;
      } else if (*here == '}' || *here == ']') {
        if (--depth > 0) continue;
        at_ = here + 1;
        return true;
      } else if (*here == 0) {
        at_ = here;
        Refuse("a zero byte stands outside a string");
        return false;
      }
    }
  }
}

std::string_view JsonScanner::SkipValue() {
  const Kind kind = Peek();
  const char* start = at_;
  switch (kind) {
    case Kind::kObject:
    case Kind::kArray:
      SkipContainer();
      break;
    case Kind::kString:
      RawString();
      break;
    case Kind::kNumber:
      RawNumber();
      break;
    case Kind::kBoolean:
      Boolean();
      break;
    case Kind::kNull:
      Null();
      break;
    case Kind::kInvalid:
      Refuse("a JSON value was expected");
      break;
  }
  if (!ok()) return {};
  fresh_ = false;
  return {start, static_cast<std::size_t>(at_ - start)};
}

bool AppendUnescaped(std::string& out, std::string_view raw) {
  if (!IsUtf8(raw)) return false;
  while (!raw.empty()) {
    const std::size_t plain = raw.find('\\');
    out += raw.substr(0, plain);
    if (plain == std::string_view::npos) break;
    raw.remove_prefix(plain + 1);
    const char kind = raw[0];
    raw.remove_prefix(1);
    constexpr std::string_view kFrom = "bfnrt";
    constexpr std::string_view kTo = "\b\f\n\r\t";
    if (const std::size_t i = kFrom.find(kind); i != std::string_view::npos) {
      out += kTo[i];
    } else if (kind != 'u') {
      out += kind;
    } else {
      std::uint32_t code_point = FourHexDigits(raw.data());
      raw.remove_prefix(4);
      if (code_point >= 0xD800 && code_point < 0xE000) {
        if (code_point >= 0xDC00 || raw.size() < 6 || raw[0] != '\\' || raw[1] != 'u') return false;
        const std::uint32_t low = FourHexDigits(raw.data() + 2);
        if (low < 0xDC00 || low >= 0xE000) return false;
        code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
        raw.remove_prefix(6);
      }
      AppendUtf8(out, code_point);
    }
  }
  return true;
}

bool RawEquals(std::string_view raw, std::string_view text) {
  // Every escape is longer than what it stands for. Most strings differ in the first character.
  if (raw.size() < text.size()) return false;
  if (!raw.empty() && !text.empty() && raw[0] != text[0] && raw[0] != '\\') return false;
  const bool escaped = raw.find('\\') != std::string_view::npos;
  if (raw.size() == text.size() || !escaped) return !escaped && raw == text;
  std::string plain;
  return AppendUnescaped(plain, raw) && plain == text;
}

}  // namespace shardline
