#include "upkeep/publish_total.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"
#include "upkeep/shared_total.h"

namespace shardline::publish_total_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

class PublishTotalTest : public ::testing::Test {
 protected:
  PublishTotalTest() {
    server_.Put("posts/p1", {{"num_shards", IntegerValue(2)}, {"title", {{"stringValue", "T"}}}});
    Count(3);
  }

  std::unique_ptr<OperationDriver> Begin(int every_ms = 5000, const char* field = "stats.likes") {
    std::unique_ptr<Operation> operation = std::make_unique<PublishTotal>(
        context_, MakeCounter(), FieldPath::Parse(field).value(), milliseconds(every_ms));
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->set_now(server_.now());
    driver->Serve(std::ref(server_));
    return driver;
  }
  json Publish(int every_ms = 5000) { return Begin(every_ms)->Run().result(); }
  void Count(int count) { server_.Put("posts/p1/shards/0", {{"count", IntegerValue(count)}}); }
  json Published() { return server_.Get("posts/p1")["stats"]["mapValue"]["fields"]["likes"]; }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(PublishTotalTest, OnceInSuchATime) {
  const auto first = Begin();
  EXPECT_EQ(first->Run().result(), json({{"published", true}, {"value", "3"}}));
  EXPECT_EQ(first->verbs(), "batchGet runAggregationQuery commit");
  EXPECT_EQ(first->operation().billed(), (Billed{.reads = 2, .writes = 2}));
  EXPECT_EQ(Published(), IntegerValue(3));
  EXPECT_EQ(server_.Get("posts/p1")["title"]["stringValue"], "T");
  EXPECT_EQ(server_.Get("posts/p1")["num_shards"], IntegerValue(2));
  EXPECT_EQ(server_.Get("posts/p1/shardline/shards.count/shardline_totals/published")["field"],
            json({{"stringValue", "stats.likes"}}));

  Count(4);
  const auto second = Begin();
  EXPECT_EQ(second->Run().result()["published"], false);
  EXPECT_EQ(second->verbs(), "batchGet");
  EXPECT_LE(second->result()["ageMs"], 5000);
  EXPECT_EQ(Published(), IntegerValue(3));

  server_.Pass(milliseconds(5001));
  EXPECT_EQ(Publish()["published"], true);
  EXPECT_EQ(Published(), IntegerValue(4));
}

// A reader who keeps the shared total fresh is not in the way.
TEST_F(PublishTotalTest, HasADocumentOfItsOwn) {
  std::unique_ptr<Operation> reading =
      std::make_unique<ReadSharedTotal>(context_, MakeCounter(), milliseconds(0));
  OperationDriver driver(std::move(reading));
  driver.Serve(std::ref(server_)).Run();
  EXPECT_EQ(Publish()["published"], true);
}

TEST_F(PublishTotalTest, ManyAtOnceWriteOnce) {
  Random random(1);
  Drivers drivers;
  for (int i = 0; i < 10; ++i) drivers.push_back(Begin());
  RunTogether(drivers, random);
  int published = 0;
  for (const auto& driver : drivers) published += driver->result()["published"] == true ? 1 : 0;
  EXPECT_EQ(published, 1);
}

TEST_F(PublishTotalTest, ThePublishedTotalIsReadWithoutTheShards) {
  const auto read = [&] {
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadSharedTotal>(context_, MakeCounter(), std::chrono::hours(1), true);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_)).Run();
    return driver;
  };
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(3)}});
  const auto before = read();
  EXPECT_EQ(before->verbs(), "batchGet runAggregationQuery") << "and nothing is written";
  EXPECT_EQ(before->result()["value"], "3");
  EXPECT_EQ(Publish()["published"], true);
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(4)}});
  const auto after = read();
  EXPECT_EQ(after->verbs(), "batchGet");
  EXPECT_EQ(after->result()["value"], "3");
  EXPECT_EQ(after->result()["source"], "shared");
}

TEST_F(PublishTotalTest, NothingIsPublishedIntoNothing) {
  server_.Delete("posts/p1");
  EXPECT_EQ(Begin()->Run().error().code, Code::kNotFound);
  EXPECT_EQ(server_.Get("posts/p1"), json());
}

TEST_F(PublishTotalTest, RulesThatRefuse) {
  for (const char* verb : {"batchGet", "commit"}) {
    const auto driver = Begin();
    driver->Serve([&](const SentRequest& request) {
      return request.verb() == verb ? Refusal("PERMISSION_DENIED") : server_(request);
    });
    EXPECT_EQ(driver->Run().error().code, Code::kPermissionDenied) << verb;
  }
}

TEST_F(PublishTotalTest, ADocumentThatMayNotBeSoLarge) {
  const auto driver = Begin();
  driver->Serve([&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("INVALID_ARGUMENT") : server_(request);
  });
  EXPECT_EQ(driver->Run().error().code, Code::kInvalidArgument);
}

// The count only rises, so a total that is older than another is smaller. Whatever is lost, late or
// sent twice: what is published never falls, and the next one makes it right.
TEST_F(PublishTotalTest, NeverBackwards) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(8, 30); ++seed) {
    Random random(seed);
    std::deque<SentRequest> late;
    std::int64_t last = 0;
    int count = static_cast<int>(seed) * 1000;
    const auto look = [&] {
      const json published = Published();
      if (published.is_null()) return;
      const std::int64_t value = std::stoll(published["integerValue"].get<std::string>());
      EXPECT_GE(value, last) << "seed " << seed;
      last = value;
    };
    const auto network = [&](const SentRequest& request) {
      Count(++count);
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
      server_.Pass(milliseconds(700));
      Drivers drivers;
      for (int i = 0; i < 4; ++i) {
        drivers.push_back(Begin(1000));
        drivers.back()->Serve(network);
      }
      RunTogether(drivers, random);
    }
    server_.Pass(milliseconds(1001));
    Publish(1000);
    look();
    EXPECT_EQ(last, count) << "seed " << seed;
  }
}

TEST(CheckPublishedField, TheCountersOwnAreRefused) {
  const auto check = [](const char* field, const std::unique_ptr<const Counter>& counter) {
    return counter->CheckPublishedField(FieldPath::Parse(field).value());
  };
  const auto web = MakeCounter();
  EXPECT_THAT(check("likes", web), IsOk());
  EXPECT_THAT(check("count", web), IsOk()) << "that is a field of the shards";
  EXPECT_FALSE(check("num_shards", web));
  EXPECT_FALSE(check("num_shards.x", web));
  EXPECT_FALSE(check("__name__", web));
  EXPECT_FALSE(check("likes", MakeCounter("likes", Preset("collection"), 3)));
  const auto extension = MakeCounter("pages/p", ExtensionLayout("stats.visits"));
  EXPECT_FALSE(check("stats", extension));
  EXPECT_FALSE(check("stats.visits", extension));
  EXPECT_THAT(check("stats.total", extension), IsOk());
}

}  // namespace
}  // namespace shardline::publish_total_test
