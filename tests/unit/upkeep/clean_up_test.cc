#include "upkeep/clean_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"
#include "upkeep/clean_up_markers.h"

namespace shardline::clean_up_test {
namespace {

using nlohmann::json;

constexpr Timestamp kNever{Timestamp::kMaxMicros};

// The server's clock stands at 2027-01-15.
const char* const kLongAgo = "2026-11-01T00:00:00Z";
const char* const kLately = "2027-01-01T00:00:00Z";
const char* const kAhead = "2027-02-20T00:00:00Z";

json Key(const char* expire_at) {
  return {{"applied", {{"booleanValue", true}}},
          {"change", {{"stringValue", "c"}}},
          {"expireAt", {{"timestampValue", expire_at}}}};
}

class CleanUpTest : public ::testing::Test {
 protected:
  std::unique_ptr<OperationDriver> CleanUp(Timestamp older_than = kNever,
                                           OwnKind kind = OwnKind::kKeys) {
    std::unique_ptr<Operation> operation =
        CleanUpCounter::Start(context_, MakeCounter(), older_than, kind);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::string KeyPath(const std::string& id) const {
    return MakeCounter()->OwnCollection(kKeyCollection).text() + '/' + id;
  }
  json Keys() { return server_.List(MakeCounter()->OwnCollection(kKeyCollection).text()); }

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
  const json origin = {{"origin", {{"stringValue", "visits of pages/p1"}}}};
  const json key = {{"applied", {{"booleanValue", true}}}, {"change", {{"stringValue", "c"}}}};
  const json member = {{"delta", one}, {"shard", {{"stringValue", "0"}}}};
  json expired = key;
  expired["expireAt"] = time(now.micros - 1);
  json alive = key;
  alive["expireAt"] = time(now.micros);
  json with_note = expired;
  with_note["note"] = one;
  const json strange = {{"note", one}};
  json vague = key;
  vague["expireAt"] = {{"stringValue", "tomorrow"}};
  struct Row {
    OwnKind kind;
    const json* fields;
    OwnFate deleting;
    OwnFate cleaning;
  };
  const Row rows[] = {
      {OwnKind::kKeys, &expired, OwnFate::kDeleted, OwnFate::kDeleted},
      {OwnKind::kKeys, &alive, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kKeys, &key, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kKeys, &vague, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kKeys, &with_note, OwnFate::kEmptied, OwnFate::kEmptied},
      {OwnKind::kKeys, &strange, OwnFate::kStays, OwnFate::kStays},
      {OwnKind::kKeys, &total, OwnFate::kStays, OwnFate::kStays},
      {OwnKind::kMembers, &member, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kSharedTotal, &total, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kPublished, &origin, OwnFate::kDeleted, OwnFate::kStays},
      {OwnKind::kSharedTotal, &origin, OwnFate::kStays, OwnFate::kStays},
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

TEST_F(CleanUpTest, ExpiredKeysAlone) {
  server_.Put(KeyPath("a"), Key(kLongAgo));
  server_.Put(KeyPath("b"), Key(kAhead));
  server_.Put(KeyPath("c"), Key(kLately));
  server_.Put(KeyPath("d"), {{"expireAt", {{"timestampValue", kLongAgo}}}});
  // A member that was taken back.
  const std::string members = MakeCounter()->OwnCollection(kMemberCollection).text();
  server_.Put(members + "/u1",
              {{"delta", IntegerValue(-1)}, {"expireAt", {{"timestampValue", kLongAgo}}}});
  // Another counter's.
  const std::string other = MakeCounter("posts/p2")->OwnCollection(kKeyCollection).text();
  server_.Put(other + "/a", Key(kLongAgo));

  const auto first = CleanUp(*Timestamp::Parse("2026-12-01T00:00:00Z"));
  EXPECT_EQ(first->Run().result(),
            json({{"deleted", 1}, {"billed", {{"reads", 4}, {"writes", 0}, {"deletes", 1}}}}));
  EXPECT_EQ(Keys().size(), 3U);
  EXPECT_EQ(CleanUp()->Run().result()["deleted"], 1);
  EXPECT_EQ(Keys().size(), 2U);
  EXPECT_FALSE(server_.Get(KeyPath("b")).is_null());
  EXPECT_EQ(CleanUp()->Run().result(),
            json({{"deleted", 0}, {"billed", {{"reads", 2}, {"writes", 0}, {"deletes", 0}}}}));
  EXPECT_EQ(server_.List(members).size(), 1U);
  EXPECT_EQ(server_.List(other).size(), 1U);
}

TEST_F(CleanUpTest, ExpiredMembersThatWereTakenBack) {
  const std::string members = MakeCounter()->OwnCollection(kMemberCollection).text();
  const auto member = [&](int delta, const char* expire_at) {
    json fields = {{"delta", IntegerValue(delta)}, {"shard", {{"stringValue", "0"}}}};
    if (expire_at) fields["expireAt"] = {{"timestampValue", expire_at}};
    return fields;
  };
  server_.Put(members + "/ann", member(1, nullptr));
  server_.Put(members + "/bob", member(-1, kLongAgo));
  server_.Put(members + "/cid", member(-1, kAhead));
  server_.Put(KeyPath("a"), Key(kLongAgo));
  EXPECT_EQ(CleanUp(kNever, OwnKind::kMembers)->Run().result(),
            json({{"deleted", 1}, {"billed", {{"reads", 3}, {"writes", 0}, {"deletes", 1}}}}));
  EXPECT_TRUE(server_.Get(members + "/bob").is_null());
  EXPECT_EQ(server_.List(members).size(), 2U);
  EXPECT_EQ(Keys().size(), 1U);
}

// A client whose clock is ahead cannot make one go too soon.
TEST_F(CleanUpTest, WhatHasNotExpiredByTheServersClockStays) {
  server_.Put(KeyPath("a"), Key(kAhead));
  EXPECT_EQ(CleanUp(*Timestamp::Parse("2030-01-01T00:00:00Z"))->Run().result()["deleted"], 0);
  EXPECT_EQ(Keys().size(), 1U);
}

TEST_F(CleanUpTest, PageByPage) {
  for (int i = 0; i < 700; ++i) {
    server_.Put(KeyPath(std::to_string(i)), Key(i % 10 == 0 ? kAhead : kLongAgo));
  }
  const auto driver = CleanUp();
  EXPECT_EQ(driver->Run().result()["deleted"], 630);
  EXPECT_EQ(Keys().size(), 70U);
  EXPECT_EQ(driver->verbs(), "runQuery commit runQuery commit runQuery commit");
}

// Of the other batches' markers nothing is a counter's.
class CleanUpMarkersTest : public CleanUpTest {
 protected:
  std::unique_ptr<OperationDriver> CleanUpAll(Timestamp older_than = kNever) {
    auto driver = std::make_unique<OperationDriver>(CleanUpMarkers::Start(context_, older_than));
    driver->Serve(std::ref(server_));
    return driver;
  }
  void PutMarker(const std::string& id, const json& expire_at, bool applied = true) {
    server_.Put("shardline_markers/" + id, {{"applied", {{"booleanValue", applied}}},
                                            {"expireAt", {{"timestampValue", expire_at}}}});
  }
  json Markers() { return server_.List("shardline_markers"); }
};

TEST_F(CleanUpMarkersTest, ExpiredMarkersAlone) {
  PutMarker("a", kLongAgo);
  PutMarker("b", kLongAgo, false);
  PutMarker("c", kLately);
  PutMarker("d", kAhead);
  server_.Put("shardline_markers/note", {{"expireAt", {{"timestampValue", kLongAgo}}}});
  server_.Put(KeyPath("a"), Key(kLongAgo));
  EXPECT_EQ(CleanUpAll(*Timestamp::Parse("2026-12-01T00:00:00Z"))->Run().result(),
            json({{"deleted", 2}, {"billed", {{"reads", 3}, {"writes", 0}, {"deletes", 2}}}}));
  EXPECT_EQ(CleanUpAll()->Run().result()["deleted"], 1);
  EXPECT_EQ(CleanUpAll(*Timestamp::Parse("2030-01-01T00:00:00Z"))->Run().result()["deleted"], 0)
      << "a clock that is ahead cannot make one go too soon";
  EXPECT_EQ(Markers().size(), 2U);
  EXPECT_EQ(Keys().size(), 1U);
}

TEST_F(CleanUpMarkersTest, PageByPage) {
  for (int i = 0; i < 700; ++i) PutMarker(std::to_string(i), i % 10 == 0 ? kAhead : kLongAgo);
  const auto driver = CleanUpAll();
  EXPECT_EQ(driver->Run().result()["deleted"], 630);
  EXPECT_EQ(Markers().size(), 70U);
  EXPECT_EQ(driver->verbs(), "runQuery commit runQuery commit runQuery commit");
}

// Apps that have a TTL policy take the field's index away.
TEST_F(CleanUpMarkersTest, WithoutAnIndex) {
  for (int i = 0; i < 700; ++i) PutMarker(std::to_string(i), i % 10 == 0 ? kAhead : kLongAgo);
  const auto driver = CleanUpAll();
  driver->Script({Refusal("FAILED_PRECONDITION", "The query requires an index.")});
  EXPECT_EQ(driver->Run().result()["deleted"], 630);
  EXPECT_EQ(Markers().size(), 70U);
  const auto refused = CleanUpAll();
  refused->Script({Refusal("FAILED_PRECONDITION"), Refusal("FAILED_PRECONDITION")});
  EXPECT_EQ(refused->Run().error().code, Code::kFailedPrecondition);
}

// A TTL policy, or another who cleans up, is faster.
TEST_F(CleanUpMarkersTest, OthersDeleteThemToo) {
  for (int i = 0; i < 50; ++i) PutMarker(std::to_string(100 + i), kLongAgo);
  const auto driver = CleanUpAll();
  driver->Serve([&, first = true](const SentRequest& request) mutable {
    if (request.verb() == "commit" && std::exchange(first, false)) {
      for (int i = 0; i < 5; ++i) server_.Delete("shardline_markers/" + std::to_string(110 + i));
    }
    return server_(request);
  });
  EXPECT_EQ(driver->Run().result()["deleted"], 45);
  EXPECT_EQ(Markers().size(), 0U);
}

TEST_F(CleanUpMarkersTest, PagesThatComeAgainEnd) {
  for (int i = 0; i < 400; ++i) PutMarker(std::to_string(i), kLongAgo);
  const auto driver = CleanUpAll();
  Reply first;
  driver->Serve([&](const SentRequest& request) {
    if (request.verb() == "commit") return server_(request);
    if (first.body.empty()) first = server_(request);
    return first;
  });
  EXPECT_EQ(driver->Run().error().code, Code::kInternal);
}

TEST_F(CleanUpMarkersTest, ResumedUntilItIsDone) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 50}}});
    Random random(seed);
    for (int i = 0; i < 400; ++i) PutMarker(std::to_string(i), i % 4 == 0 ? kAhead : kLongAgo);
    const auto driver = CleanUpAll();
    driver->Serve(Lossy(std::ref(server_), random)).Run();
    if (driver->operation().error() == nullptr) {
      EXPECT_EQ(driver->result()["deleted"], 400 - Markers().size());
    }
    while (Markers().size() > 100) {
      const auto again = CleanUpAll();
      again->Serve(Lossy(std::ref(server_), random));
      std::uint64_t steps = random.Below(8);
      while (steps-- > 0 && !again->operation().done()) again->Step();
    }
    EXPECT_EQ(Markers().size(), 100U);
  }
}

// The client comes back between the reading and the deleting: its key stays, the others go.
TEST_F(CleanUpTest, AKeyThatComesToLifeAgainStays) {
  for (int i = 0; i < 50; ++i) {
    server_.Put(KeyPath(std::to_string(100 + i)), Key(kLongAgo));
  }
  const auto driver = CleanUp();
  bool first = true;
  driver->Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && std::exchange(first, false)) {
      server_.Put(KeyPath("120"), Key(kAhead));
    }
    return server_(request);
  });
  EXPECT_EQ(driver->Run().result()["deleted"], 49);
  EXPECT_EQ(Keys(), json({{"120", Key(kAhead)}}));
}

// What was sent arrives again, when the client has come back.
TEST_F(CleanUpTest, CommitsThatArriveLateDoNothing) {
  server_.Put(KeyPath("a"), Key(kLongAgo));
  const auto driver = CleanUp();
  driver->Run();
  server_.Put(KeyPath("a"), Key(kAhead));
  for (const SentRequest& request : driver->sent()) {
    if (request.verb() == "commit") server_(request);
  }
  EXPECT_EQ(Keys().size(), 1U);
}

// Interrupted anywhere, on a network that loses what it can: whoever begins again ends it, and
// counts what has gone, also where the answer did not come.
TEST_F(CleanUpTest, ResumedUntilItIsDone) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(4, 20); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 50}}});
    Random random(seed);
    for (int i = 0; i < 400; ++i) {
      server_.Put(KeyPath(std::to_string(i)), Key(i % 4 == 0 ? kAhead : kLongAgo));
    }
    const std::size_t before = Keys().size();
    const auto driver = CleanUp();
    driver->Serve(Lossy(std::ref(server_), random)).Run();
    if (driver->operation().error() == nullptr) {
      EXPECT_EQ(driver->result()["deleted"], before - Keys().size());
    }
    while (Keys().size() > 100) {
      const auto again = CleanUp();
      again->Serve(Lossy(std::ref(server_), random));
      std::uint64_t steps = random.Below(8);
      while (steps-- > 0 && !again->operation().done()) again->Step();
    }
    EXPECT_EQ(Keys().size(), 100U);
  }
}

}  // namespace
}  // namespace shardline::clean_up_test
