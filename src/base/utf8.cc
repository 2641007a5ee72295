#include "base/utf8.h"

#include <cstddef>

#include "base/lanes.h"

namespace shardline {
namespace {

// The number of bytes of the sequence that starts at `text[0]`, or 0 if it is malformed.
std::size_t SequenceLength(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  // The second byte's range excludes overlong forms, surrogates and values that are too large (RFC
  // 3629, section 4).
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  if (first >= 0xC2 && first <= 0xDF) {
    length = 2;
  } else if (first >= 0xE0 && first <= 0xEF) {
    length = 3;
    if (first == 0xE0) low = 0xA0;
    if (first == 0xED) high = 0x9F;
  } else if (first >= 0xF0 && first <= 0xF4) {
    length = 4;
    if (first == 0xF0) low = 0x90;
    if (first == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  constexpr std::size_t kLane = 16;
  while (!text.empty()) {
    // Most text is ASCII, of which nothing can be wrong.
    while (text.size() >= 4 * kLane && Lanes::AllAscii64(text.data())) {
      text.remove_prefix(4 * kLane);
    }
    while (text.size() >= kLane && Lanes::NonAscii(text.data()) == 0) text.remove_prefix(kLane);
    if (text.empty()) break;
    const std::size_t length = SequenceLength(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

bool WasUtf16(std::string_view text) {
  // Every other character is zero, and in front are perhaps two characters that stand for bytes
  // which are no UTF-8, the mark of UTF-16.
  constexpr std::string_view kMark = "\xEF\xBF\xBD\xEF\xBF\xBD";
  if (text.substr(0, kMark.size()) == kMark) text.remove_prefix(kMark.size());
  return text.size() > 1 && (text[0] == '\0') != (text[1] == '\0');
}

std::string_view Utf8Prefix(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  // Bytes 10xxxxxx continue a character.
  while (size > 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  return text.substr(0, size);
}

void AppendUtf8(std::string& out, std::uint32_t code_point) {
  const auto put = [&](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    put(code_point);
    return;
  }
  if (code_point < 0x800) {
    put(0xC0 | (code_point >> 6));
  } else {
    if (code_point < 0x10000) {
      put(0xE0 | (code_point >> 12));
    } else {
      put(0xF0 | (code_point >> 18));
      put(0x80 | ((code_point >> 12) & 0x3F));
    }
    put(0x80 | ((code_point >> 6) & 0x3F));
  }
  put(0x80 | (code_point & 0x3F));
}

}  // namespace shardline
