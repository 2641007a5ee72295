// The decisions of a stock, which are pure tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "stock/change_take.h"
#include "stock/supply.h"
#include "stock/take_units.h"

namespace shardline::stock_test {
namespace {

using ::testing::ElementsAre;
using Kind = StockStep::Kind;

std::vector<StockShard> Shards(const std::vector<std::int64_t>& left) {
  std::vector<StockShard> shards;
  for (const std::int64_t units : left) shards.push_back({"s", "t", units});
  return shards;
}

TEST(DecideStock, TakesFromAnyShardThatHasEnough) {
  for (const std::uint64_t dice : {0u, 1u, 2u, 5u}) {
    const StockStep step = DecideStock(Shards({5, 4, 3, 2}), 3, false, dice);
    EXPECT_EQ(step.kind, Kind::kTake);
    EXPECT_EQ(step.shard, dice % 3);
  }
}

TEST(DecideStock, ARichShardSharesWithAnEmptyOne) {
  const StockStep step = DecideStock(Shards({9, 8, 7}), 1, true, 1);
  EXPECT_EQ(step.kind, Kind::kShare);
  EXPECT_EQ(step.shard, 1u);
  EXPECT_EQ(step.units, 4);
  // Of 7 units the half is not worth a commit; nor is it if the client has met no empty shard.
  EXPECT_EQ(DecideStock(Shards({7}), 1, true, 0).kind, Kind::kTake);
  EXPECT_EQ(DecideStock(Shards({100}), 1, false, 0).kind, Kind::kTake);
  // The half must be enough.
  EXPECT_EQ(DecideStock(Shards({19}), 10, true, 0).kind, Kind::kTake);
  EXPECT_EQ(DecideStock(Shards({20}), 10, true, 0).kind, Kind::kShare);
}

TEST(DecideStock, ShardsJoinIfNoneHasEnough) {
  const StockStep step = DecideStock(Shards({3, 3, 1}), 5, false, 0);
  EXPECT_EQ(step.kind, Kind::kJoin);
  EXPECT_EQ(step.shard, 1u);
  EXPECT_EQ(step.units, 2);
  EXPECT_EQ(DecideStock(Shards({3, 1, 1}), 5, true, 0).units, 1);
}

TEST(DecideStock, TooFewInAll) {
  EXPECT_EQ(DecideStock({}, 1, true, 7).kind, Kind::kNone);
  EXPECT_EQ(DecideStock(Shards({3, 1}), 5, false, 7).kind, Kind::kNone);
}

StockTake Take(std::int64_t units, bool is_held = false, std::string change = "their") {
  StockTake take{"takes/k", "t", units, "3", std::move(change), "older"};
  if (is_held) take.held_until = Timestamp{1};
  return take;
}

TEST(DecideTakeChange, PuttingBack) {
  using enum TakeChangeStep;
  const auto decide = [](const StockTake& take, std::int64_t units) {
    return DecideTakeChange(take, TakeWish::kPutBack, units, "mine");
  };
  EXPECT_EQ(decide({}, 0), kMissing);
  EXPECT_EQ(decide(Take(5), 0), kCommit);
  EXPECT_EQ(decide(Take(5, true), 5), kCommit);
  EXPECT_EQ(decide(Take(5), 6), kTooMany);
  EXPECT_EQ(decide(Take(0), 0), kNothing);
  EXPECT_EQ(decide(Take(0, false, "mine"), 5), kDone);
  StockTake followed = Take(2);
  followed.before = "mine";
  EXPECT_EQ(decide(followed, 3), kDone);
}

TEST(DecideTakeChange, Confirming) {
  using enum TakeChangeStep;
  const auto decide = [](const StockTake& take) {
    return DecideTakeChange(take, TakeWish::kConfirm, 0, "mine");
  };
  EXPECT_EQ(decide({}), kMissing);
  EXPECT_EQ(decide(Take(5, true)), kCommit);
  EXPECT_EQ(decide(Take(5)), kDone);
  EXPECT_EQ(decide(Take(0)), kNothing);
  EXPECT_EQ(decide(Take(5, false, "mine")), kDone);
}

TEST(SpreadUnits, EachShardGetsAsManyAsAnyOtherOrOneMore) {
  EXPECT_THAT(SpreadUnits(7, 3), ElementsAre(3, 2, 2));
  EXPECT_THAT(SpreadUnits(2, 3), ElementsAre(1, 1, 0));
  EXPECT_THAT(SpreadUnits(0, 2), ElementsAre(0, 0));
  const std::vector<std::int64_t> most = SpreadUnits(kMaxStockUnits, 10);
  EXPECT_EQ(std::accumulate(most.begin(), most.end(), std::int64_t{0}), kMaxStockUnits);
}

TEST(PauseAfter, ThereIsNoPauseAtFirst) {
  const RetryPolicy retry;
  EXPECT_EQ(PauseAfter(1, false, retry), 0);
  EXPECT_EQ(PauseAfter(3, false, retry), 0);
  EXPECT_EQ(PauseAfter(4, false, retry), 1);
  EXPECT_EQ(PauseAfter(1, true, retry), 1);
  EXPECT_EQ(PauseAfter(20, false, retry), 3);
  EXPECT_EQ(PauseAfter(20, true, {.max_attempts = 1}), 0);
}

}  // namespace
}  // namespace shardline::stock_test
