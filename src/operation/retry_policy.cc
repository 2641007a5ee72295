#include "operation/retry_policy.h"

#include <algorithm>

namespace shardline {

Duration RetryPolicy::Delay(int failures, bool exhausted, Random& random) const {
  constexpr double kExhaustedFactor = 10;
  const auto most = static_cast<double>(max_delay.count());
  double delay = static_cast<double>(initial_delay.count());
  if (exhausted) delay *= kExhaustedFactor;
  for (int i = 1; i < failures && delay < most; ++i) delay *= multiplier;
  const double jitter = 0.5 + random.Fraction();
  return Duration(static_cast<Duration::rep>(std::min(delay, most) * jitter));
}

}  // namespace shardline
