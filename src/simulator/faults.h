// Fault injection between client and server, by probability from the seed or on command.
#pragma once

#include <cstdint>

namespace shardline::simulator {

struct Faults {
  // The probability that the request does not arrive.
  double drop_request = 0;
  // The probability that the server carries the request out, and its answer does not arrive.
  double drop_response = 0;
  // The probability that the answer is late.
  double delay = 0;
  std::int64_t delay_micros = 1'000'000;
  // HTTP 500 and 503: carried out or not, with equal chances, as with the real ones.
  double internal = 0;
  double unavailable = 0;
  // HTTP 429 and 401: never carried out.
  double exhausted = 0;
  double unauthenticated = 0;
  // The server's clock is ahead by this, or behind.
  std::int64_t clock_skew_micros = 0;
  // Nothing arrives until then.
  std::int64_t down_until_micros = 0;
};

}  // namespace shardline::simulator
