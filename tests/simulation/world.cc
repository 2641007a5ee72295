#include "simulation/world.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "experiment/virtual_driver.h"
#include "simulation/counter_model.h"
#include "simulation/coverage.h"
#include "simulation/part.h"
#include "simulation/weather.h"
#include "simulation/world_network.h"

namespace shardline::simulation {
namespace {

using experiment::ClientId;
using experiment::VirtualDriver;

constexpr std::size_t kOperationsPerClient = 60;
// Bounds on every operation: of requests, and of time since its network has healed.
constexpr std::int64_t kMostRequests = 500;
constexpr Duration kLongestWhenHealed = std::chrono::minutes(15);
// When all faults are over, suspended pages wake up, and from then on nothing fails any more.
constexpr Duration kRecovery = std::chrono::minutes(2);

OperationContext MakeContext(Random& dice) {
  return {DatabaseName::Make("demo", "(default)").value(), RetryPolicy{}, Random(dice.Next())};
}

std::size_t DrawClients(Random& dice) { return 2 + dice.Below(20); }

// Errors that the network and the server alone cause.
bool IsPassing(Code code) {
  return code == Code::kOutcomeUnknown || code == Code::kUnavailable || code == Code::kInternal ||
         code == Code::kDeadlineExceeded || code == Code::kUnauthenticated ||
         code == Code::kResourceExhausted || code == Code::kPermissionDenied;
}

class World final : public Observer {
 public:
  World(std::uint64_t seed, const Settings& settings)
      : settings_(settings),
        dice_(seed),
        clients_(DrawClients(dice_)),
        weather_(Weather::Draw(dice_)),
        options_(DrawSimulator(seed, dice_)),
        simulator_(options_),
        // The last two are the observer, and the weather.
        network_(simulator_, weather_.hazards, clients_ + 2, dice_.Next(), settings),
        driver_(network_, clients_ + 2) {
    for (std::size_t i = 0; i <= clients_; ++i) contexts_.push_back(MakeContext(dice_));
    MakeParts();
    devices_.resize(clients_ + 1);
    network_.Heal(Id(clients_));
    simulator_.set_faults(weather_.faults);
    for (std::size_t i = 0; i < clients_; ++i) {
      if (weather_.has_wrong_clocks) devices_[i].clock_micros = DrawClock();
      // What is stored goes by its device's clock: tabs have one, and copies one that is much
      // alike.
      devices_[i].is_years_off = weather_.has_wrong_clocks && !weather_.has_copies &&
                                 !CounterModel::MayBeTab(i) && dice_.Below(4) == 0;
      if (devices_[i].is_years_off) devices_[i].clock_micros = DrawYears();
      Think(Id(i));
    }
    if (weather_.heals) heals_at_ = driver_.now() + std::chrono::seconds(10 + dice_.Below(90));
    ScheduleWeather();
  }

  Outcome Run() {
    while (std::optional<VirtualDriver::Event> event = Next()) {
      if (!outcome_.complaint.empty()) break;
      Handle(std::move(*event));
    }
    if (driver_.running() > 0) complain_("an operation hangs");
    HealAll();
    for (const std::unique_ptr<Part>& part : parts_) {
      if (outcome_.complaint.empty()) part->Inspect(*this, complain_);
    }
    for (const std::unique_ptr<Part>& part : parts_) {
      if (outcome_.complaint.empty()) part->Check(*this, complain_);
    }
    outcome_.requests = driver_.requests().sent;
    outcome_.lost = driver_.requests().lost;
    outcome_.late = driver_.requests().late;
    outcome_.doubled = driver_.requests().doubled;
    return outcome_;
  }

  OperationContext& context() override { return contexts_.back(); }
  Timestamp now() override { return driver_.server_now(); }

  void Wait(Duration duration) override {
    driver_.SetTimer(Id(clients_), driver_.now() + duration);
    const std::optional<VirtualDriver::Event> event = Next();
    if (!event || event->operation) complain_("somebody still acts when all have ended");
  }

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
    const Timestamp now{driver_.server_now().micros + weather_.faults.clock_skew_micros};
    const simulator::Answer answer = simulator_.backend().Handle(
        {"POST", target, simulator::Caller::kAdmin}, PaddedText(body.dump()), now);
    return json::parse(answer.body, nullptr, false);
  }

  std::string NameOf(std::string_view path) const override {
    return contexts_.back().database.documents() + '/' + std::string(path);
  }

 private:
  struct Device {
    std::size_t part = 0;
    std::size_t left = kOperationsPerClient;
    std::int64_t clock_micros = 0;           // How wrong it is.
    bool is_years_off = false;               // It never jumps then.
    std::optional<Timestamp> stopped_clock;  // What it shows since it stands still.
    std::optional<Instant> healed;
  };

  static ClientId Id(std::size_t number) { return static_cast<ClientId>(number); }
  ClientId WeatherId() const { return Id(clients_ + 1); }

  void MakeParts() {
    const Circumstances circumstances{
        .clients = clients_,
        .is_honest = weather_.is_honest,
        .loses_answers = weather_.LosesAnswers(),
        .arrives_later = weather_.hazards.late > 0 || weather_.hazards.doubled > 0 ||
                         (weather_.has_deaths && weather_.hazards.latency > Duration{}),
        .arrives_twice = weather_.hazards.doubled > 0,
        .has_deaths = weather_.has_deaths,
        .has_copies = weather_.has_copies,
        .changes_rules = weather_.changes_rules,
        .has_long_pauses = weather_.has_long_pauses,
        .traces = settings_.traces,
        .mutant = settings_.mutant,
        .server = *this};
    parts_.push_back(MakeCountersPart(circumstances, dice_));
    parts_.push_back(MakeNeighbourPart(circumstances));
    parts_.push_back(MakeExtensionPart(circumstances));
    parts_.push_back(MakeCollectionPart(circumstances, dice_));
    parts_.push_back(MakeIdPart(circumstances, dice_));
    parts_.push_back(MakeReshardingPart(circumstances, dice_));
    parts_.push_back(MakeKeyPart(circumstances));
    parts_.push_back(MakeBatchPart(circumstances));
  }

  // Counters are half of the work.
  std::size_t DrawPart() {
    constexpr std::array<std::size_t, 13> kParts = {0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7};
    return kParts[dice_.Below(kParts.size())];
  }

  std::optional<VirtualDriver::Event> Next() {
    // Far more than all the work of a seed takes.
    int steps = 500'000;
    return driver_.Next(steps);
  }

  Timestamp ClockOf(const Device& device) const {
    if (device.stopped_clock) return *device.stopped_clock;
    return {driver_.server_now().micros + device.clock_micros};
  }

  Client ClientAt(ClientId id) {
    return {id, contexts_[id], ClockOf(devices_[id]), driver_.server_now(), driver_.progress(id)};
  }

  void Handle(VirtualDriver::Event event) {
    if (event.client == WeatherId()) return ChangeWeather();
    Device& device = devices_[event.client];
    if (event.operation) {
      NoteEnd(event.client, *event.operation);
      parts_[device.part]->OnDone(ClientAt(event.client), *event.operation, complain_);
      return Think(event.client);
    }
    if (device.left == 0) return;
    --device.left;
    device.part = DrawPart();
    Started started = parts_[device.part]->Start(ClientAt(event.client), dice_);
    if (!started) return complain_("refused: " + started.error().message);
    if (*started) return driver_.Run(event.client, std::move(*started));
    Think(event.client);
  }

  void NoteEnd(ClientId id, const Operation& done) {
    ++outcome_.operations;
    outcome_.succeeded += done.error() ? 0 : 1;
    outcome_.unknown += IsUnknown(done) ? 1 : 0;
    outcome_.most_requests = std::max(outcome_.most_requests, driver_.sent(id));
    CheckProgress(id);
    const bool must_succeed =
        weather_.is_honest || (healed_ && driver_.begun(id) >= *healed_ + kRecovery);
    if (!done.error() || !must_succeed || parts_[devices_[id].part]->IsLost(ClientAt(id))) return;
    const Code code = done.error()->code;
    if (IsUnknown(done) || (IsPassing(code) && !options_.limits.enabled)) {
      complain_("with an honest network: " + done.error()->message);
    }
  }

  void CheckProgress(ClientId id) {
    if (driver_.sent(id) > kMostRequests) {
      complain_("an operation has sent " + std::to_string(driver_.sent(id)) + " requests");
    }
    const std::optional<Instant>& healed = devices_[id].healed;
    if (!healed) return;
    const Duration took = driver_.now() - std::max(driver_.begun(id), *healed);
    outcome_.longest = std::max<std::int64_t>(
        outcome_.longest, std::chrono::duration_cast<std::chrono::seconds>(took).count());
    if (took > kLongestWhenHealed) complain_("an operation does not end when its network is well");
  }

  void Think(ClientId client) {
    const auto pause = Duration(static_cast<Duration::rep>(dice_.Below(2'000'000)));
    driver_.SetTimer(client, driver_.now() + pause);
  }

  // ---- The weather: events of the world, once in a while. ----

  void ScheduleWeather() {
    const auto pause = Duration(static_cast<Duration::rep>(200'000 + dice_.Below(3'000'000)));
    driver_.SetTimer(WeatherId(), driver_.now() + pause);
  }

  bool IsAllDone() const {
    return driver_.running() == 0 &&
           std::all_of(devices_.begin(), devices_.end() - 1,
                       [](const Device& device) { return device.left == 0; });
  }

  void ChangeWeather() {
    if (IsAllDone()) return;
    for (const std::unique_ptr<Part>& part : parts_) part->Inspect(*this, complain_);
    for (std::size_t i = 0; i < clients_; ++i) {
      if (driver_.operation(Id(i)) != nullptr) CheckProgress(Id(i));
    }
    if (heals_at_ && driver_.now() >= *heals_at_) {
      heals_at_.reset();
      HealSome();
    }
    if (is_pausing_) EndPause();
    if (!healed_) BringHazard();
    if (!is_pausing_) ScheduleWeather();
  }

  void BringHazard() {
    const ClientId victim = Id(dice_.Below(clients_));
    switch (dice_.Below(6)) {
      case 0:
        if (weather_.has_deaths && !devices_[victim].healed) Kill(victim);
        break;
      case 1:
        if (weather_.has_suspensions && !devices_[victim].healed) Suspend(victim);
        break;
      case 2:
        if (weather_.has_breakdowns && dice_.Below(4) == 0) BreakDown();
        break;
      case 3:
        if (weather_.changes_rules) {
          network_.set_refusals(
              static_cast<std::uint8_t>(dice_.Below(2) == 0 ? 0 : dice_.Below(16)));
        }
        break;
      case 4:
        if (weather_.has_long_pauses && dice_.Below(8) == 0) BeginPause();
        break;
      default:
        if (weather_.has_wrong_clocks) ChangeClock(devices_[victim]);
        break;
    }
  }

  void ChangeClock(Device& device) {
    if (device.is_years_off) return;
    if (dice_.Below(3) == 0) {
      Reached(State::kClockStopped);
      device.stopped_clock = ClockOf(device);
      return;
    }
    Reached(State::kClockJumped);
    device.stopped_clock.reset();
    device.clock_micros = DrawClock();
  }

  std::int64_t DrawClock() {
    Reached(State::kClockWrong);
    constexpr std::uint64_t kMost = 1'200'000'000;
    return static_cast<std::int64_t>(dice_.Below(kMost)) - static_cast<std::int64_t>(kMost / 2);
  }

  std::int64_t DrawYears() {
    Reached(State::kClockYearsOff);
    constexpr std::int64_t kYear = std::int64_t{365} * 24 * 3600 * 1'000'000;
    const std::int64_t years = 1 + static_cast<std::int64_t>(dice_.Below(20));
    return (dice_.Below(2) == 0 ? -years : years) * kYear;
  }

  void Kill(ClientId victim) {
    if (!driver_.Kill(victim)) return;
    Reached(State::kDiedUnderWay);
    ++outcome_.deaths;
    parts_[devices_[victim].part]->OnDeath(ClientAt(victim), dice_);
    Think(victim);
  }

  void Suspend(ClientId victim) {
    Reached(State::kDeviceSuspended);
    driver_.Suspend(victim, driver_.now() + std::chrono::seconds(1 + dice_.Below(60)));
  }

  void BreakDown() {
    Reached(State::kBreakdown);
    network_.BreakDown(
        {driver_.server_now().micros + static_cast<std::int64_t>(dice_.Below(40)) * 1'000'000});
  }

  // All devices are put away for weeks. Sent requests arrive in that time.
  void BeginPause() {
    const bool has_healed =
        std::any_of(devices_.begin(), devices_.end() - 1,
                    [](const Device& device) { return device.healed.has_value(); });
    if (has_healed) return;
    Reached(State::kLongPause);
    const Instant end = driver_.now() + std::chrono::hours(24 * (20 + dice_.Below(60)));
    for (std::size_t i = 0; i < clients_; ++i) driver_.Suspend(Id(i), end);
    driver_.SetTimer(WeatherId(), end - std::chrono::seconds(1));
    is_pausing_ = true;
  }

  // A TTL policy has deleted most of the markers that have expired.
  void EndPause() {
    is_pausing_ = false;
    // Clocks that stood still for weeks are set right, and stand again: of what a device can do
    // whose clock does not, the guide on limits tells.
    for (Device& device : devices_) {
      if (!device.stopped_clock) continue;
      device.stopped_clock.reset();
      device.stopped_clock = ClockOf(device);
    }
    json writes = json::array();
    for (const char* collection : {"shardline_markers", "shardline_members"}) {
      const json query = {{"structuredQuery",
                           {{"from", {{{"collectionId", collection}, {"allDescendants", true}}}},
                            {"where",
                             {{"fieldFilter",
                               {{"field", {{"fieldPath", "expireAt"}}},
                                {"op", "LESS_THAN"},
                                {"value", {{"timestampValue", now().ToString()}}}}}}}}}};
      for (const json& element : Ask(":runQuery", query)) {
        if (!element.contains("document") || dice_.Below(4) == 0) continue;
        Reached(State::kMarkerExpired);
        writes.push_back({{"delete", element["document"]["name"]}});
      }
    }
    Ask(":commit", {{"writes", writes}});
  }

  void HealSome() {
    if (dice_.Below(2) == 0) {
      Reached(State::kHealedAll);
      return HealAll();
    }
    Reached(State::kHealedOne);
    const ClientId lucky = Id(dice_.Below(clients_));
    network_.Heal(lucky);
    devices_[lucky].healed = driver_.now() + std::chrono::minutes(1);
  }

  void HealAll() {
    if (healed_) return;
    healed_ = driver_.now();
    for (std::size_t i = 0; i <= clients_; ++i) {
      network_.Heal(Id(i));
      devices_[i].healed = driver_.now() + std::chrono::minutes(1);
    }
    network_.BreakDown({0});
    network_.set_refusals(kRefuseNothing);
    simulator::Faults skew;
    skew.clock_skew_micros = weather_.faults.clock_skew_micros;
    simulator_.set_faults(skew);
  }

  void Complain(std::string what) {
    const auto is_ignored = [&](const std::string& text) {
      return what.find(text) != std::string::npos;
    };
    const std::vector<std::string>& ignored = settings_.ignored;
    if (std::any_of(ignored.begin(), ignored.end(), is_ignored)) return;
    if (outcome_.complaint.empty()) outcome_.complaint = std::move(what);
  }

  const Settings& settings_;
  Random dice_;
  std::size_t clients_;
  Weather weather_;
  simulator::SimulatorOptions options_;
  simulator::Simulator simulator_;
  WorldNetwork network_;
  VirtualDriver driver_;
  std::vector<OperationContext> contexts_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<Device> devices_;  // The last one is the observer's.
  std::optional<Instant> heals_at_;
  std::optional<Instant> healed_;
  bool is_pausing_ = false;
  Outcome outcome_;
  simulation::Complain complain_ = [this](std::string what) { Complain(std::move(what)); };
};

}  // namespace

std::size_t ClientsOf(std::uint64_t seed) {
  Random dice(seed);
  return DrawClients(dice);
}

Outcome RunSeed(std::uint64_t seed, const Settings& settings) {
  return World(seed, settings).Run();
}

}  // namespace shardline::simulation
