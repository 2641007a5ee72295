#include "simulator/json_layout.h"

#include <algorithm>
#include <utility>

namespace shardline::simulator {
namespace {

constexpr std::string_view kHex = "0123456789abcdef";

// The end of the string that begins at `at`. memchr() finds the next quote fast, and most of an
// answer is strings.
std::size_t StringEnd(std::string_view json, std::size_t at) {
  for (;;) {
    at = json.find('"', at + 1);
    std::size_t backslashes = 0;
    while (json[at - 1 - backslashes] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return at + 1;
  }
}

// The end of the value that begins at `at`.
std::size_t ValueEnd(std::string_view json, std::size_t at) {
  const char* const text = json.data();
  int depth = 0;
  while (at < json.size()) {
    switch (text[at]) {
      case '"':
        at = StringEnd(json, at);
        if (depth == 0) return at;
        continue;
      case '{':
      case '[':
        ++depth;
        break;
      case '}':
      case ']':
        // The bracket around the value.
        if (depth == 0) return at;
        if (--depth == 0) return at + 1;
        break;
      case ',':
        if (depth == 0) return at;
        break;
      default:
        break;
    }
    ++at;
  }
  return at;
}

void AppendUnicodeEscape(std::string& out, std::uint32_t unit) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHex[unit >> shift & 0xf];
}

// Takes one character of UTF-8, which must be valid, from the front.
std::uint32_t TakeCharacter(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  std::uint32_t character = size == 1 ? first : first & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    character = character << 6 | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  text.remove_prefix(size);
  return character;
}

void AppendEscaped(std::string& out, std::uint32_t character) {
  constexpr std::uint32_t kFirstPair = 0x10000;
  if (character < kFirstPair) return AppendUnicodeEscape(out, character);
  AppendUnicodeEscape(out, 0xd800 + ((character - kFirstPair) >> 10));
  AppendUnicodeEscape(out, 0xdc00 + ((character - kFirstPair) & 0x3ff));
}

// A line break, and two spaces for each level.
void AppendLine(std::string& out, std::size_t depth) {
  constexpr std::string_view kLine =
      "\n                                                            ";
  const std::size_t size = 1 + 2 * depth;
  out.append(kLine.data(), std::min(size, kLine.size()));
  if (size > kLine.size()) out.append(size - kLine.size(), ' ');
}

void AppendPrettyString(std::string& out, std::string_view quoted) {
  if (quoted.find('<') == std::string_view::npos && quoted.find('>') == std::string_view::npos) {
    out += quoted;
    return;
  }
  for (const char c : quoted) {
    if (c == '<' || c == '>') {
      AppendUnicodeEscape(out, static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
}

// True for characters that AppendString() copies unchanged.
bool IsPlain(char c) { return c != '\\' && c != '/' && static_cast<unsigned char>(c) < 0x80; }

constexpr std::string_view kUnknownMessage =
    R"("futureMessage":{"document":{"name":"x","fields":{"count":{"integerValue":"7"}}},)"
    R"("readTime":"1970-01-01T00:00:00Z","error":{"code":500,"status":"INTERNAL"}})";
// Members that a later server may add: one of each kind of value. They mislead a reader that looks
// for known members at any depth, or that counts brackets inside of strings.
constexpr std::string_view kUnknownMembers[] = {
    R"("futureFlag":true)",
    R"("futureNumber":-1.5e3)",
    R"("futureNothing":null)",
    R"("futureList":[1,"two",[],{},[{"document":{"name":"x"}}]])",
    R"("futureText":"}],{\"document\":{\"name\":\"projects/p\"}}")",
    R"("futureText2":"ends in a backslash \\")",
    kUnknownMessage,
    R"("document2":{"fields":{},"updateTime":"1970-01-01T00:00:00Z"})",
    R"("explainMetrics":{"planSummary":{"indexesUsed":[{"query_scope":"Collection"}]}})",
};

}  // namespace

std::vector<std::string_view> SplitArray(std::string_view array) {
  std::vector<std::string_view> elements;
  for (std::size_t at = 1; at < array.size() && array[at] != ']';) {
    const std::size_t end = ValueEnd(array, at);
    elements.push_back(array.substr(at, end - at));
    at = array[end] == ',' ? end + 1 : end;
  }
  return elements;
}

std::vector<Member> SplitObject(std::string_view object) {
  std::vector<Member> members;
  for (std::size_t at = 1; at < object.size() && object[at] != '}';) {
    const std::size_t colon = StringEnd(object, at);
    const std::size_t end = ValueEnd(object, colon + 1);
    members.emplace_back(object.substr(at, colon - at), object.substr(colon + 1, end - colon - 1));
    at = object[end] == ',' ? end + 1 : end;
  }
  return members;
}

void AppendPretty(std::string& out, std::string_view json) {
  const char* const text = json.data();
  out.reserve(out.size() + 2 * json.size());
  std::size_t depth = 0;
  for (std::size_t at = 0; at < json.size();) {
    const char c = text[at];
    if (c == '"') {
      const std::size_t end = StringEnd(json, at);
      AppendPrettyString(out, json.substr(at, end - at));
      at = end;
      continue;
    }
    ++at;
    if (c == ':') {
      out += ": ";
    } else if (c == ',') {
      out += c;
      AppendLine(out, depth);
    } else if (c == '{' || c == '[') {
      out += c;
      if (text[at] == '}' || text[at] == ']') {
        out += text[at++];
      } else {
        AppendLine(out, ++depth);
      }
    } else {
      if (c == '}' || c == ']') AppendLine(out, --depth);
      out += c;
    }
  }
}

LooseWriter::LooseWriter(Random& random)
    : random_(random),
      spaced_(Bits(2) != 0),
      reordered_(Bits(2) != 0),
      extended_(Bits(2) != 0),
      escaped_(Bits(1) != 0) {}

std::uint64_t LooseWriter::Bits(int count) {
  constexpr int kAll = 64;
  if (bits_left_ < count) {
    bits_ = random_.Next();
    bits_left_ = kAll;
  }
  const std::uint64_t drawn = bits_ & ((std::uint64_t{1} << count) - 1);
  bits_ >>= count;
  bits_left_ -= count;
  return drawn;
}

void LooseWriter::AppendSpace(std::string& out) {
  constexpr std::string_view kSpaces[] = {"", "", "", " ", "  ", "\n", "\r\n", "\t"};
  if (spaced_) out += kSpaces[static_cast<std::size_t>(Bits(3))];
}

void LooseWriter::AppendString(std::string& out, std::string_view quoted) const {
  if (!escaped_) {
    out += quoted;
    return;
  }
  while (!quoted.empty()) {
    std::size_t plain = 0;
    while (plain < quoted.size() && IsPlain(quoted[plain])) ++plain;
    out += quoted.substr(0, plain);
    quoted.remove_prefix(plain);
    if (quoted.empty()) return;
    if (quoted[0] == '\\') {
      out += quoted.substr(0, 2);
      quoted.remove_prefix(2);
    } else if (quoted[0] == '/') {
      out += "\\/";
      quoted.remove_prefix(1);
    } else {
      AppendEscaped(out, TakeCharacter(quoted));
    }
  }
}

void LooseWriter::AppendObject(std::string& out, std::string_view json, bool open) {
  std::vector<Member> members = SplitObject(json);
  for (std::size_t i = members.size(); reordered_ && i > 1; --i) {
    std::swap(members[i - 1], members[DrawIndex(random_, i)]);
  }
  // The place of an unknown member; behind all members if there is none.
  const std::size_t place = open && extended_ && Bits(1) != 0
                                ? DrawIndex(random_, members.size() + 1)
                                : members.size() + 1;
  std::size_t written = 0;
  const auto begin_member = [&] {
    if (written++ > 0) out += ',';
    AppendSpace(out);
  };
  out += '{';
  for (std::size_t i = 0; i <= members.size(); ++i) {
    if (i == place) {
      begin_member();
      out += kUnknownMembers[DrawIndex(random_, std::size(kUnknownMembers))];
      AppendSpace(out);
    }
    if (i == members.size()) break;
    const auto& [key, value] = members[i];
    begin_member();
    AppendString(out, key);
    AppendSpace(out);
    out += ':';
    AppendSpace(out);
    const bool of_user =
        key == "\"fields\"" || key == "\"aggregateFields\"" || key == "\"transformResults\"";
    AppendValue(out, value, open && !of_user);
    AppendSpace(out);
  }
  if (written == 0) AppendSpace(out);
  out += '}';
}

void LooseWriter::AppendValue(std::string& out, std::string_view json, bool open) {
  if (json[0] == '{') return AppendObject(out, json, open);
  if (json[0] == '"') return AppendString(out, json);
  if (json[0] != '[') {
    out += json;
    return;
  }
  out += '[';
  bool first = true;
  for (const std::string_view element : SplitArray(json)) {
    if (!first) out += ',';
    first = false;
    AppendSpace(out);
    AppendValue(out, element, open);
    AppendSpace(out);
  }
  if (first) AppendSpace(out);
  out += ']';
}

}  // namespace shardline::simulator
