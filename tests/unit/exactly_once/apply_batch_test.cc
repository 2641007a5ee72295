// A user's batch: all of it in one commit, once, or nothing of it.

#include "exactly_once/apply_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"
#include "unit/support/values.h"

namespace shardline::apply_batch_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kMarker = "shardline_markers/b1";
constexpr std::int64_t kDayMicros = std::int64_t{24} * 3600 * 1'000'000;

Write Set(const std::string& path, std::int64_t n) {
  return {.name = Name(path), .fields = WireFields(json({{"n", IntegerValue(n)}}).dump())};
}
Write Update(const std::string& path, std::int64_t n) {
  Write write = Set(path, n);
  write.mask.emplace().push_back(FieldPath::Parse("n").value());
  write.precondition.kind = Precondition::Kind::kExists;
  return write;
}
// Adds one: twice shows.
Write AddOne(const std::string& path) {
  return Write::Increment(Name(path), FieldPath::Parse("n").value(), Amount::Integer(1));
}

class ApplyBatchTest : public ::testing::Test {
 protected:
  ApplyBatchTest() {
    server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}});
    server_.Put("docs/there", {{"n", IntegerValue(0)}});
  }

  // Of one document that is added to, a counter, and `more`.
  BatchRequest Request(std::vector<Write> more = {}, std::optional<std::int64_t> shards = 3) {
    BatchRequest request{.marker = Name(kMarker), .now = SimulatedServer::ClockAt(server_.now())};
    request.writes.push_back(AddOne("docs/sum"));
    for (Write& write : more) request.writes.push_back(std::move(write));
    request.increments.push_back(
        {MakeCounter("posts/p1", Preset("web-sample"), shards), Amount::Integer(5)});
    return request;
  }
  std::unique_ptr<OperationDriver> Begin(BatchRequest request,
                                         std::vector<std::size_t> places = {0}) {
    auto driver = std::make_unique<OperationDriver>(
        ApplyBatch::Start(context_, std::move(request), std::move(places)));
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::unique_ptr<OperationDriver> BeginWithdraw() {
    return Begin({.marker = Name(kMarker),
                  .withdraws = true,
                  .now = SimulatedServer::ClockAt(server_.now()),
                  .sent_before = true},
                 {});
  }
  // The first so many answers to commits are lost, though they were applied.
  OperationDriver::Server Losing(int answers) {
    return [this, answers, commits = 0](const SentRequest& sent) mutable {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && ++commits <= answers ? Cut() : reply;
    };
  }
  void ExpectApplied(int times) {
    EXPECT_EQ(server_.Total("posts/p1/shards"), 5 * times);
    const json sum = server_.Get("docs/sum");
    EXPECT_EQ(sum.is_null() ? json(IntegerValue(0)) : sum["n"], IntegerValue(times));
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ApplyBatchTest, IsOneCommitWithAMarker) {
  Write remove = Write::Delete(Name("docs/there"), {});
  const auto batch = Begin(Request({Set("docs/new", 7), remove}));
  const json result = batch->Run().result();
  EXPECT_EQ(batch->verbs(), "commit");
  EXPECT_EQ(result["applied"], true);
  EXPECT_EQ(result["shards"], json::array({3}));
  EXPECT_EQ(result["commitTime"], server_.Find(kMarker)->update_time);
  ExpectApplied(1);
  EXPECT_EQ(server_.Get("docs/new")["n"], IntegerValue(7));
  EXPECT_TRUE(server_.Get("docs/there").is_null());
  EXPECT_EQ(batch->operation().billed(), (Billed{.writes = 4, .deletes = 1}));
  const json marker = server_.Get(kMarker);
  EXPECT_EQ(marker["applied"]["booleanValue"], true);
  const std::int64_t now = SimulatedServer::ClockAt(server_.now()).micros;
  const std::int64_t expires =
      Timestamp::Parse(marker["expireAt"]["timestampValue"].get<std::string>())->micros;
  EXPECT_GE(expires - now, 29 * kDayMicros);
  EXPECT_LE(expires - now, 60 * kDayMicros);
}

TEST_F(ApplyBatchTest, AsksForTheShards) {
  const auto batch = Begin(Request({}, std::nullopt));
  EXPECT_EQ(batch->Run().result()["shards"], json::array({3}));
  EXPECT_EQ(batch->verbs(), "batchGet commit");
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, ACounterThatIsNotThere) {
  BatchRequest request = Request();
  request.increments.push_back({MakeCounter("posts/none"), Amount::Integer(1)});
  EXPECT_EQ(Begin(std::move(request), {0, 1})->Run().error().code, Code::kNotFound);
  ExpectApplied(0);
}

// Whatever arrives again, however late, changes nothing.
TEST_F(ApplyBatchTest, RequestsThatArriveAgain) {
  const auto batch = Begin(Request());
  batch->Run();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(server_(batch->sent()[0]).status, 409);
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, AnswersThatAreLost) {
  const auto batch = Begin(Request());
  batch->Serve(Losing(1));
  EXPECT_EQ(batch->Run().result()["commitTime"], server_.Find(kMarker)->update_time);
  EXPECT_EQ(batch->verbs(), "commit commit batchGet");
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, RequestsThatAreLost) {
  const auto batch = Begin(Request());
  batch->Script({Cut()});
  EXPECT_EQ(batch->Run().result()["applied"], true);
  EXPECT_EQ(batch->verbs(), "commit commit");
  // Now the first one arrives.
  EXPECT_EQ(server_(batch->sent()[0]).status, 409);
  ExpectApplied(1);
}

// A browser has sent it twice, and shows the answer to the second time.
TEST_F(ApplyBatchTest, TheBrowserSendsItTwice) {
  const auto batch = Begin(Request());
  batch->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") server_(sent);
    return server_(sent);
  });
  EXPECT_EQ(batch->Run().result()["applied"], true);
  EXPECT_EQ(batch->verbs(), "commit batchGet");
  ExpectApplied(1);
}

// Rules are asked before preconditions: a marker that is there would be updated.
TEST_F(ApplyBatchTest, RulesThatRefuseTheSecondTime) {
  const auto batch = Begin(Request());
  batch->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    server_(sent);
    return Refusal("PERMISSION_DENIED");
  });
  EXPECT_EQ(batch->Run().result()["applied"], true);
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, RulesThatRefuse) {
  const auto batch = Begin(Request());
  batch->Serve([&](const SentRequest& sent) {
    return sent.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(sent);
  });
  const Error error = batch->Run().error();
  EXPECT_EQ(error.code, Code::kPermissionDenied);
  EXPECT_THAT(error.message, HasSubstr(kMarker));
  ExpectApplied(0);
}

TEST_F(ApplyBatchTest, RulesThatRefuseAWrongClock) {
  BatchRequest request = Request();
  request.now.micros -= 70 * kDayMicros;
  const auto batch = Begin(std::move(request));
  batch->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(batch->Run().result()["applied"], true);
  EXPECT_EQ(batch->verbs(), "commit batchGet commit");
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, AnUpdateOfWhatIsNotThere) {
  const auto batch = Begin(Request({Update("docs/none", 1)}));
  EXPECT_EQ(batch->Run().error().code, Code::kNotFound);
  EXPECT_EQ(batch->verbs(), "commit batchGet commit") << "the last one withdraws";
  ExpectApplied(0);
  EXPECT_EQ(server_.Get(kMarker)["applied"]["booleanValue"], false);
}

// The first request got lost, the second was refused; and the first arrives when it would be
// applied.
TEST_F(ApplyBatchTest, WhatWasRefusedIsNotAppliedLater) {
  const auto batch = Begin(Request({Update("docs/later", 1)}));
  batch->Script({Cut()});
  EXPECT_EQ(batch->Run().error().code, Code::kNotFound);
  EXPECT_EQ(batch->verbs(), "commit commit batchGet commit");
  server_.Put("docs/later", {{"n", IntegerValue(0)}});
  for (const SentRequest& sent : std::vector(batch->sent())) {
    if (sent.verb() == "commit") EXPECT_EQ(server_(sent).status, 409);
  }
  ExpectApplied(0);
  EXPECT_EQ(server_.Get("docs/later")["n"], IntegerValue(0));
}

TEST_F(ApplyBatchTest, TheAnswerToAWithdrawalIsLost) {
  const auto batch = Begin(Request({Update("docs/none", 1)}));
  int commits = 0;
  batch->Serve([&](const SentRequest& sent) {
    if (sent.verb() != "commit") return server_(sent);
    if (++commits == 1) return Cut();
    Reply reply = server_(sent);
    return commits == 3 ? Cut() : reply;
  });
  EXPECT_EQ(batch->Run().error().code, Code::kNotFound) << "nothing was applied, surely";
  EXPECT_EQ(server_.Get(kMarker)["applied"]["booleanValue"], false);
}

TEST_F(ApplyBatchTest, ContentionGoesToOtherShards) {
  const auto batch = Begin(Request());
  batch->Script({Refusal("ABORTED"), Refusal("ABORTED")});
  EXPECT_EQ(batch->Run().result()["applied"], true);
  EXPECT_EQ(batch->verbs(), "commit commit commit");
  EXPECT_NE(PathOf(Writes(batch->sent()[0]).back()), PathOf(Writes(batch->sent()[1]).back()));
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, ContentionWithoutEnd) {
  const auto batch = Begin(Request());
  batch->Serve([&](const SentRequest& sent) {
    return sent.verb() == "commit" ? Refusal("ABORTED") : server_(sent);
  });
  EXPECT_EQ(batch->Run().error().code, Code::kAborted);
  ExpectApplied(0);
}

TEST_F(ApplyBatchTest, NoNetwork) {
  const auto batch = Begin(Request());
  batch->Serve([](const SentRequest&) { return Cut(); });
  const Error error = batch->Run().error();
  EXPECT_EQ(error.code, Code::kOutcomeUnknown);
  EXPECT_THAT(error.message, HasSubstr("commit() again"));
  const auto other = Begin(Request({}, std::nullopt));
  other->Serve([](const SentRequest&) { return Cut(); });
  EXPECT_EQ(other->Run().error().code, Code::kUnavailable) << "nothing was written";
}

TEST_F(ApplyBatchTest, IsAskedForAgain) {
  for (const bool arrived : {false, true}) {
    server_.Delete(kMarker);
    server_.Delete("docs/sum");
    for (int i = 0; i < 3; ++i) server_.Delete("posts/p1/shards/" + std::to_string(i));
    const auto first = Begin(Request());
    first->Serve([&](const SentRequest& sent) {
      if (sent.verb() == "commit" && arrived) server_(sent);
      return Cut();
    });
    EXPECT_EQ(first->Run().error().code, Code::kOutcomeUnknown);
    BatchRequest again = Request();
    again.sent_before = true;
    const auto second = Begin(std::move(again));
    EXPECT_EQ(second->Run().result()["applied"], true);
    EXPECT_EQ(second->verbs(), arrived ? "commit batchGet" : "commit");
    EXPECT_EQ(server_(first->sent()[0]).status, 409);
    ExpectApplied(1);
  }
}

// After so long a time, what would say that it was applied may be gone.
TEST_F(ApplyBatchTest, IsAskedForAgainAfterMonths) {
  BatchRequest again = Request();
  again.sent_before = true;
  again.age = std::chrono::hours(24 * 35);
  EXPECT_EQ(Begin(std::move(again))->Run().error().code, Code::kOutcomeUnknown);
  ExpectApplied(0);
}

TEST_F(ApplyBatchTest, WithdrawnBeforeItArrives) {
  const auto batch = Begin(Request());
  batch->Serve([](const SentRequest&) { return Cut(); });
  batch->Run();
  const auto withdrawal = BeginWithdraw();
  EXPECT_EQ(withdrawal->Run().result(), json({{"applied", false}, {"shards", json::array()}}));
  EXPECT_EQ(withdrawal->verbs(), "commit");
  EXPECT_EQ(server_(batch->sent()[0]).status, 409);
  EXPECT_EQ(BeginWithdraw()->Run().result()["applied"], false) << "once more";
  BatchRequest again = Request();
  again.sent_before = true;
  EXPECT_EQ(Begin(std::move(again))->Run().error().code, Code::kFailedPrecondition);
  ExpectApplied(0);
}

TEST_F(ApplyBatchTest, WithdrawnTooLate) {
  Begin(Request())->Run();
  EXPECT_EQ(BeginWithdraw()->Run().result()["applied"], true);
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, WithdrawnInTheLastMoment) {
  const auto batch = Begin(Request());
  batch->Serve([](const SentRequest&) { return Cut(); });
  batch->Run();
  const auto withdrawal = BeginWithdraw();
  withdrawal->Serve([&](const SentRequest& sent) {
    if (sent.verb() == "commit") server_(batch->sent()[0]);
    return server_(sent);
  });
  EXPECT_EQ(withdrawal->Run().result()["applied"], true);
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, AWithdrawalThatIsRefused) {
  const auto withdrawal = BeginWithdraw();
  withdrawal->Serve([&](const SentRequest& sent) {
    return sent.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(sent);
  });
  EXPECT_EQ(withdrawal->Run().error().code, Code::kOutcomeUnknown);
  EXPECT_EQ(withdrawal->verbs(), "commit batchGet");
  // Nothing was sent, but there is no marker that would stop a later commit().
  BatchRequest unsent{
      .marker = Name(kMarker), .withdraws = true, .now = SimulatedServer::ClockAt(server_.now())};
  const auto denied = Begin(std::move(unsent), {});
  denied->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(denied->Run().error().code, Code::kPermissionDenied);
}

TEST_F(ApplyBatchTest, AWithdrawalIsDatedByTheServersClock) {
  BatchRequest request{.marker = Name(kMarker),
                       .withdraws = true,
                       .now = Timestamp{SimulatedServer::ClockAt(server_.now()).micros * 2},
                       .sent_before = true};
  const auto withdrawal = Begin(std::move(request), {});
  withdrawal->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(withdrawal->Run().result()["applied"], false);
  EXPECT_EQ(withdrawal->verbs(), "commit batchGet commit");
  EXPECT_EQ(server_.Get(kMarker)["applied"]["booleanValue"], false);
}

// Firestore's increments stop at the end of int64 without a word.
TEST_F(ApplyBatchTest, ASaturatedShard) {
  for (int i = 0; i < 3; ++i) {
    server_.Put("posts/p1/shards/" + std::to_string(i),
                {{"count", {{"integerValue", "9223372036854775800"}}}});
  }
  BatchRequest request = Request();
  request.increments.push_back(
      {MakeCounter("posts/p2", Preset("web-sample"), 3), Amount::Integer(1)});
  request.increments[0].delta = Amount::Integer(100);
  const Error error = Begin(std::move(request))->Run().error();
  EXPECT_EQ(error.code, Code::kOutOfRange);
  EXPECT_THAT(error.message, HasSubstr("posts/p1"));
  EXPECT_EQ(server_.Total("posts/p2/shards"), 1) << "all else was applied";
}

TEST_F(ApplyBatchTest, OtherLayoutsAndFractions) {
  BatchRequest request = Request();
  request.increments.push_back(
      {MakeCounter("tallies", Preset("collection"), 4), Amount::Integer(2)});
  request.increments.push_back(
      {MakeCounter("pages/hello", ExtensionLayout("stats.visits"), 5), Amount::Double(0.5)});
  EXPECT_EQ(Begin(std::move(request), {0, 1, 2, 1})->Run().result()["shards"],
            json::array({3, 4, 5, 4}));
  EXPECT_EQ(server_.Total("tallies"), 2);
  EXPECT_EQ(server_.List("pages/hello/_counter_shards_").size(), 1U);
  ExpectApplied(1);
}

TEST_F(ApplyBatchTest, IsNoLargerThanFirestoreTakes) {
  BatchRequest request = Request();
  for (int i = 0; i < 11; ++i) {
    request.writes.push_back(
        {.name = Name("docs/" + std::to_string(i)),
         .fields =
             WireFields(json({{"s", {{"stringValue", std::string(1'000'000, 'x')}}}}).dump())});
  }
  const auto refused = ApplyBatch::Start(context_, std::move(request));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("10 MiB"));
}

// Several batches at once on a network that loses and repeats what it likes.
TEST_F(ApplyBatchTest, FaultsFromASeed) {
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SimulatedServer server(seed);
    Random random(seed);
    std::deque<SentRequest> late;
    const auto network = [&](const SentRequest& request) {
      if (random.Below(4) == 0) late.push_back(request);
      if (!late.empty() && random.Below(3) == 0) {
        server(late.front());
        late.pop_front();
      }
      const std::uint64_t fate = random.Below(4);
      if (fate == 0) return Cut();
      Reply reply = server(request);
      return fate == 1 ? Cut() : reply;
    };
    Drivers drivers;
    for (int i = 0; i < 6; ++i) {
      BatchRequest request = Request();
      request.marker = Name("shardline_markers/b" + std::to_string(i));
      if (i == 0) request.writes.push_back(Update("docs/none", 1));
      drivers.push_back(Begin(std::move(request)));
      drivers.back()->Serve(network);
    }
    RunTogether(drivers, random);
    while (!late.empty()) {
      server(late.front());
      late.pop_front();
    }
    int applied = 0;
    for (int i = 0; i < 6; ++i) {
      const json marker = server.Get("shardline_markers/b" + std::to_string(i));
      const bool was = !marker.is_null() && marker["applied"]["booleanValue"] == true;
      applied += was ? 1 : 0;
      const Error* error = drivers[static_cast<std::size_t>(i)]->operation().error();
      const bool is_unknown = error != nullptr && error->code == Code::kOutcomeUnknown;
      unknown += is_unknown ? 1 : 0;
      if (!is_unknown) EXPECT_EQ(was, error == nullptr) << "seed " << seed << ", batch " << i;
    }
    EXPECT_EQ(server.Total("posts/p1/shards"), 5 * applied) << "seed " << seed;
    EXPECT_EQ(server.Total("docs", "n"), applied) << "seed " << seed;
  }
  EXPECT_GT(unknown, 0) << "the faults must have bitten";
}

}  // namespace
}  // namespace shardline::apply_batch_test
