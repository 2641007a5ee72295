// What a backend keeps beyond the life of the program: a restored one answers as the one before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client.h"
#include "unit/support/run_size.h"

namespace shardline::simulator::persistence_test {
namespace {

constexpr std::int64_t kSecond = 1'000'000;

// Everything that a client can learn of the data, now and at times in the past.
std::string Everything(Client& client, const std::vector<std::int64_t>& past) {
  std::string all;
  const auto ask = [&](const Json& body, std::string_view verb) {
    all += client.Post(verb, body).answer.body + "\n";
  };
  std::vector<Json> times = {Json()};
  for (const std::int64_t time : past) times.emplace_back(Timestamp{time}.ToString());
  for (const Json& time : times) {
    Json query = {
        {"structuredQuery", {{"from", {{{"collectionId", "a"}, {"allDescendants", true}}}}}}};
    Json sorted = {{"structuredQuery", {{"from", From("a")}, {"orderBy", List({Order("v")})}}}};
    if (!time.is_null()) query["readTime"] = sorted["readTime"] = time;
    ask(query, "runQuery");
    ask(sorted, "runQuery");
  }
  all += client.Send("GET", "/a?showMissing=true").answer.body;
  ask(Json::object(), "listCollectionIds");
  return all;
}

// Many commits to few documents: created, changed, deleted, made anew.
std::vector<std::int64_t> Live(Client& client, std::uint64_t seed, int commits) {
  Random random(seed);
  std::vector<std::int64_t> times;
  for (int i = 0; i < commits; ++i) {
    std::vector<Json> writes;
    for (std::uint64_t n = random.Below(3) + 1; n > 0; --n) {
      const std::string path = (random.Below(4) == 0 ? "a/1/a/" : "a/") + std::to_string(n) +
                               std::to_string(random.Below(6));
      if (random.Below(4) == 0) {
        writes.push_back(Delete(path));
      } else {
        writes.push_back(Update(
            path, {{"v", Integer(static_cast<std::int64_t>(random.Below(9)))},
                   {"m", {{"mapValue", {{"fields", {{"n", Double(random.Fraction())}}}}}}}}));
      }
    }
    EXPECT_EQ(client.Commit(writes).Error(), "OK");
    client.now += static_cast<std::int64_t>(random.Below(5 * 60)) * kSecond;
    times.push_back(client.now);
  }
  return times;
}

TEST(Persistence, ARestoredSnapshotAnswersAlike) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(6, 30); ++seed) {
    Client before;
    before.caller = Caller::kAdmin;
    const auto times = Live(before, seed, 40);
    Client after;
    after.caller = Caller::kAdmin;
    after.now = before.now;
    ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
    ASSERT_TRUE(Everything(after, times) == Everything(before, times)) << "seed " << seed;
    ASSERT_TRUE(after.backend().Snapshot() == before.backend().Snapshot()) << "seed " << seed;
  }
}

TEST(Persistence, AJournalOfEveryCommitDoesTheSame) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(6, 30); ++seed) {
    Client before;
    before.caller = Caller::kAdmin;
    before.backend().KeepJournal();
    Client after;
    after.caller = Caller::kAdmin;
    std::vector<std::int64_t> times;
    for (std::uint64_t part = 0; part < 10; ++part) {
      for (const std::int64_t time : Live(before, seed * 100 + part, 5)) times.push_back(time);
      if (part == 4) before.SendTo("DELETE", "/emulator/v1/" + kRoot, "");
      if (part % 3 == 0) continue;  // Some parts together with the next.
      const std::string journal = before.backend().TakeJournal();
      ASSERT_TRUE(after.backend().Restore(PaddedText(journal))) << journal;
    }
    const std::string rest = before.backend().TakeJournal();
    ASSERT_TRUE(rest.empty() || after.backend().Restore(PaddedText(rest)));
    EXPECT_EQ(before.backend().TakeJournal(), "") << "nothing has changed since";
    after.now = before.now;
    ASSERT_TRUE(Everything(after, times) == Everything(before, times)) << "seed " << seed;
  }
}

TEST(Persistence, AFailedCommitLeavesNothing) {
  Client client;
  client.backend().KeepJournal();
  Json late = Update("a/2", {{"v", Integer(1)}});
  late["currentDocument"] = {{"exists", true}};
  EXPECT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}}), late}).Error(), "NOT_FOUND");
  EXPECT_EQ(client.backend().TakeJournal(), "");
}

TEST(Persistence, EveryKindOfValueComesBack) {
  const Json fields = Json::parse(R"({
    "nothing":{"nullValue":null},"yes":{"booleanValue":true},"whole":{"integerValue":"-9223372036854775808"},
    "nan":{"doubleValue":"NaN"},"endless":{"doubleValue":"-Infinity"},"tiny":{"doubleValue":5e-324},
    "third":{"doubleValue":0.3333333333333333},"text":{"stringValue":"\u0000\u2028\"\\ü😀"},
    "bytes":{"bytesValue":"AP8="},"time":{"timestampValue":"0001-01-01T00:00:00.000001Z"},
    "reference":{"referenceValue":"projects/p/databases/(default)/documents/a/b"},
    "point":{"geoPointValue":{"latitude":0,"longitude":-180}},"list":{"arrayValue":{}},
    "vector":{"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},
      "value":{"arrayValue":{"values":[{"doubleValue":1}]}}}}},
    "of `odd` name":{"mapValue":{"fields":{"a.b":{"arrayValue":{"values":[{"mapValue":{}}]}}}}}})");
  Client before;
  ASSERT_EQ(before.Commit({Update("a/ü%2F", fields), Update("a/empty", Json::object())}).Error(),
            "OK");
  Client after;
  ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
  EXPECT_EQ(Everything(after, {}), Everything(before, {}));
}

// A transform makes maps as deep as its path is long, deeper than a value may be written.
TEST(Persistence, WhatATransformHasMadeComesBack) {
  std::string path = "`__odd__`";
  for (int i = 0; i < 40; ++i) path += ".f";
  Json write = Update("a/1", Json::object());
  write["updateTransforms"] = List({{{"fieldPath", path}, {"increment", Integer(1)}}});
  Client before;
  before.Commit({write});
  before.Commit({Update("a/2", Json::object())});
  Client after;
  ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
  EXPECT_EQ(Everything(after, {}), Everything(before, {}));
}

TEST(Persistence, TransactionsOfBeforeHaveEnded) {
  Client before;
  before.Commit({Update("a/1", Json::object())});
  const std::string token = before.Post("beginTransaction", Json::object()).json["transaction"];
  Client after;
  ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
  const std::string other = after.Post("beginTransaction", Json::object()).json["transaction"];
  EXPECT_NE(token, other);
  EXPECT_EQ(after.Post("commit", {{"transaction", token}}).Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(after.Post("commit", {{"transaction", other}}).Error(), "OK");
}

TEST(Persistence, IdsAreNotGivenOutAgain) {
  Client before;
  const Reply first = before.Send("POST", "/a", "{}");
  Client after;
  ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
  const Reply second = after.Send("POST", "/a", "{}");
  EXPECT_EQ(second.Error(), "OK");
  EXPECT_NE(first.json["name"], second.json["name"]);
}

TEST(Persistence, CommitTimesGoOnRising) {
  Client before;
  const Reply first = before.Commit({Update("a/1", Json::object())});
  Client after;
  after.now = before.now - 10 * kSecond;
  ASSERT_TRUE(after.backend().Restore(PaddedText(before.backend().Snapshot())));
  const Reply second = after.Commit({Update("a/1", {{"v", Integer(1)}})});
  const auto time = [](const Reply& reply) {
    return *Timestamp::Parse(reply.json["commitTime"].get<std::string>());
  };
  EXPECT_GT(time(second), time(first));
}

TEST(Persistence, RefusesWhatIsNoSnapshot) {
  for (const std::string_view text :
       {"", "{}", "[", R"([{"database":1}])", R"([{"database":"d","versions":[{"path":"x"}]}])",
        R"([{"database":"d","versions":[{"path":"a/b","time":"x"}]}])", R"([{"nonsense":1}])"}) {
    Client client;
    EXPECT_FALSE(client.backend().Restore(PaddedText(text))) << text;
  }
}

}  // namespace
}  // namespace shardline::simulator::persistence_test
