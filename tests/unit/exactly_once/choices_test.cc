// Sets of choices: each key has one choice at a time, and the shards count them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counter/places.h"
#include "counter/read_field_totals.h"
#include "exactly_once/change_member.h"
#include "exactly_once/read_members.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::choices_test {
namespace {

using nlohmann::json;

constexpr const char* kShards = "posts/p1/shardline_reactions";
constexpr const char* kMembers = "posts/p1/shardline/shardline_reactions.choice/shardline_members/";
const std::vector<std::string> kKinds = {"like", "love", "laugh"};

std::vector<FieldPath> Fields(const std::vector<std::string>& names) {
  std::vector<FieldPath> fields;
  for (const std::string& name : names) fields.push_back(FieldPath::Parse(name).value());
  return fields;
}

Layout ChoiceLayout() {
  Layout layout;
  layout.shard_collection = "shardline_reactions";
  layout.count_field = "choice";
  return layout;
}

class ChoicesTest : public ::testing::Test {
 protected:
  // An empty choice takes the key back.
  std::unique_ptr<OperationDriver> Begin(const std::string& key, const std::string& choice,
                                         const std::vector<std::string>& kinds = kKinds) {
    auto driver = std::make_unique<OperationDriver>(
        ChangeMember::Start(context_, MakeCounter("posts/p1", ChoiceLayout(), 3),
                            MemberWish{!choice.empty(), choice}, key, Fields(kinds)));
    driver->Serve(std::ref(server_));
    return driver;
  }
  json Change(const std::string& key, const std::string& choice,
              const std::vector<std::string>& kinds = kKinds) {
    return Begin(key, choice, kinds)->Run().result();
  }
  std::unique_ptr<OperationDriver> Ask(const std::vector<std::string>& kinds, bool is_complete,
                                       TotalSource source = TotalSource::kSum,
                                       std::int64_t shards = 3) {
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadFieldTotals>(context_, MakeCounter("posts/p1", ChoiceLayout(), shards),
                                          CountedFields{Fields(kinds), is_complete}, source);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::vector<std::int64_t> Counts(const std::vector<std::string>& kinds = kKinds) {
    std::vector<std::int64_t> counts;
    counts.reserve(kinds.size());
    for (const std::string& kind : kinds) counts.push_back(server_.Total(kShards, kind));
    return counts;
  }
  json Choice(const std::string& key) {
    const std::unique_ptr<const Counter> counter = MakeCounter("posts/p1", ChoiceLayout(), 3);
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadMembers>(context_, std::vector{MemberName(*counter, key)});
    OperationDriver driver(std::move(operation));
    return driver.Serve(std::ref(server_)).Run().result()["members"][0];
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ChoicesTest, EachKeyHasOneChoice) {
  EXPECT_EQ(Choice("u1"), false);
  EXPECT_EQ(Change("u1", "like")["changed"], true);
  EXPECT_EQ(Change("u1", "like")["changed"], false);
  EXPECT_EQ(Change("u2", "like")["before"], "");
  EXPECT_EQ(Change("u1", "love")["before"], "like");
  EXPECT_EQ(Choice("u1"), "love");
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{1, 1, 0}));
  EXPECT_EQ(Change("u1", "")["before"], "love");
  EXPECT_EQ(Change("u1", "")["changed"], false);
  EXPECT_EQ(Choice("u1"), false);
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(Change("u1", "laugh")["before"], "");
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_FALSE(server_.Get(kMembers + std::string("u1")).contains("expireAt"));
}

// The difference is in one shard, which the member names, and the shard gets every field.
TEST_F(ChoicesTest, OneCommitMovesBoth) {
  Change("u1", "like");
  const auto change = Begin("u1", "love");
  change->Run();
  EXPECT_EQ(change->verbs(), "commit batchGet commit");
  const json& writes = Writes(change->sent()[2]);
  ASSERT_EQ(writes.size(), 2U);
  const json& member = writes[0]["update"]["fields"];
  EXPECT_EQ(member["choice"]["stringValue"], "love");
  EXPECT_EQ(member["delta"], IntegerValue(1));
  EXPECT_EQ(PathOf(writes[1]), kShards + ('/' + member["shard"]["stringValue"].get<std::string>()));
  std::map<std::string, json> moves;
  for (const json& transform : writes[1]["updateTransforms"]) {
    moves[transform["fieldPath"]] = transform["increment"];
  }
  EXPECT_EQ(moves, (std::map<std::string, json>{{"like", IntegerValue(-1)},
                                                {"love", IntegerValue(1)},
                                                {"laugh", IntegerValue(0)}}));
}

TEST_F(ChoicesTest, AChoiceThatIsNoLongerOffered) {
  Change("u1", "laugh");
  Change("u1", "like", {"like", "love"});
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{1, 0, 0}));
}

// Another client may have written anything into its own member.
TEST_F(ChoicesTest, AMemberWithANonsensicalChoice) {
  for (const char* nonsense : {"__name__", "a.b", "__x__", "`"}) {
    server_.Put(kMembers + std::string("u1"), {{"delta", IntegerValue(1)},
                                               {"choice", {{"stringValue", nonsense}}},
                                               {"change", {{"stringValue", "x"}}},
                                               {"before", {{"stringValue", ""}}}});
    EXPECT_EQ(Change("u1", "like")["changed"], true) << nonsense;
  }
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{4, 0, 0}));
}

TEST_F(ChoicesTest, AnswersThatAreLost) {
  for (const char* choice : {"like", "love", "", "laugh"}) {
    const auto driver = Begin("lost", choice);
    int commits = 0;
    driver->Serve([&](const SentRequest& sent) {
      Reply reply = server_(sent);
      return sent.verb() == "commit" && reply.status == 200 && ++commits == 1 ? Cut() : reply;
    });
    EXPECT_EQ(driver->Run().result()["changed"], true) << choice;
    EXPECT_EQ(Choice("lost"), *choice == '\0' ? json(false) : json(choice));
  }
  EXPECT_EQ(Counts(), (std::vector<std::int64_t>{0, 0, 1}));
}

// Several devices change the same few keys on a network that loses and repeats what it likes.
TEST_F(ChoicesTest, FaultsFromASeed) {
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
        const std::uint64_t kind = random.Below(4);
        drivers.push_back(Begin(random.Below(2) == 0 ? "u1" : "u2", kind == 3 ? "" : kKinds[kind]));
        drivers.back()->Serve(network);
      }
      RunTogether(drivers, random);
      for (const auto& driver : drivers) unknown += driver->operation().error() != nullptr ? 1 : 0;
    }
    while (!late.empty()) {
      server(late.front());
      late.pop_front();
    }
    std::map<std::string, std::int64_t> members;
    const std::string collection(kMembers);
    for (const json& fields : server.List(collection.substr(0, collection.size() - 1))) {
      if (fields.contains("choice")) ++members[fields["choice"]["stringValue"]];
    }
    for (const std::string& kind : kKinds) {
      EXPECT_EQ(server.Total(kShards, kind), members[kind]) << "seed " << seed << ", " << kind;
    }
  }
  EXPECT_GT(unknown, 0) << "the faults must have bitten";
}

MemberState Has(std::string choice, std::string change, std::string before) {
  const bool is_member = !choice.empty();
  return {"2027-01-01T00:00:00Z", is_member, std::move(choice), std::move(change),
          std::move(before)};
}

TEST(DecideMember, TableOfChoices) {
  const MemberWish love{true, "love"};
  EXPECT_EQ(DecideMember(Has("love", "mine", "a"), love, "mine"), MemberStep::kChanged);
  EXPECT_EQ(DecideMember(Has("love", "a", "mine"), love, "mine"), MemberStep::kUnchanged);
  EXPECT_EQ(DecideMember(Has("like", "a", "mine"), love, "mine"), MemberStep::kChanged);
  EXPECT_EQ(DecideMember(Has("like", "a", "b"), love, "mine"), MemberStep::kCommit);
  EXPECT_EQ(DecideMember(Has("", "a", "b"), love, "mine"), MemberStep::kCommit);
  EXPECT_EQ(DecideMember(Has("like", "a", "b"), {false}, "mine"), MemberStep::kCommit);
}

TEST_F(ChoicesTest, TheServerAddsUpFiveInOneRequest) {
  const std::vector<std::string> stars = {"r1", "r2", "r3", "r4", "r5"};
  for (std::size_t i = 0; i < 7; ++i) Change("u" + std::to_string(i), stars[i % 5], stars);
  const auto driver = Ask(stars, true);
  EXPECT_EQ(driver->Run().result()["totals"], json({"2", "2", "1", "1", "1"}));
  EXPECT_EQ(driver->result()["source"], "sum");
  EXPECT_EQ(driver->verbs(), "runAggregationQuery");
  EXPECT_EQ(driver->operation().billed(), (Billed{.reads = 1}));
  const auto listed = Ask(stars, true, TotalSource::kShards);
  EXPECT_EQ(listed->Run().result()["totals"], json({"2", "2", "1", "1", "1"}));
  EXPECT_EQ(listed->verbs(), "runQuery");
}

// Firestore adds up only documents that have all the fields.
TEST_F(ChoicesTest, AnOldShardLacksANewChoice) {
  for (int i = 0; i < 20; ++i) Change("u" + std::to_string(i), "like", {"like", "love"});
  ASSERT_EQ(server_.List(kShards).size(), 3U) << "all shards are there";
  EXPECT_EQ(Ask({"like", "love"}, false)->Run().result()["source"], "sum");
  Change("u1", "laugh");
  const auto driver = Ask(kKinds, false);
  EXPECT_EQ(driver->Run().result()["totals"], json({"19", "0", "1"}));
  EXPECT_EQ(driver->result()["source"], "shards");
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery runQuery");
  // Also if the app knows too few shards.
  EXPECT_EQ(Ask(kKinds, false, TotalSource::kSum, 1)->Run().result()["totals"],
            json({"19", "0", "1"}));
}

TEST_F(ChoicesTest, TooManyForOneRequest) {
  const std::vector<std::string> six = {"a", "b", "c", "d", "e", "f"};
  Change("u1", "f", six);
  const auto driver = Ask(six, true);
  EXPECT_EQ(driver->Run().result()["totals"], json({"0", "0", "0", "0", "0", "1"}));
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery");
  EXPECT_EQ(Ask({"a", "b", "c", "d", "e"}, false)->Run().verbs(),
            "runAggregationQuery runAggregationQuery runAggregationQuery");
}

TEST_F(ChoicesTest, WithoutAnIndex) {
  Change("u1", "love");
  for (const char* status : {"FAILED_PRECONDITION", "UNIMPLEMENTED", "NOT_FOUND"}) {
    const auto driver = Ask(kKinds, true);
    driver->Script({Refusal(status)});
    EXPECT_EQ(driver->Run().result()["totals"], json({"0", "1", "0"})) << status;
    EXPECT_EQ(driver->result()["source"], "shards");
  }
  const auto denied = Ask(kKinds, true);
  denied->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(denied->Run().error().code, Code::kPermissionDenied);
}

TEST_F(ChoicesTest, ManyShardsInPages) {
  json writes = json::array();
  for (int i = 0; i < 700; ++i) {
    writes.push_back({{"update",
                       {{"name", Name(kShards + ('/' + std::to_string(i)))},
                        {"fields", {{"like", IntegerValue(i % 2)}, {"love", IntegerValue(-1)}}}}}});
  }
  for (int first = 0; first < 700; first += 350) {
    server_.Commit(json(writes.begin() + first, writes.begin() + first + 350));
  }
  const auto driver = Ask(kKinds, false, TotalSource::kShards);
  EXPECT_EQ(driver->Run().result()["totals"], json({"350", "-700", "0"}));
  EXPECT_EQ(driver->verbs(), "runQuery runQuery runQuery");
  EXPECT_EQ(driver->operation().billed(), (Billed{.reads = 700}));
}

TEST_F(ChoicesTest, AnswersThatSayNothing) {
  const json no_time = {{"result", {{"aggregateFields", {{"c0", IntegerValue(1)}}}}}};
  for (const Reply& reply :
       {Ok(json::array()), Ok(json::array({no_time})), OkText("[{"), MissingDocument("posts/p1")}) {
    const auto driver = Ask({"like"}, true);
    driver->Script({reply});
    EXPECT_EQ(driver->Run().result()["totals"], json({"0"})) << "it is asked again";
    EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery");
  }
}

}  // namespace
}  // namespace shardline::choices_test
