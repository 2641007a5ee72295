#pragma once

namespace shardline {

// ASCII only: bytes of non-ASCII characters return false.
constexpr bool IsLetterOrDigit(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace shardline
