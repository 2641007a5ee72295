// One increment of the outbox.

#include "exactly_once/commit_increment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/fixtures.h"
#include "unit/support/simulated_server.h"

namespace shardline::commit_increment_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kDayMicros = std::int64_t{24} * 3600 * 1'000'000;
const std::string kMarker = "shardline_markers/m1";

json DoubleValue(double value) { return {{"doubleValue", value}}; }

class CommitIncrementTest : public ::testing::Test {
 protected:
  CommitIncrementTest() { server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}}); }

  BatchRequest Request(std::optional<std::int64_t> shards = 3) {
    BatchRequest request{.marker = Name(kMarker), .now = SimulatedServer::ClockAt(server_.now())};
    request.increments.push_back(
        {MakeCounter("posts/p1", Preset("web-sample"), shards), Amount::Integer(5)});
    return request;
  }
  BatchRequest OfFields() {
    BatchRequest request = Request();
    for (const auto& [name, amount] :
         {std::pair("like", -1), std::pair("love", 2), std::pair("laugh", 0)}) {
      request.increments[0].fields.push_back(
          {FieldPath::Parse(name).value(), Amount::Integer(amount)});
    }
    return request;
  }
  // With the delivery at-least-once.
  static BatchRequest Blind(std::int64_t shards, const Amount& delta = Amount::Integer(1)) {
    BatchRequest request;
    request.increments.push_back(
        {MakeCounter("posts/p1", Preset("web-sample"), shards, Delivery::kAtLeastOnce), delta});
    return request;
  }
  // By an earlier call, or by another page.
  BatchRequest SentBefore(Duration age = std::chrono::minutes(1)) {
    BatchRequest request = Request();
    request.sent_before = true;
    request.age = age;
    return request;
  }
  std::unique_ptr<OperationDriver> Begin(BatchRequest request) {
    auto driver =
        std::make_unique<OperationDriver>(CommitIncrement::Start(context_, std::move(request)));
    driver->Serve(std::ref(server_));
    return driver;
  }
  OperationDriver::Server Denying(int first, int last = 1000) {
    return [this, first, last, commits = 0](const SentRequest& sent) mutable {
      if (sent.verb() != "commit") return server_(sent);
      ++commits;
      return commits >= first && commits <= last ? Refusal("PERMISSION_DENIED") : server_(sent);
    };
  }
  std::int64_t Total() { return server_.Total("posts/p1/shards"); }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

// ---- What is sent ----

TEST_F(CommitIncrementTest, IsOneCommitOfTwoWrites) {
  const auto increment = Begin(Request());
  const json result = increment->Run().result();
  EXPECT_EQ(increment->verbs(), "commit");
  EXPECT_EQ(result["outcome"], "counted");
  EXPECT_EQ(result["commitTime"], server_.Find(kMarker)->update_time);
  EXPECT_EQ(result["shards"], 3);
  EXPECT_EQ(result["attempts"], 1);
  EXPECT_EQ(result["aborted"], 0);
  EXPECT_FALSE(result.contains("error"));
  const json& writes = Writes(increment->sent()[0]);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(writes[0]["currentDocument"], json({{"exists", false}}));
  EXPECT_EQ("posts/p1/shards/" + result["shard"].get<std::string>(), PathOf(writes[1]));
  EXPECT_EQ(Total(), 5);
  EXPECT_EQ(increment->operation().billed(), (Billed{.writes = 2}));
  const json marker = server_.Get(kMarker);
  EXPECT_EQ(marker.size(), 2U);
  const std::int64_t now = SimulatedServer::ClockAt(server_.now()).micros;
  const std::int64_t expires =
      Timestamp::Parse(marker["expireAt"]["timestampValue"].get<std::string>())->micros;
  EXPECT_GE(expires - now, 29 * kDayMicros);
  EXPECT_LE(expires - now, 60 * kDayMicros);
}

TEST_F(CommitIncrementTest, AsksHowManyShardsThereAre) {
  const auto increment = Begin(Request(std::nullopt));
  EXPECT_EQ(increment->Run().result()["shards"], 3);
  EXPECT_EQ(increment->verbs(), "batchGet commit");
}

TEST_F(CommitIncrementTest, NeedsTheNumberOfShardsWhereNothingSaysIt) {
  BatchRequest request;
  request.increments.push_back({MakeCounter("tallies", Preset("collection")), Amount::Integer(1)});
  EXPECT_FALSE(CommitIncrement::Start(context_, std::move(request)));
}

// Somebody has spoiled the field: that stops nobody from counting.
TEST_F(CommitIncrementTest, ANumberOfShardsThatIsNonsense) {
  for (const json& nonsense : {IntegerValue(0), IntegerValue(-1), IntegerValue(100'000),
                               DoubleValue(1.5), json({{"stringValue", "3"}})}) {
    server_.Delete(kMarker);
    server_.Put("posts/p1", {{"num_shards", nonsense}});
    const json result = Begin(Request(std::nullopt))->Run().result();
    EXPECT_EQ(result["outcome"], "counted") << nonsense;
    EXPECT_EQ(result["shards"], kDefaultShards);
  }
  EXPECT_EQ(Total(), 25);
}

TEST_F(CommitIncrementTest, EveryLayout) {
  struct Case {
    std::string path;
    Layout layout;
    std::string shards;
    std::string field;
  };
  const Case cases[] = {
      {"posts/p1", Preset("mobile-sample"), "posts/p1/shards", "count"},
      {"posts/p2", Preset("go-sample"), "posts/p2/shards", "Count"},
      {"tallies", Preset("php-sample"), "tallies", "Cnt"},
      {"pages/p1", ExtensionLayout("visits"), "pages/p1/_counter_shards_", "visits"},
  };
  for (const Case& each : cases) {
    server_.Delete(kMarker);
    BatchRequest request = Request();
    request.increments[0].counter = MakeCounter(each.path, each.layout, 4);
    EXPECT_EQ(Begin(std::move(request))->Run().result()["outcome"], "counted");
    EXPECT_EQ(server_.Total(each.shards, each.field), 5) << each.path;
  }
}

// A shard gets all fields, because the server adds up only documents that have all of them.
TEST_F(CommitIncrementTest, SeveralFieldsAreOneWrite) {
  const auto increment = Begin(OfFields());
  const json result = increment->Run().result();
  EXPECT_EQ(result["outcome"], "counted");
  const json& writes = Writes(increment->sent()[0]);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(
      server_.List("posts/p1/shards"),
      json(
          {{result["shard"],
            {{"like", IntegerValue(-1)}, {"love", IntegerValue(2)}, {"laugh", IntegerValue(0)}}}}));
  EXPECT_EQ(increment->operation().billed(), (Billed{.writes = 2}));
}

TEST_F(CommitIncrementTest, SeveralFieldsCountOnceWhateverIsLost) {
  for (const Reply& lost : {Cut(), Silence(), Refusal("UNAVAILABLE"), OkText("{")}) {
    server_.Delete(kMarker);
    const std::int64_t before = server_.Total("posts/p1/shards", "love");
    const auto increment = Begin(OfFields());
    int commits = 0;
    increment->Serve([&](const SentRequest& sent) {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && ++commits == 1 ? lost : reply;
    });
    EXPECT_EQ(increment->Run().result()["outcome"], "counted");
    for (const SentRequest& sent : increment->sent()) {
      if (sent.verb() != "commit") continue;
      EXPECT_EQ(server_(sent).status, 409) << "it arrives again";
    }
    EXPECT_EQ(server_.Total("posts/p1/shards", "love") - before, 2) << lost.body;
  }
  EXPECT_EQ(server_.Total("posts/p1/shards", "like"), -4);
}

TEST_F(CommitIncrementTest, AFieldThatIsFull) {
  for (int shard = 0; shard < 3; ++shard) {
    server_.Put("posts/p1/shards/" + std::to_string(shard),
                {{"love", IntegerValue(INT64_MAX - 1)}});
  }
  const json result = Begin(OfFields())->Run().result();
  EXPECT_EQ(result["outcome"], "counted");
  EXPECT_EQ(result["error"]["reason"], "counter-full");
  EXPECT_EQ(server_.Total("posts/p1/shards", "like"), -1) << "the others count";
}

// ---- One of all that are sent is counted ----

// Whatever arrives again, however late, changes nothing.
TEST_F(CommitIncrementTest, RequestsThatArriveAgain) {
  const auto increment = Begin(Request());
  increment->Run();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(server_(increment->sent()[0]).status, 409);
  EXPECT_EQ(Total(), 5);
}

TEST_F(CommitIncrementTest, TwoSendersOfOneBatch) {
  EXPECT_EQ(Begin(Request())->Run().result()["outcome"], "counted");
  const auto other = Begin(SentBefore());
  const json result = other->Run().result();
  EXPECT_EQ(result["outcome"], "counted");
  EXPECT_EQ(result["commitTime"], server_.Find(kMarker)->update_time);
  EXPECT_EQ(other->verbs(), "commit batchGet");
  EXPECT_EQ(Total(), 5);
}

TEST_F(CommitIncrementTest, AnswersThatAreLost) {
  for (const Reply& lost : {Cut(), Silence(), Refusal("UNAVAILABLE"), Refusal("INTERNAL"),
                            OkText("{"), OkText("{\"writeResults\":[]}"), OkText("")}) {
    server_.Delete(kMarker);
    const std::int64_t before = Total();
    const auto increment = Begin(Request());
    int commits = 0;
    increment->Serve([&](const SentRequest& sent) {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && ++commits == 1 ? lost : reply;
    });
    const json result = increment->Run().result();
    EXPECT_EQ(result["outcome"], "counted");
    EXPECT_EQ(result["commitTime"], server_.Find(kMarker)->update_time);
    EXPECT_EQ(increment->verbs(), "commit commit batchGet") << lost.body;
    EXPECT_EQ(Total() - before, 5);
  }
}

// How many others write to the counter's shards makes no difference.
TEST_F(CommitIncrementTest, ALostFirstAnswerOnABusyCounter) {
  const auto increment = Begin(Request());
  int commits = 0;
  increment->Serve([&](const SentRequest& sent) {
    Reply reply = server_(sent);
    if (sent.verb() != "commit" || ++commits > 1) return reply;
    for (int i = 0; i < 1000; ++i) {
      BatchRequest other = Request();
      other.marker = Name("shardline_markers/other" + std::to_string(i));
      EXPECT_EQ(Begin(std::move(other))->Run().result()["outcome"], "counted");
    }
    return Cut();
  });
  EXPECT_EQ(increment->Run().result()["outcome"], "counted");
  EXPECT_LE(increment->sent().size(), 4U) << "at most three more";
  EXPECT_EQ(Total(), 5 * 1001);
}

TEST_F(CommitIncrementTest, RequestsThatAreLost) {
  const auto increment = Begin(Request());
  increment->Script({Cut(), Refusal("UNAVAILABLE")});
  EXPECT_EQ(increment->Run().result()["outcome"], "counted");
  EXPECT_EQ(increment->verbs(), "commit commit commit");
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_NE(PathOf(Writes(increment->sent()[i - 1])[1]), PathOf(Writes(increment->sent()[i])[1]))
        << "it goes to another shard";
  }
  // Now the first one arrives.
  EXPECT_EQ(server_(increment->sent()[0]).status, 409);
  EXPECT_EQ(Total(), 5);
}

// A browser has sent it twice, and shows the answer to the second time; rules may refuse that one,
// because a marker that is there would be updated.
TEST_F(CommitIncrementTest, TheBrowserSendsItTwice) {
  for (const bool denies : {false, true}) {
    server_.Delete(kMarker);
    const std::int64_t before = Total();
    const auto increment = Begin(Request());
    increment->Serve([&](const SentRequest& sent) {
      if (sent.verb() != "commit") return server_(sent);
      server_(sent);
      return denies ? Refusal("PERMISSION_DENIED") : server_(sent);
    });
    EXPECT_EQ(increment->Run().result()["outcome"], "counted");
    EXPECT_EQ(increment->verbs(), "commit batchGet");
    EXPECT_EQ(Total() - before, 5);
  }
}

// ---- Contention, and nobody there ----

TEST_F(CommitIncrementTest, ContentionGoesToAnotherShardAfterAPause) {
  for (const char* status : {"ABORTED", "RESOURCE_EXHAUSTED"}) {
    server_.Delete(kMarker);
    const auto increment = Begin(Request());
    increment->Script({Refusal(status), Refusal(status)});
    const json result = increment->Run().result();
    EXPECT_EQ(result["outcome"], "counted");
    EXPECT_EQ(result["attempts"], 3);
    EXPECT_EQ(result["aborted"], 2);
    EXPECT_GT(increment->sent()[1].at, increment->sent()[0].at + std::chrono::milliseconds(400));
    EXPECT_NE(PathOf(Writes(increment->sent()[0])[1]), PathOf(Writes(increment->sent()[1])[1]));
  }
}

TEST_F(CommitIncrementTest, WhatGoesOnForLongWaits) {
  struct Case {
    Reply reply;
    bool may_arrive;
    const char* code;
  };
  const Case cases[] = {
      {Refusal("ABORTED"), false, "aborted"},
      {Refusal("RESOURCE_EXHAUSTED"), false, "resource-exhausted"},
      {Refusal("UNAUTHENTICATED"), false, "unauthenticated"},
      {Refusal("UNAVAILABLE"), true, "outcome-unknown"},
      {Cut(), true, "outcome-unknown"},
      {Silence(), true, "outcome-unknown"},
      {OkText("{"), true, "outcome-unknown"},
      {OkText("<html>"), true, "outcome-unknown"},
      // A hotel's page may stand in for any answer.
      {Answer(403, "<html>Log in</html>"), true, "unavailable"},
      {Answer(404, "<html>Log in</html>"), true, "unimplemented"},
  };
  for (const Case& each : cases) {
    const auto increment = Begin(Request());
    increment->Serve([&](const SentRequest&) { return each.reply; });
    const json result = increment->Run().result();
    EXPECT_EQ(result["outcome"], "waiting") << each.reply.body;
    EXPECT_EQ(result.value("mayArrive", false), each.may_arrive) << each.reply.body;
    EXPECT_EQ(result["error"]["code"], each.code);
    EXPECT_LE(increment->sent().size(), 6U);
  }
  BatchRequest again = SentBefore();
  const auto waits = Begin(std::move(again));
  waits->Serve([&](const SentRequest&) { return Refusal("ABORTED"); });
  EXPECT_EQ(waits->Run().result()["mayArrive"], true) << "an earlier one may";
  EXPECT_EQ(Begin(SentBefore())->Run().result()["outcome"], "counted");
}

TEST_F(CommitIncrementTest, AnExpiredTokenIsAskedForAgain) {
  const auto increment = Begin(Request());
  increment->Script({Refusal("UNAUTHENTICATED")});
  EXPECT_EQ(increment->Run().result()["outcome"], "counted");
  EXPECT_TRUE(increment->sent()[1].refresh_token);
}

TEST_F(CommitIncrementTest, TheNumberOfShardsCannotBeLearnt) {
  const auto waits = Begin(Request(std::nullopt));
  waits->Serve([](const SentRequest&) { return Cut(); });
  const json result = waits->Run().result();
  EXPECT_EQ(result["outcome"], "waiting");
  EXPECT_FALSE(result.contains("mayArrive")) << "nothing was written";
  EXPECT_FALSE(result.contains("shard"));
  EXPECT_EQ(result["shards"], 0);
}

// ---- Refusals ----

TEST_F(CommitIncrementTest, WhatRulesRefuseIsWithdrawn) {
  const auto increment = Begin(Request());
  increment->Serve(Denying(1, 1));
  const json result = increment->Run().result();
  EXPECT_EQ(result["outcome"], "refused");
  EXPECT_EQ(result["error"]["code"], "permission-denied");
  EXPECT_THAT(result["error"]["message"].get<std::string>(), HasSubstr(kMarker));
  EXPECT_EQ(increment->verbs(), "commit batchGet commit");
  EXPECT_EQ(server_(increment->sent()[0]).status, 409) << "it cannot be applied any more";
  EXPECT_EQ(Total(), 0);
}

TEST_F(CommitIncrementTest, RulesRefuseTheWithdrawalToo) {
  const auto refused = Begin(Request());
  refused->Serve(Denying(1));
  EXPECT_EQ(refused->Run().result()["outcome"], "refused") << "nothing else was ever sent";
  EXPECT_EQ(refused->verbs(), "commit batchGet commit");
  const auto lost = Begin(Request());
  lost->Script({Cut()}).Serve(Denying(1));
  EXPECT_EQ(lost->Run().result()["outcome"], "unknown") << "the first may still arrive";
  EXPECT_EQ(lost->result()["error"]["code"], "outcome-unknown");
  const auto sent = Begin(SentBefore());
  sent->Serve(Denying(1));
  EXPECT_EQ(sent->Run().result()["outcome"], "unknown");
}

// The marker must be read, and rules hide it: the withdrawal tells.
TEST_F(CommitIncrementTest, RulesHideTheMarker) {
  const auto hiding = [&](OperationDriver::Server server) {
    return [server](const SentRequest& sent) {
      return sent.verb() == "commit" ? server(sent) : Refusal("PERMISSION_DENIED");
    };
  };
  const auto refused = Begin(Request());
  refused->Serve(hiding(Denying(1, 1)));
  EXPECT_EQ(refused->Run().result()["outcome"], "refused");
  EXPECT_EQ(refused->verbs(), "commit batchGet commit");
  server_.Delete(kMarker);
  Begin(Request())->Run();
  const auto lost = Begin(SentBefore());
  lost->Serve(hiding(std::ref(server_)));
  EXPECT_EQ(lost->Run().result()["outcome"], "unknown") << "something is there";
  EXPECT_EQ(Total(), 5);
}

TEST_F(CommitIncrementTest, ARefusedIncrementThatWasCountedBefore) {
  const auto increment = Begin(Request());
  int commits = 0;
  increment->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    if (++commits > 1) return Refusal("PERMISSION_DENIED");
    server_(sent);
    return Cut();
  });
  EXPECT_EQ(increment->Run().result()["outcome"], "counted");
  EXPECT_EQ(Total(), 5);
}

// The lost request arrives between the reading and the withdrawal.
TEST_F(CommitIncrementTest, ARefusedIncrementThatArrivesInTheLastMoment) {
  const auto increment = Begin(Request());
  int commits = 0;
  increment->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    ++commits;
    if (commits == 1) return Cut();
    if (commits == 2) return Refusal("PERMISSION_DENIED");
    server_(increment->sent()[0]);
    return server_(sent);
  });
  EXPECT_EQ(increment->Run().result()["outcome"], "counted");
  EXPECT_EQ(increment->verbs(), "commit commit batchGet commit batchGet");
  EXPECT_EQ(Total(), 5);
}

TEST_F(CommitIncrementTest, WhatAnotherHasWithdrawn) {
  const auto first = Begin(Request());
  first->Serve(Denying(1, 1));
  first->Run();
  const json result = Begin(SentBefore())->Run().result();
  EXPECT_EQ(result["outcome"], "refused");
  EXPECT_EQ(result["error"]["reason"], "batch-withdrawn");
  EXPECT_EQ(Total(), 0);
}

TEST_F(CommitIncrementTest, TheReadingOrTheWithdrawalFails) {
  for (const char* verbs : {"batchGet", "commit"}) {
    const auto increment = Begin(Request());
    int requests = 0;
    increment->Serve([&](const SentRequest& sent) {
      if (++requests == 1) return Refusal("PERMISSION_DENIED");
      return sent.verb() == verbs ? Cut() : server_(sent);
    });
    const json result = increment->Run().result();
    EXPECT_EQ(result["outcome"], "waiting") << verbs;
    EXPECT_FALSE(result.contains("mayArrive"));
  }
  EXPECT_EQ(Begin(Request())->Run().result()["outcome"], "counted");
}

TEST_F(CommitIncrementTest, ACounterThatIsGone) {
  server_.Delete("posts/p1");
  const auto fresh = Begin(Request(std::nullopt));
  EXPECT_EQ(fresh->Run().result()["outcome"], "refused");
  EXPECT_EQ(fresh->result()["error"]["reason"], "counter-not-found");
  EXPECT_EQ(fresh->verbs(), "batchGet");
  BatchRequest request = Request(std::nullopt);
  request.sent_before = true;
  const auto sent = Begin(std::move(request));
  EXPECT_EQ(sent->Run().result()["outcome"], "refused");
  EXPECT_EQ(sent->verbs(), "batchGet batchGet commit") << "an earlier one cannot arrive any more";
}

TEST_F(CommitIncrementTest, ADatabaseThatIsNotThere) {
  const auto increment = Begin(Request());
  increment->Serve([](const SentRequest&) { return Refusal("NOT_FOUND", "No such database."); });
  EXPECT_EQ(increment->Run().result()["outcome"], "refused");
  EXPECT_EQ(increment->result()["error"]["code"], "not-found");
}

// ---- Clocks and age ----

// A marker that is dated by a clock that is years off would expire at once, or never: rules refuse
// it, and the server's clock is known then.
TEST_F(CommitIncrementTest, AClockThatIsYearsOff) {
  for (const std::int64_t years : {-3, 3}) {
    server_.Delete(kMarker);
    BatchRequest request = Request();
    request.now.micros += years * 365 * kDayMicros;
    const auto increment = Begin(std::move(request));
    increment->Script({Refusal("PERMISSION_DENIED")});
    EXPECT_EQ(increment->Run().result()["outcome"], "counted");
    EXPECT_EQ(increment->verbs(), "commit batchGet commit");
    const std::string expires = server_.Get(kMarker)["expireAt"]["timestampValue"];
    const std::int64_t ahead =
        Timestamp::Parse(expires)->micros - SimulatedServer::ClockAt(server_.now()).micros;
    EXPECT_GT(ahead, 29 * kDayMicros);
    EXPECT_LT(ahead, 60 * kDayMicros);
  }
  EXPECT_EQ(Total(), 10);
}

TEST_F(CommitIncrementTest, AWrongClockIsNoReasonToGoOnForEver) {
  BatchRequest request = Request();
  request.now.micros += 3000 * kDayMicros;
  const auto increment = Begin(std::move(request));
  increment->Serve(Denying(1, 2));
  EXPECT_EQ(increment->Run().result()["outcome"], "refused");
  EXPECT_EQ(increment->verbs(), "commit batchGet commit batchGet commit");
}

// Its marker, if there was one, may have expired.
TEST_F(CommitIncrementTest, ABatchOfLastMonthIsAskedForFirst) {
  const auto unknown = Begin(SentBefore(kBatchLife));
  EXPECT_EQ(unknown->Run().result()["outcome"], "unknown");
  EXPECT_EQ(unknown->verbs(), "batchGet") << "nothing is sent";
  const auto young = Begin(SentBefore(kBatchLife - std::chrono::hours(1)));
  EXPECT_EQ(young->Run().result()["outcome"], "counted");
  EXPECT_EQ(young->verbs(), "commit");
  const auto known = Begin(SentBefore(kBatchLife));
  EXPECT_EQ(known->Run().result()["outcome"], "counted");
  EXPECT_EQ(known->verbs(), "batchGet");
  EXPECT_EQ(Total(), 5);
}

// A device sleeps for months while an answer is missing, and meanwhile the marker has expired.
TEST_F(CommitIncrementTest, ADeviceSleepsBetweenTwoAttempts) {
  const auto increment = Begin(Request());
  increment->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    server_(sent);
    server_.Delete(kMarker);
    Reply lost = Cut();
    lost.latency = std::chrono::hours(24 * 70);
    return lost;
  });
  context_.retry.timeout = std::chrono::hours(24 * 100);
  EXPECT_EQ(increment->Run().result()["outcome"], "unknown");
  EXPECT_EQ(increment->verbs(), "commit batchGet");
  EXPECT_EQ(Total(), 5);
}

// … or in the pause before the next attempt.
TEST_F(CommitIncrementTest, ADeviceSleepsInThePause) {
  const auto increment = Begin(Request());
  increment->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    server_(sent);
    server_.Delete(kMarker);
    return Cut();
  });
  increment->Step();
  increment->set_now(increment->now() + std::chrono::hours(24 * 70));
  EXPECT_EQ(increment->Run().result()["outcome"], "unknown");
  EXPECT_EQ(increment->verbs(), "commit batchGet");
  EXPECT_EQ(Total(), 5);
}

// A withdrawal that succeeds because the marker has expired would call refused what was counted.
TEST_F(CommitIncrementTest, ADeviceSleepsBeforeTheWithdrawalIsSentAgain) {
  for (const bool in_pause : {false, true}) {
    const auto increment = Begin(SentBefore());
    context_.retry.timeout = std::chrono::hours(24 * 100);
    int commits = 0;
    increment->Serve([&](const SentRequest& sent) {
      if (sent.verb() != "commit") return server_(sent);
      if (++commits == 1) return Refusal("PERMISSION_DENIED");
      Reply lost = Cut();
      if (!in_pause) lost.latency = std::chrono::hours(24 * 70);
      return lost;
    });
    for (int i = 0; i < 3; ++i) increment->Step();
    if (in_pause) increment->set_now(increment->now() + std::chrono::hours(24 * 70));
    EXPECT_EQ(increment->Run().result()["outcome"], "unknown");
    EXPECT_EQ(increment->verbs(), "commit batchGet commit batchGet");
  }
}

// ---- The end of int64 ----

TEST_F(CommitIncrementTest, AShardThatIsFull) {
  for (int i = 0; i < 3; ++i) {
    server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(INT64_MAX - 3)}});
  }
  const json result = Begin(Request())->Run().result();
  EXPECT_EQ(result["outcome"], "counted");
  EXPECT_EQ(result["error"]["reason"], "counter-full");
}

TEST_F(CommitIncrementTest, SaysWhenTheServerStoppedAtTheEnd) {
  const auto is_full = [&](std::int64_t delta, const json& after) {
    const auto increment = Begin(Blind(1, Amount::Integer(delta)));
    increment->Script({Incremented(after)});
    return increment->Run().result().contains("error");
  };
  EXPECT_TRUE(is_full(1, IntegerValue(INT64_MAX)));
  EXPECT_TRUE(is_full(-1, IntegerValue(INT64_MIN)));
  EXPECT_FALSE(is_full(1, IntegerValue(INT64_MAX - 1)));
  EXPECT_FALSE(is_full(-1, IntegerValue(INT64_MIN + 1)));
  // Away from the end, or not at all.
  EXPECT_FALSE(is_full(-1, IntegerValue(INT64_MAX)));
  EXPECT_FALSE(is_full(1, IntegerValue(INT64_MIN)));
  EXPECT_FALSE(is_full(0, IntegerValue(INT64_MAX)));
  EXPECT_FALSE(is_full(1, DoubleValue(1e300)));
}

// ---- At least once ----

TEST_F(CommitIncrementTest, AtLeastOnceIsOneWriteThatTheServerAdds) {
  const Exchange exchange = LoadExchange("commit", "increment");
  BatchRequest request;
  request.increments.push_back(
      {MakeCounter("counters/c", Preset("web-sample"), 1), Amount::Integer(3)});
  const auto increment = Begin(std::move(request));
  increment->Script({OkText(exchange.body)});
  const json result = increment->Run().result();
  EXPECT_EQ(result["outcome"], "counted");
  EXPECT_EQ(result["shard"], "0");
  EXPECT_EQ(increment->sent()[0].body, exchange.request) << "as Google's emulator was asked";
  EXPECT_EQ(increment->operation().billed(), (Billed{.writes = 1}));
}

TEST_F(CommitIncrementTest, AtLeastOnceTakesAnyNumber) {
  const std::pair<Amount, json> cases[] = {
      {Amount::Integer(0), IntegerValue(0)},
      {Amount::Integer(-3), IntegerValue(-3)},
      {Amount::Integer(INT64_MAX), IntegerValue(INT64_MAX)},
      {Amount::Integer(INT64_MIN), IntegerValue(INT64_MIN)},
      {Amount::Double(0.5), DoubleValue(0.5)},
      {Amount::Double(-1e-300), DoubleValue(-1e-300)},
      {Amount::Double(1.7976931348623157e308), DoubleValue(1.7976931348623157e308)},
  };
  for (const auto& [delta, expected] : cases) {
    const auto increment = Begin(Blind(1, delta));
    increment->Script({Incremented(IntegerValue(1))}).Run();
    EXPECT_EQ(Writes(increment->sent()[0])[0]["updateTransforms"][0]["increment"], expected);
  }
}

TEST_F(CommitIncrementTest, AtLeastOnceGoesToAnotherShard) {
  for (const Reply& fault : {Refusal("ABORTED"), Refusal("RESOURCE_EXHAUSTED"),
                             Refusal("UNAVAILABLE"), Cut(), Silence(), OkText("")}) {
    for (const std::int64_t shards : {1, 2, 10}) {
      const auto increment = Begin(Blind(shards));
      increment->Script({fault, fault, fault, Incremented(IntegerValue(1))}).Run();
      ASSERT_EQ(increment->sent().size(), 4U);
      for (std::size_t i = 1; i < 4; ++i) {
        EXPECT_EQ(
            PathOf(Writes(increment->sent()[i - 1])[0]) == PathOf(Writes(increment->sent()[i])[0]),
            shards == 1);
      }
      EXPECT_EQ(increment->result()["outcome"], "counted");
    }
  }
}

TEST_F(CommitIncrementTest, AtLeastOnceMayCountTwiceAfterALostAnswer) {
  const auto increment = Begin(Blind(10));
  int commits = 0;
  increment->Serve([&](const SentRequest& sent) {
    Reply reply = server_(sent);
    return ++commits == 1 ? Cut() : reply;
  });
  increment->Run();
  EXPECT_EQ(Total(), 2) << "what its name says";
}

TEST_F(CommitIncrementTest, AtLeastOnceEnds) {
  const auto end = [&](const Reply& reply, bool sent_before = false) {
    BatchRequest request = Blind(3);
    request.sent_before = sent_before;
    const auto increment = Begin(std::move(request));
    increment->Serve([&](const SentRequest&) { return reply; });
    return increment->Run().result()["outcome"].get<std::string>();
  };
  EXPECT_EQ(end(Cut()), "waiting");
  EXPECT_EQ(end(Refusal("ABORTED")), "waiting");
  EXPECT_EQ(end(Answer(403, "<html>")), "waiting");
  EXPECT_EQ(end(Refusal("PERMISSION_DENIED")), "refused");
  EXPECT_EQ(end(Refusal("PERMISSION_DENIED"), true), "unknown");
  // A success that cannot be read has most likely counted, and would count again each time.
  EXPECT_EQ(end(OkText("{")), "unknown");
  EXPECT_EQ(end(OkText("<html>")), "unknown");
  const auto refused = Begin(Blind(3));
  refused->Script({Refusal("PERMISSION_DENIED")}).Run();
  EXPECT_THAT(refused->result()["error"]["message"].get<std::string>(),
              Not(HasSubstr("shardline_markers")));
}

TEST_F(CommitIncrementTest, CancelWarns) {
  const auto increment = Begin(Request());
  increment->Send();
  increment->operation().Cancel();
  EXPECT_EQ(increment->error().code, Code::kCancelled);
  EXPECT_THAT(increment->error().message, HasSubstr("may have been applied"));
}

}  // namespace
}  // namespace shardline::commit_increment_test
