// A stock on the embedded Firestore, in virtual time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "api/stock_api.h"
#include "firestore/write.h"
#include "stock/supply.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::stock_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Driver = std::unique_ptr<OperationDriver>;
using Call = Result<std::unique_ptr<Operation>> (*)(JsonScanner&, OperationContext&);

constexpr char kShards[] = "events/e1/stock_shards";
constexpr char kTakes[] = "events/e1/stock_takes";

class StockTest : public ::testing::Test {
 protected:
  Driver Start(Call call, json arguments) {
    arguments["path"] = "events/e1";
    if (!arguments.contains("shards")) arguments["shards"] = 3;
    const PaddedText text(arguments.dump());
    JsonScanner scanner(text);
    auto driver = std::make_unique<OperationDriver>(call(scanner, context_));
    driver->set_now(server_.now());
    driver->Serve(std::ref(server_));
    return driver;
  }
  json Do(Call call, const json& arguments) { return Start(call, arguments)->Run().result(); }
  json Take(const json& arguments) { return Do(StartStockTake, arguments); }
  void Create(std::int64_t units, std::int64_t shards = 3) {
    EXPECT_EQ(Do(StartStockCreate, {{"units", units}, {"shards", shards}}),
              json({{"created", true}}));
  }
  void SetLeft(const std::vector<int>& left) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      server_.Put(std::string(kShards) + '/' + std::to_string(i),
                  {{"left", {{"integerValue", std::to_string(left[i])}}}});
    }
  }
  std::int64_t left() { return server_.Total(kShards, "left"); }
  std::int64_t taken() { return server_.Total(kTakes, "units"); }

  OperationContext context_ = TestContext();
  SimulatedServer server_;
};

TEST_F(StockTest, ATakeIsOneReadAndOneCommit) {
  Create(10);
  const Driver take = Start(StartStockTake, {{"units", 2}});
  take->Run();
  EXPECT_EQ(take->verbs(), "batchGet commit");
  EXPECT_EQ(take->operation().billed(), (Billed{.reads = 1, .writes = 2}));
  const json result = take->result();
  EXPECT_EQ(result["taken"], true);
  EXPECT_EQ(result["units"], 2);
  EXPECT_FALSE(result.contains("heldUntil"));
  const std::string key = result["key"];
  EXPECT_EQ(key.size(), 20u);
  const json document = server_.Get(std::string(kTakes) + '/' + key);
  EXPECT_EQ(document["units"]["integerValue"], "2");
  const json shard =
      server_.Get(std::string(kShards) + '/' + document["shard"]["stringValue"].get<std::string>());
  EXPECT_EQ(shard["by"]["stringValue"], "take:" + key);
  EXPECT_EQ(left(), 8);
}

TEST_F(StockTest, CreateLeavesAStockAlone) {
  Create(10);
  Take({{"units", 1}});
  EXPECT_EQ(Do(StartStockCreate, {{"units", 50}, {"shards", 5}}), json({{"created", false}}));
  EXPECT_EQ(left(), 9);
}

TEST_F(StockTest, TheLastUnitsAreFoundWhereverTheyAre) {
  SetLeft({0, 0, 1, 0, 0, 0, 0, 1});
  EXPECT_EQ(Take({{"units", 1}, {"shards", 8}})["taken"], true);
  // This client believes that there are fewer shards.
  EXPECT_EQ(Take({{"units", 1}, {"shards", 2}})["taken"], true);
  EXPECT_EQ(Take({{"units", 1}, {"shards", 8}}), json({{"taken", false}, {"left", 0}}));
  // And this one, that there are more.
  EXPECT_EQ(Take({{"units", 1}, {"shards", 500}}), json({{"taken", false}, {"left", 0}}));
}

TEST_F(StockTest, NothingIsTakenIfTooFewAreLeft) {
  SetLeft({2, 0, 1});
  EXPECT_EQ(Take({{"units", 4}}), json({{"taken", false}, {"left", 3}}));
  EXPECT_EQ(left(), 3);
  EXPECT_EQ(Take({{"units", 3}})["taken"], true);
  EXPECT_EQ(left(), 0);
}

TEST_F(StockTest, NoUnitsAreFoundByOneQueryOfTheShards) {
  SetLeft({0, 0, 0});
  const Driver take = Start(StartStockTake, {{"units", 1}});
  take->Run();
  EXPECT_EQ(take->verbs(), "batchGet runQuery runQuery");
  EXPECT_EQ(take->operation().billed(), (Billed{.reads = 3}));
}

TEST_F(StockTest, AnEmptyShardGetsHalfOfARichOnes) {
  SetLeft({0, 40});
  const Driver take = Start(StartStockTake, {{"units", 1}, {"shards", 1}});
  take->Run();
  EXPECT_EQ(take->verbs(), "batchGet runQuery commit commit");
  EXPECT_EQ(server_.Get(std::string(kShards) + "/0")["left"]["integerValue"], "19");
  EXPECT_EQ(server_.Get(std::string(kShards) + "/1")["left"]["integerValue"], "20");
  EXPECT_EQ(left(), 39);
}

TEST_F(StockTest, AnEmptyShardThatWasFilledMeanwhileSharesWithNobody) {
  SetLeft({0});
  const Driver take = Start(StartStockTake, {{"units", 1}, {"shards", 1}});
  take->Serve([&](const SentRequest& request) {
    if (request.path.ends_with(":runQuery")) SetLeft({20});
    return server_(request);
  });
  EXPECT_EQ(take->Run().result()["taken"], true);
  EXPECT_EQ(take->verbs(), "batchGet runQuery commit");
}

TEST_F(StockTest, TheSameKeyTakesOnce) {
  Create(2);
  const json first = Take({{"units", 1}, {"key", "u/1"}});
  EXPECT_EQ(first["taken"], true);
  EXPECT_EQ(Take({{"units", 1}, {"key", "u/1"}}), first);
  EXPECT_EQ(left(), 1);
  Take({{"units", 1}, {"key", "u2"}});
  // It has its unit, although there are none left.
  EXPECT_EQ(Take({{"units", 1}, {"key", "u/1"}}), first);
  const Driver other = Start(StartStockTake, {{"units", 2}, {"key", "u2"}});
  EXPECT_EQ(other->Run().error().reason, "stock-key-used");
}

TEST_F(StockTest, WhatIsPutBackCanBeTakenAgain) {
  Create(3);
  Take({{"units", 3}, {"key", "k"}});
  EXPECT_EQ(Do(StartStockPutBack, {{"key", "k"}, {"units", 1}}),
            json({{"changed", true}, {"units", 2}}));
  EXPECT_EQ(left(), 1);
  const Driver more = Start(StartStockPutBack, {{"key", "k"}, {"units", 3}});
  EXPECT_EQ(more->Run().error().reason, "stock-key-used");
  EXPECT_EQ(Do(StartStockPutBack, {{"key", "k"}}), json({{"changed", true}, {"units", 0}}));
  EXPECT_EQ(Do(StartStockPutBack, {{"key", "k"}}), json({{"changed", false}, {"units", 0}}));
  EXPECT_EQ(left(), 3);
  EXPECT_TRUE(server_.Get(std::string(kTakes) + "/k").contains("expireAt"));
  EXPECT_EQ(Take({{"units", 2}, {"key", "k"}})["taken"], true);
  EXPECT_FALSE(server_.Get(std::string(kTakes) + "/k").contains("expireAt"));
  EXPECT_EQ(left(), 1);
}

TEST_F(StockTest, NothingIsPutBackThatWasNotTaken) {
  Create(3);
  const Driver back = Start(StartStockPutBack, {{"key", "k"}});
  EXPECT_EQ(back->Run().error().reason, "stock-not-taken");
  const Driver confirm = Start(StartStockConfirm, {{"key", "k"}});
  EXPECT_EQ(confirm->Run().error().code, Code::kNotFound);
  EXPECT_EQ(left(), 3);
}

TEST_F(StockTest, AHoldThatIsNotConfirmedGoesBackToWhoeverTakesNext) {
  Create(2);
  const json held = Take({{"units", 2}, {"key", "a"}, {"holdFor", "10 min"}});
  EXPECT_TRUE(held.contains("heldUntil"));
  EXPECT_EQ(Take({{"units", 1}, {"key", "b"}})["taken"], false);
  server_.Pass(std::chrono::minutes(11));
  const Driver next = Start(StartStockTake, {{"units", 1}, {"key", "b"}});
  EXPECT_EQ(next->Run().result()["taken"], true);
  // Each reading of a shard also reads the key's take. Without it, the take would cost one read
  // and two writes: the rest is the price of a hold that goes back.
  EXPECT_EQ(next->operation().billed(), (Billed{.reads = 2 + 1 + 1 + 2, .writes = 4}));
  EXPECT_EQ(left(), 1);
  EXPECT_EQ(taken(), 1);
  EXPECT_EQ(Do(StartStockConfirm, {{"key", "a"}}), json({{"changed", false}, {"units", 0}}));
  EXPECT_EQ(Do(StartStockPutBack, {{"key", "a"}})["changed"], false);
  EXPECT_EQ(left(), 1);
}

TEST_F(StockTest, AHoldThatIsConfirmedStays) {
  Create(1);
  Take({{"units", 1}, {"key", "a"}, {"holdFor", 60'000}});
  EXPECT_EQ(Do(StartStockConfirm, {{"key", "a"}}), json({{"changed", true}, {"units", 1}}));
  EXPECT_EQ(Do(StartStockConfirm, {{"key", "a"}}), json({{"changed", true}, {"units", 1}}));
  server_.Pass(std::chrono::hours(24));
  EXPECT_EQ(Take({{"units", 1}, {"key", "b"}})["taken"], false);
}

TEST_F(StockTest, AKeyTakesAgainAfterItsOwnHoldHasEnded) {
  Create(1);
  const json first = Take({{"units", 1}, {"key", "a"}, {"holdFor", "1 min"}});
  server_.Pass(std::chrono::minutes(2));
  const json second = Take({{"units", 1}, {"key", "a"}, {"holdFor", "1 min"}});
  EXPECT_EQ(second["taken"], true);
  EXPECT_NE(second["heldUntil"], first["heldUntil"]);
  EXPECT_EQ(left(), 0);
  EXPECT_EQ(taken(), 1);
}

TEST_F(StockTest, AddAddsOnceForEachKey) {
  Create(3);
  EXPECT_EQ(Do(StartStockAdd, {{"units", 7}, {"key", "truck 9"}, {"serverNow", 0}}),
            json({{"added", true}}));
  EXPECT_EQ(Do(StartStockAdd, {{"units", 7}, {"key", "truck 9"}, {"serverNow", 0}}),
            json({{"added", false}}));
  EXPECT_EQ(left(), 10);
}

TEST_F(StockTest, UnitsGoToAsManyShardsAsOneRequestCanName) {
  const std::string path = "events/" + std::string(1'400, 'e');
  for (const std::int64_t units : {std::int64_t{3}, std::int64_t{10'000}, kMaxStockUnits}) {
    AddUnits add(context_, Stock::Make(context_.database, path, 10'000).value(), "", units,
                 Timestamp{0});
    const std::vector<HttpRequest> requests = add.TakeRequests(Instant());
    ASSERT_EQ(requests.size(), 1u);
    EXPECT_LE(requests[0].body.size(), kMaxRequestBytes);
    const json writes = json::parse(requests[0].body)["writes"];
    std::int64_t added = 0;
    std::set<std::string> names;
    for (std::size_t i = 1; i < writes.size(); ++i) {
      names.insert(writes[i]["update"]["name"]);
      added += std::stoll(writes[i]["updateTransforms"][0]["increment"]["integerValue"]
                              .get_ref<const std::string&>());
    }
    EXPECT_EQ(added, units);
    EXPECT_EQ(names.size(), writes.size() - 1);
    // 10,000 of these writes are 17 MB.
    EXPECT_GE(names.size(), static_cast<std::size_t>(std::min<std::int64_t>(units, 5'900)));
  }
}

TEST_F(StockTest, WithoutAStock) {
  const Driver take = Start(StartStockTake, {{"units", 1}});
  EXPECT_EQ(take->Run().error().reason, "stock-not-found");
  const Driver add = Start(StartStockAdd, {{"units", 1}, {"serverNow", 0}});
  EXPECT_EQ(add->Run().error().reason, "stock-not-found");
  EXPECT_EQ(server_.size(), 0u);
}

TEST_F(StockTest, AStockWhoseDeletionWasInterrupted) {
  Create(5);
  Take({{"units", 1}, {"key", "a"}});
  Take({{"units", 1}, {"key", "b"}, {"holdFor", "1 min"}});
  for (int i = 0; i < 3; ++i) server_.Delete(std::string(kShards) + '/' + std::to_string(i));
  server_.Pass(std::chrono::minutes(2));
  for (const json& arguments :
       {json{{"units", 1}, {"key", "c"}}, json{{"units", 1}, {"key", "b"}}}) {
    const Driver take = Start(StartStockTake, arguments);
    EXPECT_EQ(take->Run().error().reason, "stock-not-found") << arguments;
    EXPECT_LT(take->sent().size(), 10u) << arguments;
  }
  const Driver back = Start(StartStockPutBack, {{"key", "a"}});
  EXPECT_EQ(back->Run().error().reason, "stock-not-found");
  EXPECT_EQ(back->verbs(), "batchGet commit batchGet");
}

TEST_F(StockTest, ALostAnswerIsFoundByTheTakesDocument) {
  Create(1, 1);
  const Driver take = Start(StartStockTake, {{"units", 1}, {"shards", 1}});
  int commits = 0;
  take->Serve([&](const SentRequest& request) {
    Reply reply = server_(request);
    const bool is_lost = request.verb() == "commit" && ++commits == 1;
    return is_lost ? Cut() : reply;
  });
  take->Run();
  EXPECT_EQ(take->result()["taken"], true);
  EXPECT_EQ(left(), 0);
  EXPECT_EQ(taken(), 1);
}

TEST_F(StockTest, ARequestThatArrivesAfterAllIsReportedAsTaken) {
  // The commit is refused, and arrives once more when another shard has been read: a browser may
  // send a request twice. All shards are empty then, and only the take's document tells.
  int found_at_last = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    context_ = TestContext(seed);
    server_ = SimulatedServer(seed);
    SetLeft({1, 0});
    const Driver take = Start(StartStockTake, {{"units", 1}, {"shards", 2}});
    json commit;
    bool has_arrived = false;
    take->Serve([&](const SentRequest& request) {
      if (request.verb() == "commit" && commit.is_null()) {
        commit = request.body;
        return Refusal("ABORTED");
      }
      Reply reply = server_(request);
      if (!commit.is_null() && !std::exchange(has_arrived, true)) server_.Commit(commit["writes"]);
      return reply;
    });
    take->Run();
    EXPECT_EQ(take->result()["taken"], true) << seed;
    EXPECT_EQ(taken(), 1) << seed;
    if (take->verbs().ends_with("runQuery runQuery batchGet")) ++found_at_last;
  }
  EXPECT_GT(found_at_last, 0);
}

TEST_F(StockTest, ARequestOfAnEarlierCallThatArrivesAfterTheKeyWasReadIsReportedAsTaken) {
  const json ana = {{"units", 1}, {"key", "ana"}, {"shards", 2}};
  int found_at_last = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    context_ = TestContext(seed);
    server_ = SimulatedServer(seed);
    SetLeft({1, 0});
    json commit;
    const Driver first = Start(StartStockTake, ana);
    first->Serve([&](const SentRequest& request) {
      if (request.verb() != "commit") return server_(request);
      commit = request.body;
      return Cut();
    });
    first->Run();

    const Driver again = Start(StartStockTake, ana);
    bool has_arrived = false;
    again->Serve([&](const SentRequest& request) {
      Reply reply = server_(request);
      if (!std::exchange(has_arrived, true)) server_.Commit(commit["writes"]);
      return reply;
    });
    again->Run();
    EXPECT_EQ(again->result()["taken"], true) << seed;
    EXPECT_EQ(taken(), 1) << seed;
    if (again->verbs().ends_with("runQuery runQuery batchGet")) ++found_at_last;
  }
  EXPECT_GT(found_at_last, 0);
}

TEST_F(StockTest, RulesThatRefuseAreToldOfWithTheWayOut) {
  Create(1, 1);
  const Driver take = Start(StartStockTake, {{"units", 1}, {"shards", 1}});
  take->Serve([&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(request);
  });
  take->Run();
  EXPECT_EQ(take->error().code, Code::kPermissionDenied);
  EXPECT_EQ(take->verbs(), "batchGet commit batchGet");
}

TEST_F(StockTest, ManyTakersAtOnceOverABadNetwork) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(4, 200); ++seed) {
    server_ = SimulatedServer(seed);
    Random dice(seed);
    Create(20, 4);
    Drivers takers;
    for (int i = 0; i < 60; ++i) {
      takers.push_back(Start(StartStockTake, {{"units", 1 + i % 2}, {"shards", 4}}));
      takers.back()->Serve(Lossy(std::ref(server_), dice));
    }
    RunTogether(takers, dice);
    std::int64_t told = 0;
    std::int64_t unknown = 0;
    for (const Driver& taker : takers) {
      if (taker->operation().error()) {
        unknown += 2;
      } else {
        const json result = taker->result();
        if (result["taken"] == true) told += result["units"].get<std::int64_t>();
      }
    }
    EXPECT_EQ(left() + taken(), 20) << seed;
    EXPECT_LE(told, taken()) << seed;
    EXPECT_LE(taken(), told + unknown) << seed;
    EXPECT_LE(left(), 1) << seed;
  }
}

TEST_F(StockTest, BadArgumentsAreRefusedBeforeAnythingIsSent) {
  const std::vector<std::pair<Call, json>> bad = {
      {StartStockCreate, {{"units", -1}}},
      {StartStockCreate, json::object()},
      {StartStockTake, {{"units", 0}}},
      {StartStockTake, {{"units", 1001}}},
      {StartStockTake, {{"units", 1}, {"key", ""}}},
      {StartStockTake, {{"units", 1}, {"holdFor", "10 weeks"}}},
      {StartStockTake, {{"units", 1}, {"holdFor", 999}}},
      {StartStockTake, {{"units", 1}, {"holdFor", "31 d"}}},
      {StartStockTake, {{"units", 1}, {"holdFor", 1.5}}},
      {StartStockTake, {{"units", 1}, {"holdFor", "999999999999 s"}}},
      {StartStockTake, {{"units", 1}, {"shards", 0}}},
      {StartStockAdd, {{"units", 0}, {"serverNow", 0}}},
      {StartStockPutBack, {{"units", 1}}},
      {StartStockPutBack, {{"units", 0}, {"key", "k"}}},
      {StartStockConfirm, json::object()},
      {StartStockDelete, {{"shards", 0}}},
  };
  for (const auto& [call, arguments] : bad) {
    json all = arguments;
    all["path"] = "events/e1";
    const PaddedText text(all.dump());
    JsonScanner scanner(text);
    const auto started = call(scanner, context_);
    ASSERT_FALSE(started) << all;
    EXPECT_EQ(started.error().code, Code::kInvalidArgument) << all;
  }
}

}  // namespace
}  // namespace shardline::stock_test
