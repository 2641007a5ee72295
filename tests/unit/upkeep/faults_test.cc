// Random schedules of clients and faults, each from a seed: every acknowledged change must be
// there.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/builders.h"
#include "unit/counter/faulty_server.h"
#include "unit/exactly_once/increments.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::faults_test {
namespace {

using nlohmann::json;

struct Outcome {
  std::int64_t acknowledged = 0;
  std::int64_t doubtful = 0;  // What may have been counted, of increments that failed.
};

// Increments of +1 by many clients, all at once.
template <class MakesCounter>
Outcome CountTogether(FaultyServer& server, MakesCounter counter, OperationContext& context,
                      Random& random, int clients) {
  Drivers drivers;
  for (int i = 0; i < clients; ++i) {
    drivers.push_back(
        std::make_unique<OperationDriver>(BeginIncrement(context, counter(), Amount::Integer(1))));
    drivers.back()->Serve(std::ref(server));
  }
  RunTogether(drivers, random);
  Outcome outcome;
  for (const auto& driver : drivers) {
    const Counted counted = EndOf(driver->operation());
    if (counted == Counted::kYes) ++outcome.acknowledged;
    if (counted == Counted::kPerhaps) ++outcome.doubtful;
  }
  return outcome;
}

TEST(Faults, NothingThatWasAcknowledgedIsMissing) {
  std::int64_t acknowledged = 0;
  for (std::uint64_t seed = 1; seed <= SeedsInRun(16, 80); ++seed) {
    FaultyServer server(seed, 40, true);
    OperationContext context = TestContext(seed + 1000);
    Random random(seed);
    const auto counter = [&] {
      return MakeCounter("c/x", Preset("web-sample"), 3, Delivery::kAtLeastOnce);
    };
    const Outcome outcome = CountTogether(server, counter, context, random, 20);
    EXPECT_GE(server.server().Total("c/x/shards"), outcome.acknowledged) << "seed " << seed;
    acknowledged += outcome.acknowledged;
  }
  EXPECT_GT(acknowledged, InRun(200, 1000)) << "the schedules must not be hopeless";
}

TEST(Faults, TransactionsNeverCountTwice) {
  std::int64_t acknowledged = 0;
  std::int64_t doubtful = 0;
  for (std::uint64_t seed = 1; seed <= SeedsInRun(16, 80); ++seed) {
    FaultyServer server(seed, 30, true);
    OperationContext context = TestContext(seed + 1000);
    Random random(seed);
    const auto counter = [&] {
      return MakeCounter("c/x", Preset("web-sample"), 10, Delivery::kTransaction);
    };
    const Outcome outcome = CountTogether(server, counter, context, random, 20);
    const std::int64_t total = server.server().Total("c/x/shards");
    EXPECT_GE(total, outcome.acknowledged) << "seed " << seed;
    EXPECT_LE(total, outcome.acknowledged + outcome.doubtful) << "seed " << seed;
    acknowledged += outcome.acknowledged;
    doubtful += outcome.doubtful;
  }
  EXPECT_GT(acknowledged, InRun(160, 800));
  EXPECT_GT(doubtful, 0) << "the faults must have bitten";
}

TEST(Faults, WithoutLostAnswersTheCountIsExact) {
  for (const Delivery delivery : {Delivery::kAtLeastOnce, Delivery::kTransaction}) {
    for (std::uint64_t seed = 1; seed <= SeedsInRun(6, 30); ++seed) {
      FaultyServer server(seed, 40, false);
      OperationContext context = TestContext(seed + 1000);
      Random random(seed);
      const auto counter = [&] { return MakeCounter("c/x", Preset("web-sample"), 5, delivery); };
      const Outcome outcome = CountTogether(server, counter, context, random, 20);
      EXPECT_EQ(server.server().Total("c/x/shards"), outcome.acknowledged) << "seed " << seed;
      EXPECT_EQ(outcome.doubtful, 0);
    }
  }
}

// Creators and counters at once: whoever comes first, no count is reset.
TEST(Faults, CreatingNeverResets) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(24, 120); ++seed) {
    const char* preset = seed % 2 == 0 ? "web-sample" : "node-sample";
    FaultyServer server(seed, 25, true);
    OperationContext context = TestContext(seed + 1000);
    Random random(seed);
    if (seed % 3 == 0) server.server().Put("c/x", {{"title", {{"stringValue", "post"}}}});
    Drivers all;
    for (int i = 0; i < 20; ++i) {
      std::unique_ptr<const Counter> counter = MakeCounter(
          "c/x", Preset(preset), 4, i % 2 == 0 ? Delivery::kAtLeastOnce : Delivery::kTransaction);
      const auto start = [&]() -> Result<std::unique_ptr<Operation>> {
        if (i % 5 != 0) return BeginIncrement(context, std::move(counter), Amount::Integer(1));
        const IfExists if_exists = i % 2 == 0 ? IfExists::kError : IfExists::kKeep;
        return std::make_unique<CreateCounter>(context, std::move(counter), if_exists);
      };
      all.push_back(std::make_unique<OperationDriver>(start()));
      all.back()->Serve(std::ref(server));
      // Not all at the same time.
      all.back()->set_now(all.back()->now() + std::chrono::milliseconds(random.Below(2000)));
    }
    RunTogether(all, random);
    std::int64_t acknowledged = 0;
    int creations = 0;
    bool exists = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Operation& operation = all[i]->operation();
      if (i % 5 != 0) {
        acknowledged += EndOf(operation) == Counted::kYes ? 1 : 0;
      } else if (!operation.error()) {
        exists = true;
        const json result = all[i]->result();
        creations += result["created"] == true ? 1 : 0;
        EXPECT_EQ(result["shards"], 4);
      } else {
        exists = exists || operation.error()->code == Code::kAlreadyExists;
      }
    }
    EXPECT_GE(server.server().Total("c/x/shards"), acknowledged) << "seed " << seed;
    EXPECT_LE(creations, 1) << "seed " << seed;
    if (exists && preset[0] == 'w') {
      ASSERT_TRUE(server.server().Find("c/x"));
      EXPECT_EQ(server.server().Find("c/x")->fields["num_shards"], IntegerValue(4));
    }
    if (seed % 3 == 0) {
      EXPECT_TRUE(server.server().Find("c/x")->fields.contains("title"));
    }
  }
}

TEST(Faults, TotalsAreRightOrFail) {
  int read = 0;
  for (std::uint64_t seed = 1; seed <= SeedsInRun(24, 120); ++seed) {
    FaultyServer server(seed, 50, true);
    OperationContext context = TestContext(seed + 1000);
    const int shards = static_cast<int>(seed * 7);
    for (int i = 0; i < shards; ++i) {
      server.server().Put("c/x/shards/" + std::to_string(i), {{"count", IntegerValue(i)}});
    }
    const TotalSource source = seed % 2 == 0 ? TotalSource::kSum : TotalSource::kShards;
    OperationDriver driver(std::make_unique<ReadTotal>(context, MakeCounter("c/x"), source));
    driver.Serve(std::ref(server)).Run();
    if (driver.operation().error()) continue;
    ++read;
    EXPECT_EQ(driver.result()["value"], std::to_string(shards * (shards - 1) / 2))
        << "seed " << seed;
  }
  EXPECT_GT(read, InRun(12, 60));
}

}  // namespace
}  // namespace shardline::faults_test
