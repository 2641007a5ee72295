#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ids/set_up_sequence.h"
#include "ids/take_ids.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"

namespace shardline::ids_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kPath[] = "sequences/orders";

class IdsTest : public ::testing::Test {
 protected:
  Sequence MakeSequence(std::int64_t shards = 3) {
    return Sequence::Make(context_.database, kPath, shards).value();
  }
  std::unique_ptr<OperationDriver> Create(std::int64_t shards, std::int64_t stride = 100) {
    return std::make_unique<OperationDriver>(
        SetUpSequence::Create(context_, MakeSequence(shards), stride));
  }
  std::unique_ptr<OperationDriver> Resize(std::int64_t shards) {
    return std::make_unique<OperationDriver>(
        SetUpSequence::Resize(context_, MakeSequence(0), shards));
  }
  std::unique_ptr<OperationDriver> Take(std::int64_t count, std::int64_t shards = 3) {
    std::unique_ptr<Operation> take =
        std::make_unique<TakeIds>(context_, MakeSequence(shards), count);
    return std::make_unique<OperationDriver>(std::move(take));
  }

  // Adds the ids of a finished TakeIds; fails if one of them has been there before.
  static void Collect(const OperationDriver& taken, std::set<std::int64_t>& ids) {
    const json result = taken.result();
    std::int64_t id = std::stoll(result["first"].get<std::string>());
    const std::int64_t stride = std::stoll(result["stride"].get<std::string>());
    for (int i = 0; i < result["count"].get<int>(); ++i, id += stride) {
      EXPECT_GT(id, 0);
      EXPECT_TRUE(ids.insert(id).second) << id << " was given away twice";
    }
  }

  OperationContext context_ = TestContext();
};

json Answered(const std::string& next, const std::string& stride) {
  return {{"writeResults",
           {{{"updateTime", "2026-01-01T00:00:02Z"},
             {"transformResults",
              json::array({{{"integerValue", next}}, {{"integerValue", stride}}})}}}},
          {"commitTime", "2026-01-01T00:00:02Z"}};
}

TEST_F(IdsTest, ABlockIsOneCommitAndNoRead) {
  const auto take = Take(20, 1);
  take->Script({Ok(Answered("60", "100"))}).Run();
  EXPECT_EQ(take->verbs(), "commit");
  EXPECT_EQ(take->sent()[0].body, json::parse(R"({"writes":[{"update":{"name":")" + Name(kPath) +
                                              R"(/shardline_ids/0"},"updateMask":{"fieldPaths":[]},
        "updateTransforms":[{"fieldPath":"next","increment":{"integerValue":"20"}},
                            {"fieldPath":"stride","increment":{"integerValue":"0"}}],
        "currentDocument":{"exists":true}}]})"));
  EXPECT_EQ(take->result(),
            json({{"first", "4001"}, {"stride", "100"}, {"count", 20}, {"shards", 1}}));
  EXPECT_EQ(take->operation().billed(), Billed{.writes = 1});
}

TEST_F(IdsTest, WithoutTheNumberOfShardsTheParentIsAsked) {
  SimulatedServer server(1);
  Create(4)->Serve(std::ref(server)).Run();
  const auto take = Take(5, 0);
  take->Serve(std::ref(server)).Run();
  EXPECT_EQ(take->verbs(), "batchGet commit");
  EXPECT_EQ(take->result()["shards"], 4);
}

TEST_F(IdsTest, GoesOnFromAnExistingNumber) {
  for (const std::int64_t start_at : {1, 2, 3, 4, 99, 100, 101, 102, 1'000'000}) {
    SimulatedServer server(1);
    OperationDriver(SetUpSequence::Create(context_, MakeSequence(2), 100, start_at))
        .Serve(std::ref(server))
        .Run();
    // Shards that come later start there, too.
    Resize(5)->Serve(std::ref(server)).Run();
    std::set<std::int64_t> ids;
    for (int i = 0; i < 60; ++i) {
      const auto take = Take(1, 5);
      take->Serve(std::ref(server)).Run();
      Collect(*take, ids);
    }
    EXPECT_GE(*ids.begin(), start_at);
    // No shard passes over an id of its own: the first ones of five shards are within two strides.
    EXPECT_LT(*std::next(ids.begin(), 4), start_at + 200);
  }
}

TEST_F(IdsTest, MissingSequence) {
  SimulatedServer server(1);
  for (const int shards : {0, 3}) {
    const auto take = Take(5, shards);
    take->Serve(std::ref(server)).Run();
    EXPECT_EQ(take->error().code, Code::kNotFound);
    EXPECT_THAT(take->error().message, HasSubstr("create()"));
  }
  const auto resize = Resize(5);
  resize->Serve(std::ref(server)).Run();
  EXPECT_EQ(resize->error().code, Code::kNotFound);
  EXPECT_EQ(server.size(), 0U);
}

TEST_F(IdsTest, MoreShardsThanThereAre) {
  SimulatedServer server(1);
  Create(1)->Serve(std::ref(server)).Run();
  std::set<std::int64_t> ids;
  for (int i = 0; i < 20; ++i) {
    const auto take = Take(5, 50);
    take->Serve(std::ref(server)).Run();
    Collect(*take, ids);
  }
  EXPECT_EQ(ids.size(), 100U);
}

TEST_F(IdsTest, ADeletedShardIsNotMadeAnew) {
  SimulatedServer server(1);
  Create(1)->Serve(std::ref(server)).Run();
  server.Delete("sequences/orders/shardline_ids/0");
  const auto take = Take(5, 1);
  take->Serve(std::ref(server)).Run();
  EXPECT_EQ(take->error().code, Code::kFailedPrecondition);
  const auto create = Create(1);
  create->Serve(std::ref(server)).Run();
  EXPECT_EQ(create->result(), json({{"created", false}, {"shards", 1}}));
  EXPECT_TRUE(server.List("sequences/orders/shardline_ids").empty());
  server.Put("sequences/orders/shardline_ids/0", {{"other", {{"integerValue", "1"}}}});
  const auto other = Take(5, 1);
  other->Serve(std::ref(server)).Run();
  EXPECT_THAT(other->error().message, HasSubstr("no sequence of ids"));
}

// It is a proxy's, which knows nothing of the sequence.
TEST_F(IdsTest, AWebPageIsNoDeletedShard) {
  for (const int shards : {0, 3}) {
    SimulatedServer server(1);
    Create(3)->Serve(std::ref(server)).Run();
    const auto take = Take(5, shards);
    take->Serve([&](const SentRequest& request) {
          return request.verb() == "commit" ? Answer(404, "<html>Not found</html>")
                                            : server(request);
        })
        .Run();
    EXPECT_EQ(take->error().reason, kAnswerUnreadable.name);
    EXPECT_EQ(take->error().http_status, 404);
  }
}

TEST_F(IdsTest, TheEndOfTheNumbers) {
  const std::int64_t last = std::numeric_limits<std::int64_t>::max() / 100 - 1;
  const auto good = Take(1, 1);
  good->Script({Ok(Answered(std::to_string(last), "100"))}).Run();
  EXPECT_EQ(good->result()["first"], std::to_string((last - 1) * 100 + 1));
  for (const std::int64_t next : {last + 1, std::numeric_limits<std::int64_t>::max()}) {
    const auto take = Take(1, 1);
    take->Script({Ok(Answered(std::to_string(next), "100"))}).Run();
    EXPECT_EQ(take->error().code, Code::kOutOfRange) << next;
  }
}

// Each of these is no answer to what was asked. It ends in a bounded number of requests, as the
// server's fault; or the next answer, which is good, is taken.
TEST_F(IdsTest, AnswersThatAreNone) {
  const json good = Answered("60", "100");
  json other_count = good;
  other_count["writeResults"].push_back(json::object());
  json no_transforms = good;
  no_transforms["writeResults"][0].erase("transformResults");
  json one_transform = good;
  one_transform["writeResults"][0]["transformResults"].erase(0);
  json array = good;
  array["writeResults"][0]["transformResults"][0] = {{"arrayValue", {{"values", json::array()}}}};
  for (const json& bad : {json::object(), json::array({good}), json::array(), json("x"),
                          other_count, no_transforms, one_transform}) {
    SCOPED_TRACE(bad.dump());
    const auto take = Take(20, 1);
    take->Script({Ok(bad), Ok(good)}).Run();
    EXPECT_TRUE(take->operation().done());
    if (take->operation().error() != nullptr) {
      EXPECT_EQ(take->error().code, Code::kUnavailable);
      const auto stubborn = Take(20, 1);
      stubborn->Serve([&](const SentRequest&) { return Ok(bad); }).Run();
      EXPECT_LE(stubborn->sent().size(), 6U);
    } else {
      EXPECT_EQ(take->result()["first"], "4001");
    }
  }
  const auto take = Take(20, 1);
  take->Script({Ok(array)}).Run();
  EXPECT_EQ(take->error().code, Code::kFailedPrecondition);
}

TEST_F(IdsTest, AnotherDocumentThanTheOneAskedFor) {
  const auto answer = [](const std::string& name) {
    const json one = {{"integerValue", "1"}};
    return json::array({{{"found",
                          {{"name", name},
                           {"updateTime", "2026-01-01T00:00:00Z"},
                           {"fields", {{"shards", one}, {"made", one}, {"stride", one}}}}},
                         {"readTime", "2026-01-01T00:00:02Z"}}});
  };
  const auto take = Take(1, 0);
  take->Script(
          {Ok(answer(Name("sequences/other"))), Ok(answer(Name(kPath))), Ok(Answered("60", "100"))})
      .Run();
  EXPECT_EQ(take->verbs(), "batchGet batchGet commit");
  EXPECT_EQ(take->result()["first"], "5901");
  const auto resize = Resize(2);
  resize->Serve([&](const SentRequest&) { return Ok(answer(Name("sequences/other"))); }).Run();
  EXPECT_EQ(resize->error().code, Code::kInternal);
}

TEST_F(IdsTest, ALostAnswerCostsABlock) {
  SimulatedServer server(1);
  Create(2)->Serve(std::ref(server)).Run();
  std::set<std::int64_t> ids;
  for (int i = 0; i < 50; ++i) {
    const auto take = Take(10, 2);
    bool lose = true;
    take->Serve([&](const SentRequest& request) {
          Reply reply = server(request);
          return std::exchange(lose, false) ? Cut() : reply;
        })
        .Run();
    EXPECT_EQ(take->verbs(), "commit commit");
    Collect(*take, ids);
  }
  EXPECT_EQ(ids.size(), 500U);
  EXPECT_EQ(server.Total("sequences/orders/shardline_ids", "next"), 1000);
}

// What was lost is nobody's, so it is no write in doubt.
TEST_F(IdsTest, NoAnswerAtAll) {
  const auto take = Take(10, 2);
  take->Serve([](const SentRequest&) { return Cut(); }).Run();
  EXPECT_EQ(take->error().code, Code::kUnavailable);
  EXPECT_THAT(take->error().message, HasSubstr("call again"));
}

TEST_F(IdsTest, CreateKeepsWhatIsThere) {
  SimulatedServer server(1);
  const auto first = Create(3);
  first->Serve(std::ref(server)).Run();
  EXPECT_EQ(first->result(), json({{"created", true}, {"shards", 3}}));
  EXPECT_EQ(first->operation().billed(), Billed{.writes = 4});
  const auto take = Take(7);
  take->Serve(std::ref(server)).Run();
  const auto second = Create(8, 1000);
  second->Serve(std::ref(server)).Run();
  EXPECT_EQ(second->result(), json({{"created", false}, {"shards", 3}}));
  EXPECT_EQ(server.Total("sequences/orders/shardline_ids", "next"), 7);
  EXPECT_EQ(server.Total("sequences/orders/shardline_ids", "stride"), 300);

  server.Delete(kPath);
  const auto third = Create(3);
  third->Serve(std::ref(server)).Run();
  EXPECT_EQ(third->error().code, Code::kFailedPrecondition) << "its ids would be repeated";
}

TEST_F(IdsTest, ResizeUpDownAndUpAgain) {
  SimulatedServer server(1);
  Create(2, 20)->Serve(std::ref(server)).Run();
  std::set<std::int64_t> ids;
  for (const int shards : {5, 1, 3, 20, 20, 2}) {
    const auto resize = Resize(shards);
    resize->Serve(std::ref(server)).Run();
    EXPECT_EQ(resize->result(), json({{"created", false}, {"shards", shards}}));
    for (int i = 0; i < 10; ++i) {
      const auto take = Take(3, 0);
      take->Serve(std::ref(server)).Run();
      EXPECT_EQ(take->result()["shards"], shards);
      Collect(*take, ids);
    }
  }
  EXPECT_EQ(ids.size(), 180U);
  const auto too_many = Resize(21);
  too_many->Serve(std::ref(server)).Run();
  EXPECT_EQ(too_many->error().code, Code::kFailedPrecondition);
  EXPECT_THAT(too_many->error().message, HasSubstr("maxShards"));
}

// What was sent arrives again, much later: no shard forgets what it has given away, and the number
// of shards stays what it was last made.
TEST_F(IdsTest, CommitsThatArriveLateDoNothing) {
  SimulatedServer server(1);
  std::vector<SentRequest> held;
  const auto run = [&](const std::unique_ptr<OperationDriver>& driver) {
    driver
        ->Serve([&](const SentRequest& request) {
          held.push_back(request);
          return server(request);
        })
        .Run();
    driver->result();
  };
  run(Create(3));
  run(Resize(5));
  run(Resize(2));
  run(Resize(7));
  std::set<std::int64_t> ids;
  const auto take = [&] {
    for (int i = 0; i < 20; ++i) {
      const auto taking = Take(7, 7);
      taking->Serve(std::ref(server)).Run();
      Collect(*taking, ids);
    }
  };
  take();
  const json parent = server.Get(kPath);
  for (int i = 0; i < 2; ++i) {
    for (const SentRequest& request : held) server(request);
  }
  EXPECT_EQ(server.Get(kPath), parent);
  take();
}

TEST_F(IdsTest, WhatDoesNotFitIntoOneRequest) {
  const std::string path = "sequences/" + std::string(1'400, 'x');
  OperationDriver driver(SetUpSequence::Create(
      context_, Sequence::Make(context_.database, path, 10'000).value(), 10'000));
  EXPECT_EQ(driver.error().code, Code::kInvalidArgument);
  EXPECT_THAT(driver.error().message, HasSubstr("10 MiB"));
  EXPECT_TRUE(driver.sent().empty());
}

TEST_F(IdsTest, BadArguments) {
  EXPECT_THAT(Sequence::Make(context_.database, "sequences", 1), IsRefused(HasSubstr("path")));
  EXPECT_THAT(Sequence::Make(context_.database, kPath, 10'001), IsRefused(HasSubstr("shards")));
  EXPECT_THAT(Sequence::Make(context_.database, kPath, -1), IsRefused(HasSubstr("shards")));
  EXPECT_THAT(SetUpSequence::Create(context_, MakeSequence(11), 10),
              IsRefused(HasSubstr("maxShards")));
  EXPECT_THAT(SetUpSequence::Create(context_, MakeSequence(1), 10'001),
              IsRefused(HasSubstr("maxShards")));
  EXPECT_THAT(SetUpSequence::Resize(context_, MakeSequence(), 0), IsRefused(HasSubstr("10,000")));
}

// Takers who know different numbers of shards, resizers and creators, all at once, on a network
// that loses what it can: no id is given away twice.
TEST_F(IdsTest, UniqueWhateverHappens) {
  std::size_t taken = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    SimulatedServer server(seed, {{"latencyMs", {1, 300}}});
    Random random(seed);
    context_.random = Random(seed + 1000);
    Create(4, 40)->Serve(std::ref(server)).Run();
    server.Configure({{"faults",
                       {{"dropRequest", 0.1},
                        {"dropResponse", 0.15},
                        {"internal", 0.05},
                        {"unavailable", 0.05},
                        {"resourceExhausted", 0.02}}}});
    Drivers drivers;
    for (int i = 0; i < 60; ++i) {
      if (i % 10 == 0) {
        drivers.push_back(Resize(1 + static_cast<int>(random.Below(40))));
      } else if (i % 10 == 1) {
        drivers.push_back(Create(1 + static_cast<int>(random.Below(40)), 40));
      } else {
        drivers.push_back(
            Take(1 + static_cast<int>(random.Below(30)), static_cast<int>(random.Below(41))));
      }
      drivers.back()->Serve(std::ref(server));
      drivers.back()->set_now(drivers.back()->now() +
                              std::chrono::milliseconds(random.Below(3000)));
    }
    RunTogether(drivers, random);
    std::set<std::int64_t> ids;
    for (std::size_t i = 0; i < drivers.size(); ++i) {
      if (i % 10 > 1 && !drivers[i]->operation().error()) Collect(*drivers[i], ids);
    }
    taken += ids.size();
  }
  EXPECT_GT(taken, 10'000U) << "the faults must not be hopeless";
}

TEST(DecideSetUp, FollowsFromWhatTheDocumentSays) {
  const SequenceState missing;
  const SequenceState foreign{.update_time = "t"};
  const SequenceState more_than_made{.update_time = "t", .shards = 5, .made = 4, .stride = 10};
  const SequenceState good{.update_time = "t", .shards = 3, .made = 4, .stride = 10};
  struct Row {
    const SequenceState& state;
    int shards;
    SetUpStep step;
  };
  const Row rows[] = {
      {missing, 0, SetUpStep::kForeign},  // Its shards are there.
      {missing, 3, SetUpStep::kNotFound}, {foreign, 0, SetUpStep::kForeign},
      {foreign, 3, SetUpStep::kForeign},  {more_than_made, 5, SetUpStep::kForeign},
      {good, 0, SetUpStep::kDone},        {good, 3, SetUpStep::kDone},
      {good, 1, SetUpStep::kCommit},      {good, 10, SetUpStep::kCommit},
      {good, 11, SetUpStep::kTooMany},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(DecideSetUp(row.state, row.shards), row.step)
        << row.state.shards << ' ' << row.shards;
  }
}

TEST(JudgeBlock, TakesNothingThatIsNoSequence) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  struct Row {
    std::int64_t next;
    std::int64_t stride;
    std::int64_t shard;
    TakenBlock block;
  };
  const Row rows[] = {
      {20, 100, 0, TakenBlock::kGood},
      {20, 100, 99, TakenBlock::kGood},
      {20, 100, 100, TakenBlock::kNoSequence},  // The stride has no such remainder.
      {19, 100, 0, TakenBlock::kNoSequence},    // It has been below 0.
      {0, 100, 0, TakenBlock::kNoSequence},
      {20, 0, 0, TakenBlock::kNoSequence},
      {20, -100, 0, TakenBlock::kNoSequence},
      {(kMost - 100) / 100, 100, 99, TakenBlock::kGood},
      {(kMost - 100) / 100 + 1, 100, 99, TakenBlock::kTooHigh},
      {kMost, 1, 0, TakenBlock::kTooHigh},
      {kMost - 1, 1, 0, TakenBlock::kGood},
      {kMost, kMost, 0, TakenBlock::kTooHigh},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(JudgeBlock(row.next, row.stride, row.shard, 20), row.block)
        << row.next << ' ' << row.stride << ' ' << row.shard;
  }
}

}  // namespace
}  // namespace shardline::ids_test
