// Members of counted sets: each key counts once.

#include "exactly_once/change_member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counter/places.h"
#include "exactly_once/read_members.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::change_member_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

enum class Wish : std::uint8_t { kAdd, kRemove };

constexpr std::int64_t kDayMicros = std::int64_t{24} * 3600 * 1'000'000;

class ChangeMemberTest : public ::testing::Test {
 protected:
  ChangeMemberTest() { server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}}); }

  std::unique_ptr<OperationDriver> Begin(Wish wish, const std::string& key,
                                         const Layout& layout = Preset("web-sample"),
                                         const std::string& path = "posts/p1",
                                         std::optional<std::int64_t> shards = 3) {
    auto driver = std::make_unique<OperationDriver>(
        ChangeMember::Start(context_, MakeCounter(path, layout, shards),
                            MemberWish{wish == Wish::kAdd}, KeyId(key).value()));
    driver->Serve(std::ref(server_));
    return driver;
  }
  bool Change(Wish wish, const std::string& key) {
    return Begin(wish, key)->Run().result()["changed"];
  }
  bool Has(const std::string& key) {
    std::unique_ptr<Operation> operation = std::make_unique<ReadMembers>(
        context_, std::vector{MemberName(*MakeCounter(), KeyId(key).value())});
    OperationDriver driver(std::move(operation));
    return driver.Serve(std::ref(server_)).Run().result()["members"][0];
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

TEST_F(ChangeMemberTest, EachKeyCountsOnceAndCanBeTakenBack) {
  EXPECT_FALSE(Has("u1"));
  EXPECT_TRUE(Change(Wish::kAdd, "u1"));
  EXPECT_FALSE(Change(Wish::kAdd, "u1"));
  EXPECT_TRUE(Change(Wish::kAdd, "u2"));
  EXPECT_TRUE(Has("u1"));
  EXPECT_EQ(Total(), 2);
  EXPECT_TRUE(Change(Wish::kRemove, "u1"));
  EXPECT_FALSE(Change(Wish::kRemove, "u1"));
  EXPECT_FALSE(Change(Wish::kRemove, "never"));
  EXPECT_FALSE(Has("u1"));
  EXPECT_EQ(Total(), 1);
  EXPECT_TRUE(Change(Wish::kAdd, "u1"));
  EXPECT_EQ(Total(), 2);
  EXPECT_EQ(Members(), 2);
}

TEST_F(ChangeMemberTest, SendsOneCommitWhenTheKeyIsNew) {
  const auto add = Begin(Wish::kAdd, "u1");
  add->Run();
  EXPECT_EQ(add->verbs(), "commit");
  const std::string path = "posts/p1/shardline/shards.count/shardline_members/u1";
  EXPECT_EQ(add->result(), json({{"changed", true},
                                 {"commitTime", server_.Find(path)->update_time},
                                 {"shards", 3},
                                 {"attempts", 1},
                                 {"aborted", 0}}));
  const json& writes = Writes(add->sent()[0]);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes[0]["currentDocument"], json({{"exists", false}}));
  EXPECT_FALSE(writes[0]["update"]["fields"].contains("expireAt"));
  EXPECT_EQ(PathOf(writes[1]),
            "posts/p1/shards/" +
                writes[0]["update"]["fields"]["shard"]["stringValue"].get<std::string>());
  EXPECT_EQ(add->operation().billed(), (Billed{.writes = 2}));
}

TEST_F(ChangeMemberTest, AsksHowManyShardsThereAre) {
  const auto add = Begin(Wish::kAdd, "u1", Preset("web-sample"), "posts/p1", std::nullopt);
  EXPECT_EQ(add->Run().result()["shards"], 3);
  EXPECT_EQ(add->verbs(), "batchGet commit");
  const auto nowhere = Begin(Wish::kAdd, "u1", Preset("web-sample"), "posts/p2", std::nullopt);
  EXPECT_EQ(nowhere->Run().error().code, Code::kNotFound);
}

// What was taken back is kept so that late requests find out, and no longer than that.
TEST_F(ChangeMemberTest, WhatWasTakenBackExpires) {
  Change(Wish::kAdd, "u1");
  const std::string first = Member("u1")["change"]["stringValue"];
  Change(Wish::kRemove, "u1");
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
TEST_F(ChangeMemberTest, RequestsThatArriveAgain) {
  std::vector<SentRequest> sent;
  const auto keep = [&](Wish wish) {
    const auto driver = Begin(wish, "u1");
    driver->Run();
    for (const SentRequest& request : driver->sent()) {
      if (request.verb() == "commit") sent.push_back(request);
    }
  };
  for (const Wish wish : {Wish::kAdd, Wish::kRemove, Wish::kAdd, Wish::kRemove}) {
    keep(wish);
    for (const SentRequest& request : sent) EXPECT_NE(server_(request).status, 200);
    EXPECT_EQ(Total(), wish == Wish::kAdd ? 1 : 0);
    EXPECT_EQ(Members(), Total());
  }
  EXPECT_GE(sent.size(), 4U);
}

TEST_F(ChangeMemberTest, SaysHowOftenItMetContention) {
  for (const Wish wish : {Wish::kAdd, Wish::kRemove}) {
    const auto driver = Begin(wish, "contended");
    int commits = 0;
    driver->Serve([&](const SentRequest& sent) {
      return sent.verb() == "commit" && ++commits <= 2 ? Refusal("ABORTED") : server_(sent);
    });
    driver->Run();
    EXPECT_EQ(driver->result()["attempts"], 3);
    EXPECT_EQ(driver->result()["aborted"], 2);
  }
  EXPECT_EQ(Begin(Wish::kRemove, "never")->Run().result()["attempts"], 0);
}

TEST_F(ChangeMemberTest, AnswersThatAreLost) {
  for (const Wish wish : {Wish::kAdd, Wish::kRemove}) {
    const std::int64_t before = Total();
    const auto driver = Begin(wish, "lost");
    int commits = 0;
    driver->Serve([&](const SentRequest& sent) {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && ++commits == 1 ? Cut() : reply;
    });
    EXPECT_EQ(driver->Run().result()["changed"], true);
    EXPECT_EQ(commits, 2);
    EXPECT_EQ(Total() - before, wish == Wish::kRemove ? -1 : 1);
  }
}

// The answer is lost, and before it is asked for, another device takes the key back.
TEST_F(ChangeMemberTest, AnotherDeviceUndoesWhatIsInDoubt) {
  const auto add = Begin(Wish::kAdd, "u1");
  int commits = 0;
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit" || ++commits > 1) return server_(sent);
    server_(sent);
    EXPECT_TRUE(Change(Wish::kRemove, "u1"));
    return Cut();
  });
  EXPECT_EQ(add->Run().result()["changed"], true);
  EXPECT_EQ(Total(), 0) << "the other device was the last";
  EXPECT_FALSE(Has("u1"));
}

// For a page that knows a total of some time, and asks whether this change is in it.
TEST_F(ChangeMemberTest, SaysSinceWhenTheKeyIsSo) {
  const std::string path = "posts/p1/shardline/shards.count/shardline_members/u1";
  Change(Wish::kAdd, "u1");
  const std::string added = server_.Find(path)->update_time;
  EXPECT_EQ(Begin(Wish::kAdd, "u1")->Run().result()["commitTime"], added) << "another has added it";
  const json removed = Begin(Wish::kRemove, "u1")->Run().result();
  EXPECT_EQ(removed["commitTime"], server_.Find(path)->update_time);
  EXPECT_EQ(Begin(Wish::kRemove, "u1")->Run().result()["commitTime"], removed["commitTime"]);
  EXPECT_FALSE(Begin(Wish::kRemove, "never")->Run().result().contains("commitTime"));
}

// A hotel's page says nothing of what the server would say.
TEST_F(ChangeMemberTest, AnswersThatAreNotTheServers) {
  for (const int status : {403, 404, 200}) {
    for (const Wish wish : {Wish::kAdd, Wish::kRemove}) {
      const auto driver = Begin(wish, "u1");
      driver->Serve([&](const SentRequest&) { return Answer(status, "<html>Log in</html>"); });
      const Code code = driver->Run().error().code;
      EXPECT_TRUE(code == Code::kUnavailable || code == Code::kOutcomeUnknown) << CodeName(code);
    }
  }
}

TEST_F(ChangeMemberTest, AnotherDeviceIsFaster) {
  const auto add = Begin(Wish::kAdd, "u1");
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") Change(Wish::kAdd, "u1");
    return server_(sent);
  });
  EXPECT_EQ(add->Run().result()["changed"], false);
  EXPECT_EQ(Total(), 1);
}

TEST_F(ChangeMemberTest, NoNetwork) {
  const auto add = Begin(Wish::kAdd, "u1");
  add->Serve([](const SentRequest&) { return Cut(); });
  const Error error = add->Run().error();
  EXPECT_EQ(error.code, Code::kOutcomeUnknown);
  EXPECT_THAT(error.message, HasSubstr("ask again with the same key"));
  const auto remove = Begin(Wish::kRemove, "u1");
  remove->Serve([](const SentRequest&) { return Cut(); });
  EXPECT_EQ(remove->Run().error().code, Code::kUnavailable) << "nothing was written";
}

// Rules are asked before preconditions, so they may refuse what a look at the document explains.
TEST_F(ChangeMemberTest, RulesThatRefuse) {
  Change(Wish::kAdd, "u1");
  const auto denied = [&](Wish wish, const std::string& key) {
    auto driver = Begin(wish, key);
    driver->Serve([&](const SentRequest& sent) {
      return sent.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(sent);
    });
    driver->Run();
    return driver;
  };
  EXPECT_EQ(denied(Wish::kAdd, "u1")->result()["changed"], false);
  const Error error = denied(Wish::kAdd, "u2")->error();
  EXPECT_EQ(error.code, Code::kPermissionDenied);
  EXPECT_THAT(error.message, HasSubstr("posts/p1/shardline/shards.count/shardline_members/u2"));
  EXPECT_EQ(denied(Wish::kRemove, "u1")->error().code, Code::kPermissionDenied);
}

TEST_F(ChangeMemberTest, OthersWhoNeverStop) {
  const auto add = Begin(Wish::kAdd, "u1");
  add->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") {
      Change(Wish::kAdd, "u1");
      Change(Wish::kRemove, "u1");
    }
    return server_(sent);
  });
  EXPECT_EQ(add->Run().error().code, Code::kAborted);
  EXPECT_EQ(Total(), 0);
}

TEST_F(ChangeMemberTest, ContentionGoesToAnotherShard) {
  const auto add = Begin(Wish::kAdd, "u1");
  add->Script({Refusal("ABORTED"), Refusal("ABORTED")});
  EXPECT_EQ(add->Run().result()["changed"], true);
  EXPECT_NE(PathOf(Writes(add->sent()[0])[1]), PathOf(Writes(add->sent()[1])[1]));
  EXPECT_EQ(Total(), 1);
}

TEST_F(ChangeMemberTest, OtherLayouts) {
  EXPECT_EQ(Begin(Wish::kAdd, "u1", Preset("collection"), "tallies")->Run().result()["changed"],
            true);
  EXPECT_EQ(server_.Total("tallies"), 1);
  EXPECT_EQ(Begin(Wish::kAdd, "u1", ExtensionLayout("stats.visits"), "pages/hello")
                ->Run()
                .result()["changed"],
            true);
  EXPECT_EQ(server_.List("pages/hello/_counter_shards_").size(), 1U);
}

// Several devices flip the same few keys on a network that loses and repeats what it likes.
TEST_F(ChangeMemberTest, FaultsFromASeed) {
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
        const Wish wish = random.Below(2) == 0 ? Wish::kAdd : Wish::kRemove;
        drivers.push_back(Begin(wish, random.Below(2) == 0 ? "u1" : "u2"));
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

MemberState State(bool is_member, std::string change, std::string before) {
  return {"2027-01-01T00:00:00Z", is_member, "", std::move(change), std::move(before)};
}

TEST(DecideMember, Table) {
  for (const bool is_in : {true, false}) {
    const MemberWish wish{is_in};
    EXPECT_EQ(DecideMember(State(is_in, "mine", "a"), wish, "mine"), MemberStep::kChanged);
    EXPECT_EQ(DecideMember(State(is_in, "a", "mine"), wish, "mine"), MemberStep::kUnchanged);
    EXPECT_EQ(DecideMember(State(!is_in, "a", "mine"), wish, "mine"), MemberStep::kChanged);
    EXPECT_EQ(DecideMember(State(!is_in, "a", "b"), wish, "mine"), MemberStep::kCommit);
  }
  EXPECT_EQ(DecideMember({}, {true}, "mine"), MemberStep::kCommit);
  EXPECT_EQ(DecideMember({}, {false}, "mine"), MemberStep::kUnchanged);
}

TEST(DecodeMember, WhatIsNoAnswer) {
  MemberState state;
  for (const char* body : {"", "{}", "[]", "<html>", R"([{"missing": 1}])"}) {
    EXPECT_FALSE(DecodeMember(PaddedText(body), Name("a/b"), state)) << body;
  }
  const Reply other = MissingDocument("a/c");
  EXPECT_FALSE(DecodeMember(PaddedText(other.body), Name("a/b"), state));
}

}  // namespace
}  // namespace shardline::change_member_test
