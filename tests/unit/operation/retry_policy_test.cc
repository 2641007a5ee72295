#include "operation/retry_policy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shardline::retry_policy_test {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Range {
  double least = 1e9;
  double most = 0;
};

// Of many draws, in seconds.
Range Draw(const RetryPolicy& policy, int failures, bool exhausted = false) {
  Random random(7);
  Range range;
  for (int i = 0; i < 20'000; ++i) {
    const double pause =
        std::chrono::duration<double>(policy.Delay(failures, exhausted, random)).count();
    range.least = std::min(range.least, pause);
    range.most = std::max(range.most, pause);
  }
  return range;
}

TEST(RetryPolicy, PausesGrowByHalfEachTimeUpToAMinute) {
  const RetryPolicy policy;
  for (int failures = 1; failures <= 30; ++failures) {
    const double nominal = std::min(60.0, std::pow(1.5, failures - 1));
    const Range range = Draw(policy, failures);
    // All of half to one and a half times the nominal pause is used, and nothing beyond.
    EXPECT_GE(range.least, 0.5 * nominal) << failures;
    EXPECT_LT(range.least, 0.51 * nominal) << failures;
    EXPECT_LE(range.most, 1.5 * nominal) << failures;
    EXPECT_GT(range.most, 1.49 * nominal) << failures;
  }
}

TEST(RetryPolicy, ExhaustedMeansTenTimesAsLong) {
  const RetryPolicy policy;
  const Range first = Draw(policy, 1, true);
  EXPECT_GE(first.least, 5);
  EXPECT_LE(first.most, 15);
  const Range late = Draw(policy, 10, true);
  EXPECT_GE(late.least, 30);
  EXPECT_LE(late.most, 90);
}

TEST(RetryPolicy, EdgesOfTheOptions) {
  Random random(1);
  RetryPolicy none;
  none.initial_delay = none.max_delay = Duration(0);
  EXPECT_EQ(none.Delay(1, false, random), Duration(0));
  EXPECT_EQ(none.Delay(1000, true, random), Duration(0));

  RetryPolicy cut_short;  // The first delay is longer than the longest.
  cut_short.initial_delay = seconds(100);
  cut_short.max_delay = milliseconds(10);
  EXPECT_LE(cut_short.Delay(1, false, random), milliseconds(15));

  RetryPolicy steep;
  steep.multiplier = 100;
  steep.max_delay = std::chrono::hours(300);
  EXPECT_LE(steep.Delay(1000, true, random), std::chrono::hours(450));

  RetryPolicy level;
  level.multiplier = 1;
  EXPECT_LE(level.Delay(1000, false, random), milliseconds(1500));
}

TEST(RetryPolicy, SameSeedSamePauses) {
  const RetryPolicy policy;
  Random one(5);
  Random two(5);
  for (int i = 1; i < 100; ++i) {
    EXPECT_EQ(policy.Delay(i, i % 3 == 0, one), policy.Delay(i, i % 3 == 0, two));
  }
}

}  // namespace
}  // namespace shardline::retry_policy_test
