// The sender of a request, by its `Authorization` header, which is read like in Google's emulator.
#pragma once

#include <cstdint>
#include <string_view>

namespace shardline::simulator {

enum class Caller : std::uint8_t {
  kUser,     // No header, or a JWT. Nothing checks the JWT's signature.
  kAdmin,    // "Bearer owner", or an access token of Google's: "Bearer ya29.…".
  kStream,   // "Bearer stream": a stream of the embedded Firestore's own. See Simulator::Handle.
  kUnknown,  // Anything else: every request is refused.
};

Caller CallerOf(std::string_view authorization);

}  // namespace shardline::simulator
