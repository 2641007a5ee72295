// Batches whose answer was lost and whose ledger somebody has deleted: against the embedded
// Firestore, which remembers an hour as Firestore does.
#include "delivery/batch_history.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "delivery/deliver_increment.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::batch_history_test {
namespace {

using nlohmann::json;
using std::chrono::minutes;
using std::chrono::seconds;
using Kind = DeliveryOutcome::Kind;

constexpr const char* kLedger = "posts/p1/shardline/shards.count/shardline_ledger/me";
constexpr const char* kShards = "posts/p1/shards";

class BatchHistoryTest : public ::testing::Test {
 protected:
  static Batch MakeBatch(const std::string& id = "mine", LedgerState basis = {}) {
    return {.client = "me",
            .id = id,
            .delta = Amount::Integer(5),
            .basis = std::move(basis),
            .now = {1'795'197'600'000'000}};
  }
  OperationDriver Start(Batch batch, Instant at, std::int64_t shards = 4) {
    batch.now = SimulatedServer::ClockAt(at);
    OperationDriver driver(DeliverIncrement::Start(
        context_, MakeCounter("posts/p1", Preset("web"), shards, Delivery::kExactlyOnce), batch));
    driver.set_now(at);
    return driver;
  }
  DeliveryOutcome Deliver(const Batch& batch, Instant at, std::int64_t shards = 4) {
    OperationDriver driver = Start(batch, at, shards);
    driver.Serve(std::ref(server_)).Run();
    requests_ = driver.verbs();
    sent_ = driver.sent().size();
    EXPECT_TRUE(driver.operation().done());
    return dynamic_cast<DeliverIncrement&>(driver.operation()).outcome();
  }
  // Counts it, and nobody hears of that: the page has gone.
  void CountOnly(const Batch& batch, Instant at) {
    OperationDriver driver = Start(batch, at);
    driver.Serve([&](const SentRequest& request) {
      server_(request);
      return Silence();
    });
    driver.Send();
  }
  // Other clients count on every shard.
  void Others(int count, Instant from, Duration apart) {
    for (int i = 0; i < count; ++i) {
      Batch other = MakeBatch("other" + std::to_string(others_));
      other.client = "client" + std::to_string(others_++);
      EXPECT_EQ(Deliver(other, from + i * apart).kind, Kind::kApplied);
    }
  }
  std::int64_t Total() { return server_.Total(kShards); }
  Batch Resumed(Batch batch, Duration age) {
    batch.sent = true;
    batch.age = std::chrono::microseconds(age).count();
    return batch;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
  Instant start_ = Instant(seconds(5'000));
  std::string requests_;
  std::size_t sent_ = 0;
  int others_ = 0;
};

// The page dies, the ledger is deleted by hand, others go on counting, the page comes back.
TEST_F(BatchHistoryTest, WhatWasCountedIsFound) {
  for (const int others : {0, 1, 30}) {
    server_ = SimulatedServer(1);
    Others(10, start_ - minutes(5), seconds(1));
    const Batch batch = MakeBatch();
    CountOnly(batch, start_);
    Others(others / 2, start_ + seconds(1), seconds(1));
    server_.Delete(kLedger);
    Others(others - others / 2, start_ + seconds(60), seconds(1));
    const std::int64_t before = Total();
    const DeliveryOutcome outcome = Deliver(Resumed(batch, minutes(2)), start_ + minutes(2));
    EXPECT_EQ(outcome.kind, Kind::kApplied) << others;
    EXPECT_TRUE(outcome.ledger && outcome.ledger->Names(batch.id)) << others;
    EXPECT_EQ(Total(), before) << others;
  }
}

TEST_F(BatchHistoryTest, WhatWasLostIsCounted) {
  for (const int others : {0, 1, 30}) {
    server_ = SimulatedServer(1);
    Others(10, start_ - minutes(5), seconds(1));
    Others(others, start_ + seconds(1), seconds(1));
    const std::int64_t before = Total();
    const Batch resumed = Resumed(MakeBatch(), minutes(2));
    EXPECT_EQ(Deliver(resumed, start_ + minutes(2)).kind, Kind::kApplied);
    EXPECT_EQ(Total(), before + 5);
    if (others == 0) EXPECT_EQ(requests_, "batchGet batchGet commit") << "one read more";
  }
}

TEST_F(BatchHistoryTest, ALaterBatchIsFoundAsWell) {
  for (const bool counted : {false, true}) {
    server_ = SimulatedServer(1);
    const DeliveryOutcome first = Deliver(MakeBatch("first"), start_ - minutes(1));
    const Batch batch = MakeBatch("mine", *first.ledger);
    if (counted) CountOnly(batch, start_);
    server_.Delete(kLedger);
    Others(10, start_ + seconds(1), seconds(1));
    const std::int64_t before = Total();
    EXPECT_EQ(Deliver(Resumed(batch, minutes(2)), start_ + minutes(2)).kind, Kind::kApplied);
    EXPECT_EQ(Total(), counted ? before : before + 5);
  }
}

// In one life: the answer is lost, and the ledger is deleted before it is read.
TEST_F(BatchHistoryTest, WithinOneOperation) {
  for (const bool counted : {false, true}) {
    server_ = SimulatedServer(1);
    Others(20, start_ - seconds(30), seconds(1));
    const std::int64_t before = Total();
    OperationDriver driver = Start(MakeBatch(), start_);
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() != "commit" || commits++ > 0) return server_(request);
      if (counted) {
        server_(request);
        server_.Delete(kLedger);
      }
      return Cut();
    });
    driver.Run();
    EXPECT_EQ(dynamic_cast<DeliverIncrement&>(driver.operation()).outcome().kind, Kind::kApplied);
    EXPECT_EQ(Total(), before + 5);
  }
}

// The commit arrives while the device sleeps, and so long that its ledger expires and is deleted:
// what the search has found out before does not hold any more.
TEST_F(BatchHistoryTest, ADeviceThatSleepsThroughItsSearch) {
  for (const bool others : {false, true}) {
    server_ = SimulatedServer(1);
    if (others) Others(10, start_ + seconds(1), seconds(1));
    const Batch batch = MakeBatch();
    std::optional<SentRequest> late;
    OperationDriver before_that = Start(batch, start_);
    before_that.Serve([&](const SentRequest& request) {
      late = request;
      return Silence();
    });
    before_that.Send();
    std::int64_t before = 0;
    int reads = 0;
    const Instant asked = start_ + minutes(2);
    OperationDriver driver = Start(Resumed(batch, minutes(2)), asked);
    driver.Serve([&](const SentRequest& request) {
      const bool is_shards = request.body.dump().find("shardline_ledger") == std::string::npos;
      const Reply reply = server_(request);
      if (is_shards && reads++ == 0) {
        late->at = asked + std::chrono::hours(1);
        server_(*late);
        before = Total();
        server_.Delete(kLedger);
        driver.set_now(asked + std::chrono::hours(24 * 79));
      }
      return reply;
    });
    driver.Run();
    EXPECT_EQ(dynamic_cast<DeliverIncrement&>(driver.operation()).outcome().kind, Kind::kUnknown);
    EXPECT_EQ(Total(), before);
  }
}

TEST_F(BatchHistoryTest, OverwrittenByHandIsLikeDeleted) {
  const Batch batch = MakeBatch();
  CountOnly(batch, start_);
  server_.Put(kLedger, {{"note", {{"stringValue", "reset"}}}});
  EXPECT_EQ(Deliver(Resumed(batch, minutes(1)), start_ + minutes(1)).kind, Kind::kApplied);
  EXPECT_EQ(Total(), 5);
}

// Firestore has forgotten: a ledger that there was leaves it unknown; a first batch is counted, as
// commits get lost more often than ledgers are deleted by hand.
TEST_F(BatchHistoryTest, BehindTheHour) {
  for (const bool first : {true, false}) {
    server_ = SimulatedServer(1);
    LedgerState basis;
    if (!first) basis = *Deliver(MakeBatch("before"), start_ - minutes(1)).ledger;
    Others(20, start_ + seconds(1), seconds(1));
    if (!first) server_.Delete(kLedger);
    const std::int64_t before = Total();
    const Batch batch = MakeBatch("mine", basis);
    const DeliveryOutcome outcome = Deliver(Resumed(batch, minutes(90)), start_ + minutes(90));
    EXPECT_EQ(outcome.kind, first ? Kind::kApplied : Kind::kUnknown);
    EXPECT_EQ(Total(), first ? before + 5 : before);
    EXPECT_LE(sent_, 4U);
  }
}

TEST_F(BatchHistoryTest, ABusyShardIsNotWalkedForEver) {
  Others(BatchHistory::kMaxVersions + 50, start_ + seconds(1), std::chrono::milliseconds(10));
  OperationDriver driver = Start(Resumed(MakeBatch(), minutes(1)), start_ + minutes(1), 1);
  driver.Serve(std::ref(server_)).Run();
  EXPECT_TRUE(driver.operation().done());
  EXPECT_LE(driver.operation().billed().reads, 2 * BatchHistory::kMaxVersions + 10);
}

}  // namespace
}  // namespace shardline::batch_history_test
