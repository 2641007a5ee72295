// A collection in transition: while documents move from one list of shard values to another, every
// query and count is right.

#include <set>
#include <string>
#include <vector>

#include "unit/sharded_query/api_caller.h"
#include "unit/support/simulated_server.h"

namespace shardline::transition_test {
namespace {

using ::testing::HasSubstr;

json Text(const std::string& text) { return {{"stringValue", text}}; }

json Values(const std::string& prefix) {
  json values = json::array();
  for (int i = 0; i < 20; ++i) values.push_back(prefix + std::to_string(i));
  return values;
}

json InTransition() {
  return {{"path", "events"}, {"shards", Values("new")}, {"alsoRead", Values("old")}};
}
// The same values, of none of which it is said that it is given up.
json Settled() {
  json all = Values("new");
  for (const json& value : Values("old")) all.push_back(value);
  return {{"path", "events"}, {"shards", all}};
}

class TransitionTest : public ::testing::Test {
 protected:
  TransitionTest() {
    for (int i = 0; i < 30; ++i) Put(i, (i % 2 == 0 ? "old" : "new") + std::to_string(i % 20));
  }

  void Put(int number, const std::string& shard) {
    const std::string second = (number < 10 ? "0" : "") + std::to_string(number);
    server_.Put("events/d" + second,
                {{"shard", Text(shard)},
                 {"timestamp", {{"timestampValue", "2026-01-01T00:00:" + second + "Z"}}}});
  }

  // Between the answers of the first chunk and the second one, document 0 becomes one of the first
  // chunk's, and 1 one of the second's.
  Server MovingServer() {
    return [this](const SentRequest& request) {
      const bool is_query = request.verb() == "runQuery" || request.verb() == "runAggregationQuery";
      if (is_query && ++queries_ == 2) {
        Put(0, "new7");
        Put(1, "old7");
      }
      return server_(request);
    };
  }

  static std::vector<std::string> Ids(const json& page) {
    std::vector<std::string> ids;
    for (const json& document : page["docs"]) ids.push_back(document[0]);
    return ids;
  }
  static std::vector<std::string> AllIds() {
    std::vector<std::string> ids;
    for (int i = 0; i < 30; ++i) ids.push_back((i < 10 ? "d0" : "d") + std::to_string(i));
    return ids;
  }

  SimulatedServer server_;
  int queries_ = 0;
};

TEST_F(TransitionTest, APageIsOfOneInstant) {
  const Outcome moved =
      Ask("collection.query", {{"collection", InTransition()}, {"query", json::object()}},
          MovingServer());
  EXPECT_EQ(Ids(moved.result), AllIds());
  ASSERT_EQ(moved.sent.size(), 2u);
  EXPECT_FALSE(moved.sent[0].body.contains("readTime"));
  EXPECT_TRUE(moved.sent[1].body.contains("readTime"));
  EXPECT_EQ(moved.result["readTimes"][0], moved.result["readTimes"][1]);
}

TEST_F(TransitionTest, SoIsACount) {
  const Outcome moved =
      Ask("collection.count", {{"collection", InTransition()}, {"query", json::object()}},
          MovingServer());
  EXPECT_EQ(moved.result["count"], 30);
}

// What the two tests above would find if it were not so: they can fail.
TEST_F(TransitionTest, OtherwiseADocumentThatMovesIsMissed) {
  const Outcome moved = Ask("collection.query",
                            {{"collection", Settled()}, {"query", json::object()}}, MovingServer());
  EXPECT_EQ(moved.result["docs"].size(), 29u);
}

TEST_F(TransitionTest, PagesAreEachOfTheirOwnInstant) {
  ApiCaller caller([this](const SentRequest& request) { return server_(request); });
  std::vector<std::string> ids;
  json after;
  for (int page = 0; page < 10; ++page) {
    json query = {{"limit", 4}};
    if (!after.is_null()) query["continueFrom"] = after;
    const Outcome outcome = caller.Ask(
        "collection.query", Arguments({{"collection", InTransition()}, {"query", query}}).dump());
    ASSERT_TRUE(outcome.ok()) << outcome.message;
    EXPECT_FALSE(outcome.sent.at(0).body.contains("readTime"))
        << "which would be refused when it is an hour old";
    for (const std::string& id : Ids(outcome.result)) ids.push_back(id);
    after = outcome.result["nextToken"];
    if (after.is_null()) break;
    // Everything moves between two pages.
    for (int i = 0; i < 30; ++i) Put(i, (page % 2 == 0 ? "new" : "old") + std::to_string(i % 20));
  }
  EXPECT_EQ(ids, AllIds());
}

TEST_F(TransitionTest, ASnapshotStaysOne) {
  ApiCaller caller([this](const SentRequest& request) { return server_(request); });
  const auto ask = [&](const json& after) {
    json query = {{"limit", 10}, {"consistentRead", true}};
    if (!after.is_null()) query["continueFrom"] = after;
    return caller.Ask("collection.query",
                      Arguments({{"collection", InTransition()}, {"query", query}}).dump());
  };
  const Outcome first = ask(nullptr);
  server_.Delete("events/d15");
  const Outcome second = ask(first.result["nextToken"]);
  EXPECT_EQ(Ids(second.result).at(5), "d15");
  EXPECT_EQ(first.result["readTimes"][0], second.result["readTimes"][0]);
}

TEST_F(TransitionTest, WritersWriteTheNewValuesOnly) {
  std::set<std::string> drawn;
  ApiCaller caller([this](const SentRequest& request) { return server_(request); });
  const auto add = [&](const json& fields) {
    return caller.Ask("collection.add", Arguments({{"collection", InTransition()},
                                                   {"documents", ListOfOne({{"fields", fields}})}})
                                            .dump());
  };
  for (int i = 0; i < 300; ++i) {
    drawn.insert(add({{"n", Number(i)}}).result.at(0)["shard"].get<std::string>());
  }
  EXPECT_EQ(drawn.size(), 20u);
  for (const std::string& shard : drawn) EXPECT_THAT(shard, ::testing::StartsWith("new"));
  EXPECT_TRUE(add({{"shard", Text("new3")}}).ok());
  EXPECT_THAT(add({{"shard", Text("old3")}}), IsInvalid(HasSubstr("\"new0\"")));
}

TEST_F(TransitionTest, OptionsAreChecked) {
  const auto plan = [](const json& also_read) {
    return AskNobody(
        "collection.plan",
        {{"collection", {{"path", "events"}, {"shards", {"a", "b"}}, {"alsoRead", also_read}}},
         {"query", json::object()}});
  };
  for (const json& also_read :
       {json(), json(0), json(10'000), json("c"), json::array(), json({1.5}), json({{{"a", 1}}})}) {
    EXPECT_THAT(plan(also_read), IsInvalid(HasSubstr("alsoRead"))) << also_read;
  }
  EXPECT_EQ(plan({"b", "c", "c"}).result["chunks"], ListOfOne({"a", "b", "c"}));
  EXPECT_EQ(plan(2).result["chunks"], ListOfOne({"a", "b", "0", "1"}));
}

}  // namespace
}  // namespace shardline::transition_test
