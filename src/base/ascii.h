#pragma once

namespace shardline {

// Of ASCII; any other character, and any byte of one, is none.
constexpr bool IsLetterOrDigit(char c) {
  const char lower = static_cast<char>(c | 0x20);
  return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9');
}

}  // namespace shardline
