#include "counter/contention.h"

#include <algorithm>
#include <cmath>

#include "counter/counter.h"

namespace shardline {
namespace {

constexpr std::int64_t kEnoughAttempts = 20;
constexpr double kTolerated = 0.05;
constexpr double kTarget = 0.02;
constexpr double kMostGrowth = 10;

}  // namespace

std::int64_t SuggestShards(const Contention& contention) {
  const std::int64_t shards = std::clamp(contention.shards, std::int64_t{1}, kMaxShards);
  const auto now = static_cast<double>(shards);
  double wanted = std::max(now, std::ceil(contention.commits_per_second));
  if (contention.attempts >= kEnoughAttempts) {
    const double aborted =
        static_cast<double>(contention.aborted) / static_cast<double>(contention.attempts);
    if (aborted > kTolerated) {
      // All of them aborted would be an infinite load.
      const double load = -now * std::log1p(-std::min(aborted, 0.99));
      wanted = std::max(wanted, std::ceil(load / -std::log1p(-kTarget)));
    }
  }
  wanted = std::min({wanted, now * kMostGrowth, static_cast<double>(kMaxShards)});
  return static_cast<std::int64_t>(wanted);
}

}  // namespace shardline
