// What a read has seen stays true of its read time, and what a transaction has read stays as it is
// until it ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "client.h"
#include "unit/support/run_size.h"

namespace shardline::simulator::consistency_test {
namespace {

using ::testing::AnyOf;

constexpr std::int64_t kSecond = 1'000'000;

const Json kQuery = {{"from", From("a")}};
const Json kMatching = {{"from", From("a")}, {"where", FieldFilter("v", "EQUAL", Integer(1))}};

Json Count(const Json& query) {
  return {{"structuredAggregationQuery",
           {{"structuredQuery", query},
            {"aggregations", {{{"alias", "n"}, {"count", Json::object()}}}}}}};
}

// ---- Read times ----

// The contents of the collection `a` at a time, or now.
std::string ReadAt(Client& client, const std::string& time) {
  const Reply reply = client.Post("runQuery", {{"structuredQuery", kQuery}, {"readTime", time}});
  EXPECT_EQ(reply.status, 200) << reply.answer.body;
  std::string found;
  for (const Json& element : reply.json) {
    if (element.contains("document")) found += element["document"].dump() + '\n';
  }
  return found;
}

// A read by one of the methods that hand out a time; returns that time.
std::string ReadSomehow(Client& client, Random& dice) {
  const Json read_only = {{"readOnly", Json::object()}};
  switch (dice.Below(6)) {
    case 0:
      return client.Post("runQuery", {{"structuredQuery", kQuery}}).json.back()["readTime"];
    case 1:
      return client.Post("batchGet", {{"documents", List({Name("a/0")})}}).json[0]["readTime"];
    case 2:
      return client.Post("runAggregationQuery", Count(kQuery)).json[0]["readTime"];
    case 3:
      return client
          .Post("batchGet", {{"documents", List({Name("a/0")})},
                             {"newTransaction", {{"readOnly", Json::object()}}}})
          .json.back()["readTime"];
    case 4: {
      const std::string token =
          client.Post("beginTransaction", {{"options", read_only}}).json["transaction"];
      // The time was handed out when it began.
      if (dice.Below(2) == 0) client.Commit({Update("a/9", {{"v", Integer(client.now % 1000)}})});
      return client.Post("runQuery", {{"structuredQuery", kQuery}, {"transaction", token}})
          .json.back()["readTime"];
    }
    default: {
      // A time of the client's own choice that is not in the future.
      std::string time = Timestamp{client.now}.ToString();
      const Json body = {{"documents", List({Name("a/0")})}, {"readTime", time}};
      return client.Post("batchGet", body).status == 200 ? time : ReadSomehow(client, dice);
    }
  }
}

// The clock stands still, runs, or jumps back.
void MoveClock(Client& client, Random& dice) {
  switch (dice.Below(6)) {
    case 0:
      client.now += 1;
      break;
    case 1:
      client.now += static_cast<std::int64_t>(dice.Below(5)) * kSecond;
      break;
    case 2:
      client.now -= static_cast<std::int64_t>(dice.Below(3)) * kSecond;
      break;
    default:
      break;
  }
}

void WriteSomething(Client& client, Random& dice) {
  const std::string path = "a/" + std::to_string(dice.Below(5));
  if (dice.Below(4) == 0) {
    EXPECT_EQ(client.Commit({Delete(path)}).Error(), "OK");
  } else {
    const auto value = static_cast<std::int64_t>(dice.Below(1000));
    EXPECT_EQ(client.Commit({Update(path, {{"v", Integer(value)}})}).Error(), "OK");
  }
}

// A client of a backend that was restored from what the last one has kept.
std::unique_ptr<Client> Restart(Client& before, std::vector<std::string>& journals) {
  auto after = std::make_unique<Client>();
  after->now = before.now;
  for (const std::string& journal : journals) {
    EXPECT_TRUE(after->backend().Restore(PaddedText(journal)));
  }
  after->backend().KeepJournal();
  return after;
}

TEST(ReadTimes, WhatWasReadStaysTrueOfItsTime) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(15, 60); ++seed) {
    Random dice(seed);
    auto client = std::make_unique<Client>();
    client->backend().KeepJournal();
    std::vector<std::string> journals;
    std::map<std::string, std::string> seen;
    for (int step = 0; step < 60; ++step) {
      MoveClock(*client, dice);
      if (dice.Below(2) == 0) {
        const std::string time = ReadSomehow(*client, dice);
        const std::string content = ReadAt(*client, time);
        const auto [at, is_new] = seen.emplace(time, content);
        ASSERT_EQ(at->second, content) << "seed " << seed << ", read at " << time;
      } else {
        WriteSomething(*client, dice);
      }
      // Nothing that was answered gets lost: an answer waits until this is stored.
      if (std::string journal = client->backend().TakeJournal(); !journal.empty()) {
        journals.push_back(std::move(journal));
      }
      if (dice.Below(12) == 0) client = Restart(*client, journals);
    }
    for (const auto& [time, content] : seen) {
      ASSERT_EQ(ReadAt(*client, time), content) << "seed " << seed << ", read at " << time;
    }
  }
}

// Memory is bounded: a page that writes large documents for an hour loses the oldest past first.
TEST(ReadTimes, ThePastTakesABoundedAmountOfMemoryInLongRun) {
  Client client;
  std::vector<std::string> times;
  for (int i = 0; i < 200; ++i) {
    const std::string text = std::to_string(i) + std::string(1'000'000, 'x');
    const Reply commit = client.Commit({Update("a/1", {{"text", String(text)}})});
    ASSERT_EQ(commit.status, 200);
    times.push_back(commit.json["commitTime"]);
    client.now += kSecond;
  }
  const auto read = [&](std::size_t i) {
    return client.Send("GET", "/a/1?readTime=" + times[i]).Error();
  };
  EXPECT_EQ(read(0), "FAILED_PRECONDITION");
  EXPECT_EQ(read(50), "FAILED_PRECONDITION");
  EXPECT_EQ(read(100), "OK");
  EXPECT_EQ(read(199), "OK");
}

TEST(ReadTimes, ACommitInTheSameMomentComesLater) {
  Client client;
  const std::string read =
      client.Post("runQuery", {{"structuredQuery", kQuery}}).json[0]["readTime"];
  const Reply commit = client.Commit({Update("a/1", Json::object())});
  EXPECT_GT(Timestamp::Parse(commit.json["commitTime"].get<std::string>())->micros,
            Timestamp::Parse(read)->micros);
  EXPECT_EQ(ReadAt(client, read), "");
}

TEST(ReadTimes, ADatabaseThatWasEmptiedGoesOnRising) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", Json::object())}).status, 200);
  const std::string token = client.Post("beginTransaction", Json::object()).json["transaction"];
  const std::string read =
      client.Post("runQuery", {{"structuredQuery", kQuery}}).json.back()["readTime"];
  EXPECT_EQ(client.SendTo("DELETE", "/emulator/v1/" + kRoot, "").status, 200);
  client.now -= kSecond;
  const Reply commit = client.Commit({Update("a/1", Json::object())});
  EXPECT_GT(Timestamp::Parse(commit.json["commitTime"].get<std::string>())->micros,
            Timestamp::Parse(read)->micros);
  EXPECT_EQ(client.Post("commit", {{"transaction", token}}).Error(), "INVALID_ARGUMENT");
  EXPECT_NE(client.Post("beginTransaction", Json::object()).json["transaction"], token);
}

TEST(ReadTimes, ReadsAreWrittenDownAheadOnceASecond) {
  Client client;
  client.backend().KeepJournal();
  int journals = 0;
  for (int i = 0; i < 100; ++i) {
    client.now += 100'000;
    client.Post("runQuery", {{"structuredQuery", kQuery}});
    journals += client.backend().TakeJournal().empty() ? 0 : 1;
  }
  EXPECT_LE(journals, 11);
  EXPECT_GE(journals, 9);
}

// ---- Transactions ----

std::string Begin(Client& client) {
  return client.Post("beginTransaction", Json::object()).json["transaction"];
}

std::string CommitIn(Client& client, const std::string& token, const Json& write) {
  return client.Post("commit", {{"writes", List({write})}, {"transaction", token}}).Error();
}

// How a transaction can read; each finds nothing, or not what is written below.
std::vector<std::pair<std::string, std::function<Reply(Client&, const std::string&)>>> Reads() {
  const auto post = [](const std::string& verb, Json body) {
    return [verb, body](Client& client, const std::string& token) {
      Json with_token = body;
      with_token["transaction"] = token;
      return client.Post(verb, with_token);
    };
  };
  const auto get = [](const std::string& path) {
    return [path](Client& client, const std::string& token) {
      std::string escaped;
      for (const char c : token) escaped += c == '+' ? "%2B" : c == '=' ? "%3D" : std::string(1, c);
      return client.Send("GET", path + "transaction=" + escaped);
    };
  };
  Json limited = kMatching;
  limited["limit"] = 1;
  return {{"query", post("runQuery", {{"structuredQuery", kMatching}})},
          {"limited query", post("runQuery", {{"structuredQuery", limited}})},
          {"aggregation", post("runAggregationQuery", Count(kMatching))},
          {"missing document", post("batchGet", {{"documents", List({Name("a/new")})}})},
          {"missing document by get", get("/a/new?")},
          {"list", get("/a?")},
          {"first page of a list", get("/a?pageSize=1&")}};
}

TEST(Transactions, WhatTwoHaveSeenOneOfThemChanges) {
  for (const auto& [what, read] : Reads()) {
    Client client;
    const std::string first = Begin(client);
    const std::string second = Begin(client);
    for (const std::string& token : {first, second}) {
      EXPECT_THAT(read(client, token).status, AnyOf(200, 404)) << what;
    }
    const Json insert = Update("a/new", {{"v", Integer(1)}});
    EXPECT_EQ(client.Commit({insert}).Error(), "ABORTED") << what;
    EXPECT_EQ(CommitIn(client, first, insert), "ABORTED") << what;
    EXPECT_EQ(CommitIn(client, second, insert), "OK") << what;
    EXPECT_EQ(client.Commit({insert}).Error(), "OK") << what;
  }
}

TEST(Transactions, AQueryHoldsCollectionsOfItsIdOnly) {
  Client client;
  const std::string token = Begin(client);
  client.Post("runQuery", {{"structuredQuery", kMatching}, {"transaction", token}});
  EXPECT_EQ(client.Commit({Update("b/1", {{"v", Integer(1)}})}).Error(), "OK");
  EXPECT_EQ(client.Commit({Update("a/1/b/1", {{"v", Integer(1)}})}).Error(), "OK");
  EXPECT_EQ(client.Commit({Update("b/1/a/1", {{"v", Integer(1)}})}).Error(), "ABORTED");
  EXPECT_EQ(client.Commit({Update("a/1", {{"w", Integer(1)}})}).Error(), "ABORTED");
  EXPECT_EQ(client.Commit({Delete("a/none")}).Error(), "ABORTED");
  EXPECT_EQ(client.Post("rollback", {{"transaction", token}}).status, 200);
  EXPECT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).Error(), "OK");
}

TEST(Transactions, WhatIsRefusedOrReadOnlyHoldsNothing) {
  Client client;
  const std::string token = Begin(client);
  Json refused = kMatching;
  refused["limit"] = -1;
  EXPECT_EQ(client.Post("runQuery", {{"structuredQuery", refused}, {"transaction", token}}).status,
            400);
  const Json read_only = {{"readOnly", Json::object()}};
  client.Post("runQuery", {{"structuredQuery", kMatching}, {"newTransaction", read_only}});
  EXPECT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).Error(), "OK");
}

TEST(Transactions, AReadOnlyOneEndsWithItsCommit) {
  Client client;
  const Json read_only = {{"options", {{"readOnly", Json::object()}}}};
  const std::string token = client.Post("beginTransaction", read_only).json["transaction"];
  const Json read = {{"structuredQuery", kMatching}, {"transaction", token}};
  EXPECT_EQ(client.Post("runQuery", read).Error(), "OK");
  EXPECT_EQ(client.Post("commit", {{"transaction", token}}).Error(), "OK");
  EXPECT_EQ(client.Post("runQuery", read).Error(), "INVALID_ARGUMENT");
}

TEST(Transactions, AreNamedAsTheApiDoes) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", Json::object())}).status, 200);
  EXPECT_EQ(client.Send("GET", "/a/1?transaction=!!").Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Send("GET", "/a?transaction=AAAA").Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Send("GET", "/a/1?transaction=AAAA&readTime=2026-11-20T18:00:00Z").Error(),
            "INVALID_ARGUMENT");
}

}  // namespace
}  // namespace shardline::simulator::consistency_test
