// The common parts of all fuzz targets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/utf8.h"

namespace shardline {

inline std::string_view Input(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process, and so reports the input, unless the property holds.
inline void Require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", property);
  std::abort();
}

// For the Result or Status of a call that was given the fuzzer's bytes.
template <class Outcome>
void RequireReason(const Outcome& result) {
  Require(result || (!result.error().message.empty() && IsUtf8(result.error().message)),
          "a refusal says why, in valid UTF-8");
}

}  // namespace shardline
