#include "base/json_scanner.h"

#include <bit>
#include <cassert>
#include <cstddef>

#include "base/lanes.h"
#include "base/number.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

constexpr std::size_t kMaxNumberSize = 1'000;

// The value of a hexadecimal digit, or -1.
int HexValue(char c) {
  if (IsDigit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// A block: the number of bytes whose lanes fit into one number, a bit for each.
constexpr int kBlock = 64;
template <class Question>
std::uint64_t Block(Question ask, const char* bytes) {
  std::uint64_t bits = 0;
  for (int i = 0; i < kBlock; i += 16) bits |= std::uint64_t{ask(bytes + i)} << i;
  return bits;
}

// Each bit tells whether there is an odd number of bits up to its place. Takes the bits of quotes;
// returns the bytes in strings, with the opening quote and without the closing one.
std::uint64_t Parities(std::uint64_t bits) {
  for (const int shift : {1, 2, 4, 8, 16, 32}) bits ^= bits << shift;
  return bits;
}

std::uint32_t FourHexDigits(const char* digits) {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) value = value << 4 | static_cast<std::uint32_t>(HexValue(digits[i]));
  return value;
}

}  // namespace

char JsonScanner::SkipSpace() {
  // Mostly there is none.
  return static_cast<unsigned char>(*at_) > ' ' ? *at_ : SkipBlanks();
}

char JsonScanner::SkipBlanks() {
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
  // An error at the very end means that the text ends too early.
  Reject(at_ >= end_ ? "it ends too early" : why);
}

Failure JsonScanner::failure(const char* what) const {
  assert(!ok());
  Int64Buffer position;
  return Fail(kArgumentUnreadable, "Cannot read ")
         << Param{"argument", what} << ": " << why_ << " at position "
         << FormatInt64(error_at_ - begin_, position) << ".";
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

bool JsonScanner::Open(char bracket, const char* why) {
  if (!ok()) return false;
  if (SkipSpace() != bracket) {
    Refuse(why);
    return false;
  }
  ++at_;
  fresh_ = true;
  return true;
}

bool JsonScanner::BeginObject() { return Open('{', "an object was expected"); }

bool JsonScanner::BeginArray() { return Open('[', "an array was expected"); }

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
  if (!ok()) return {};
  if (SkipSpace() != '"') {
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
  Nesting nesting;
  do {
    const bool is_simple = end_ - at_ >= kBlock && Lanes::NoBackslashOrZero64(at_);
    if (is_simple) {
      SkipBlock(nesting);
    } else {
      SkipBytes(at_ + kBlock, nesting);
    }
  } while (ok() && nesting.depth > 0);
  return ok();
}

// Goes through a block without backslashes, or up to where the container ends in it. Which of its
// bytes stand in strings follows from where the quotes are.
void JsonScanner::SkipBlock(Nesting& nesting) {
  const std::uint64_t quotes = Block(Lanes::Quotes, at_);
  const std::uint64_t in_strings = Parities(quotes) ^ (nesting.in_string ? ~std::uint64_t{0} : 0);
  const std::uint64_t opens = Block(Lanes::Openers, at_) & ~in_strings;
  const std::uint64_t closes = Block(Lanes::Closers, at_) & ~in_strings;
  const std::uint64_t controls = Block(Lanes::Controls, at_) & in_strings;
  int size = kBlock;
  if (nesting.depth > std::popcount(closes)) {
    nesting.depth += std::popcount(opens) - std::popcount(closes);
  } else {
    // It may end here.
    std::uint64_t brackets = opens | closes;
    for (; brackets != 0 && size == kBlock; brackets &= brackets - 1) {
      const int place = std::countr_zero(brackets);
      nesting.depth += (opens >> place & 1) != 0 ? 1 : -1;
      if (nesting.depth == 0) size = place + 1;
    }
  }
  if (controls << (kBlock - size) != 0) {
    at_ += std::countr_zero(controls);
    return Refuse("a string holds a control character");
  }
  nesting.in_string = in_strings >> 63 != 0;
  at_ += size;
}

// The same byte by byte, up to `end` or a little further.
void JsonScanner::SkipBytes(const char* end, Nesting& nesting) {
  while (at_ < end) {
    const char c = *at_;
    if (nesting.in_string && c == '\\') {
      if (!SkipEscape()) return;
      continue;
    }
    if (nesting.in_string && static_cast<unsigned char>(c) < 0x20) {
      return Refuse("a string holds a control character");
    }
    if (c == 0) return Refuse("a zero byte stands outside a string");
    ++at_;
    if (c == '"') nesting.in_string = !nesting.in_string;
    if (nesting.in_string) continue;
    if (c == '{' || c == '[') ++nesting.depth;
    if ((c == '}' || c == ']') && --nesting.depth == 0) return;
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

bool JsonScanner::SkipText(std::string_view text) {
  if (!ok() || text.empty() || static_cast<std::size_t>(end_ - at_) < text.size()) return false;
  if (std::string_view(at_, text.size()) != text) return false;
  at_ += text.size();
  return true;
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
  // Every escape is longer than its character. Most strings differ in the first character.
  if (raw.size() < text.size()) return false;
  if (!raw.empty() && !text.empty() && raw[0] != text[0] && raw[0] != '\\') return false;
  if (raw.size() == text.size() && raw != text) return false;
  const bool escaped = raw.find('\\') != std::string_view::npos;
  if (raw.size() == text.size() || !escaped) return raw.size() == text.size() && !escaped;
  std::string plain;
  return AppendUnescaped(plain, raw) && plain == text;
}

}  // namespace shardline
