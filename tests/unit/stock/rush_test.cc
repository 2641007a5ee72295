// A rush on a stock in the model of Firestore's limits: ten times as many takers as units.
// The rush measures the take that Shardline makes, and another one: see blind_take.h.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/network.h"
#include "experiment/virtual_driver.h"
#include "simulator/simulator.h"
#include "stock/supply.h"
#include "stock/take_units.h"
#include "unit/stock/blind_take.h"
#include "unit/support/run_size.h"

namespace shardline::rush_test {
namespace {

using experiment::ClientId;
using experiment::VirtualDriver;
using std::chrono::milliseconds;
using std::chrono::seconds;

struct Rush {
  std::size_t takers;
  std::int64_t units;
  std::int64_t shards;
  std::int64_t per_second;
};

class RushTest : public ::testing::Test {
 protected:
  static simulator::SimulatorOptions Limited() {
    simulator::SimulatorOptions options;
    options.seed = 1;
    options.limits.enabled = true;
    options.min_latency_micros = 20'000;
    options.max_latency_micros = 80'000;
    return options;
  }

  Stock MakeStock(const Rush& rush) {
    return Stock::Make(context_.database, "events/e1", rush.shards).value();
  }

  struct Outcome {
    std::int64_t taken = 0;
    std::int64_t refused = 0;
    std::int64_t failed = 0;
    Duration longest{};
    Duration longest_late{};  // Of those that came when all units were gone.
    double seconds = 0;       // Until the last unit was taken.
    std::int64_t requests = 0;
    std::int64_t conflicts = 0;
    std::int64_t waited = 0;  // Commits that had to wait.
    Billed billed;
  };

  using Make = std::function<std::unique_ptr<Operation>()>;

  Outcome Run(const Rush& rush, simulator::Simulator& simulator, experiment::Network& network,
              const Make& make) {
    VirtualDriver driver(network, rush.takers + 1);
    const auto maker = static_cast<ClientId>(rush.takers);
    driver.Run(maker, CreateStock::Start(context_, MakeStock(rush), rush.units).value());
    int steps = 100'000'000;
    while (driver.running() > 0) driver.Next(steps);
    const Instant begun = driver.now() + seconds(60);
    for (std::size_t i = 0; i < rush.takers; ++i) {
      const auto after = static_cast<std::int64_t>(i) * 1'000'000 / rush.per_second;
      driver.SetTimer(static_cast<ClientId>(i), begun + std::chrono::microseconds(after));
    }
    Outcome outcome;
    Instant last_taken = begun;
    while (std::optional<VirtualDriver::Event> event = driver.Next(steps)) {
      if (!event->operation) {
        driver.Run(event->client, make());
        continue;
      }
      const Operation& done = *event->operation;
      const Duration took = driver.now() - driver.begun(event->client);
      outcome.longest = std::max(outcome.longest, took);
      outcome.billed += done.billed();
      if (done.error()) {
        ++outcome.failed;
        continue;
      }
      JsonWriter writer;
      done.WriteResult(writer);
      if (writer.text().find("\"taken\":true") != std::string::npos) {
        ++outcome.taken;
        last_taken = driver.now();
      } else {
        ++outcome.refused;
        if (driver.begun(event->client) > last_taken) {
          outcome.longest_late = std::max(outcome.longest_late, took);
        }
      }
    }
    outcome.seconds = std::chrono::duration<double>(last_taken - begun).count();
    outcome.requests = driver.requests().sent;
    outcome.conflicts = driver.requests().conflicts;
    outcome.waited = simulator.contention().waited();
    return outcome;
  }

  Outcome RunTakes(const Rush& rush) {
    simulator::Simulator simulator(Limited());
    experiment::DirectNetwork network(simulator);
    return Run(rush, simulator, network, [&] {
      return std::make_unique<TakeUnits>(context_, MakeStock(rush), "", 1, std::nullopt);
    });
  }

  static void Print(const char* name, const Rush& rush, const Outcome& outcome) {
    const auto in_seconds = [](Duration time) {
      return std::chrono::duration<double>(time).count();
    };
    std::printf(
        "%s: %lld taken in %.1f s: %.2f a second and shard; %lld requests, %lld conflicts, %lld "
        "commits waited; answers within %.1f s, and %.2f s when all were gone; %lld reads, %lld "
        "writes\n",
        name, static_cast<long long>(outcome.taken), outcome.seconds, RateOf(rush, outcome),
        static_cast<long long>(outcome.requests), static_cast<long long>(outcome.conflicts),
        static_cast<long long>(outcome.waited), in_seconds(outcome.longest),
        in_seconds(outcome.longest_late), static_cast<long long>(outcome.billed.reads),
        static_cast<long long>(outcome.billed.writes));
  }

  // Takes a second and shard.
  static double RateOf(const Rush& rush, const Outcome& outcome) {
    return static_cast<double>(outcome.taken) / outcome.seconds / static_cast<double>(rush.shards);
  }

  OperationContext context_{DatabaseName::Make("demo", "(default)").value(), RetryPolicy{},
                            Random(1)};
};

TEST_F(RushTest, ExactlyTheUnitsAreTakenAndEveryoneIsAnswered) {
  const Rush rush = InRun(Rush{500, 50, 5, 20}, Rush{5'000, 500, 50, 200});
  const Outcome outcome = RunTakes(rush);
  Print("takes", rush, outcome);
  EXPECT_EQ(outcome.taken, rush.units);
  EXPECT_EQ(outcome.failed, 0);
  EXPECT_EQ(outcome.taken + outcome.refused, static_cast<std::int64_t>(rush.takers));
  EXPECT_GE(RateOf(rush, outcome), 0.8);
  EXPECT_LE(outcome.longest, seconds(30));
  EXPECT_LE(outcome.longest_late, seconds(1));
  // With units left, a take succeeds within four attempts on average.
  EXPECT_LE(outcome.conflicts, 3 * rush.units);
}

// The decision in stock.h relies on these figures.
TEST_F(RushTest, BlindTakesMeetNoConflictsAndCostMoreReadsUnderRules) {
  const Rush rush = InRun(Rush{500, 50, 5, 20}, Rush{5'000, 500, 50, 200});
  const Outcome takes = RunTakes(rush);
  simulator::Simulator simulator(Limited());
  GuardedNetwork network(simulator);
  const Outcome blind = Run(rush, simulator, network,
                            [&] { return std::make_unique<BlindTake>(context_, MakeStock(rush)); });
  Print("blind takes", rush, blind);
  // Rules read two documents for each commit, also for one that they deny.
  const std::int64_t takes_reads = takes.billed.reads + 2 * (takes.taken + takes.conflicts);
  const std::int64_t blind_reads = blind.billed.reads + 2 * (blind.taken + network.denied());
  std::printf("%lld commits denied by the rule; reads under rules: %lld, and blind %lld\n",
              static_cast<long long>(network.denied()), static_cast<long long>(takes_reads),
              static_cast<long long>(blind_reads));
  EXPECT_EQ(blind.taken, rush.units);
  EXPECT_EQ(blind.failed, 0);
  EXPECT_EQ(blind.conflicts, 0);
  EXPECT_LT(blind.seconds, takes.seconds);
  EXPECT_GT(blind_reads, takes_reads);
}

}  // namespace
}  // namespace shardline::rush_test
