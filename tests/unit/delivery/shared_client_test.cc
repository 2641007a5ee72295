// Several devices with one client id, on an honest network: nothing may end in doubt, and nobody
// may starve.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "delivery/deliver_increment.h"
#include "delivery/delivery_queue.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::shared_client_test {
namespace {

using Kind = DeliveryOutcome::Kind;

// Asks for one increment after the other, each as soon as the last is settled.
class Device {
 public:
  Device(SimulatedServer& server, std::uint64_t seed, int increments)
      : server_(server),
        context_(TestContext(seed)),
        random_(seed + 1'000),
        queue_("anna", context_.random),
        left_(increments) {}

  bool done() const { return left_ == 0 && !driver_; }
  Instant now() const { return driver_ ? driver_->now() : now_; }
  int unknown() const { return unknown_; }
  int unsettled() const { return unsettled_; }
  int requests() const { return requests_; }

  // The next thing that happens on this device.
  void Step() {
    if (!driver_) return Begin();
    driver_->Step();
    if (driver_->operation().done()) End();
  }

 private:
  void Begin() {
    if (queue_.empty()) EXPECT_TRUE(queue_.Add(Amount::Integer(1), std::nullopt));
    const std::optional<Batch> batch =
        queue_.Stage({.now = {1'795'197'600'000'000}}, context_.random);
    ASSERT_TRUE(batch);
    batch_ = batch->id;
    driver_ = std::make_unique<OperationDriver>(DeliverIncrement::Start(
        context_, MakeCounter("posts/p1", Preset("web"), 10, Delivery::kExactlyOnce), *batch));
    driver_->set_now(now_);
    driver_->Serve([this](const SentRequest& request) {
      Reply reply = server_(request);
      reply.latency = std::chrono::milliseconds(20 + random_.Below(60));
      return reply;
    });
  }
  void End() {
    const DeliveryOutcome outcome = dynamic_cast<DeliverIncrement&>(driver_->operation()).outcome();
    queue_.Settle(batch_, outcome, context_.random);
    unknown_ += outcome.kind == Kind::kUnknown ? 1 : 0;
    EXPECT_NE(outcome.kind, Kind::kRefused);
    requests_ += static_cast<int>(driver_->sent().size());
    now_ = driver_->now();
    driver_.reset();
    if (queue_.empty()) {
      --left_;
    } else if (outcome.kind == Kind::kUnsettled) {
      ++unsettled_;
      now_ += std::chrono::seconds(1);
    }
  }

  SimulatedServer& server_;
  OperationContext context_;
  Random random_;
  DeliveryQueue queue_;
  std::unique_ptr<OperationDriver> driver_;
  std::string batch_;
  Instant now_ = Instant(std::chrono::seconds(1'000));
  int left_;
  int unknown_ = 0;
  int unsettled_ = 0;
  int requests_ = 0;
};

// Whoever is earliest takes the next step.
void RunAll(std::vector<std::unique_ptr<Device>>& devices) {
  for (int steps = 0; steps < 1'000'000; ++steps) {
    Device* next = nullptr;
    for (const auto& device : devices) {
      if (!device->done() && (next == nullptr || device->now() < next->now())) next = device.get();
    }
    if (next == nullptr) return;
    next->Step();
  }
  ADD_FAILURE() << "it does not end";
}

TEST(SharedClient, NothingIsInDoubtAndNobodyStarves) {
  for (const std::size_t count : {2U, 3U, 10U}) {
    SimulatedServer server(count);
    std::vector<std::unique_ptr<Device>> devices;
    constexpr int kIncrements = 30;
    for (std::size_t i = 0; i < count; ++i) {
      devices.push_back(std::make_unique<Device>(server, i, kIncrements));
    }
    const Instant start = devices[0]->now();
    RunAll(devices);
    const auto total = static_cast<std::int64_t>(count) * kIncrements;
    EXPECT_EQ(server.Total("posts/p1/shards"), total);
    int requests = 0;
    for (const auto& device : devices) {
      EXPECT_EQ(device->unknown(), 0) << count;
      EXPECT_EQ(device->unsettled(), 0) << count;
      // A minute for each device: a second for two of its increments.
      const auto minutes = static_cast<std::int64_t>(count);
      EXPECT_LT(device->now() - start, std::chrono::minutes(minutes)) << count;
      requests += device->requests();
    }
    EXPECT_LT(requests, 10 * total) << count;
  }
}

}  // namespace
}  // namespace shardline::shared_client_test
