#pragma once

#include <cstdint>
#include <string_view>

namespace shardline {

// 64 bits of hash over texts (FNV-1a), to tell different ones apart. Not for secrets.
class Fingerprint {
 public:
  // Every text counts with its end: "a", "bc" is not "ab", "c".
  Fingerprint& Add(std::string_view text) {
    for (const char c : text) Mix(static_cast<unsigned char>(c));
    Mix(0xFF);  // Never part of UTF-8.
    return *this;
  }
  std::uint64_t value() const { return state_; }

 private:
  void Mix(std::uint64_t byte) { state_ = (state_ ^ byte) * 0x100000001B3; }

  std::uint64_t state_ = 0xCBF29CE484222325;
};

}  // namespace shardline
