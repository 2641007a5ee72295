#include "upkeep/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/builders.h"
#include "unit/exactly_once/increments.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"

namespace shardline::resize_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class ResizeTest : public ::testing::Test {
 protected:
  std::unique_ptr<OperationDriver> Resize(std::int64_t shards, const char* preset = "web-sample",
                                          const std::string& path = "posts/p1") {
    return std::make_unique<OperationDriver>(
        ResizeCounter::Start(context_, MakeCounter(path, Preset(preset)), {shards}));
  }
  json ResizeNow(std::int64_t shards, const char* preset = "web-sample",
                 const std::string& path = "posts/p1") {
    const auto driver = Resize(shards, preset, path);
    driver->Serve(std::ref(server_)).Run();
    return driver->result();
  }
  void Create(int shards, const char* preset = "web-sample", const std::string& path = "posts/p1") {
    std::unique_ptr<Operation> operation = std::make_unique<CreateCounter>(
        context_, MakeCounter(path, Preset(preset), shards), IfExists::kKeep);
    OperationDriver driver(std::move(operation));
    driver.Serve(std::ref(server_)).Run();
  }
  std::unique_ptr<OperationDriver> Increment(std::int64_t shards, std::int64_t delta = 1) {
    return std::make_unique<OperationDriver>(BeginIncrement(
        context_, MakeCounter("posts/p1", Preset("web-sample"), shards, Delivery::kAtLeastOnce),
        Amount::Integer(delta)));
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ResizeTest, MoreShards) {
  Create(2);
  server_.Put("posts/p1/shards/1", {{"count", IntegerValue(7)}});
  EXPECT_EQ(ResizeNow(5), json({{"shards", 5}, {"folded", 0}}));
  EXPECT_EQ(server_.Get("posts/p1"), json({{"num_shards", IntegerValue(5)}}));
  const json shards = server_.List("posts/p1/shards");
  EXPECT_EQ(shards.size(), 5U);
  EXPECT_EQ(shards["4"], json({{"count", IntegerValue(0)}}));
  EXPECT_EQ(shards["1"], json({{"count", IntegerValue(7)}}));
}

TEST_F(ResizeTest, NewShardsHaveAllFields) {
  Create(1);
  const std::vector<FieldPath> fields = {FieldPath::Parse("count").value(),
                                         FieldPath::Parse("love").value()};
  const auto resize = [&](const ShardGoal& goal) {
    return ResizeCounter::Start(context_, MakeCounter(), goal, fields);
  };
  OperationDriver driver(resize({2, true}));
  EXPECT_EQ(driver.Serve(std::ref(server_)).Run().result(), json({{"shards", 2}, {"folded", 0}}));
  EXPECT_EQ(server_.Get("posts/p1/shards/1"),
            json({{"count", IntegerValue(0)}, {"love", IntegerValue(0)}}));
  EXPECT_THAT(resize({1}), IsRefused(HasSubstr("grows")));
}

TEST_F(ResizeTest, FewerShards) {
  Create(6);
  for (int i = 0; i < 6; ++i) {
    server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(1 << i)}});
  }
  EXPECT_EQ(ResizeNow(2), json({{"shards", 2}, {"folded", 4}}));
  EXPECT_EQ(server_.List("posts/p1/shards").size(), 2U);
  EXPECT_EQ(server_.Total("posts/p1/shards"), 63);
  EXPECT_EQ(server_.Get("posts/p1"), json({{"num_shards", IntegerValue(2)}}));
}

TEST_F(ResizeTest, BillsItsDeletesAsSuch) {
  Create(6);
  server_.Put("posts/p1/shards/5", {{"count", IntegerValue(3)}});
  const auto driver = Resize(2);
  driver->Serve(std::ref(server_)).Run();
  // The parent twice, once as a condition; and the shard that the others are added to.
  EXPECT_EQ(driver->operation().billed().writes, 3);
  EXPECT_EQ(driver->operation().billed().deletes, 4);
}

TEST_F(ResizeTest, AClientWithTheOldNumberMakesAShardAnewAndTheNextResizeMovesIt) {
  Create(6);
  ResizeNow(2);
  server_.Put("posts/p1/shards/5", {{"count", IntegerValue(3)}});
  EXPECT_EQ(server_.Total("posts/p1/shards"), 3);
  EXPECT_EQ(ResizeNow(2), json({{"shards", 2}, {"folded", 1}}));
  EXPECT_EQ(server_.Total("posts/p1/shards"), 3);
  EXPECT_EQ(server_.List("posts/p1/shards").size(), 2U);
}

TEST_F(ResizeTest, OnlyShardsAreMoved) {
  Create(3);
  for (const char* id : {"total", "07", "-1", "9x"}) {
    server_.Put(std::string("posts/p1/shards/") + id, {{"count", IntegerValue(1)}});
  }
  server_.Put("posts/p1/shards/9", {{"note", IntegerValue(1)}});
  EXPECT_EQ(ResizeNow(1)["folded"], 2);
  EXPECT_EQ(server_.List("posts/p1/shards").size(), 6U);
}

TEST_F(ResizeTest, FractionsDoNotCostTheIntegersTheirDigits) {
  Create(4);
  server_.Put("posts/p1/shards/1", {{"count", {{"doubleValue", 0.5}}}});
  server_.Put("posts/p1/shards/2", {{"count", IntegerValue((std::int64_t{1} << 53) + 1)}});
  server_.Put("posts/p1/shards/3", {{"count", IntegerValue(2)}});
  EXPECT_EQ(ResizeNow(3)["folded"], 1);
  EXPECT_EQ(ResizeNow(2)["folded"], 1);
}

TEST_F(ResizeTest, LayoutsWithoutAStoredNumber) {
  for (const char* preset : {"node-sample", "collection"}) {
    const std::string path = preset == std::string("node-sample") ? "posts/n" : "tallies";
    const std::string shards = preset == std::string("node-sample") ? "posts/n/shards" : "tallies";
    server_.Put(shards + "/7", {{"count", IntegerValue(5)}});
    EXPECT_EQ(ResizeNow(3, preset, path), json({{"shards", 3}, {"folded", 1}}));
    EXPECT_EQ(server_.List(shards).size(), 3U);
    EXPECT_EQ(server_.Total(shards), 5);
    EXPECT_EQ(ResizeNow(4, preset, path)["folded"], 0);
    EXPECT_EQ(server_.List(shards).size(), 4U);
  }
}

TEST_F(ResizeTest, Refusals) {
  const auto missing = Resize(3);
  missing->Serve(std::ref(server_)).Run();
  EXPECT_EQ(missing->error().code, Code::kNotFound);
  EXPECT_EQ(server_.size(), 0U);
  for (const std::int64_t shards : {0, -1, 10'001}) {
    EXPECT_THAT(ResizeCounter::Start(context_, MakeCounter(), {shards}),
                IsRefused(HasSubstr("10,000")));
  }
}

// Somebody else makes it larger again while we are moving: what they made stays.
TEST_F(ResizeTest, TheLaterResizeWins) {
  Create(10);
  for (int i = 0; i < 10; ++i) {
    server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(1)}});
  }
  const auto shrink = Resize(2);
  bool first = true;
  shrink
      ->Serve([&](const SentRequest& request) {
        const bool folds = request.verb() == "commit" && Writes(request).size() > 2;
        if (folds && std::exchange(first, false)) ResizeNow(8);
        return server_(request);
      })
      .Run();
  EXPECT_EQ(shrink->error().code, Code::kAborted);
  EXPECT_EQ(server_.Get("posts/p1"), json({{"num_shards", IntegerValue(8)}}));
  EXPECT_EQ(server_.List("posts/p1/shards").size(), 8U);
  EXPECT_EQ(server_.Total("posts/p1/shards"), 10);
}

// Otherwise two of them would each set their own number for ever.
TEST_F(ResizeTest, TheLaterResizeWinsRightBehindOurCommit) {
  Create(2);
  const auto driver = Resize(5);
  driver->Serve([&](const SentRequest& request) {
    Reply reply = server_(request);
    if (request.verb() == "commit") server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}});
    return reply;
  });
  driver->Run();
  ASSERT_TRUE(driver->operation().error());
  EXPECT_EQ(driver->operation().error()->code, Code::kAborted);
  EXPECT_EQ(server_.Get("posts/p1"), json({{"num_shards", IntegerValue(3)}}));
}

TEST_F(ResizeTest, BusyShardsAreReadAgain) {
  Create(300);
  const auto shrink = Resize(1);
  int busy = 3;
  shrink
      ->Serve([&](const SentRequest& request) {
        const bool folds = request.verb() == "commit" && Writes(request).size() > 2;
        if (folds && busy-- > 0) {
          server_.Put("posts/p1/shards/100", {{"count", IntegerValue(10 - busy)}});
        }
        return server_(request);
      })
      .Run();
  EXPECT_EQ(shrink->result()["shards"], 1);
  EXPECT_EQ(server_.Total("posts/p1/shards"), 10);
  EXPECT_EQ(server_.List("posts/p1/shards").size(), 1U);
}

// Clients with the old number never stop, so there is always a surplus shard: it ends all the same.
TEST_F(ResizeTest, ItEndsThoughOthersMakeShardsAnew) {
  Create(30);
  const auto shrink = Resize(2);
  int counted = 0;
  shrink
      ->Serve([&](const SentRequest& request) {
        if (request.verb() == "commit" && Writes(request).size() > 2) {
          for (int i = 0; i < 5; ++i, ++counted) {
            const auto increment = Increment(30);
            increment->Serve(std::ref(server_)).Run();
          }
        }
        return server_(request);
      })
      .Run();
  EXPECT_EQ(shrink->result()["shards"], 2);
  EXPECT_EQ(server_.Total("posts/p1/shards"), counted);
}

// Clients who know all kinds of numbers count, and others resize, are interrupted anywhere, and
// lose requests and answers: at no time is a count lost or doubled.
TEST_F(ResizeTest, NoCountIsLostOrDoubled) {
  int finished = 0;
  for (std::uint64_t seed = 1; seed <= SeedsInRun(5, 20); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 200}}});
    Random random(seed);
    context_.random = Random(seed + 1000);
    Create(5);
    std::int64_t counted = 0;
    for (int round = 0; round < 4; ++round) {
      Drivers drivers;
      Drivers resizes;
      for (int i = 0; i < 40; ++i) {
        const auto delta = static_cast<std::int64_t>(random.Below(100)) - 20;
        drivers.push_back(Increment(1 + static_cast<int>(random.Below(60)), delta));
        drivers.back()->Serve(std::ref(server_));
        drivers.back()->set_now(drivers.back()->now() +
                                std::chrono::milliseconds(random.Below(2000)));
        counted += delta;
      }
      for (int i = 0; i < 3; ++i) {
        resizes.push_back(Resize(1 + static_cast<int>(random.Below(60))));
        resizes.back()->Serve(Lossy(std::ref(server_), random));
      }
      RunTogether(drivers, random, resizes);
      for (const auto& driver : drivers) driver->result();
      finished += CountSucceeded(resizes);
      ASSERT_EQ(server_.Total("posts/p1/shards"), counted) << "round " << round;
    }
    EXPECT_EQ(ResizeNow(3)["shards"], 3);
    EXPECT_EQ(server_.List("posts/p1/shards").size(), 3U);
    EXPECT_EQ(server_.Total("posts/p1/shards"), counted);
  }
  EXPECT_GT(finished, InRun(15, 100)) << "the faults must not be hopeless";
}

}  // namespace
}  // namespace shardline::resize_test
