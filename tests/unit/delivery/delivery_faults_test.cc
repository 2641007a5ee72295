// Clients that count with the delivery exactly-once while everything fails that can: each schedule
// comes from a seed. In the end the total is what was asked for, to the unit.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"
#include "unit/counter/builders.h"
#include "unit/counter/faulty_server.h"
#include "unit/support/run_size.h"

namespace shardline::delivery_faults_test {
namespace {

using Kind = DeliveryOutcome::Kind;

// A bad network that also sends requests twice, at once or much later.
class World {
 public:
  World(std::uint64_t seed, int faults, bool refuses)
      : random_(seed), network_(seed + 7, faults, true), refuses_(refuses), faults_(faults) {}

  Reply operator()(const SentRequest& request) {
    while (!late_.empty() && random_.Below(4) == 0) DeliverLate();
    if (!calm_ && Happens(faults_ / 4)) late_.push_back(request);
    if (!calm_ && Happens(faults_ / 4)) server()(request);
    if (calm_) return server()(request);
    if (refuses_ && Happens(5)) return Refusal("PERMISSION_DENIED");
    return network_(request);
  }
  void CalmDown() {
    calm_ = true;
    while (!late_.empty()) DeliverLate();
  }
  void DropLate() { late_.clear(); }
  bool calm() const { return calm_; }
  bool Happens(int percent) { return random_.Below(100) < static_cast<std::uint64_t>(percent); }
  Random& random() { return random_; }
  SimulatedServer& server() { return network_.server(); }

 private:
  void DeliverLate() {
    const SentRequest request = std::move(late_.front());
    late_.pop_front();
    server()(request);
  }

  Random random_;
  FaultyServer network_;
  bool refuses_;
  int faults_;
  bool calm_ = false;
  std::deque<SentRequest> late_;
};

// What is in a browser's storage, and two tabs that both send from it. Each step of a tab may be
// its last.
class Browser {
 public:
  Browser(World& world, std::uint64_t seed, std::string_view chosen, const char* preset)
      : world_(world), context_(TestContext(seed)), preset_(preset) {
    storage_ = DeliveryQueue(chosen, context_.random).Write();
  }

  void Ask(std::int64_t delta) {
    DeliveryQueue queue = Load();
    if (queue.Add(Amount::Integer(delta), Amount::Integer(20))) asked_ += delta;
    storage_ = queue.Write();
  }

  void Step() {
    Tab& tab = tabs_[world_.random().Below(std::size(tabs_))];
    if (!world_.calm() && world_.Happens(4)) {
      tab = {};  // Killed.
    } else if (!tab.driver) {
      Begin(tab);
    } else if (!tab.driver->operation().done()) {
      Wind(tab);
      tab.driver->Step();
    } else {
      Settle(tab);
    }
  }

  bool idle() const { return Load().empty(); }
  std::string storage() const { return storage_; }
  void set_storage(std::string storage) {
    storage_ = std::move(storage);
    for (Tab& tab : tabs_) tab = {};
  }
  std::int64_t asked() const { return asked_; }
  std::int64_t refused() const { return refused_; }
  std::int64_t unknown() const { return unknown_; }

 private:
  struct Tab {
    Batch batch;
    std::unique_ptr<OperationDriver> driver;
  };

  DeliveryQueue Load() const { return DeliveryQueue::Parse(storage_).value(); }

  void Begin(Tab& tab) {
    DeliveryQueue queue = Load();
    const Timestamp now = SimulatedServer::ClockAt(world_.server().now());
    const std::optional<Batch> batch = queue.Stage({now}, context_.random);
    storage_ = queue.Write();
    // Killed between storing and sending.
    if (!batch || (!world_.calm() && world_.Happens(4))) return;
    tab.batch = *batch;
    const std::string path = preset_ == std::string("collection") ? "c" : "c/x";
    tab.driver = std::make_unique<OperationDriver>(DeliverIncrement::Start(
        context_, MakeCounter(path, Preset(preset_), 3, Delivery::kExactlyOnce), *batch));
    tab.driver->Serve(std::ref(world_));
    Wind(tab);
    tab.driver->Send();
  }

  // All tabs live by one clock.
  void Wind(Tab& tab) { tab.driver->set_now(std::max(tab.driver->now(), world_.server().now())); }

  void Settle(Tab& tab) {
    EXPECT_FALSE(tab.driver->operation().error());
    const DeliveryOutcome outcome =
        dynamic_cast<DeliverIncrement&>(tab.driver->operation()).outcome();
    DeliveryQueue queue = Load();
    const std::int64_t before = queue.settled();
    const std::vector<Amount> entries = queue.entries();
    queue.Settle(tab.batch.id, outcome, context_.random);
    // When another has gone on with the ledger, all that waits behind the batch is unknown, too;
    // and so is the batch itself, if it was to be made anew.
    const auto settled = static_cast<std::size_t>(queue.settled() - before);
    const bool is_batch_told = outcome.kind != Kind::kRestart;
    for (std::size_t i = is_batch_told ? 1 : 0; i < settled; ++i) unknown_ += entries[i].integer();
    if (queue.settled() > before && outcome.kind == Kind::kRefused) {
      refused_ += tab.batch.delta.integer();
    }
    if (queue.settled() > before && outcome.kind == Kind::kUnknown) {
      unknown_ += tab.batch.delta.integer();
    }
    storage_ = queue.Write();
    tab = {};
  }

  World& world_;
  OperationContext context_;
  const char* preset_;
  std::string storage_;
  Tab tabs_[2];
  std::int64_t asked_ = 0;
  std::int64_t refused_ = 0;
  std::int64_t unknown_ = 0;
};

struct Sums {
  std::int64_t asked = 0;
  std::int64_t refused = 0;
  std::int64_t unknown = 0;
  std::int64_t total = 0;
};

class Schedule {
 public:
  Schedule(std::uint64_t seed, int faults, bool refuses, std::string_view chosen,
           const char* preset)
      : world_(seed, faults, refuses),
        collection_(preset == std::string("collection") ? "c" : "c/x/shards") {
    for (std::uint64_t i = 0; i < 4; ++i) {
      browsers_.push_back(std::make_unique<Browser>(world_, seed * 100 + i, chosen, preset));
    }
  }

  // `disturb` is called now and then.
  template <class Disturb>
  Sums Go(Disturb disturb) {
    for (int step = 0; step < 600; ++step) {
      Browser& browser = *browsers_[world_.random().Below(browsers_.size())];
      if (world_.Happens(15)) browser.Ask(static_cast<std::int64_t>(world_.random().Below(40)) + 1);
      browser.Step();
      if (world_.Happens(1)) disturb(*this);
    }
    world_.CalmDown();
    for (auto& browser : browsers_) {
      for (int steps = 0; !browser->idle(); ++steps) {
        if (steps > 20'000) {
          ADD_FAILURE() << "the queue does not empty";
          break;
        }
        browser->Step();
      }
    }
    Sums sums;
    for (auto& browser : browsers_) {
      sums.asked += browser->asked();
      sums.refused += browser->refused();
      sums.unknown += browser->unknown();
    }
    sums.total = world_.server().Total(collection_);
    return sums;
  }

  World& world() { return world_; }
  Browser& AnyBrowser() { return *browsers_[world_.random().Below(browsers_.size())]; }

 private:
  World world_;
  std::string collection_;
  std::vector<std::unique_ptr<Browser>> browsers_;
};

const std::uint64_t kSeeds = SeedsInRun(5, 20);

TEST(DeliveryFaults, KillsLostAnswersDuplicatesTwoSenders) {
  std::int64_t asked = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const char* preset = seed % 2 == 0 ? "web" : "collection";
    const Sums sums = Schedule(seed, 40, false, "", preset).Go([](Schedule&) {});
    EXPECT_EQ(sums.unknown, 0) << "seed " << seed;
    EXPECT_EQ(sums.total, sums.asked - sums.refused) << "seed " << seed;
    asked += sums.asked;
  }
  EXPECT_GT(asked, InRun(3'500, 15'000));
}

// Two senders may then learn different things: one is refused what the other's attempt had counted.
// Web Locks prevent it; here one browser has one tab's luck, so what was refused is a bound.
TEST(DeliveryFaults, RefusalsNeverMakeItMore) {
  std::int64_t refused = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Sums sums = Schedule(seed, 30, true, "", "web").Go([](Schedule&) {});
    EXPECT_LE(sums.total, sums.asked) << "seed " << seed;
    EXPECT_GE(sums.total, sums.asked - sums.refused - sums.unknown) << "seed " << seed;
    refused += sums.refused;
  }
  EXPECT_GT(refused, 0) << "the faults must have bitten";
}

TEST(DeliveryFaults, SharedLedger) {
  std::int64_t asked = 0;
  std::int64_t unknown = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const Sums sums = Schedule(seed, 20, false, "user", "web").Go([](Schedule&) {});
    EXPECT_LE(sums.total, sums.asked - sums.refused) << "seed " << seed;
    EXPECT_GE(sums.total, sums.asked - sums.refused - sums.unknown) << "seed " << seed;
    asked += sums.asked;
    unknown += sums.unknown;
  }
  EXPECT_LT(unknown * 4, asked);
}

// As somebody does by hand. The server remembers, so nobody is left in doubt, and nothing counts
// twice. What the network has held back until the ledger was gone is another matter.
TEST(DeliveryFaults, LedgersThatVanish) {
  int vanished = 0;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto vanish = [&](Schedule& run) {
      Browser& browser = run.AnyBrowser();
      const auto client = nlohmann::json::parse(browser.storage());
      browser.set_storage(browser.storage());
      run.world().DropLate();
      const std::string ledger =
          "c/x/shardline/shards.count/shardline_ledger/" + client["client"].get<std::string>();
      vanished += run.world().server().Find(ledger).has_value() ? 1 : 0;
      run.world().server().Delete(ledger);
    };
    const Sums sums = Schedule(seed, 30, false, "", "web").Go(vanish);
    EXPECT_EQ(sums.unknown, 0) << "seed " << seed;
    EXPECT_EQ(sums.total, sums.asked - sums.refused) << "seed " << seed;
  }
  EXPECT_GT(vanished, InRun(5, 20)) << "the faults must have bitten";
}

// A profile that was copied, or put back from a backup: what the copy had not sent may be counted
// once for each copy, and what the original has counted since is not counted again.
TEST(DeliveryFaults, CopiedStorageDoesNotStopAnybody) {
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const auto copy = [](Schedule& run) {
      Browser& from = run.AnyBrowser();
      Browser& to = run.AnyBrowser();
      if (to.idle() && from.idle()) to.set_storage(from.storage());
    };
    const Sums sums = Schedule(seed, 20, false, "", "web").Go(copy);
    EXPECT_LE(sums.total, sums.asked - sums.refused) << "seed " << seed;
    EXPECT_GE(sums.total, sums.asked - sums.refused - sums.unknown) << "seed " << seed;
  }
}

}  // namespace
}  // namespace shardline::delivery_faults_test
