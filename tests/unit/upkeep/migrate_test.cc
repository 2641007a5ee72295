#include "upkeep/migrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/extension_builders.h"
#include "unit/support/extension_actors.h"
#include "unit/support/run_size.h"
#include "unit/support/status.h"
#include "upkeep/delete.h"
#include "upkeep/publish_total.h"

namespace shardline::migrate_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class MigrateTest : public ::testing::Test {
 protected:
  std::unique_ptr<OperationDriver> Migrate(const std::string& field = "visits",
                                           const char* preset = "web-sample") {
    return std::make_unique<OperationDriver>(MigrateCounter::Start(
        context_, MakeExtension(field), MakeCounter(kPath, Preset(preset)), kTargetShards));
  }
  json MigrateNow(const std::string& field = "visits", const char* preset = "web-sample") {
    const auto driver = Migrate(field, preset);
    driver->Serve(std::ref(server_)).Run();
    return driver->result();
  }
  void Create() {
    std::unique_ptr<Operation> operation = std::make_unique<CreateCounter>(
        context_, MakeCounter(kPath, Preset("web-sample"), kTargetShards), IfExists::kKeep);
    OperationDriver driver(std::move(operation));
    driver.Serve(std::ref(server_)).Run();
  }
  void Delete() {
    OperationDriver driver(DeleteCounter::Start(context_, MakeCounter(kPath)));
    driver.Serve(std::ref(server_)).Run();
  }
  std::int64_t Total(std::unique_ptr<const Counter> counter) {
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadTotal>(context_, std::move(counter), TotalSource::kSum);
    OperationDriver driver(std::move(operation));
    driver.Serve(std::ref(server_)).Run();
    return std::stoll(driver.result()["value"].get<std::string>());
  }
  // The total of the counter that takes the count over, into the field of the old one.
  void Publish(const std::string& field = "visits") {
    std::unique_ptr<Operation> operation = std::make_unique<PublishTotal>(
        context_, MakeCounter(kPath), *FieldPath::Parse(field), Duration(0));
    OperationDriver driver(std::move(operation));
    EXPECT_EQ(driver.Serve(std::ref(server_)).Run().result()["published"], true);
  }
  std::int64_t Left(const std::string& field = "visits") { return Total(MakeExtension(field)); }
  std::int64_t Moved() { return Total(MakeCounter(kPath)); }

  static constexpr int kTargetShards = 4;
  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(MigrateTest, EverythingGoesAndWhatIsOthersStays) {
  server_.Put(kPath, {{"title", {{"stringValue", "Hello"}}}, {"visits", IntegerValue(100)}});
  Create();
  PutShardsAndPartials(server_);
  EXPECT_EQ(MigrateNow(), json({{"folded", 5}, {"complete", true}}));
  EXPECT_EQ(Moved(), 112);
  EXPECT_EQ(Left(), 0);
  EXPECT_EQ(Left("likes"), 9);
  EXPECT_EQ(server_.Get(kPath), json({{"title", {{"stringValue", "Hello"}}},
                                      {"num_shards", IntegerValue(kTargetShards)}}));
  EXPECT_EQ(server_.List("pages/p1/_counter_shards_").size(), 2U);
  // Nothing is left, and nothing is done.
  EXPECT_EQ(MigrateNow(), json({{"folded", 0}, {"complete", true}}));
  // An old client goes on counting.
  server_.Put(kShards + "a", {{"visits", IntegerValue(7)}});
  EXPECT_EQ(MigrateNow(), json({{"folded", 1}, {"complete", true}}));
  EXPECT_EQ(Moved(), 119);
}

// Lists go on showing the field that they have always shown.
TEST_F(MigrateTest, WhatTheNewCounterHasPublishedIsNotCountedAgain) {
  server_.Put(kPath, {{"visits", IntegerValue(100)}});
  Create();
  MigrateNow();
  Publish();
  EXPECT_EQ(MigrateNow(), json({{"folded", 0}, {"complete", true}}));
  EXPECT_EQ(server_.Get(kPath)["visits"], IntegerValue(100));
  EXPECT_EQ(Moved(), 100);

  // An old client goes on counting. Whoever edits the document may set the field to anything.
  server_.Put(kPath, {{"visits", IntegerValue(0)}, {"num_shards", IntegerValue(kTargetShards)}});
  server_.Put(kShards + "a", {{"visits", IntegerValue(7)}});
  EXPECT_EQ(MigrateNow(), json({{"folded", 1}, {"complete", true}}));
  EXPECT_EQ(Moved(), 107);
  Publish();
  EXPECT_EQ(server_.Get(kPath)["visits"], IntegerValue(107));
  EXPECT_EQ(MigrateNow()["folded"], 0);
  EXPECT_EQ(Moved(), 107);
}

TEST_F(MigrateTest, WhatIsPublishedIntoAnotherFieldDoesNotMatter) {
  server_.Put(kPath, {{"visits", IntegerValue(100)}});
  Create();
  Publish("shown");
  EXPECT_EQ(MigrateNow()["folded"], 1);
  EXPECT_EQ(Moved(), 100);
  EXPECT_FALSE(server_.Get(kPath).contains("visits"));
}

// They were written at once, so they are read as of one moment.
TEST_F(MigrateTest, PublishingInBetweenIsNotCounted) {
  server_.Put(kPath, {{"visits", IntegerValue(100)}});
  Create();
  MigrateNow();
  server_.Put(kPath + std::string("/shards/0"), {{"count", IntegerValue(1)}});
  const std::int64_t before = Moved();
  const auto driver = Migrate();
  int reads = 0;
  driver->Serve([&](const SentRequest& request) {
    if (request.verb() == "batchGet" && ++reads == 2) Publish();
    return server_(request);
  });
  EXPECT_EQ(driver->Run().result()["complete"], true);
  EXPECT_EQ(Moved(), before);
  EXPECT_EQ(server_.Get(kPath)["visits"], IntegerValue(before));
}

TEST_F(MigrateTest, NestedFields) {
  const json counted = {{"stats", {{"mapValue", {{"fields", {{"visits", IntegerValue(3)}}}}}}}};
  json both = counted;
  both["stats"]["mapValue"]["fields"]["likes"] = IntegerValue(4);
  server_.Put(kPath, both);
  server_.Put(kShards + "a", counted);
  server_.Put(kShards + "b", both);
  server_.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({counted, both})}});
  EXPECT_EQ(MigrateNow("stats.visits", "node-sample")["folded"], 4);
  EXPECT_EQ(Moved(), 15);
  EXPECT_EQ(Left("stats.visits"), 0);
  EXPECT_EQ(Left("stats.likes"), 12);
  EXPECT_EQ(server_.List("pages/p1/_counter_shards_").size(), 2U);
}

// Two counters of one document, each to a place of its own.
TEST_F(MigrateTest, ElsewhereIfAsked) {
  server_.Put(kPath, {{"visits", IntegerValue(3)}, {"likes", IntegerValue(4)}});
  server_.Put(kShards + "a", {{"visits", IntegerValue(10)}, {"likes", IntegerValue(20)}});
  for (const char* field : {"visits", "likes"}) {
    const std::string path = std::string("pages/p1/counters/") + field;
    OperationDriver driver(
        MigrateCounter::Start(context_, MakeExtension(field), MakeCounter(path), kTargetShards));
    driver.Serve(std::ref(server_)).Run();
    EXPECT_EQ(driver.result()["folded"], 2);
  }
  EXPECT_EQ(server_.Total("pages/p1/counters/visits/shards"), 13);
  EXPECT_EQ(server_.Total("pages/p1/counters/likes/shards"), 24);
  EXPECT_EQ(server_.Get(kPath), json::object());
  EXPECT_EQ(server_.List("pages/p1/_counter_shards_").size(), 0U);
}

// No one could separate two counts that were added up.
TEST_F(MigrateTest, TheCountOfAnotherFieldIsRefusedAtTheSamePlace) {
  server_.Put(kPath, {{"visits", IntegerValue(3)}, {"likes", IntegerValue(4)}});
  server_.Put(kShards + "a", {{"likes", IntegerValue(20)}});
  Create();
  MigrateNow();
  const auto refusal = [&] {
    const auto driver = Migrate("likes");
    const Error& error = driver->Serve(std::ref(server_)).Run().error();
    EXPECT_EQ(error.code, Code::kAlreadyExists);
    return error.message;
  };
  EXPECT_THAT(refusal(), AllOf(HasSubstr("visits of pages/p1"), HasSubstr("`to.path`")));
  EXPECT_EQ(Left("likes"), 24);
  EXPECT_EQ(Moved(), 3);
  // A publication keeps this, and a repeated run goes on.
  Publish("shown");
  EXPECT_THAT(refusal(), HasSubstr("visits of pages/p1"));
  server_.Put(kShards + "b", {{"visits", IntegerValue(7)}});
  EXPECT_EQ(MigrateNow()["folded"], 1);
  EXPECT_EQ(Moved(), 10);
  // A new counter in place of a deleted one takes any count.
  Delete();
  Create();
  EXPECT_EQ(MigrateNow("likes")["folded"], 2);
  EXPECT_EQ(Moved(), 24);
}

// A migration that moves nothing claims no place.
TEST_F(MigrateTest, OfTwoFieldsAtOnceOneIsMoved) {
  // No document of the one is a document of the other.
  server_.Put(kShards + "a", {{"visits", IntegerValue(3)}});
  server_.Put(kShards + "b", {{"likes", IntegerValue(4)}});
  Create();
  EXPECT_EQ(MigrateNow("nothing")["folded"], 0);
  const auto visits = Migrate("visits");
  bool is_late = false;
  visits->Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && !std::exchange(is_late, true)) MigrateNow("likes");
    return server_(request);
  });
  EXPECT_EQ(visits->Run().error().code, Code::kAlreadyExists);
  EXPECT_EQ(Moved(), 4);
  EXPECT_EQ(Left("visits"), 3);
}

TEST_F(MigrateTest, WhatIsNoNumberStays) {
  server_.Put(kPath, {{"visits", {{"stringValue", "many"}}}});
  server_.Put(kShards + "a", {{"visits", {{"stringValue", "few"}}}});
  EXPECT_EQ(MigrateNow("visits", "node-sample"), json({{"folded", 0}, {"complete", true}}));
  EXPECT_EQ(server_.size(), 2U);
}

TEST_F(MigrateTest, ManyShards) {
  for (int i = 0; i < 700; ++i) {
    server_.Put(kShards + std::to_string(i), {{"visits", IntegerValue(i)}});
  }
  EXPECT_EQ(MigrateNow("visits", "node-sample"), json({{"folded", 700}, {"complete", true}}));
  EXPECT_EQ(Moved(), 700 * 699 / 2);
}

// A worker that has seen the partial before it was emptied adds it to the document nevertheless,
// and takes it away from the partial, which is not there any more.
TEST_F(MigrateTest, AWorkerThatIsBehind) {
  server_.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({{{"visits", IntegerValue(5)}}})}});
  Create();
  OperationDriver worker(
      std::make_unique<ExtensionWorker>(context_, kPath, ExtensionWorker::Task::kToDocument));
  worker.Serve([&](const SentRequest& request) {
    if (request.verb() == "batchGet") MigrateNow();
    return server_(request);
  });
  worker.Run();
  EXPECT_EQ(server_.Get(kPath)["visits"], IntegerValue(5));
  EXPECT_EQ(Left(), 0);
  EXPECT_EQ(Moved(), 5);
  EXPECT_EQ(MigrateNow()["complete"], true);
  EXPECT_EQ(Left(), 0);
  EXPECT_EQ(Moved(), 5);
  EXPECT_FALSE(server_.Get(kPath).contains("visits"));
}

TEST_F(MigrateTest, ItEndsThoughAnOldClientNeverStops) {
  int counted = 0;
  const auto driver = Migrate("visits", "node-sample");
  driver->Serve([&](const SentRequest& request) {
    if (request.path.ends_with("p1:runQuery") &&
        request.body["structuredQuery"]["from"][0]["collectionId"] == "_counter_shards_") {
      server_.Put(kShards + "a", {{"visits", IntegerValue(1)}});
      ++counted;
    }
    return server_(request);
  });
  EXPECT_EQ(driver->Run().result()["complete"], false);
  EXPECT_EQ(Moved() + Left(), counted);
  EXPECT_GT(Moved(), 0);
}

TEST_F(MigrateTest, Refusals) {
  const auto start = [&](std::unique_ptr<const Counter> counter,
                         std::unique_ptr<const Counter> target) {
    return MigrateCounter::Start(context_, std::move(counter), std::move(target), 0);
  };
  EXPECT_THAT(start(MakeCounter(kPath), MakeCounter(kPath)), IsRefused(HasSubstr("'extension'")));
  EXPECT_THAT(start(MakeExtension(), MakeExtension("likes")), IsRefused(HasSubstr("`to`")));
  EXPECT_THAT(
      start(MakeExtension(), MakeCounter(kPath, {"_counter_shards_", "count", std::nullopt})),
      IsRefused(HasSubstr("`to`")));
  for (const char* field : {"num_shards", "num_shards.visits"}) {
    EXPECT_THAT(start(MakeExtension(field), MakeCounter(kPath)), IsRefused(HasSubstr(field)));
  }
  EXPECT_THAT(start(MakeExtension("num_shards"), MakeCounter("pages/p2")), IsOk());
  Result<std::unique_ptr<Operation>> checked = start(MakeExtension(), MakeCounter(kPath));
  ASSERT_THAT(checked, IsOk());
  EXPECT_TRUE((*checked)->done());
}

// Clients of the extension count, its workers move counts, and several migrate, are interrupted
// anywhere, and lose requests and answers: at no time is a count lost or doubled.
TEST_F(MigrateTest, NoCountIsLostOrDoubled) {
  int finished = 0;
  for (std::uint64_t seed = 1; seed <= SeedsInRun(4, 15); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 200}}});
    Random random(seed);
    context_.random = Random(seed + 1000);
    Create();
    std::int64_t counted = 0;
    std::int64_t likes = 0;
    for (int round = 0; round < 4; ++round) {
      Drivers drivers;
      Drivers migrations;
      const auto drive = [&](std::unique_ptr<Operation> operation) {
        drivers.push_back(std::make_unique<OperationDriver>(std::move(operation)));
        drivers.back()->Serve(std::ref(server_));
        drivers.back()->set_now(drivers.back()->now() +
                                std::chrono::milliseconds(random.Below(3000)));
      };
      for (int i = 0; i < 40; ++i) {
        const auto delta = static_cast<std::int64_t>(random.Below(100)) - 20;
        const bool is_like = random.Below(3) == 0;
        (is_like ? likes : counted) += delta;
        drive(std::make_unique<ExtensionClient>(context_, kPath, std::to_string(random.Below(8)),
                                                is_like ? "likes" : "visits", delta));
      }
      for (int i = 0; i < 20; ++i) {
        drive(std::make_unique<ExtensionWorker>(
            context_, kPath,
            static_cast<ExtensionWorker::Task>(random.Below(ExtensionWorker::kTasks))));
      }
      for (int i = 0; i < 3; ++i) {
        migrations.push_back(Migrate());
        migrations.back()->Serve(Lossy(std::ref(server_), random));
      }
      RunTogether(drivers, random, migrations);
      finished += CountSucceeded(migrations);
      ASSERT_EQ(Left() + Moved(), counted) << "round " << round;
      ASSERT_EQ(Left("likes"), likes) << "round " << round;
    }
    ASSERT_EQ(MigrateNow()["complete"], true);
    ASSERT_EQ(Left(), 0);
    ASSERT_EQ(Moved(), counted);
    ASSERT_EQ(Left("likes"), likes);
  }
  EXPECT_GT(finished, InRun(0, 12)) << "the faults must not be hopeless";
}

}  // namespace
}  // namespace shardline::migrate_test
