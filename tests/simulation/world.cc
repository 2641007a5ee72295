#include "simulation/world.h"

#include <optional>
#include <utility>

namespace shardline::simulation {
namespace {

using experiment::VirtualDriver;

constexpr std::size_t kOperationsPerClient = 60;

OperationContext MakeContext(Random& dice) {
  return {DatabaseName::Make("demo", "(default)").value(), RetryPolicy{}, Random(dice.Next())};
}

// Most seeds have some of the faults, few have all of them, and some have none.
double DrawProbability(Random& dice) {
  const std::uint64_t kind = dice.Below(4);
  if (kind < 2) return 0;
  return kind == 2 ? 0.02 : 0.3 * dice.Fraction();
}

simulator::Faults DrawFaults(Random& dice) {
  simulator::Faults faults;
  if (dice.Below(8) == 0) return faults;
  faults.drop_request = DrawProbability(dice);
  faults.drop_response = DrawProbability(dice);
  faults.internal = DrawProbability(dice);
  faults.unavailable = DrawProbability(dice);
  faults.exhausted = DrawProbability(dice) / 2;
  faults.unauthenticated = DrawProbability(dice) / 2;
  faults.delay = DrawProbability(dice);
  // Sometimes longer than clients wait.
  faults.delay_micros = static_cast<std::int64_t>(dice.Below(45)) * 1'000'000;
  // Read times lie in the past of one clock and the future of another.
  if (dice.Below(3) == 0) {
    faults.clock_skew_micros = static_cast<std::int64_t>(dice.Below(20'000'000)) - 10'000'000;
  }
  return faults;
}

simulator::SimulatorOptions DrawOptions(std::uint64_t seed, Random& dice) {
  simulator::SimulatorOptions options;
  options.seed = seed;
  options.limits.enabled = dice.Below(3) == 0;
  options.min_latency_micros = 1'000;
  options.max_latency_micros = 1'000 + static_cast<std::int64_t>(dice.Below(200'000));
  return options;
}

class World final : public Observer {
 public:
  explicit World(std::uint64_t seed)
      : dice_(seed),
        clients_(2 + dice_.Below(20)),
        simulator_(DrawOptions(seed, dice_)),
        faults_(DrawFaults(dice_)),
        // The last two are the observer, and the one who turns the server off and on.
        driver_(simulator_, clients_ + 2) {
    for (std::size_t i = 0; i <= clients_; ++i) contexts_.push_back(MakeContext(dice_));
    const bool has_outages = dice_.Below(3) == 0;
    const Circumstances circumstances{clients_, has_outages || faults_.drop_response > 0 ||
                                                    faults_.internal > 0 ||
                                                    faults_.unavailable > 0 || faults_.delay > 0};
    parts_.push_back(MakeCounterPart(circumstances, "at-least-once", dice_));
    parts_.push_back(MakeCounterPart(circumstances, "transaction", dice_));
    parts_.push_back(MakeQueuePart(circumstances, dice_));
    parts_.push_back(MakeExtensionPart(circumstances));
    parts_.push_back(MakeCollectionPart(circumstances, dice_));
    parts_.push_back(MakeIdPart(circumstances, dice_));
    works_.resize(clients_, Work{0, kOperationsPerClient});
    simulator_.set_faults(faults_);
    for (std::size_t i = 0; i < clients_; ++i) Think(Id(i));
    if (has_outages) ScheduleOutage();
  }

  Outcome Run() {
    while (std::optional<VirtualDriver::Event> event = Next()) Handle(std::move(*event));
    if (driver_.running() > 0) complain_("an operation hangs");
    simulator_.set_faults({});
    for (const std::unique_ptr<Part>& part : parts_) {
      if (outcome_.complaint.empty()) part->Check(*this, complain_);
    }
    outcome_.requests = driver_.requests().sent;
    outcome_.lost = driver_.requests().lost;
    return outcome_;
  }

  OperationContext& context() override { return contexts_.back(); }
  Timestamp now() override { return driver_.server_now(); }

  json Run(Started operation) override {
    const std::unique_ptr<Operation> done = RunToEnd(std::move(operation));
    return done ? ResultOf(*done) : json();
  }

  std::unique_ptr<Operation> RunToEnd(Started operation) override {
    if (!operation) {
      complain_("refused: " + operation.error().message);
      return nullptr;
    }
    // The model of limits lets the observer wait, too, but never for long.
    driver_.Run(Id(clients_), std::move(*operation));
    std::optional<VirtualDriver::Event> event = Next();
    if (!event || !event->operation) {
      complain_("an operation hangs");
      return nullptr;
    }
    ++outcome_.operations;
    if (!event->operation->error()) return std::move(event->operation);
    complain_("without any faults: " + event->operation->error()->message);
    return nullptr;
  }

  json Ask(std::string_view path, const json& body) override {
    const std::string target = contexts_.back().database.UrlPath(path);
    const simulator::Delivery delivery =
        simulator_.Handle({"POST", target, false}, PaddedText(body.dump()), driver_.server_now());
    return json::parse(delivery.answer.body, nullptr, false);
  }

 private:
  struct Work {
    std::size_t part;
    std::size_t left;
  };

  static VirtualDriver::ClientId Id(std::size_t number) {
    return static_cast<VirtualDriver::ClientId>(number);
  }
  VirtualDriver::ClientId Outage() const { return Id(clients_ + 1); }

  std::optional<VirtualDriver::Event> Next() {
    // Far more than all the work of a seed takes.
    int steps = 500'000;
    return driver_.Next(steps);
  }

  void Handle(VirtualDriver::Event event) {
    if (event.client == Outage()) return BeginOutage();
    Work& work = works_[event.client];
    const Client client{event.client, contexts_[event.client], driver_.server_now()};
    if (event.operation) {
      ++outcome_.operations;
      outcome_.succeeded += event.operation->error() ? 0 : 1;
      outcome_.unknown += IsUnknown(*event.operation) ? 1 : 0;
      parts_[work.part]->OnDone(client, *event.operation, complain_);
      return Think(event.client);
    }
    if (work.left == 0 || !outcome_.complaint.empty()) return;
    --work.left;
    work.part = dice_.Below(parts_.size());
    Started started = parts_[work.part]->Start(client, dice_);
    if (!started) return complain_("refused: " + started.error().message);
    if (*started) return driver_.Run(event.client, std::move(*started));
    Think(event.client);
  }

  void Think(VirtualDriver::ClientId client) {
    const auto pause = Duration(static_cast<Duration::rep>(dice_.Below(2'000'000)));
    driver_.SetTimer(client, driver_.now() + pause);
  }

  void ScheduleOutage() {
    const auto pause = std::chrono::seconds(1 + dice_.Below(60));
    driver_.SetTimer(Outage(), driver_.now() + pause);
  }

  // The server is gone for a while.
  void BeginOutage() {
    if (++outages_ > kMostOutages) return;
    faults_.down_until_micros =
        driver_.server_now().micros + static_cast<std::int64_t>(dice_.Below(40)) * 1'000'000;
    simulator_.set_faults(faults_);
    ScheduleOutage();
  }

  static constexpr int kMostOutages = 5;

  Random dice_;
  std::size_t clients_;
  simulator::Simulator simulator_;
  simulator::Faults faults_;
  VirtualDriver driver_;
  std::vector<OperationContext> contexts_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Work> works_;
  int outages_ = 0;
  Outcome outcome_;
  Complain complain_ = [this](std::string what) {
    if (outcome_.complaint.empty()) outcome_.complaint = std::move(what);
  };
};

}  // namespace

Outcome RunSeed(std::uint64_t seed) { return World(seed).Run(); }

}  // namespace shardline::simulation
