#include "base/base64.h"

#include <cstddef>
#include <cstdint>

namespace shardline {
namespace {

// The value of one character, or -1.
int Sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  if (c == '/' || c == '_') return 63;
  return -1;
}

char Character(std::uint32_t sextet, bool url) {
  if (sextet < 26) return static_cast<char>('A' + sextet);
  if (sextet < 52) return static_cast<char>('a' + sextet - 26);
  if (sextet < 62) return static_cast<char>('0' + sextet - 52);
  if (sextet == 62) return url ? '-' : '+';
  return url ? '_' : '/';
}

std::string Encode(std::string_view bytes, bool url) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = (group << 8) | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k <= count; ++k) {
      out.push_back(Character((group >> (18 - 6 * k)) & 63, url));
    }
    if (!url) out.append(3 - count, '=');
  }
  return out;
}

}  // namespace

std::optional<std::string> DecodeBase64(std::string_view text) {
  for (int i = 0; i < 2 && !text.empty() && text.back() == '='; ++i) text.remove_suffix(1);
  if (text.size() % 4 == 1) return std::nullopt;
  std::string out;
  out.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int sextet = Sextet(c);
    if (sextet < 0) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(sextet);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>((bits >> count) & 0xFF));
  }
  return out;
}

std::string EncodeBase64(std::string_view bytes) { return Encode(bytes, false); }

std::string EncodeBase64Url(std::string_view bytes) { return Encode(bytes, true); }

}  // namespace shardline
