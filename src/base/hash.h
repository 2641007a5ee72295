#pragma once

#include <cstdint>
#include <string_view>

namespace shardline {

// 64 bits of a text, the same on every platform: FNV-1a
// (http://www.isthe.com/chongo/tech/comp/fnv/). Not for secrets.
constexpr std::uint64_t HashText(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

}  // namespace shardline
