#include "resharding/write_pace.h"

#include <gtest/gtest.h>

namespace shardline::write_pace_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

constexpr Instant kBegun = Instant(seconds(77));

TEST(WritePace, GrowsByHalfEveryFiveMinutes) {
  WritePace pace(10'000);
  pace.Begin(kBegun);
  struct Row {
    Duration after;
    double rate;
  };
  const Row rows[] = {
      {seconds(0), 500},
      {minutes(5) - milliseconds(1), 500},
      {minutes(5), 750},
      {minutes(9), 750},
      {minutes(10), 1125},
      {minutes(40), 500 * 25.62890625},  // 1.5 to the 8th is 12,814: over the bound.
      {minutes(60 * 24 * 365), 10'000}};
  for (const Row& row : rows) {
    EXPECT_EQ(pace.Rate(kBegun + row.after), std::min(row.rate, 10'000.0)) << row.after.count();
  }
}

TEST(WritePace, NeverExceedsWhatTheUserAllows) {
  WritePace pace(20);
  pace.Begin(kBegun);
  EXPECT_EQ(pace.Rate(kBegun), 20);
  EXPECT_EQ(pace.Rate(kBegun + minutes(60)), 20);
  EXPECT_EQ(pace.NextAfter(20, kBegun), kBegun + seconds(1));
  EXPECT_EQ(pace.NextAfter(1, kBegun), kBegun + milliseconds(50));
}

TEST(WritePace, HalvesAndRecovers) {
  WritePace pace(10'000);
  pace.Begin(kBegun);
  pace.SlowDown();
  pace.SlowDown();
  EXPECT_EQ(pace.Rate(kBegun), 125);
  EXPECT_EQ(pace.NextAfter(125, kBegun), kBegun + seconds(1));
  pace.Recover();
  EXPECT_DOUBLE_EQ(pace.Rate(kBegun), 137.5);
  for (int i = 0; i < 100; ++i) pace.Recover();
  EXPECT_EQ(pace.Rate(kBegun), 500) << "no faster than the rule";
}

TEST(WritePace, NeverStops) {
  WritePace pace(1);
  pace.Begin(kBegun);
  for (int i = 0; i < 1000; ++i) pace.SlowDown();
  EXPECT_EQ(pace.Rate(kBegun), 1);
}

}  // namespace
}  // namespace shardline::write_pace_test
