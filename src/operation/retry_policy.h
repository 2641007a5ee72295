#pragma once

#include "base/instant.h"
#include "base/random.h"

namespace shardline {

// Exponential back-off with jitter: how often and how fast a call is sent again. The defaults are
// those of Firestore's own clients: 1 s, × 1.5, at most 60 s, ± 50 %.
struct RetryPolicy {
  int max_attempts = 6;  // At least 1; the first attempt counts.
  Duration initial_delay = std::chrono::seconds(1);
  double multiplier = 1.5;  // At least 1.
  Duration max_delay = std::chrono::seconds(60);
  // An attempt without an answer for this long is given up; its outcome is unknown.
  Duration timeout = std::chrono::seconds(30);
  // How long a call is sent again if a user waits for it (Patience::kShort).
  Duration max_read = std::chrono::seconds(10);

  // The pause after the `failures`-th failure in a row (1 is the first): 0.5 to 1.5 times the
  // nominal delay, and ten times as long if the server asked for fewer requests (`exhausted`,
  // RESOURCE_EXHAUSTED).
  Duration Delay(int failures, bool exhausted, Random& random) const;
};

}  // namespace shardline
