#include "upkeep/clean_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"
#include "upkeep/delete.h"

namespace shardline::clean_up_test {
namespace {

using nlohmann::json;

constexpr Timestamp kNever{Timestamp::kMaxMicros};

// The server's clock stands at 2027-01-15.
const char* const kLongAgo = "2026-11-01T00:00:00Z";
const char* const kLately = "2027-01-01T00:00:00Z";
const char* const kAhead = "2027-02-20T00:00:00Z";

json Ledger(const char* expire_at) {
  return {{"seq", IntegerValue(3)},
          {"batches", {{"arrayValue", {{"values", {{{"stringValue", "b"}}}}}}}},
          {"delta", IntegerValue(1)},
          {"shard", {{"stringValue", "0"}}},
          {"expireAt", {{"timestampValue", expire_at}}}};
}

class CleanUpTest : public ::testing::Test {
 protected:
  std::unique_ptr<OperationDriver> CleanUp(Timestamp older_than = kNever) {
    std::unique_ptr<Operation> operation =
        CleanUpCounter::Start(context_, MakeCounter(), older_than);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::string LedgerPath(const std::string& id) const {
    return MakeCounter()->OwnCollection(kLedgerCollection).text() + '/' + id;
  }
  json Ledgers() { return server_.List(MakeCounter()->OwnCollection(kLedgerCollection).text()); }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST(DecideOwnDocument, TheTable) {
  const Timestamp now = *Timestamp::Parse(kLately);
  const auto time = [](std::int64_t micros) {
    return json{{"timestampValue", Timestamp{micros}.ToString()}};
  };
  const json one = IntegerValue(1);
  const json total = {{"value", one}};
  const json ledger = {{"seq", one}, {"batches", {{"arrayValue", json::object()}}}};
  json expired = ledger;
  expired["expireAt"] = time(now.micros - 1);
  json alive = ledger;
  alive["expireAt"] = time(now.micros);
  json with_note = expired;
  with_note["note"] = one;
  const json strange = {{"note", one}};
  json vague = ledger;
  vague["expireAt"] = {{"stringValue", "tomorrow"}};
  struct Row {
    OwnKind kind;
    const json* fields;
    OwnFate deleting;
    OwnFate cleaning;
  };
  const Row rows[] = {
      {OwnKind::kLedgers, &expired, OwnFate::kDeleted, OwnFate::kDeleted},
      {OwnKind::kLedgers, &alive, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kLedgers, &ledger, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kLedgers, &vague, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kLedgers, &with_note, OwnFate::kEmptied, OwnFate::kEmptied},
      {OwnKind::kLedgers, &strange, OwnFate::kStays, OwnFate::kStays},
      {OwnKind::kLedgers, &total, OwnFate::kStays, OwnFate::kStays},
      {OwnKind::kVotes, &ledger, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kSharedTotal, &total, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kSharedTotal, &strange, OwnFate::kStays, OwnFate::kStays},
  };
  int number = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(number++);
    const PaddedText text(row.fields->dump());
    JsonScanner scanner(text);
    const JsonView fields(scanner);
    EXPECT_EQ(DecideOwnDocument(row.kind, fields, std::nullopt), row.deleting);
    EXPECT_EQ(DecideOwnDocument(row.kind, fields, now), row.cleaning);
    EXPECT_TRUE(scanner.ok());
  }
}

TEST_F(CleanUpTest, ExpiredLedgersAlone) {
  server_.Put(LedgerPath("a"), Ledger(kLongAgo));
  server_.Put(LedgerPath("b"), Ledger(kAhead));
  server_.Put(LedgerPath("c"), Ledger(kLately));
  server_.Put(LedgerPath("d"), {{"expireAt", {{"timestampValue", kLongAgo}}}});
  const std::string votes = MakeCounter()->OwnCollection(kVoteCollection).text();
  server_.Put(votes + "/v", Ledger(kLongAgo));
  // Another counter's.
  const std::string other = MakeCounter("posts/p2")->OwnCollection(kLedgerCollection).text();
  server_.Put(other + "/a", Ledger(kLongAgo));

  const auto first = CleanUp(*Timestamp::Parse("2026-12-01T00:00:00Z"));
  EXPECT_EQ(first->Run().result(),
            json({{"deleted", 1}, {"billed", {{"reads", 5}, {"writes", 0}, {"deletes", 1}}}}));
  EXPECT_EQ(Ledgers().size(), 3U);
  EXPECT_EQ(CleanUp()->Run().result()["deleted"], 1);
  EXPECT_EQ(Ledgers().size(), 2U);
  EXPECT_FALSE(server_.Get(LedgerPath("b")).is_null());
  EXPECT_EQ(CleanUp()->Run().result(),
            json({{"deleted", 0}, {"billed", {{"reads", 3}, {"writes", 0}, {"deletes", 0}}}}));
  EXPECT_EQ(server_.List(votes).size(), 1U);
  EXPECT_EQ(server_.List(other).size(), 1U);
}

// A client whose clock is ahead cannot make one go too soon.
TEST_F(CleanUpTest, WhatHasNotExpiredByTheServersClockStays) {
  server_.Put(LedgerPath("a"), Ledger(kAhead));
  EXPECT_EQ(CleanUp(*Timestamp::Parse("2030-01-01T00:00:00Z"))->Run().result()["deleted"], 0);
  EXPECT_EQ(Ledgers().size(), 1U);
}

TEST_F(CleanUpTest, PageByPage) {
  for (int i = 0; i < 700; ++i) {
    server_.Put(LedgerPath(std::to_string(i)), Ledger(i % 10 == 0 ? kAhead : kLongAgo));
  }
  const auto driver = CleanUp();
  EXPECT_EQ(driver->Run().result()["deleted"], 630);
  EXPECT_EQ(Ledgers().size(), 70U);
  EXPECT_EQ(driver->verbs(), "runQuery commit runQuery commit runQuery commit runQuery")
      << "the last one is for keys";
}

// Keys of increments go like ledgers; members stay, those that were taken back too.
TEST_F(CleanUpTest, KeysThatHaveExpired) {
  const auto key = [](const char* expire_at) {
    return json{{"delta", IntegerValue(-1)},
                {"shard", {{"stringValue", "0"}}},
                {"change", {{"stringValue", "c"}}},
                {"before", {{"stringValue", ""}}},
                {"expireAt", {{"timestampValue", expire_at}}}};
  };
  const std::string keys = MakeCounter()->OwnCollection(kKeyCollection).text();
  const std::string members = MakeCounter()->OwnCollection(kMemberCollection).text();
  server_.Put(keys + "/a", key(kLongAgo));
  server_.Put(keys + "/b", key(kAhead));
  server_.Put(members + "/a", key(kLongAgo));
  EXPECT_EQ(CleanUp()->Run().result()["deleted"], 1);
  EXPECT_EQ(server_.List(keys).size(), 1U);
  EXPECT_EQ(server_.List(members).size(), 1U);
  std::unique_ptr<Operation> removal = DeleteCounter::Start(context_, MakeCounter());
  OperationDriver driver(std::move(removal));
  EXPECT_EQ(driver.Serve(std::ref(server_)).Run().result()["deleted"], 2);
  EXPECT_EQ(server_.size(), 0U);
}

// The client comes back between the reading and the deleting: its ledger stays, the others go.
TEST_F(CleanUpTest, ALedgerThatComesToLifeAgainStays) {
  for (int i = 0; i < 50; ++i) {
    server_.Put(LedgerPath(std::to_string(100 + i)), Ledger(kLongAgo));
  }
  const auto driver = CleanUp();
  bool first = true;
  driver->Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && std::exchange(first, false)) {
      server_.Put(LedgerPath("120"), Ledger(kAhead));
    }
    return server_(request);
  });
  EXPECT_EQ(driver->Run().result()["deleted"], 49);
  EXPECT_EQ(Ledgers(), json({{"120", Ledger(kAhead)}}));
}

// What was sent arrives again, when the client has come back.
TEST_F(CleanUpTest, CommitsThatArriveLateDoNothing) {
  server_.Put(LedgerPath("a"), Ledger(kLongAgo));
  const auto driver = CleanUp();
  driver->Run();
  server_.Put(LedgerPath("a"), Ledger(kAhead));
  for (const SentRequest& request : driver->sent()) {
    if (request.verb() == "commit") server_(request);
  }
  EXPECT_EQ(Ledgers().size(), 1U);
}

// Interrupted anywhere, on a network that loses what it can: whoever begins again ends it, and
// counts what has gone, also where the answer did not come.
TEST_F(CleanUpTest, ResumedUntilItIsDone) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(4, 20); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 50}}});
    Random random(seed);
    for (int i = 0; i < 400; ++i) {
      server_.Put(LedgerPath(std::to_string(i)), Ledger(i % 4 == 0 ? kAhead : kLongAgo));
    }
    const std::size_t before = Ledgers().size();
    const auto driver = CleanUp();
    driver->Serve(Lossy(std::ref(server_), random)).Run();
    if (driver->operation().error() == nullptr) {
      EXPECT_EQ(driver->result()["deleted"], before - Ledgers().size());
    }
    while (Ledgers().size() > 100) {
      const auto again = CleanUp();
      again->Serve(Lossy(std::ref(server_), random));
      std::uint64_t steps = random.Below(8);
      while (steps-- > 0 && !again->operation().done()) again->Step();
    }
    EXPECT_EQ(Ledgers().size(), 100U);
  }
}

}  // namespace
}  // namespace shardline::clean_up_test
