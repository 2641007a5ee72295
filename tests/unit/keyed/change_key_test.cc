// Keys that count once: members of counted sets, and increments with a key.

#include "keyed/change_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::change_key_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using Goal = KeyRequest::Goal;

constexpr std::int64_t kDayMicros = std::int64_t{24} * 3600 * 1'000'000;

class ChangeKeyTest : public ::testing::Test {
 protected:
  ChangeKeyTest() { server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}}); }

  std::unique_ptr<OperationDriver> Begin(KeyRequest request, const Layout& layout = Preset("web"),
                                         const std::string& path = "posts/p1",
                                         std::optional<std::int64_t> shards = 3) {
    auto driver = std::make_unique<OperationDriver>(
        ChangeKey::Start(context_, MakeCounter(path, layout, shards), std::move(request)));
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::unique_ptr<OperationDriver> Begin(Goal goal, const std::string& key) {
    return Begin({.goal = goal, .id = KeyId(key).value()});
  }
  bool Change(Goal goal, const std::string& key) {
    return Begin(goal, key)->Run().result()["changed"];
  }
  bool Has(const std::string& key) {
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadKey>(context_, *MakeCounter(), KeyId(key).value());
    OperationDriver driver(std::move(operation));
    return driver.Serve(std::ref(server_)).Run().result()["counts"];
  }
  std::int64_t Total() { return server_.Total("posts/p1/shards"); }
  json Member(const std::string& id) {
    return server_.Get("posts/p1/shardline/shards.count/shardline_members/" + id);
  }
  std::int64_t Members() {
    std::int64_t members = 0;
    for (const json& fields : server_.List("posts/p1/shardline/shards.count/shardline_members")) {
      if (fields["delta"] == IntegerValue(1)) ++members;
    }
    return members;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ChangeKeyTest, EachKeyCountsOnceAndCanBeTakenBack) {
  EXPECT_FALSE(Has("u1"));
  EXPECT_TRUE(Change(Goal::kAdd, "u1"));
  EXPECT_FALSE(Change(Goal::kAdd, "u1"));
  EXPECT_TRUE(Change(Goal::kAdd, "u2"));
  EXPECT_TRUE(Has("u1"));
  EXPECT_EQ(Total(), 2);
  EXPECT_TRUE(Change(Goal::kRemove, "u1"));
  EXPECT_FALSE(Change(Goal::kRemove, "u1"));
  EXPECT_FALSE(Change(Goal::kRemove, "never"));
  EXPECT_FALSE(Has("u1"));
  EXPECT_EQ(Total(), 1);
  EXPECT_TRUE(Change(Goal::kAdd, "u1"));
  EXPECT_EQ(Total(), 2);
  EXPECT_EQ(Members(), 2);
}

TEST_F(ChangeKeyTest, SendsOneCommitWhenTheKeyIsNew) {
  const auto add = Begin(Goal::kAdd, "u1");
  add->Run();
  EXPECT_EQ(add->verbs(), "commit");
  EXPECT_EQ(add->result(),
            json({{"changed", true}, {"shards", 3}, {"attempts", 1}, {"aborted", 0}}));
  const json& writes = Writes(add->sent()[0]);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes[0]["currentDocument"], json({{"exists", false}}));
  EXPECT_FALSE(writes[0]["update"]["fields"].contains("expireAt"));
  EXPECT_EQ(PathOf(writes[1]),
            "posts/p1/shards/" +
                writes[0]["update"]["fields"]["shard"]["stringValue"].get<std::string>());
  EXPECT_EQ(add->operation().billed(), (Billed{.writes = 2}));
}

TEST_F(ChangeKeyTest, AsksHowManyShardsThereAre) {
  const auto add = Begin({.id = "u1"}, Preset("web"), "posts/p1", std::nullopt);
  EXPECT_EQ(add->Run().result()["shards"], 3);
  EXPECT_EQ(add->verbs(), "batchGet commit");
  const auto nowhere = Begin({.id = "u1"}, Preset("web"), "posts/p2", std::nullopt);
  EXPECT_EQ(nowhere->Run().error().code, Code::kNotFound);
}

// What was taken back is kept so that late requests find out, and no longer than that.
TEST_F(ChangeKeyTest, WhatWasTakenBackExpires) {
  Change(Goal::kAdd, "u1");
  const std::string first = Member("u1")["change"]["stringValue"];
  Change(Goal::kRemove, "u1");
  const json member = Member("u1");
  EXPECT_EQ(member["delta"], IntegerValue(-1));
  EXPECT_EQ(member["before"]["stringValue"], first);
  const std::int64_t now = SimulatedServer::ClockAt(server_.now()).micros;
  const std::int64_t expires =
      Timestamp::Parse(member["expireAt"]["timestampValue"].get<std::string>())->micros;
  EXPECT_GE(expires - now, 29 * kDayMicros);
  EXPECT_LE(expires - now, 60 * kDayMicros);
}

// Whatever arrives again, however late, changes nothing.
TEST_F(ChangeKeyTest, RequestsThatArriveAgain) {
  std::vector<SentRequest> sent;
  const auto keep = [&](Goal goal) {
    const auto driver = Begin(goal, "u1");
    driver->Run();
    for (const SentRequest& request : driver->sent()) {
      if (request.verb() == "commit") sent.push_back(request);
    }
  };
  for (const Goal goal : {Goal::kAdd, Goal::kRemove, Goal::kAdd, Goal::kRemove}) {
    keep(goal);
    for (const SentRequest& request : sent) EXPECT_NE(server_(request).status, 200);
    EXPECT_EQ(Total(), goal == Goal::kAdd ? 1 : 0);
    EXPECT_EQ(Members(), Total());
  }
  EXPECT_GE(sent.size(), 4U);
}

TEST_F(ChangeKeyTest, SaysHowOftenItMetContention) {
  for (const Goal goal : {Goal::kAdd, Goal::kRemove, Goal::kOnce}) {
    const auto driver = Begin({.goal = goal, .id = "contended"});
    int commits = 0;
    driver->Serve([&](const SentRequest& sent) {
      return sent.verb() == "commit" && ++commits <= 2 ? Refusal("ABORTED") : server_(sent);
    });
    driver->Run();
    EXPECT_EQ(driver->result()["attempts"], 3);
    EXPECT_EQ(driver->result()["aborted"], 2);
  }
  EXPECT_EQ(Begin(Goal::kRemove, "never")->Run().result()["attempts"], 0);
}

TEST_F(ChangeKeyTest, AnswersThatAreLost) {
  for (const Goal goal : {Goal::kAdd, Goal::kRemove, Goal::kOnce}) {
    const KeyRequest request{.goal = goal, .id = "lost"};
    const std::int64_t before = Total();
    const auto driver = Begin(request);
    int commits = 0;
    driver->Serve([&](const SentRequest& sent) {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && ++commits == 1 ? Cut() : reply;
    });
    EXPECT_EQ(driver->Run().result()["changed"], true);
    EXPECT_EQ(commits, goal == Goal::kOnce ? 1 : 2) << "what expires is looked at first";
    EXPECT_EQ(Total() - before, goal == Goal::kRemove ? -1 : 1);
  }
}

// The answer is lost, and before it is asked for, another device takes the key back.
TEST_F(ChangeKeyTest, AnotherDeviceUndoesWhatIsInDoubt) {
  const auto add = Begin(Goal::kAdd, "u1");
  int commits = 0;
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit" || ++commits > 1) return server_(sent);
    server_(sent);
    EXPECT_TRUE(Change(Goal::kRemove, "u1"));
    return Cut();
  });
  EXPECT_EQ(add->Run().result()["changed"], true);
  EXPECT_EQ(Total(), 0) << "the other device was the last";
  EXPECT_FALSE(Has("u1"));
}

TEST_F(ChangeKeyTest, AnotherDeviceIsFaster) {
  const auto add = Begin(Goal::kAdd, "u1");
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") Change(Goal::kAdd, "u1");
    return server_(sent);
  });
  EXPECT_EQ(add->Run().result()["changed"], false);
  EXPECT_EQ(Total(), 1);
}

TEST_F(ChangeKeyTest, NoNetwork) {
  const auto add = Begin(Goal::kAdd, "u1");
  add->Serve([](const SentRequest&) { return Cut(); });
  const Error error = add->Run().error();
  EXPECT_EQ(error.code, Code::kOutcomeUnknown);
  EXPECT_THAT(error.message, HasSubstr("ask again with the same key"));
  const auto remove = Begin(Goal::kRemove, "u1");
  remove->Serve([](const SentRequest&) { return Cut(); });
  EXPECT_EQ(remove->Run().error().code, Code::kUnavailable) << "nothing was written";
}

// Rules are asked before preconditions, so they may refuse what a look at the document explains.
TEST_F(ChangeKeyTest, RulesThatRefuse) {
  Change(Goal::kAdd, "u1");
  const auto denied = [&](Goal goal, const std::string& key) {
    auto driver = Begin(goal, key);
    driver->Serve([&](const SentRequest& sent) {
      return sent.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(sent);
    });
    driver->Run();
    return driver;
  };
  EXPECT_EQ(denied(Goal::kAdd, "u1")->result()["changed"], false);
  const Error error = denied(Goal::kAdd, "u2")->error();
  EXPECT_EQ(error.code, Code::kPermissionDenied);
  EXPECT_THAT(error.message, HasSubstr("posts/p1/shardline/shards.count/shardline_members/u2"));
  EXPECT_EQ(denied(Goal::kRemove, "u1")->error().code, Code::kPermissionDenied);
}

TEST_F(ChangeKeyTest, OthersWhoNeverStop) {
  const auto add = Begin(Goal::kAdd, "u1");
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") {
      Change(Goal::kAdd, "u1");
      Change(Goal::kRemove, "u1");
    }
    return server_(sent);
  });
  EXPECT_EQ(add->Run().error().code, Code::kAborted);
  EXPECT_EQ(Total(), 0);
}

TEST_F(ChangeKeyTest, ContentionGoesToAnotherShard) {
  const auto add = Begin(Goal::kAdd, "u1");
  add->Script({Refusal("ABORTED"), Refusal("ABORTED")});
  EXPECT_EQ(add->Run().result()["changed"], true);
  EXPECT_NE(PathOf(Writes(add->sent()[0])[1]), PathOf(Writes(add->sent()[1])[1]));
  EXPECT_EQ(Total(), 1);
}

TEST_F(ChangeKeyTest, AKeyOfAnIncrementCountsOnce) {
  const auto once = [&](std::int64_t delta, std::optional<Timestamp> now) {
    return Begin(
        {.goal = Goal::kOnce, .id = "e1", .delta = Amount::Integer(delta), .server_now = now});
  };
  const auto first = once(5, std::nullopt);
  EXPECT_EQ(first->Run().result()["changed"], true);
  EXPECT_EQ(first->verbs(), "batchGet commit") << "the server's clock was not known";
  const auto second = once(5, SimulatedServer::ClockAt(server_.now()));
  EXPECT_EQ(second->Run().result()["changed"], false);
  EXPECT_EQ(second->verbs(), "commit batchGet");
  EXPECT_EQ(once(-7, std::nullopt)->Run().result()["changed"], false);
  EXPECT_EQ(Total(), 5);
  const json key = server_.Get("posts/p1/shardline/shards.count/shardline_keys/e1");
  const std::int64_t now = SimulatedServer::ClockAt(server_.now()).micros;
  const std::int64_t expires =
      Timestamp::Parse(key["expireAt"]["timestampValue"].get<std::string>())->micros;
  EXPECT_GE(expires - now, 29 * kDayMicros);
  EXPECT_LE(expires - now, 60 * kDayMicros);
  EXPECT_FALSE(Has("e1")) << "a key is no member";
}

// A device sleeps for months while an answer is missing, and meanwhile the key has expired and
// gone.
TEST_F(ChangeKeyTest, AKeyThatMayHaveExpired) {
  const auto once = Begin(
      {.goal = Goal::kOnce, .id = "e1", .server_now = SimulatedServer::ClockAt(server_.now())});
  int commits = 0;
  once->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit" || ++commits > 1) return server_(sent);
    server_(sent);
    server_.Pass(std::chrono::hours(24 * 70));
    server_.Delete("posts/p1/shardline/shards.count/shardline_keys/e1");
    return Cut();
  });
  EXPECT_EQ(once->Run().error().code, Code::kOutcomeUnknown);
  EXPECT_EQ(Total(), 1);
}

TEST_F(ChangeKeyTest, NegativeIncrementsCountOnceToo) {
  const KeyRequest request{.goal = Goal::kOnce, .id = "e1", .delta = Amount::Integer(-1)};
  EXPECT_EQ(Begin(request)->Run().result()["changed"], true);
  EXPECT_EQ(Begin(request)->Run().result()["changed"], false);
  EXPECT_EQ(Total(), -1);
}

TEST_F(ChangeKeyTest, OtherLayouts) {
  EXPECT_EQ(Begin({.id = "u1"}, Preset("collection"), "tallies", 3)->Run().result()["changed"],
            true);
  EXPECT_EQ(server_.Total("tallies"), 1);
  EXPECT_EQ(Begin({.id = "u1"}, ExtensionLayout("stats.visits"), "pages/hello", 3)
                ->Run()
                .result()["changed"],
            true);
  EXPECT_EQ(server_.List("pages/hello/_counter_shards_").size(), 1U);
}

// Several devices flip the same few keys on a network that loses and repeats what it likes.
TEST_F(ChangeKeyTest, FaultsFromASeed) {
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SimulatedServer server(seed);
    Random random(seed);
    std::deque<SentRequest> late;
    const auto network = [&](const SentRequest& request) {
      if (random.Below(5) == 0) late.push_back(request);
      if (!late.empty() && random.Below(4) == 0) {
        server(late.front());
        late.pop_front();
      }
      const std::uint64_t fate = random.Below(6);
      if (fate == 0) return Cut();
      Reply reply = server(request);
      return fate == 1 ? Cut() : reply;
    };
    for (int round = 0; round < 5; ++round) {
      Drivers drivers;
      for (int i = 0; i < 6; ++i) {
        const Goal goal = random.Below(2) == 0 ? Goal::kAdd : Goal::kRemove;
        const KeyRequest request{.goal = goal, .id = random.Below(2) == 0 ? "u1" : "u2"};
        drivers.push_back(Begin(request));
        drivers.back()->Serve(network);
      }
      RunTogether(drivers, random);
      for (const auto& driver : drivers) unknown += driver->operation().error() != nullptr ? 1 : 0;
    }
    while (!late.empty()) {
      server(late.front());
      late.pop_front();
    }
    std::int64_t members = 0;
    for (const json& fields : server.List("posts/p1/shardline/shards.count/shardline_members")) {
      if (fields["delta"] == IntegerValue(1)) ++members;
    }
    EXPECT_EQ(server.Total("posts/p1/shards"), members) << "seed " << seed;
  }
  EXPECT_GT(unknown, 0) << "the faults must have bitten";
}

KeyState State(bool counts, std::string change, std::string before) {
  return {"2027-01-01T00:00:00Z", counts, std::move(change), std::move(before)};
}

TEST(DecideKey, Table) {
  for (const bool goal : {true, false}) {
    EXPECT_EQ(DecideKey(State(goal, "mine", "a"), goal, "mine"), KeyStep::kChanged);
    EXPECT_EQ(DecideKey(State(goal, "a", "mine"), goal, "mine"), KeyStep::kUnchanged);
    EXPECT_EQ(DecideKey(State(!goal, "a", "mine"), goal, "mine"), KeyStep::kChanged);
    EXPECT_EQ(DecideKey(State(!goal, "a", "b"), goal, "mine"), KeyStep::kCommit);
  }
  EXPECT_EQ(DecideKey({}, true, "mine"), KeyStep::kCommit);
  EXPECT_EQ(DecideKey({}, false, "mine"), KeyStep::kUnchanged);
}

TEST(DecodeKey, WhatIsNoAnswer) {
  KeyState state;
  for (const char* body : {"", "{}", "[]", "<html>", R"([{"missing": 1}])"}) {
    EXPECT_FALSE(DecodeKey(PaddedText(body), Name("a/b"), KeyKind::kMember, state)) << body;
  }
  const Reply other = MissingDocument("a/c");
  EXPECT_FALSE(DecodeKey(PaddedText(other.body), Name("a/b"), KeyKind::kMember, state));
}

}  // namespace
}  // namespace shardline::change_key_test
