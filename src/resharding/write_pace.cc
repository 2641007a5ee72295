#include "resharding/write_pace.h"

#include <algorithm>
#include <chrono>

namespace shardline {
namespace {

constexpr double kFirstRate = 500;
constexpr double kGrowth = 1.5;
constexpr Duration kStep = std::chrono::minutes(5);
constexpr double kLeastShare = 1.0 / 64;
constexpr double kRecovery = 1.1;

}  // namespace

double WritePace::Rate(Instant now) const {
  const auto most = static_cast<double>(most_);
  double rate = kFirstRate;
  for (Instant next = begun_ + kStep; next <= now && rate < most; next += kStep) rate *= kGrowth;
  return std::max(std::min(rate, most) * share_, 1.0);
}

Instant WritePace::NextAfter(std::int64_t writes, Instant now) const {
  const double seconds = static_cast<double>(writes) / Rate(now);
  return now + std::chrono::ceil<Duration>(std::chrono::duration<double>(seconds));
}

void WritePace::SlowDown() { share_ = std::max(share_ / 2, kLeastShare); }

void WritePace::Recover() { share_ = std::min(share_ * kRecovery, 1.0); }

}  // namespace shardline
