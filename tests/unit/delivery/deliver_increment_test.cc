#include "delivery/deliver_increment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"

namespace shardline::deliver_increment_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Kind = DeliveryOutcome::Kind;

constexpr const char* kLedger = "posts/p1/shardline/shards.count/shardline_ledger/me";
// The fake server's clock stands a little later.
constexpr Timestamp kNow{1'800'000'000'000'000};

class DeliverIncrementTest : public ::testing::Test {
 protected:
  static std::unique_ptr<const Counter> TenShards(Delivery delivery = Delivery::kExactlyOnce) {
    return MakeCounter("posts/p1", Preset("web"), 10, delivery);
  }
  // The batch `number` of the client "me", who has counted all before it on this server.
  Batch NextBatch(std::int64_t number = 1) {
    return {.client = "me",
            .id = "batch" + std::to_string(number),
            .delta = Amount::Integer(5),
            .basis = LedgerAt(kLedger),
            .now = kNow};
  }
  LedgerState LedgerAt(const std::string& path) {
    const std::optional<SimulatedServer::Document> ledger = server_.Find(path);
    if (!ledger) return {};
    LedgerState state{.update_time = ledger->update_time};
    if (!ledger->fields.contains("seq")) return state;
    state.seq = std::stoll(ledger->fields["seq"]["integerValue"].get<std::string>());
    for (const json& batch : ledger->fields["batches"]["arrayValue"]["values"]) {
      state.batches.push_back(batch["stringValue"]);
    }
    return state;
  }
  void PutLedger(std::int64_t seq, const std::vector<std::string>& batches) {
    json values = json::array();
    for (const std::string& batch : batches) values.push_back({{"stringValue", batch}});
    server_.Put(kLedger,
                {{"seq", IntegerValue(seq)}, {"batches", {{"arrayValue", {{"values", values}}}}}});
  }
  // Somebody else's batches, from `first` on.
  void OthersCount(int first, int count) {
    for (int i = first; i < first + count; ++i) {
      Batch other = NextBatch();
      other.id = "other" + std::to_string(i);
      Deliver(other);
    }
  }
  OperationDriver Start(Batch batch, std::unique_ptr<const Counter> counter = TenShards()) {
    return OperationDriver(DeliverIncrement::Start(context_, std::move(counter), std::move(batch)));
  }
  // Replies from the script come first, then the server's.
  OperationDriver Deliver(const Batch& batch, std::vector<Reply> script = {},
                          std::unique_ptr<const Counter> counter = TenShards()) {
    OperationDriver driver = Start(batch, std::move(counter));
    driver.Script(std::move(script)).Serve(std::ref(server_)).Run();
    return driver;
  }
  static const DeliveryOutcome& OutcomeOf(OperationDriver& driver) {
    EXPECT_TRUE(driver.operation().done());
    EXPECT_FALSE(driver.operation().error());
    return dynamic_cast<DeliverIncrement&>(driver.operation()).outcome();
  }
  // What the outcome's error says.
  static Error Why(OperationDriver& driver) {
    return OutcomeOf(driver).error.value_or(Error(kInternalFault, ""));
  }
  std::int64_t Total() { return server_.Total("posts/p1/shards"); }
  // Applies what would be sent first, as if its answer had been lost in an earlier life.
  void ApplyOnly(const Batch& batch) {
    OperationDriver driver = Start(batch);
    driver.Serve([&](const SentRequest& request) {
      server_(request);
      return Silence();
    });
    driver.Send();
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_;
};

TEST_F(DeliverIncrementTest, OneCommitOfTwoWrites) {
  OperationDriver driver = Deliver(NextBatch());
  EXPECT_EQ(driver.verbs(), "commit");
  const json& writes = Writes(driver.sent()[0]);
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_EQ(PathOf(writes[0]), kLedger);
  EXPECT_EQ(writes[0]["currentDocument"], json({{"exists", false}}));
  const json& fields = writes[0]["update"]["fields"];
  EXPECT_EQ(fields["expireAt"]["timestampValue"], ExpiryOf(Name(kLedger), kNow).ToString());
  EXPECT_EQ("posts/p1/shards/" + fields["shard"]["stringValue"].get<std::string>(),
            PathOf(writes[1]));
  EXPECT_EQ(fields["delta"], writes[1]["updateTransforms"][0]["increment"]);
  EXPECT_EQ(Total(), 5);
  EXPECT_EQ(driver.operation().billed(), Billed{.writes = 2});
  const DeliveryOutcome& outcome = OutcomeOf(driver);
  EXPECT_EQ(outcome.kind, Kind::kApplied);
  EXPECT_EQ(outcome.ledger, LedgerAt(kLedger));
  EXPECT_EQ(outcome.ledger->seq, 1);
  EXPECT_EQ(driver.result()["outcome"], "applied");
  EXPECT_EQ(driver.result()["shards"], 10);
  EXPECT_EQ(driver.result()["attempts"], 1);
  EXPECT_EQ(driver.result()["aborted"], 0);
}

TEST_F(DeliverIncrementTest, TheNextBatchRestsOnTheLast) {
  Deliver(NextBatch(1));
  OperationDriver driver = Deliver(NextBatch(2));
  EXPECT_EQ(driver.verbs(), "commit");
  EXPECT_TRUE(Writes(driver.sent()[0])[0]["currentDocument"].contains("updateTime"));
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_EQ(Total(), 10);
}

TEST_F(DeliverIncrementTest, EveryLayout) {
  const std::pair<const char*, const char*> cases[] = {
      {"web", "a/b"},   {"mobile", "a/b"}, {"node", "a/b"},    {"go", "a/b"},
      {"php", "a/b/c"}, {"ruby", "c"},     {"collection", "c"}};
  for (const auto& [preset, path] : cases) {
    server_ = {};
    for (int seq = 1; seq <= 3; ++seq) {
      const auto counter = [&, p = path, l = preset] {
        return MakeCounter(p, Preset(l), 4, Delivery::kExactlyOnce);
      };
      Batch batch = NextBatch(seq);
      const std::string name = counter()->LedgerName("me").substr(Name("").size());
      batch.basis = LedgerAt(name);
      // The answer is lost, and the browser has sent the second attempt twice.
      OperationDriver driver = Start(batch, counter());
      int sent = 0;
      driver.Serve([&](const SentRequest& request) {
        if (request.verb() == "commit" && sent++ == 0) {
          server_(request);
          return Cut();
        }
        server_(request);
        return server_(request);
      });
      driver.Run();
      EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied) << preset;
    }
    const std::string shards = MakeCounter(path, Preset(preset))->shard_collection().text();
    const Layout layout = Preset(preset);
    EXPECT_EQ(server_.Total(shards, layout.count_field), 15) << preset;
  }
}

TEST_F(DeliverIncrementTest, ShardCountComesFromTheParent) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(7)}});
  OperationDriver driver = Deliver(NextBatch(), {}, MakeCounter());
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  EXPECT_EQ(driver.result()["shards"], 7);
}

TEST_F(DeliverIncrementTest, MissingCounterIsRefused) {
  OperationDriver driver =
      Deliver(NextBatch(), {},
              MakeCounter("posts/p1", Preset("web"), std::nullopt, Delivery::kExactlyOnce));
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRefused);
  EXPECT_EQ(Why(driver).code, Code::kNotFound);
  EXPECT_EQ(driver.verbs(), "batchGet");
  EXPECT_THAT(DeliverIncrement::Start(context_, MakeCounter("c", Preset("ruby")), NextBatch()),
              IsRefused(HasSubstr("`shards`")));
}

// ---- Answers that get lost ----

TEST_F(DeliverIncrementTest, LostAnswerOfALaterBatch) {
  Deliver(NextBatch(1));
  for (const bool applied : {false, true}) {
    const std::int64_t before = Total();
    const std::int64_t seq = applied ? 3 : 2;
    OperationDriver driver = Start(NextBatch(seq));
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit" && commits++ == 0) {
        if (applied) server_(request);
        return Cut();
      }
      return server_(request);
    });
    driver.Run();
    EXPECT_EQ(driver.verbs(), applied ? "commit commit batchGet" : "commit commit");
    EXPECT_EQ(driver.sent()[0].body, driver.sent()[1].body) << "the same commit";
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(OutcomeOf(driver).ledger, LedgerAt(kLedger));
    EXPECT_EQ(Total(), before + 5);
  }
}

TEST_F(DeliverIncrementTest, LostAnswerOfTheFirstBatchIsAskedForFirst) {
  for (const bool applied : {false, true}) {
    server_ = {};
    OperationDriver driver = Start(NextBatch());
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit" && commits++ == 0) {
        if (applied) server_(request);
        return Silence();
      }
      return server_(request);
    });
    driver.Run();
    EXPECT_EQ(driver.verbs(), applied ? "commit batchGet" : "commit batchGet batchGet commit");
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(Total(), 5);
  }
}

// Chromium does this when a connection that was kept alive is cut.
TEST_F(DeliverIncrementTest, TheBrowserSendsTwice) {
  for (int seq = 1; seq <= 2; ++seq) {
    OperationDriver driver = Start(NextBatch(seq));
    driver.Serve([&](const SentRequest& request) {
      server_(request);
      return server_(request);
    });
    driver.Run();
    EXPECT_EQ(driver.verbs(), "commit batchGet");
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(Total(), 5 * seq);
  }
}

// Only the second answer comes back, and the ledger is gone by then.
TEST_F(DeliverIncrementTest, TheBrowserSendsTheFirstBatchTwiceAndItsLedgerIsDeleted) {
  OperationDriver driver = Start(NextBatch());
  driver.Serve([&](const SentRequest& request) {
    Reply reply = server_(request);
    if (request.verb() == "commit") {
      reply = server_(request);
      server_.Delete(kLedger);
    }
    return reply;
  });
  driver.Run();
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied) << driver.verbs();
  EXPECT_EQ(Total(), 5);
}

TEST_F(DeliverIncrementTest, TheBrowserSendsTheFirstBatchTwiceAndTheDeviceSleepsForWeeks) {
  for (const char* second : {"", "ABORTED", "RESOURCE_EXHAUSTED", "PERMISSION_DENIED"}) {
    server_ = {};
    Batch batch = NextBatch();
    batch.by_server = true;
    OperationDriver driver = Start(batch);
    driver.Serve([&](const SentRequest& request) {
      Reply reply = server_(request);
      if (request.verb() == "commit") {
        reply = *second == '\0' ? server_(request) : Refusal(second);
        server_.Pass(std::chrono::hours(24 * 70));
        server_.Delete(kLedger);
      }
      return reply;
    });
    driver.Run();
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnknown) << second << ": " << driver.verbs();
    EXPECT_EQ(Total(), 5) << second;
  }
}

// It has sent nothing itself, so the weeks count from when it began.
TEST_F(DeliverIncrementTest, TheDeviceSleepsForWeeksOverTheFirstQuestionOfAResumedBatch) {
  Batch batch = NextBatch();
  ApplyOnly(batch);
  batch.sent = true;
  OperationDriver driver = Start(batch);
  driver.Script({Silence()}).Serve(std::ref(server_)).Send();
  driver.set_now(driver.now() + std::chrono::hours(24 * 70));
  server_.Delete(kLedger);
  driver.Run();
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnknown) << driver.verbs();
  EXPECT_EQ(Total(), 5);
}

TEST_F(DeliverIncrementTest, ResumedBatchThatWasApplied) {
  for (int seq = 1; seq <= 2; ++seq) {
    Batch batch = NextBatch(seq);
    ApplyOnly(batch);
    EXPECT_EQ(Total(), 5 * seq);
    batch.sent = true;
    OperationDriver driver = Deliver(batch);
    EXPECT_EQ(driver.verbs(), seq == 1 ? "batchGet" : "commit batchGet");
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(OutcomeOf(driver).ledger->seq, seq);
    EXPECT_EQ(Total(), 5 * seq);
  }
}

TEST_F(DeliverIncrementTest, ResumedBatchThatWasNotApplied) {
  for (int seq = 1; seq <= 2; ++seq) {
    Batch batch = NextBatch(seq);
    batch.sent = true;
    OperationDriver driver = Deliver(batch);
    EXPECT_EQ(driver.verbs(), seq == 1 ? "batchGet batchGet commit" : "commit");
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(Total(), 5 * seq);
  }
}

// The ledger's answer is no counter's: taken for one, the ledger was asked for again, without end.
TEST_F(DeliverIncrementTest, ResumedBatchOfACounterThatIsGone) {
  const auto counter = [] {
    return MakeCounter("posts/p1", Preset("web"), std::nullopt, Delivery::kExactlyOnce);
  };
  Batch batch = NextBatch();
  batch.sent = true;
  OperationDriver not_counted = Deliver(batch, {}, counter());
  EXPECT_EQ(not_counted.verbs(), "batchGet batchGet");
  EXPECT_EQ(OutcomeOf(not_counted).kind, Kind::kRefused);
  EXPECT_EQ(Why(not_counted).code, Code::kNotFound);

  batch.sent = false;
  Deliver(batch);
  batch.sent = true;
  OperationDriver counted = Deliver(batch, {}, counter());
  EXPECT_EQ(counted.verbs(), "batchGet batchGet");
  EXPECT_EQ(OutcomeOf(counted).kind, Kind::kApplied);
  EXPECT_EQ(Total(), 5);
}

// It was committed to a shard of none, and crashed when that met with contention.
TEST_F(DeliverIncrementTest, ResumedBatchOfAUserOnOtherDevicesWhoMayNotReadTheCounter) {
  Deliver(NextBatch(1));
  Batch batch = NextBatch(2);
  batch.sent = true;
  batch.shared = true;
  OthersCount(7, 1);
  OperationDriver driver =
      Start(batch, MakeCounter("posts/p1", Preset("web"), std::nullopt, Delivery::kExactlyOnce));
  driver.Script({Refusal("PERMISSION_DENIED")}).Serve(std::ref(server_)).Run();
  EXPECT_EQ(driver.verbs(), "batchGet batchGet");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRefused);
  EXPECT_EQ(Why(driver).code, Code::kPermissionDenied);
  EXPECT_EQ(Total(), 10);
}

// ---- The ledger is not as it was ----

TEST_F(DeliverIncrementTest, SomebodyTouchedTheLedger) {
  Deliver(NextBatch(1));
  const Batch batch = NextBatch(2);
  SimulatedServer::Document ledger = *server_.Find(kLedger);
  ledger.fields["note"] = {{"stringValue", "an administrator was here"}};
  server_.Put(kLedger, ledger.fields);
  OperationDriver driver = Deliver(batch);
  EXPECT_EQ(driver.verbs(), "commit batchGet commit");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_EQ(Total(), 10);
}

TEST_F(DeliverIncrementTest, LedgerGoneBeforeTheFirstAttemptIsBegunAnew) {
  for (const bool rules : {false, true}) {
    server_ = {};
    Deliver(NextBatch(1));
    const Batch batch = NextBatch(2);
    server_.Delete(kLedger);
    // Security rules take it for a ledger that begins with its second batch.
    OperationDriver driver =
        rules ? Deliver(batch, {Refusal("PERMISSION_DENIED")}) : Deliver(batch);
    EXPECT_EQ(driver.verbs().substr(0, 15), "commit batchGet");
    EXPECT_EQ(driver.sent().back().at, driver.sent().front().at + 6 * Reply().latency);
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(OutcomeOf(driver).ledger->seq, 1);
    EXPECT_EQ(Total(), 10);
  }
}

// The fake server has no memory: batch_history_test.cc has one that does.
TEST_F(DeliverIncrementTest, LedgerGoneBehindAnAttemptIsUnknownWhereNothingIsRemembered) {
  Deliver(NextBatch(1));
  Batch batch = NextBatch(2);
  server_.Delete(kLedger);
  // In an earlier life, or in this one.
  const auto forgetful = [&](const SentRequest& request) {
    const bool shards = request.body.dump().find("shardline_ledger") == std::string::npos;
    return shards ? Refusal("FAILED_PRECONDITION", "Too old.") : server_(request);
  };
  for (const bool sent : {true, false}) {
    batch.sent = sent;
    OperationDriver driver = Start(batch);
    driver.Script(sent ? std::vector<Reply>{} : std::vector<Reply>{Cut()}).Serve(forgetful).Run();
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnknown);
    EXPECT_EQ(Why(driver).code, Code::kOutcomeUnknown);
    EXPECT_EQ(OutcomeOf(driver).ledger, LedgerState{});
  }
  EXPECT_EQ(Total(), 5);
}

TEST_F(DeliverIncrementTest, OldFirstBatchIsUnknownWhereNothingIsRemembered) {
  const auto forgetful = [&](const SentRequest& request) {
    const bool shards = request.body.dump().find("shardline_ledger") == std::string::npos;
    return shards ? Refusal("FAILED_PRECONDITION", "Too old.") : server_(request);
  };
  for (const bool old : {false, true}) {
    Batch batch = NextBatch();
    batch.sent = true;
    batch.age = old ? kLedgerLifeMicros : kLedgerLifeMicros / 2;
    OperationDriver driver = Start(batch);
    driver.Serve(forgetful).Run();
    // The ledger, the shards, and the ledger once more. Of weeks ago no shard could tell.
    EXPECT_EQ(driver.verbs(), old ? "batchGet" : "batchGet batchGet batchGet commit");
    EXPECT_EQ(OutcomeOf(driver).kind, old ? Kind::kUnknown : Kind::kApplied);
    server_ = {};
  }
}

TEST_F(DeliverIncrementTest, CopiedStorage) {
  Deliver(NextBatch(1));
  Batch mine = NextBatch(2);
  Batch other = mine;
  other.id = "another";
  Deliver(other);
  OperationDriver driver = Deliver(mine);
  EXPECT_EQ(driver.verbs(), "commit batchGet");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRestart) << "of two batches 2, one was counted";
  EXPECT_EQ(OutcomeOf(driver).ledger, LedgerAt(kLedger));
  OthersCount(1, 20);
  mine.sent = true;
  OperationDriver late = Deliver(mine);
  EXPECT_EQ(OutcomeOf(late).kind, Kind::kUnknown);
  EXPECT_THAT(Why(late).message, HasSubstr("copied"));
  EXPECT_EQ(Total(), 110);
}

TEST_F(DeliverIncrementTest, OnlyWhatHasFallenOutOfTheLastBatchesIsInDoubt) {
  for (const int others : {19, 20}) {
    for (const bool sent : {false, true}) {
      for (const bool counted : {false, true}) {
        server_ = {};
        Deliver(NextBatch(1));
        Batch mine = NextBatch(2);
        if (counted) ApplyOnly(mine);
        OthersCount(1, counted ? others - 1 : others);
        const std::int64_t before = Total();
        mine.shared = true;
        mine.sent = sent || counted;
        OperationDriver driver = Deliver(mine);
        const bool in_doubt = others == 20 && !counted;
        const Kind doubt = mine.sent ? Kind::kUnknown : Kind::kRestart;
        EXPECT_EQ(OutcomeOf(driver).kind, in_doubt ? doubt : Kind::kApplied)
            << others << sent << counted;
        EXPECT_EQ(Total(), counted || in_doubt ? before : before + 5);
      }
    }
  }
}

TEST_F(DeliverIncrementTest, SharedLedgerIsLookedAtFirst) {
  const auto shared = [&](const std::string& id) {
    Batch batch = NextBatch();
    batch.id = id;
    batch.shared = true;
    return batch;
  };
  OperationDriver first = Deliver(shared("a"));
  EXPECT_EQ(first.verbs(), "batchGet commit");
  EXPECT_EQ(OutcomeOf(first).kind, Kind::kApplied);
  Deliver(shared("b"));
  Batch behind = shared("c");
  behind.basis = {};
  OperationDriver driver = Deliver(behind);
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_EQ(OutcomeOf(driver).ledger->seq, 3);
  EXPECT_EQ(Total(), 15);
}

// Whoever stores the batch knows whether another tab was given it.
TEST_F(DeliverIncrementTest, SharedLedgerThatHasMovedOnFarMeansARestart) {
  Deliver(NextBatch(1));
  Batch mine = NextBatch(2);
  mine.shared = true;
  OthersCount(1, 20);
  OperationDriver driver = Deliver(mine);
  EXPECT_EQ(driver.verbs(), "batchGet");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRestart);
  EXPECT_EQ(OutcomeOf(driver).ledger, LedgerAt(kLedger));
  mine.basis = LedgerAt(kLedger);
  mine.restarts = 3;
  OperationDriver again = Start(mine);
  const Instant start = again.now();
  again.Serve(std::ref(server_)).Run();
  EXPECT_EQ(OutcomeOf(again).kind, Kind::kApplied);
  EXPECT_GT(again.sent()[0].at - start, std::chrono::seconds(1));
}

// Security rules that demand the next `seq` are asked before the precondition.
TEST_F(DeliverIncrementTest, RulesRefuseWhoIsOvertaken) {
  for (const bool shared : {false, true}) {
    server_ = {};
    Deliver(NextBatch(1));
    Batch mine = NextBatch(2);
    mine.shared = shared;
    OperationDriver driver = Start(mine);
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() != "commit" || commits++ > 0) return server_(request);
      OthersCount(1, 1);
      return Refusal("PERMISSION_DENIED");
    });
    driver.Run();
    EXPECT_EQ(driver.verbs(), shared ? "batchGet commit batchGet commit" : "commit batchGet");
    EXPECT_EQ(OutcomeOf(driver).kind, shared ? Kind::kApplied : Kind::kRestart);
    EXPECT_EQ(OutcomeOf(driver).ledger->seq, shared ? 3 : 2);
    EXPECT_EQ(Total(), shared ? 15 : 10);
  }
}

// Somebody else is always quicker.
TEST_F(DeliverIncrementTest, WhoIsAlwaysOvertakenPausesAndEndsUnsettled) {
  Batch mine = NextBatch();
  mine.shared = true;
  OperationDriver driver = Start(mine);
  int others = 0;
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit") OthersCount(others++, 1);
    return server_(request);
  });
  driver.Run();
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnsettled);
  EXPECT_EQ(OutcomeOf(driver).ledger->seq, DeliverIncrement::kMaxRounds - 1) << "where it goes on";
  EXPECT_EQ(driver.result()["attempts"], DeliverIncrement::kMaxRounds);
  std::vector<Instant> commits;
  for (const SentRequest& request : driver.sent()) {
    if (request.verb() == "commit") commits.push_back(request.at);
  }
  for (std::size_t i = 2; i < commits.size(); ++i) {
    EXPECT_GE(commits[i] - commits[i - 1], std::chrono::milliseconds(500)) << i;
  }
}

// A server that lies: every commit meets ALREADY_EXISTS, every ledger reads another's batch.
TEST_F(DeliverIncrementTest, LiesDoNotMakeItSpin) {
  for (const bool moves : {false, true}) {
    Batch mine = NextBatch();
    mine.shared = true;
    OperationDriver driver = Start(mine);
    int reads = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit") return Refusal("ALREADY_EXISTS");
      reads += 1;
      const std::int64_t micros = kNow.micros + (moves ? reads : 0);
      return FoundDocument(kLedger,
                           {{"seq", IntegerValue(1)},
                            {"batches", {{"arrayValue", {{"values", {{{"stringValue", "x"}}}}}}}}},
                           Timestamp{micros}.ToString());
    });
    driver.Run();
    EXPECT_EQ(OutcomeOf(driver).kind, moves ? Kind::kUnsettled : Kind::kRefused);
    EXPECT_LE(driver.sent().size(), 3U * DeliverIncrement::kMaxRounds);
    EXPECT_GE(driver.now() - driver.sent()[0].at, std::chrono::seconds(1));
  }
}

// ---- Clocks that are wrong ----

TEST_F(DeliverIncrementTest, DeniedForItsClockItGoesByTheServers) {
  const std::string right = ExpiryOf(Name(kLedger), kNow).ToString();
  for (const std::int64_t off : {-200, -3, 3, 200}) {
    server_ = {};
    Batch batch = NextBatch();
    batch.now.micros += off * 24 * 3600 * 1'000'000;
    const bool differs = ExpiryOf(Name(kLedger), batch.now).ToString() != right;
    OperationDriver driver = Start(batch);
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() != "commit") return server_(request);
      const json& fields = Writes(request)[0]["update"]["fields"];
      return fields["expireAt"]["timestampValue"] == right ? server_(request)
                                                           : Refusal("PERMISSION_DENIED");
    });
    driver.Run();
    EXPECT_EQ(driver.verbs(), differs ? "commit batchGet commit" : "commit") << off;
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(Total(), 5);
  }
}

TEST_F(DeliverIncrementTest, ExpiryNeverFalls) {
  Deliver(NextBatch(1));
  const auto expiry = [&] {
    return server_.Find(kLedger)->fields["expireAt"]["timestampValue"].get<std::string>();
  };
  const std::string right = expiry();
  Batch behind = NextBatch(2);
  behind.now.micros -= 100 * std::int64_t{86'400'000'000};
  // Looked at, the ledger says what it has said before.
  behind.shared = true;
  Deliver(behind);
  EXPECT_EQ(expiry(), right);
}

TEST_F(DeliverIncrementTest, AVoteNeverExpires) {
  const auto votes = [] {
    return Counter::Make(TestContext().database, {.path = "posts/p1",
                                                  .layout = Preset("web"),
                                                  .shards = 10,
                                                  .delivery = Delivery::kExactlyOnce,
                                                  .votes = true})
        .value();
  };
  const char* const place = "posts/p1/shardline/shards.count/shardline_votes/me";
  Batch batch = NextBatch();
  batch.shared = true;
  OperationDriver driver = Deliver(batch, {}, votes());
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  ASSERT_TRUE(server_.Find(place));
  EXPECT_FALSE(server_.Find(place)->fields.contains("expireAt"));
  EXPECT_FALSE(server_.Find(kLedger));
  // Whoever votes again is told by the rules.
  Batch again = batch;
  again.id = "again";
  OperationDriver refused = Start(again, votes());
  refused.Serve([&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(request);
  });
  refused.Run();
  EXPECT_EQ(refused.verbs(), "batchGet commit batchGet");
  EXPECT_EQ(OutcomeOf(refused).kind, Kind::kRefused);
  EXPECT_THAT(Why(refused).message, HasSubstr("shardline_votes/me"));
  EXPECT_EQ(Total(), 5);
}

// ---- Contention ----

TEST_F(DeliverIncrementTest, ContentionMovesToAnotherShard) {
  for (const char* status : {"ABORTED", "RESOURCE_EXHAUSTED"}) {
    server_ = {};
    OperationDriver driver = Start(NextBatch());
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      const bool refused = request.verb() == "commit" && ++commits <= 2;
      return refused ? Refusal(status) : server_(request);
    });
    driver.Run();
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
    EXPECT_EQ(driver.verbs(), "commit batchGet commit batchGet commit");
    std::string last;
    for (const SentRequest& request : driver.sent()) {
      if (request.verb() != "commit") continue;
      const std::string shard = PathOf(Writes(request)[1]);
      EXPECT_NE(shard, last);
      last = shard;
      EXPECT_EQ(
          "posts/p1/shards/" +
              Writes(request)[0]["update"]["fields"]["shard"]["stringValue"].get<std::string>(),
          shard);
    }
    EXPECT_GT(driver.sent()[1].at - driver.sent()[0].at, std::chrono::milliseconds(400));
    EXPECT_EQ(driver.result()["attempts"], 3);
    EXPECT_EQ(driver.result()["aborted"], 2);
    EXPECT_EQ(Total(), 5);
  }
}

TEST_F(DeliverIncrementTest, EndlessContentionIsUnsettled) {
  Deliver(NextBatch(1));
  for (const int seq : {1, 2}) {
    if (seq == 1) server_.Delete(kLedger);
    OperationDriver driver = Start(NextBatch(seq));
    driver.Serve([&](const SentRequest& request) {
      return request.verb() == "commit" ? Refusal("ABORTED") : server_(request);
    });
    driver.Run();
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnsettled);
    EXPECT_EQ(Why(driver).code, Code::kAborted);
    EXPECT_EQ(driver.result()["aborted"], 6);
    if (seq == 1) PutLedger(1, {"batch1"});
  }
}

TEST_F(DeliverIncrementTest, NoNetworkIsUnsettled) {
  Deliver(NextBatch(1));
  for (const bool first : {true, false}) {
    if (first) server_.Delete(kLedger);
    OperationDriver driver = Deliver(NextBatch(2), std::vector<Reply>(20, Cut()));
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnsettled);
    EXPECT_LE(driver.sent().size(), 12U);
    if (first) PutLedger(1, {"batch1"});
  }
}

TEST_F(DeliverIncrementTest, ExpiredTokenIsAskedForAgain) {
  Deliver(NextBatch(1));
  OperationDriver driver = Deliver(NextBatch(2), {Cut(), Refusal("UNAUTHENTICATED")});
  EXPECT_EQ(driver.verbs(), "commit commit commit");
  EXPECT_TRUE(driver.sent()[2].refresh_token);
  EXPECT_EQ(driver.sent()[0].body, driver.sent()[2].body);
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_EQ(Total(), 10);
}

TEST_F(DeliverIncrementTest, SignedOutIsUnsettled) {
  OperationDriver driver =
      Deliver(NextBatch(), {Refusal("UNAUTHENTICATED"), Refusal("UNAUTHENTICATED")});
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnsettled);
  EXPECT_EQ(Why(driver).code, Code::kUnauthenticated);
}

// ---- Refusals ----

TEST_F(DeliverIncrementTest, GarbledConflictIsSettledByTheLedger) {
  OperationDriver driver = Start(NextBatch());
  int commits = 0;
  driver.Serve([&](const SentRequest& request) {
    Reply reply = server_(request);
    return commits++ == 0 ? Answer(400, "{\"error\"") : reply;
  });
  driver.Run();
  EXPECT_EQ(driver.verbs(), "commit batchGet");
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
}

TEST_F(DeliverIncrementTest, RefusedRulesSayWhatIsMissing) {
  const Reply no = Refusal("PERMISSION_DENIED", "No.");
  for (const std::vector<Reply>& replies : {std::vector<Reply>{no}, std::vector<Reply>{no, no}}) {
    OperationDriver driver = Deliver(NextBatch(), replies);
    EXPECT_EQ(driver.verbs(), "commit batchGet");
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRefused);
    EXPECT_EQ(Why(driver).code, Code::kPermissionDenied);
    EXPECT_THAT(Why(driver).message,
                AllOf(HasSubstr("No."), HasSubstr(kLedger), HasSubstr("create and update"),
                      HasSubstr("`get`"), HasSubstr("posts/p1/shards/")));
  }
}

TEST_F(DeliverIncrementTest, RefusedBehindALostAnswerIsSettledByTheLedger) {
  Deliver(NextBatch(1));
  Batch batch = NextBatch(2);
  OperationDriver refused = Deliver(batch, {Cut(), Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(refused.verbs(), "commit commit batchGet");
  EXPECT_EQ(OutcomeOf(refused).kind, Kind::kUnknown) << "the first attempt may still arrive";
  ApplyOnly(batch);
  batch.sent = true;
  OperationDriver applied = Deliver(batch, {Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(OutcomeOf(applied).kind, Kind::kApplied);
  OperationDriver blind =
      Deliver(batch, {Refusal("PERMISSION_DENIED"), Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(OutcomeOf(blind).kind, Kind::kUnknown);
  EXPECT_THAT(Why(blind).message, AllOf(HasSubstr("`get`"), HasSubstr(kLedger)));
  EXPECT_EQ(Total(), 10);
}

TEST_F(DeliverIncrementTest, UnreadableLedgerBehindAConflictIsUnknown) {
  OperationDriver driver =
      Deliver(NextBatch(), {Refusal("ALREADY_EXISTS"), Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnknown);
  EXPECT_THAT(Why(driver).message, HasSubstr("`get`"));
}

TEST_F(DeliverIncrementTest, MissingDatabaseIsRefused) {
  OperationDriver driver =
      Deliver(NextBatch(), {Refusal("NOT_FOUND"), Refusal("NOT_FOUND", "No such database.")});
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRefused);
  EXPECT_EQ(Why(driver).code, Code::kNotFound);
}

TEST_F(DeliverIncrementTest, PreconditionThatHoldsIsNotAskedForEndlessly) {
  Deliver(NextBatch(1));
  const auto datastore = [&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("FAILED_PRECONDITION", "Datastore mode.")
                                      : server_(request);
  };
  for (const bool first : {false, true}) {
    OperationDriver driver =
        Start(first ? Batch{.client = "new", .id = "x", .now = kNow} : NextBatch(2));
    driver.Serve(datastore).Run();
    // What the first batch may have begun is searched for each time.
    EXPECT_EQ(driver.operation().billed().writes, 0);
    EXPECT_EQ(std::ranges::count(driver.sent(), "commit", &SentRequest::verb), 3);
    EXPECT_LE(driver.sent().size(), first ? 20 : 7);
    EXPECT_EQ(OutcomeOf(driver).kind, Kind::kRefused);
    EXPECT_THAT(Why(driver).message, HasSubstr("Datastore mode."));
  }
  OperationDriver once = Deliver(NextBatch(2), {Refusal("FAILED_PRECONDITION")});
  EXPECT_EQ(OutcomeOf(once).kind, Kind::kApplied) << "a proxy's slip";
}

TEST_F(DeliverIncrementTest, SaturatedShardIsTold) {
  for (int i = 0; i < 10; ++i) {
    server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(INT64_MAX - 1)}});
  }
  OperationDriver driver = Deliver(NextBatch());
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_EQ(Why(driver).code, Code::kOutOfRange);
  EXPECT_TRUE(OutcomeOf(driver).ledger->exists());
}

TEST_F(DeliverIncrementTest, CancelledIsAnError) {
  OperationDriver driver = Start(NextBatch());
  driver.Send();
  driver.operation().Cancel();
  EXPECT_EQ(driver.error().code, Code::kCancelled);
}

// ---- At least once ----

TEST_F(DeliverIncrementTest, AtLeastOnceNeedsNoLedger) {
  OperationDriver driver = Deliver(NextBatch(), {Cut()}, TenShards(Delivery::kAtLeastOnce));
  EXPECT_EQ(driver.verbs(), "commit commit");
  EXPECT_EQ(Writes(driver.sent()[0]).size(), 1U);
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kApplied);
  EXPECT_FALSE(OutcomeOf(driver).ledger);
  EXPECT_EQ(driver.operation().billed(), Billed{.writes = 1});
  OperationDriver refused = Deliver(NextBatch(), {Cut(), Refusal("PERMISSION_DENIED")},
                                    TenShards(Delivery::kAtLeastOnce));
  EXPECT_EQ(OutcomeOf(refused).kind, Kind::kUnknown);
}

// It has most likely counted each time.
TEST_F(DeliverIncrementTest, AtLeastOnceBehindAProxyThatSpoilsAnswersIsBounded) {
  OperationDriver driver = Start(NextBatch(), TenShards(Delivery::kAtLeastOnce));
  driver.Serve([&](const SentRequest& request) {
    server_(request);
    return OkText(R"({"writeResults":[)");
  });
  driver.Run();
  EXPECT_EQ(OutcomeOf(driver).kind, Kind::kUnknown);
  EXPECT_EQ(driver.sent().size(), 6U);
  EXPECT_EQ(Total(), 30);
  OperationDriver offline =
      Deliver(NextBatch(), std::vector<Reply>(20, Cut()), TenShards(Delivery::kAtLeastOnce));
  EXPECT_EQ(OutcomeOf(offline).kind, Kind::kUnsettled);
  OperationDriver outage = Deliver(NextBatch(), std::vector<Reply>(20, Refusal("UNAVAILABLE")),
                                   TenShards(Delivery::kAtLeastOnce));
  EXPECT_EQ(OutcomeOf(outage).kind, Kind::kUnsettled);
}

// ---- What crosses to JavaScript ----

TEST_F(DeliverIncrementTest, BatchesAndOutcomesSurviveAsText) {
  Batch batch = NextBatch(3);
  batch.basis = {7, {"a", "b"}, "2026-01-01T00:00:00.5Z"};
  batch.age = 5'000;
  batch.delta = Amount::Double(0.1);
  batch.sent = batch.shared = true;
  JsonWriter writer;
  batch.Write(writer);
  const PaddedText text(writer.text());
  JsonScanner scanner(text);
  const Batch read = Batch::Read(scanner);
  ASSERT_TRUE(scanner.Finish());
  JsonWriter again;
  read.Write(again);
  EXPECT_EQ(again.text(), text.view());
  EXPECT_EQ(read.delta, batch.delta);
  EXPECT_EQ(read.basis, batch.basis);
  EXPECT_EQ(read.age, batch.age);
  EXPECT_EQ(read.now, batch.now);

  OperationDriver driver = Deliver(NextBatch(), {Refusal("PERMISSION_DENIED", "No \"no\".")});
  const PaddedText result(driver.result().dump());
  JsonScanner result_scanner(result);
  const DeliveryOutcome outcome = DeliveryOutcome::Read(result_scanner);
  ASSERT_TRUE(result_scanner.Finish());
  EXPECT_EQ(outcome.kind, Kind::kRefused);
  EXPECT_EQ(outcome.error->code, Code::kPermissionDenied);
  EXPECT_EQ(outcome.error->message, Why(driver).message);
  EXPECT_EQ(outcome.error->http_status, 403);
}

}  // namespace
}  // namespace shardline::deliver_increment_test
