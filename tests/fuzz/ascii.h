#pragma once

#include <string>
#include <string_view>

namespace shardline {

// The text with everything beyond ASCII blotted out: JSON stays JSON, and malformed UTF-8, which
// JavaScript's decoder replaces by itself, is no matter.
inline std::string Ascii(std::string_view text) {
  std::string ascii(text);
  for (char& c : ascii) {
    if ((static_cast<unsigned char>(c) & 0x80) != 0) c = '?';
  }
  return ascii;
}

}  // namespace shardline
