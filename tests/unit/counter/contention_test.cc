#include "counter/contention.h"

#include <gtest/gtest.h>

#include <cmath>

namespace shardline::contention_test {
namespace {

TEST(Contention, NothingToSayKeepsTheShards) {
  EXPECT_EQ(SuggestShards({.shards = 10}), 10);
  EXPECT_EQ(SuggestShards({.shards = 10, .attempts = 19, .aborted = 19}), 10) << "too few";
  EXPECT_EQ(SuggestShards({.shards = 10, .attempts = 1000, .aborted = 50}), 10) << "tolerated";
  EXPECT_EQ(SuggestShards({.shards = 0}), 1);
}

TEST(Contention, WhatIsSuggestedBringsItDown) {
  for (const double aborted : {0.06, 0.08, 0.12, 0.17}) {
    const Contention seen{
        .shards = 10, .attempts = 1000, .aborted = static_cast<std::int64_t>(aborted * 1000)};
    const auto suggested = static_cast<double>(SuggestShards(seen));
    const double load = -10 * std::log(1 - aborted);
    EXPECT_LE(1 - std::exp(-load / suggested), 0.0201);
    EXPECT_GT(1 - std::exp(-load / (suggested - 2)), 0.02) << "and not far below";
  }
}

TEST(Contention, GrowthHasBounds) {
  EXPECT_EQ(SuggestShards({.shards = 10, .attempts = 100, .aborted = 100}), 100);
  EXPECT_EQ(SuggestShards({.shards = 9000, .attempts = 100, .aborted = 90}), 10'000);
  EXPECT_EQ(SuggestShards({.shards = 10, .commits_per_second = 37.2}), 38);
  EXPECT_EQ(SuggestShards({.shards = 10, .commits_per_second = 1e9}), 100);
  EXPECT_EQ(SuggestShards({.shards = 50, .commits_per_second = 3}), 50) << "never fewer";
}

}  // namespace
}  // namespace shardline::contention_test
