#include "upkeep/shared_total.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::shared_total_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

class SharedTotalTest : public ::testing::Test {
 protected:
  std::unique_ptr<OperationDriver> Read(int max_age_ms, Instant now,
                                        const char* preset = "web-sample",
                                        const std::string& path = "posts/p1") {
    std::unique_ptr<Operation> operation = std::make_unique<ReadSharedTotal>(
        context_, MakeCounter(path, Preset(preset)), milliseconds(max_age_ms));
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->set_now(now);
    driver->Serve(std::ref(server_));
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
  const Instant start_ = Instant(std::chrono::seconds(1000));
};

TEST_F(SharedTotalTest, FirstAddsUpThenIsReadUntilItIsTooOld) {
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(3)}});
  server_.Put("posts/p1/shards/1", {{"count", IntegerValue(4)}});
  const auto first = Read(1000, start_);
  first->Run();
  EXPECT_EQ(first->verbs(), "batchGet runAggregationQuery commit");
  EXPECT_EQ(first->result()["value"], "7");
  EXPECT_EQ(first->result()["source"], "sum");
  EXPECT_EQ(first->result()["billed"], json({{"reads", 2}, {"writes", 1}, {"deletes", 0}}));
  EXPECT_EQ(server_.Get("posts/p1/shardline/shards.count/shardline_totals/shared")["value"],
            IntegerValue(7));

  server_.Put("posts/p1/shards/1", {{"count", IntegerValue(5)}});
  const auto second = Read(1000, start_ + milliseconds(900));
  second->Run();
  EXPECT_EQ(second->verbs(), "batchGet");
  EXPECT_EQ(second->result()["value"], "7");
  EXPECT_EQ(second->result()["source"], "shared");
  EXPECT_EQ(second->result()["shards"], 2);
  EXPECT_EQ(second->result()["readTime"], first->result()["readTime"]);
  EXPECT_GE(second->result()["ageMs"], 890);
  EXPECT_LE(second->result()["ageMs"], 1000);

  const auto third = Read(1000, start_ + milliseconds(1200));
  third->Run();
  EXPECT_EQ(third->result()["value"], "8");
  EXPECT_EQ(third->result()["source"], "sum");
}

// Counters of one document that differ in their shards or fields have one shared total; none takes
// another's total for its own.
TEST_F(SharedTotalTest, OtherCountersOfTheDocument) {
  const Layout layouts[] = {{"likes", "count", std::nullopt},
                            {"views", "count", std::nullopt},
                            {"likes", "stars", std::nullopt}};
  server_.Put("posts/p1/likes/0", {{"count", IntegerValue(1)}, {"stars", IntegerValue(3)}});
  server_.Put("posts/p1/views/0", {{"count", IntegerValue(2)}});
  for (const char* expected : {"1", "2", "3"}) {
    for (const char* source : {"sum", "shared"}) {
      std::unique_ptr<Operation> operation = std::make_unique<ReadSharedTotal>(
          context_, MakeCounter("posts/p1", layouts[expected[0] - '1']), milliseconds(60'000));
      OperationDriver driver(std::move(operation));
      driver.Serve(std::ref(server_)).Run();
      EXPECT_EQ(driver.result()["value"], expected);
      EXPECT_EQ(driver.result()["source"], source);
    }
  }
}

TEST_F(SharedTotalTest, EveryLayoutAndTheTotalIsNotDisturbed) {
  const std::pair<const char*, const char*> layouts[] = {
      {"web-sample", "posts/p1"}, {"mobile-sample", "posts/p1"}, {"node-sample", "posts/p1"},
      {"go-sample", "posts/p1"},  {"php-sample", "tallies"},     {"collection", "tallies"}};
  for (const auto& [preset, path] : layouts) {
    server_ = SimulatedServer(1);
    const std::unique_ptr<const Counter> counter = MakeCounter(path, Preset(preset));
    const std::string shards = counter->shard_collection().text();
    server_.Put(shards + "/0", {{counter->count_field().text(), IntegerValue(5)}});
    for (const char* source : {"sum", "shared"}) {
      const auto read = Read(1000, start_, preset, path);
      read->Run();
      EXPECT_EQ(read->result()["value"], "5") << preset;
      EXPECT_EQ(read->result()["source"], source) << preset;
      EXPECT_EQ(read->result()["shards"], 1) << preset;
    }
    EXPECT_EQ(server_.List(shards).size(), 1U) << preset;
  }
}

// Whatever lies there instead is replaced, and what comes from the future is not believed.
TEST_F(SharedTotalTest, WhatIsNoSharedTotal) {
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(5)}});
  for (const json& fields : {json::object(), json({{"value", IntegerValue(1)}}),
                             json({{"value", {{"stringValue", "1"}}},
                                   {"shards", IntegerValue(1)},
                                   {"readTime", {{"timestampValue", "2026-11-20T18:00:00Z"}}}}),
                             json({{"value", IntegerValue(1)},
                                   {"shards", IntegerValue(1)},
                                   {"readTime", {{"timestampValue", "2036-11-20T18:00:00Z"}}}})}) {
    server_.Put("posts/p1/shardline/shards.count/shardline_totals/shared", fields);
    const auto read = Read(1'000'000'000, start_);
    read->Run();
    EXPECT_EQ(read->result()["value"], "5") << fields;
    EXPECT_EQ(server_.Get("posts/p1/shardline/shards.count/shardline_totals/shared")["value"],
              IntegerValue(5));
  }
}

TEST_F(SharedTotalTest, WithoutPermissionItIsDoneWithout) {
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(5)}});
  for (const char* forbidden : {"batchGet", "commit"}) {
    const auto read = Read(1000, start_);
    read->Serve([&](const SentRequest& request) {
          return request.verb() == forbidden ? Refusal("PERMISSION_DENIED") : server_(request);
        })
        .Run();
    EXPECT_EQ(read->result()["value"], "5");
  }
}

TEST_F(SharedTotalTest, Doubles) {
  server_.Put("posts/p1/shards/0", {{"count", {{"doubleValue", 0.25}}}});
  Read(1000, start_)->Run();
  const auto read = Read(1000, start_);
  read->Run();
  EXPECT_EQ(read->result()["value"], 0.25);
  EXPECT_EQ(read->result()["source"], "shared");
}

// Many readers over many intervals, on a network that loses what it can: the document is written
// about once in each, and nobody is told what is older than allowed.
TEST_F(SharedTotalTest, AboutOneRefreshForEachInterval) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(1, 4); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {5, 30}},
                                     {"faults", {{"dropRequest", 0.02}, {"dropResponse", 0.02}}}});
    Random random(seed);
    // One minute, 300 readers, 500 ms.
    std::vector<Instant> moments;
    for (int i = 0; i < 3000; ++i) moments.push_back(start_ + milliseconds(random.Below(60'000)));
    std::sort(moments.begin(), moments.end());
    int commits = 0;
    int written = 0;
    int from_shared_total = 0;
    // Side by side, as many as are under way at once.
    std::size_t next = 0;
    Drivers running;
    while (next < moments.size() || !running.empty()) {
      const auto earliest =
          std::min_element(running.begin(), running.end(),
                           [](const auto& a, const auto& b) { return a->now() < b->now(); });
      const bool starts = next < moments.size() &&
                          (earliest == running.end() || moments[next] <= (*earliest)->now());
      if (starts) {
        running.push_back(Read(500, moments[next++]));
        running.back()->Serve([&](const SentRequest& request) {
          Reply reply = server_(request);
          if (request.verb() == "commit") {
            ++commits;
            written += reply.kind == Reply::Kind::kCut || reply.status == 200 ? 1 : 0;
          }
          return reply;
        });
        continue;
      }
      (*earliest)->Step();
      if (!(*earliest)->operation().done()) continue;
      const json result = (*earliest)->result();
      if (result["source"] == "shared") {
        ++from_shared_total;
        EXPECT_LE(result["ageMs"], 500);
      }
      running.erase(earliest);
    }
    EXPECT_LE(written, 130) << "120 intervals";
    EXPECT_GT(written, 60);
    EXPECT_GT(from_shared_total, 2'000);
    EXPECT_GT(commits, written) << "the others came too late";
  }
}

}  // namespace
}  // namespace shardline::shared_total_test
