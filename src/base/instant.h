// Time is a parameter (dependency injection): nothing in the core reads a clock.
#pragma once

#include <chrono>
#include <cstdint>

namespace shardline {

// The clock of the driver of the operations. It has no now(): the driver passes the time in. The
// origin is free, but must be the same for all calls of one operation. The clock must not run
// backwards.
struct DriverClock {
  using duration = std::chrono::microseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<DriverClock>;
  static constexpr bool is_steady = true;
};

using Duration = DriverClock::duration;
using Instant = DriverClock::time_point;

}  // namespace shardline
