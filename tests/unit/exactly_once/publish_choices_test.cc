// The published counts of choices, and their average.

#include "exactly_once/publish_choices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::publish_choices_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr const char* kPath = "restaurants/r1";
constexpr const char* kShards = "restaurants/r1/shardline_ratings/";
constexpr const char* kLast =
    "restaurants/r1/shardline/shardline_ratings.choice/shardline_totals/published";
const std::vector<std::string> kStars = {"r1", "r2", "r3"};

class PublishChoicesTest : public ::testing::Test {
 protected:
  PublishChoicesTest() { server_.Put(kPath, {{"title", {{"stringValue", "T"}}}}); }

  static FieldPath Field(const std::string& text) { return FieldPath::Parse(text).value(); }
  static ChoiceFields Stars() {
    return {.count = Field("votes"), .average = Field("stats.mean"), .from = 1};
  }
  std::unique_ptr<OperationDriver> Begin(ChoiceFields fields = Stars(), Duration every = {}) {
    Layout layout;
    layout.shard_collection = "shardline_ratings";
    layout.count_field = "choice";
    CountedFields choices{{}, true};
    for (const std::string& star : kStars) choices.fields.push_back(Field(star));
    std::unique_ptr<Operation> operation = std::make_unique<PublishChoices>(
        context_, MakeCounter(kPath, layout, 2), std::move(choices), std::move(fields), every);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->set_now(server_.now());
    driver->Serve(std::ref(server_));
    return driver;
  }
  std::unique_ptr<OperationDriver> BeginAtMostEvery(Duration every) {
    return Begin(Stars(), every);
  }
  void Count(const std::string& shard, const std::vector<std::int64_t>& counts) {
    json fields;
    for (std::size_t i = 0; i < counts.size(); ++i) fields[kStars[i]] = IntegerValue(counts[i]);
    server_.Put(kShards + shard, fields);
  }
  json Votes() { return server_.Get(kPath)["votes"]; }
  json Mean() { return server_.Get(kPath)["stats"]["mapValue"]["fields"]["mean"]; }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(PublishChoicesTest, TheAverageAndTheNumberOfUsers) {
  Count("0", {1, 0, 2});
  Count("1", {0, 1, 0});
  const auto driver = Begin();
  EXPECT_EQ(driver->Run().result()["totals"], json({"1", "1", "2"}));
  EXPECT_EQ(driver->verbs(), "batchGet runAggregationQuery commit");
  EXPECT_EQ(driver->operation().billed(), (Billed{.reads = 2, .writes = 2}));
  EXPECT_EQ(Votes(), IntegerValue(4));
  EXPECT_EQ(Mean()["doubleValue"], 2.25);
  EXPECT_EQ(server_.Get(kPath)["title"]["stringValue"], "T");
  EXPECT_EQ(server_.Get(kLast)["value"], IntegerValue(4));
}

// A list that is sorted by the average also has documents without a rating.
TEST_F(PublishChoicesTest, NoRatings) {
  Begin()->Run().result();
  EXPECT_EQ(Votes(), IntegerValue(0));
  EXPECT_EQ(Mean(), json({{"nullValue", nullptr}}));
}

TEST_F(PublishChoicesTest, AMapOfCountsReplacesTheOneBefore) {
  server_.Put(kPath, {{"reactions", {{"mapValue", {{"fields", {{"old", IntegerValue(1)}}}}}}}});
  Count("0", {3, 0, 2});
  Begin({.counts = Field("reactions")})->Run().result();
  EXPECT_EQ(
      server_.Get(kPath),
      json(
          {{"reactions",
            {{"mapValue",
              {{"fields",
                {{"r1", IntegerValue(3)}, {"r2", IntegerValue(0)}, {"r3", IntegerValue(2)}}}}}}}}));
}

// The server's sum is a rounded double then.
TEST_F(PublishChoicesTest, ATotalBeyondTheIntegersIsNotPublished) {
  Count("0", {INT64_MAX, 0, 0});
  Count("1", {1, 0, 0});
  const json before = server_.Get(kPath);
  const auto driver = Begin({.counts = Field("totals")});
  const Error error = driver->Run().error();
  EXPECT_EQ(error.code, Code::kOutOfRange);
  EXPECT_EQ(error.reason, "total-too-large");
  EXPECT_EQ(driver->verbs(), "batchGet runAggregationQuery runQuery");
  EXPECT_EQ(server_.Get(kPath), before);
  EXPECT_TRUE(server_.Get(kLast).is_null());
}

TEST_F(PublishChoicesTest, TotalsThatFitArePublishedAlthoughTheirSumDoesNotFit) {
  Count("0", {INT64_MAX, INT64_MAX, -1});
  Count("1", {0, 0, 0});
  Begin({.counts = Field("totals")})->Run().result();
  const json map = server_.Get(kPath)["totals"]["mapValue"]["fields"];
  EXPECT_EQ(map, json({{"r1", IntegerValue(INT64_MAX)},
                       {"r2", IntegerValue(INT64_MAX)},
                       {"r3", IntegerValue(-1)}}));
  // No number of users can be that large.
  EXPECT_EQ(Begin({.count = Field("votes")})->Run().error().code, Code::kOutOfRange);
}

TEST_F(PublishChoicesTest, NothingIsPublishedIntoNothing) {
  server_.Delete(kPath);
  EXPECT_EQ(Begin()->Run().error().code, Code::kNotFound);
  EXPECT_EQ(server_.size(), 0U);
  // Also if it was there when somebody published last.
  server_.Put(kPath, json::object());
  Begin()->Run().result();
  server_.Delete(kPath);
  const auto driver = Begin();
  EXPECT_EQ(driver->Run().error().code, Code::kNotFound);
  EXPECT_EQ(driver->verbs(),
            "batchGet runAggregationQuery commit batchGet runAggregationQuery commit");
  EXPECT_TRUE(server_.Get(kPath).is_null());
}

TEST_F(PublishChoicesTest, RulesThatRefuse) {
  for (const char* verb : {"batchGet", "runAggregationQuery", "commit"}) {
    const auto driver = Begin();
    driver->Serve([&](const SentRequest& request) {
      return request.verb() == verb ? Refusal("PERMISSION_DENIED") : server_(request);
    });
    EXPECT_EQ(driver->Run().error().code, Code::kPermissionDenied) << verb;
  }
}

TEST_F(PublishChoicesTest, WithoutAnIndexTheShardsAreRead) {
  Count("0", {1, 0, 2});
  const auto driver = Begin();
  driver->Serve([&](const SentRequest& request) {
    return request.verb() == "runAggregationQuery" ? Refusal("FAILED_PRECONDITION")
                                                   : server_(request);
  });
  EXPECT_EQ(driver->Run().result()["source"], "shards");
  EXPECT_EQ(Votes(), IntegerValue(3));
}

// A commit that was sent before the last publication, and arrives after it, changes nothing.
TEST_F(PublishChoicesTest, AFasterClientIsReadAgain) {
  Count("0", {1, 0, 0});
  const auto slow = Begin();
  std::deque<SentRequest> late;
  slow->Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && late.empty()) {
      late.push_back(request);
      Count("0", {1, 0, 1});
      Begin()->Run().result();
    }
    return server_(request);
  });
  EXPECT_EQ(slow->Run().result()["totals"], json({"1", "0", "1"}));
  EXPECT_EQ(slow->verbs(),
            "batchGet runAggregationQuery commit batchGet runAggregationQuery commit");
  server_(late.front());
  EXPECT_EQ(Votes(), IntegerValue(2));
}

TEST_F(PublishChoicesTest, WhoeverIsNeverFasterGivesUp) {
  const auto driver = Begin();
  driver->Serve([&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("FAILED_PRECONDITION") : server_(request);
  });
  EXPECT_EQ(driver->Run().error().code, Code::kFailedPrecondition);
  EXPECT_EQ(server_.requests("commit"), 0);
}

TEST_F(PublishChoicesTest, OnceInSuchATime) {
  Count("0", {1, 0, 0});
  const auto first = BeginAtMostEvery(milliseconds(5000));
  EXPECT_EQ(first->Run().result()["totals"], json({"1", "0", "0"}));
  Count("0", {2, 0, 0});
  const auto second = BeginAtMostEvery(milliseconds(5000));
  EXPECT_EQ(second->Run().result()["published"], false);
  EXPECT_LE(second->result()["ageMs"], 5000);
  EXPECT_EQ(second->verbs(), "batchGet");
  EXPECT_EQ(second->operation().billed(), (Billed{.reads = 1}));
  EXPECT_EQ(Votes(), IntegerValue(1));
  // A call that names no time publishes at once, and the others wait from then on.
  Begin()->Run().result();
  EXPECT_EQ(Votes(), IntegerValue(2));
  Count("0", {3, 0, 0});
  EXPECT_EQ(BeginAtMostEvery(milliseconds(5000))->Run().result()["published"], false);
  server_.Pass(milliseconds(5001));
  EXPECT_TRUE(BeginAtMostEvery(milliseconds(5000))->Run().result().contains("totals"));
  EXPECT_EQ(Votes(), IntegerValue(3));
}

TEST_F(PublishChoicesTest, ManyAtOnceWriteOnceInSuchATime) {
  Random random(1);
  Drivers drivers;
  for (int i = 0; i < 10; ++i) drivers.push_back(BeginAtMostEvery(milliseconds(60'000)));
  RunTogether(drivers, random);
  int published = 0;
  for (const auto& driver : drivers) published += driver->result().contains("totals") ? 1 : 0;
  EXPECT_EQ(published, 1);
}

TEST_F(PublishChoicesTest, InSuchATimeItIsLeftToTheNext) {
  const auto run = [&](auto reply_to_commit) {
    auto driver = BeginAtMostEvery(milliseconds(60'000));
    driver->Serve([&](const SentRequest& request) {
      return request.verb() == "commit" ? reply_to_commit(request) : server_(request);
    });
    driver->Run();
    return driver;
  };
  const auto beaten = run([](const SentRequest&) { return Refusal("ABORTED"); });
  EXPECT_EQ(beaten->result(), json({{"published", false}}));
  EXPECT_EQ(run([](const SentRequest&) { return Refusal("PERMISSION_DENIED"); })->error().code,
            Code::kPermissionDenied);
  // The commit was applied, and the note says so.
  const auto lost = run([&](const SentRequest& request) {
    server_(request);
    return Cut();
  });
  EXPECT_TRUE(lost->result().contains("ageMs"));
  EXPECT_EQ(lost->verbs(), "batchGet runAggregationQuery commit batchGet");
  server_.Pass(milliseconds(60'001));
  server_.Delete(kPath);
  EXPECT_EQ(BeginAtMostEvery(milliseconds(60'000))->Run().error().code, Code::kNotFound);
}

// The number of users only rises here, so an older reading has fewer. Whatever is lost, late or
// sent twice: the published number never falls, and whoever got an answer had published.
TEST_F(PublishChoicesTest, NeverBackwards) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(8, 30); ++seed) {
    Random random(seed);
    std::deque<SentRequest> late;
    std::int64_t last = 0;
    int count = static_cast<int>(seed) * 1000;
    const auto look = [&] {
      const json votes = Votes();
      if (votes.is_null()) return;
      const std::int64_t value = std::stoll(votes["integerValue"].get<std::string>());
      EXPECT_GE(value, last) << "seed " << seed;
      last = value;
    };
    const auto network = [&](const SentRequest& request) {
      Count("0", {++count, 0, 0});
      if (random.Below(3) == 0) late.push_back(request);
      if (!late.empty() && random.Below(3) == 0) {
        const std::size_t which = random.Below(late.size());
        server_(late[which]);
        look();
      }
      const std::uint64_t fate = random.Below(6);
      if (fate == 0) return Cut();
      Reply reply = server_(request);
      look();
      return fate == 1 ? Cut() : reply;
    };
    for (int round = 0; round < 10; ++round) {
      const int before = count;
      Drivers drivers;
      for (int i = 0; i < 4; ++i) {
        drivers.push_back(Begin());
        drivers.back()->Serve(network);
      }
      RunTogether(drivers, random);
      if (CountSucceeded(drivers) > 0) {
        EXPECT_GT(last, before) << "seed " << seed;
      }
    }
    Begin()->Run().result();
    look();
    EXPECT_EQ(last, count) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shardline::publish_choices_test
