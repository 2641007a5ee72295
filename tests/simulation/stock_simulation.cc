// A stock under many takers, in virtual time: requests come late, twice or never, answers are lost
// or garbled, and pages die. After each commit and in the end:
//
//   - units are conserved: all shards and takes together hold the units that were made and added;
//   - no shard is below zero, so no unit is sold twice;
//   - a client whose answer is "taken" has the units; one whose answer is "not taken" has no unit,
//     and there were too few at some moment of its call;
//   - a hold lasts until its time has passed.
//
//   stock_simulation [--seed N | --seeds N] [--trace]
//   stock_simulation --mutants    planted faults, each of which a seed must find
//
// Ends with 1 at a seed that fails.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/stock_api.h"
#include "experiment/virtual_driver.h"
#include "simulation/hostile_network.h"
#include "simulation/part.h"
#include "simulator/simulator.h"

namespace shardline::simulation {
namespace {

using experiment::ClientId;
using experiment::VirtualDriver;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr char kPath[] = "events/e1";
constexpr int kTurns = 25;  // Of each client.

// Faults of the client or the server, planted between the two.
enum class Fault : std::uint8_t {
  kNone,
  kTakeBlindly,
  kMoveBlindly,
  kTakeTwice,
  kPutBackBlindly,
  kTakeUnmarked,
  kCommitTorn,
  kConflictIsSuccess,
  kTakeHidden,
  kShardsHidden,
  kHoldsEndEarly,
};

struct FaultRow {
  Fault fault;
  const char* what;
};
constexpr std::array kFaults = {
    FaultRow{Fault::kTakeBlindly, "a take relies on no update time of the shard"},
    FaultRow{Fault::kMoveBlindly, "nor does a move"},
    FaultRow{Fault::kTakeTwice, "a take's document is made whether it is there or not"},
    FaultRow{Fault::kPutBackBlindly, "a take is changed whatever it is by then"},
    FaultRow{Fault::kTakeUnmarked, "a take has no document"},
    FaultRow{Fault::kCommitTorn, "the last write of a commit may be left out"},
    FaultRow{Fault::kConflictIsSuccess, "a refused commit is taken for a success"},
    FaultRow{Fault::kTakeHidden, "a take's document is never found"},
    FaultRow{Fault::kShardsHidden, "the query for units finds none"},
    FaultRow{Fault::kHoldsEndEarly, "the server has an earlier end of a hold"},
};

bool Names(const json& write, std::string_view collection) {
  return write.dump().find(std::string("/") + std::string(collection) + '/') != std::string::npos;
}

bool HasUpdateTime(const json& write) {
  return write.contains("currentDocument") && write["currentDocument"].contains("updateTime");
}

// Changes the writes of a commit.
void PlantInCommit(Fault fault, Random& dice, json& writes) {
  const bool has_take = std::any_of(writes.begin(), writes.end(),
                                    [](const json& w) { return Names(w, "stock_takes"); });
  for (json& write : writes) {
    const bool is_take = Names(write, "stock_takes");
    const bool is_made = is_take && !HasUpdateTime(write);
    const bool goes = (fault == Fault::kTakeBlindly && !is_take && has_take) ||
                      (fault == Fault::kMoveBlindly && !has_take) ||
                      (fault == Fault::kTakeTwice && is_made) ||
                      (fault == Fault::kPutBackBlindly && is_take && !is_made);
    if (goes) write.erase("currentDocument");
    if (fault == Fault::kHoldsEndEarly && is_take &&
        write["update"]["fields"].contains("heldUntil")) {
      json& time = write["update"]["fields"]["heldUntil"]["timestampValue"];
      time = Timestamp{Timestamp::Parse(time.get<std::string>())->micros - 15'000'000}.ToString();
    }
  }
  const bool leaves_out = (fault == Fault::kTakeUnmarked && has_take && writes.size() == 2) ||
                          (fault == Fault::kCommitTorn && dice.Below(20) == 0);
  if (leaves_out && writes.size() > 1) {
    writes.erase(fault == Fault::kTakeUnmarked ? writes.begin() : writes.end() - 1);
  }
}

// Changes the answer to a read.
void PlantInRead(Fault fault, const json& asked, json& elements) {
  for (json& element : elements) {
    if (fault == Fault::kTakeHidden && element.contains("found") &&
        Names(element["found"], "stock_takes")) {
      element = {{"missing", element["found"]["name"]}, {"readTime", element["readTime"]}};
    }
  }
  const std::string query = asked.dump();
  if (fault == Fault::kShardsHidden && query.find("DESCENDING") != std::string::npos) {
    elements = json::array({{{"readTime", elements.back()["readTime"]}}});
  }
}

struct World;

class StockNetwork final : public HostileNetwork {
 public:
  StockNetwork(World& world, simulator::Simulator& simulator, const Hazards& hazards,
               std::size_t clients, std::uint64_t seed, Fault fault)
      : HostileNetwork(hazards, clients, seed),
        world_(world),
        simulator_(simulator),
        dice_(seed ^ 77),
        fault_(fault) {}

 private:
  simulator::Delivery Serve(const experiment::Arrival& arrival) override;
  simulator::Delivery Handle(const experiment::Arrival& arrival, const json& body) {
    return simulator_.Handle({arrival.request.method, arrival.request.path},
                             PaddedText(body.dump()), arrival.now);
  }

  World& world_;
  simulator::Simulator& simulator_;
  Random dice_;
  Fault fault_;
};

simulator::SimulatorOptions OptionsOf(std::uint64_t seed) {
  simulator::SimulatorOptions options;
  options.seed = seed;
  options.limits.enabled = false;
  options.dialect = static_cast<simulator::Dialect>(seed % 3);
  options.min_latency_micros = 1'000;
  options.max_latency_micros = 50'000;
  return options;
}

Hazards HazardsOf(std::uint64_t seed) {
  Hazards hazards;
  hazards.latency = milliseconds(50);
  if (seed % 4 == 0) return hazards;
  hazards.dropped = hazards.late = hazards.broken = hazards.garbled = 0.02;
  hazards.doubled = 0.06;
  if (seed % 4 == 1) hazards.late = 0.15;
  hazards.silent = 0.004;
  return hazards;
}

// A take, by its client's knowledge.
struct Key {
  std::string name;
  std::int64_t asked = 0;
  std::optional<std::int64_t> units;  // That it has; nullopt: unknown.
  std::optional<Timestamp> held_until;
  // A put-back or a confirmation whose answer is unknown may still arrive.
  bool is_in_doubt = false;
  // The hold may have been confirmed.
  bool may_be_final = false;
};

enum class Act : std::uint8_t { kTake, kPutBack, kConfirm, kAdd };

struct Taker {
  std::vector<Key> keys;
  int turns = kTurns;
  Act act = Act::kTake;
  std::size_t key = 0;
  // Its last take has ended without an answer, and it asks for the same again.
  bool asks_again = false;
  std::int64_t least_left = 0;  // Since its operation has begun.
};

struct World {
  World(std::uint64_t seed, Fault planted)
      : dice(seed),
        fault(planted),
        rests(seed % 4 == 1),
        shards(1 + static_cast<std::int64_t>(dice.Below(8)) + (rests ? 30 : 0)),
        clients(2 + dice.Below(10)),
        simulator(OptionsOf(seed)),
        network(*this, simulator, HazardsOf(seed), clients + 1, dice.Next(), planted),
        driver(network, clients + 1),
        takers(clients + 1) {
    for (std::size_t i = 0; i <= clients; ++i) {
      contexts.push_back(
          {DatabaseName::Make("demo", "(default)").value(), RetryPolicy{}, Random(dice.Next())});
    }
  }

  void Complain(const std::string& what) {
    if (complaint.empty()) complaint = what;
  }

  json Ask(const std::string& target, const json& body) {
    const simulator::Answer answer = simulator.backend().Handle(
        {"POST", contexts[0].database.UrlPath(target), simulator::Caller::kAdmin},
        PaddedText(body.dump()), driver.server_now());
    return json::parse(answer.body);
  }
  std::int64_t Sum(const char* collection, const char* field) {
    const json query = {
        {"structuredQuery", {{"from", {{{"collectionId", collection}}}}}},
        {"aggregations", {{{"alias", "sum"}, {"sum", {{"field", {{"fieldPath", field}}}}}}}}};
    const json answer = Ask(std::string("/") + kPath + ":runAggregationQuery",
                            {{"structuredAggregationQuery", query}});
    const json& sum = answer.at(0)["result"]["aggregateFields"]["sum"];
    return sum.contains("integerValue") ? std::stoll(sum["integerValue"].get<std::string>()) : 0;
  }
  bool IsAnyBelowZero() {
    json query = {{"from", {{{"collectionId", "stock_shards"}}}}, {"limit", 1}};
    query["where"] = {
        {"fieldFilter",
         {{"field", {{"fieldPath", "left"}}}, {"op", "LESS_THAN"}, {"value", Integer(0)}}}};
    return Ask(std::string("/") + kPath + ":runQuery", {{"structuredQuery", query}})
        .at(0)
        .contains("document");
  }
  // The units of a take on the server; nullopt if it is not there.
  std::optional<std::int64_t> UnitsOf(const std::string& key) {
    const std::string name = contexts[0].database.documents() + '/' + kPath + "/stock_takes/" + key;
    const json found = Ask(":batchGet", {{"documents", {name}}}).at(0);
    if (!found.contains("found")) return std::nullopt;
    return std::stoll(found["found"]["fields"]["units"]["integerValue"].get<std::string>());
  }

  // After each commit.
  void CheckUnits() {
    const std::int64_t left = Sum("stock_shards", "left");
    const std::int64_t all = left + Sum("stock_takes", "units");
    if (is_made && all != made + Sum("stock_adds", "units")) {
      Complain("units are lost or made: " + std::to_string(all) + " in all");
    }
    if (IsAnyBelowZero()) Complain("a shard is below zero: units are sold twice");
    for (std::size_t i = 0; i < takers.size(); ++i) {
      takers[i].least_left = std::min(takers[i].least_left, left);
      CheckHolds(static_cast<ClientId>(i));
    }
  }

  // The takes that should last. Their client may be changing one of them.
  void CheckHolds(ClientId client) {
    const Taker& taker = takers[client];
    for (std::size_t i = 0; i < taker.keys.size(); ++i) {
      const Key& key = taker.keys[i];
      const bool is_changing = driver.operation(client) != nullptr && taker.key == i;
      if (key.held_until && *key.held_until > driver.server_now() && !is_changing) CheckKey(key);
    }
  }

  void CheckKey(const Key& key) {
    if (!key.units || key.is_in_doubt) return;
    const std::int64_t there = UnitsOf(key.name).value_or(0);
    const bool may_be_over = key.held_until && *key.held_until <= driver.server_now();
    if (there == *key.units || (may_be_over && there == 0)) return;
    Complain(key.name + " was told to have " + std::to_string(*key.units) + " units, and has " +
             std::to_string(there));
  }

  Started Start(Started (*start)(JsonScanner&, OperationContext&), ClientId client,
                json arguments) {
    arguments["path"] = kPath;
    arguments["shards"] = shards;
    return StartWith(start, arguments.dump(), contexts[client]);
  }

  void Begin(ClientId client) {
    Taker& taker = takers[client];
    if (taker.turns-- == 0) return;
    taker.least_left = Sum("stock_shards", "left");
    const std::uint64_t kind = taker.asks_again ? 0 : dice.Below(20);
    Started started = kind < 12 || taker.keys.empty() ? BeginTake(client)
                      : kind < 19                     ? BeginChange(client)
                                                      : BeginAdd(client);
    if (!started) return Complain("refused: " + started.error().message);
    driver.Run(client, std::move(*started));
  }

  Started BeginTake(ClientId client) {
    Taker& taker = takers[client];
    taker.act = Act::kTake;
    if (!std::exchange(taker.asks_again, false)) {
      // Now and then an earlier key.
      const bool is_new = taker.keys.empty() || dice.Below(4) > 0;
      taker.key = is_new ? taker.keys.size() : dice.Below(taker.keys.size());
    }
    if (taker.key == taker.keys.size()) {
      taker.keys.emplace_back();
      taker.keys.back().name = "c" + std::to_string(client) + '-' + std::to_string(taker.key);
      taker.keys.back().asked = 1 + static_cast<std::int64_t>(dice.Below(3));
      taker.keys.back().units = 0;
    }
    const Key& key = taker.keys[taker.key];
    json arguments = {{"units", key.asked}, {"key", key.name}};
    if (dice.Below(3) == 0) arguments["holdFor"] = 20'000 + 1'000 * dice.Below(60);
    return Start(StartStockTake, client, arguments);
  }

  Started BeginChange(ClientId client) {
    Taker& taker = takers[client];
    taker.key = dice.Below(taker.keys.size());
    Key& key = taker.keys[taker.key];
    taker.act = dice.Below(3) == 0 ? Act::kConfirm : Act::kPutBack;
    json arguments = {{"key", key.name}};
    if (taker.act == Act::kConfirm) return Start(StartStockConfirm, client, arguments);
    // A part of a take that is not asked for again: the same key takes another number then.
    if (dice.Below(3) == 0) arguments["units"] = 1;
    return Start(StartStockPutBack, client, arguments);
  }

  Started BeginAdd(ClientId client) {
    takers[client].act = Act::kAdd;
    return Start(StartStockAdd, client,
                 {{"units", 1 + dice.Below(6)}, {"serverNow", driver.server_now().micros / 1000}});
  }

  void OnDone(ClientId client, const Operation& done) {
    Taker& taker = takers[client];
    if (taker.act == Act::kAdd) return;
    Key& key = taker.keys[taker.key];
    if (done.error()) return OnError(taker, key, *done.error());
    const json result = ResultOf(done);
    if (taker.act == Act::kTake) {
      OnTaken(taker, key, result);
    } else {
      key.units = result["units"].get<std::int64_t>();
      if (taker.act == Act::kConfirm || *key.units == 0) key.held_until.reset();
      // A request that was in doubt relied on an earlier state.
      if (result["changed"] == true && taker.act == Act::kPutBack) key.is_in_doubt = false;
    }
    CheckKey(key);
  }

  void OnTaken(const Taker& taker, Key& key, const json& result) {
    key.held_until.reset();
    if (result["taken"] == true) {
      ++takes;
      key.units = key.asked;
      if (result.contains("heldUntil")) {
        key.held_until = Timestamp::Parse(result["heldUntil"].get<std::string>());
      }
      return;
    }
    ++denials;
    key.units = 0;
    if (taker.least_left >= key.asked) Complain("a client was refused while there were units");
  }

  void OnError(Taker& taker, Key& key, const Error& error) {
    // Nothing was sent, or surely nothing was done.
    if (error.reason == "stock-key-used" || error.reason == "stock-not-taken") return;
    if (error.code == Code::kInvalidArgument) Complain("a wrong request: " + error.message);
    OnUnknown(taker, key);
  }

  void OnUnknown(Taker& taker, Key& key) {
    taker.asks_again = taker.act == Act::kTake && dice.Below(2) == 0;
    if (taker.act != Act::kTake) key.is_in_doubt = true;
    // It may be a hold, of whatever end.
    if (taker.act == Act::kTake) key.held_until = Timestamp{0};
    if (taker.act != Act::kPutBack) key.may_be_final = true;
    key.units.reset();
  }

  void Kill(ClientId client) {
    if (!driver.Kill(client)) return;
    Taker& taker = takers[client];
    if (taker.act != Act::kAdd) OnUnknown(taker, taker.keys[taker.key]);
    driver.SetTimer(client, driver.now() + seconds(1));
  }

  // Runs an administrator's operation when nothing fails any more; null if it fails.
  json Run(Started started) {
    const auto observer = static_cast<ClientId>(clients);
    if (!started) return nullptr;
    driver.Run(observer, std::move(*started));
    int steps = 1'000'000;
    while (std::optional<VirtualDriver::Event> event = driver.Next(steps)) {
      if (!event->operation || event->client != observer) continue;
      return event->operation->error() ? json() : ResultOf(*event->operation);
    }
    return nullptr;
  }

  void End() {
    for (std::size_t i = 0; i <= clients; ++i) network.Heal(static_cast<ClientId>(i));
    const auto observer = static_cast<ClientId>(clients);
    // Requests that are late arrive, and all holds end.
    driver.SetTimer(observer, driver.now() + std::chrono::hours(1));
    int steps = 1'000'000;
    while (driver.Next(steps)) continue;
    for (const Taker& taker : takers) {
      for (const Key& key : taker.keys) CheckKey(key);
    }
    // All units that are left can be taken.
    for (int i = 0; i < 1'000 && complaint.empty(); ++i) {
      const json result = Run(Start(StartStockTake, observer, {{"units", 1}}));
      if (!result.is_object()) return Complain("a take fails although nothing does");
      if (result["taken"] == false) break;
    }
    CheckUnits();
    if (Sum("stock_shards", "left") != 0) Complain("units cannot be found");
    for (const Taker& taker : takers) {
      for (const Key& key : taker.keys) {
        const std::int64_t there = UnitsOf(key.name).value_or(0);
        if (key.held_until && !key.may_be_final && there != 0) Complain("a hold never ends");
      }
    }
  }

  std::string Go() {
    made = 5 + static_cast<std::int64_t>(dice.Below(40));
    network.Heal(static_cast<ClientId>(clients));
    Run(Start(StartStockCreate, static_cast<ClientId>(clients), {{"units", made}}));
    is_made = true;
    for (std::size_t i = 0; i < clients; ++i) driver.SetTimer(static_cast<ClientId>(i), {});
    int steps = 1'000'000;
    while (complaint.empty()) {
      std::optional<VirtualDriver::Event> event = driver.Next(steps);
      if (!event) break;
      if (dice.Below(rests ? 8 : 40) == 0) Kill(static_cast<ClientId>(dice.Below(clients)));
      if (!event->operation) {
        Begin(event->client);
        continue;
      }
      OnDone(event->client, *event->operation);
      driver.SetTimer(event->client, driver.now() + milliseconds(dice.Below(20'000)));
    }
    if (steps <= 0) Complain("an operation hangs");
    if (complaint.empty()) End();
    return complaint;
  }

  Random dice;
  Fault fault;
  // Most shards stay as they are for a while, so that a late request may still find them so.
  bool rests;
  std::int64_t shards;
  std::size_t clients;
  simulator::Simulator simulator;
  StockNetwork network;
  VirtualDriver driver;
  std::vector<Taker> takers;
  std::vector<OperationContext> contexts;
  std::int64_t made = 0;
  bool is_made = false;
  std::int64_t takes = 0;
  std::int64_t denials = 0;
  bool traces = false;
  std::string complaint;
};

simulator::Delivery StockNetwork::Serve(const experiment::Arrival& arrival) {
  const bool is_commit = arrival.request.path.ends_with(":commit");
  json body = json::parse(arrival.request.body);
  if (is_commit) PlantInCommit(fault_, dice_, body["writes"]);
  simulator::Delivery delivery = Handle(arrival, body);
  if (world_.traces) {
    std::printf("%s client %u: %s: %d\n", arrival.now.ToString().c_str(), arrival.sender,
                body.dump().c_str(), delivery.answer.status);
  }
  const bool is_ok = delivery.answer.status == experiment::kOk;
  if (is_commit) {
    if (fault_ == Fault::kConflictIsSuccess && !is_ok) {
      const json result = {{"updateTime", arrival.now.ToString()}};
      delivery.answer.status = experiment::kOk;
      delivery.answer.body = json({{"writeResults", json::array({result, result})}}).dump();
    }
    if (is_ok && fault_ != Fault::kNone && body["writes"].size() == 1) {
      json answer = json::parse(delivery.answer.body);
      answer["writeResults"].push_back(answer["writeResults"][0]);
      delivery.answer.body = answer.dump();
    }
    world_.CheckUnits();
  } else if (is_ok && fault_ != Fault::kNone) {
    json elements = json::parse(delivery.answer.body);
    PlantInRead(fault_, body, elements);
    delivery.answer.body = elements.dump();
  }
  return delivery;
}

int RunSeeds(std::uint64_t first, std::uint64_t last, bool traces) {
  std::int64_t takes = 0;
  std::int64_t denials = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    World world(seed, Fault::kNone);
    world.traces = traces;
    const std::string complaint = world.Go();
    if (!complaint.empty()) {
      std::printf("seed %llu: %s\n", static_cast<unsigned long long>(seed), complaint.c_str());
      return 1;
    }
    takes += world.takes;
    denials += world.denials;
  }
  std::printf("%llu seeds: %lld times taken, %lld times too few were left\n",
              static_cast<unsigned long long>(last - first + 1), static_cast<long long>(takes),
              static_cast<long long>(denials));
  return takes > 0 && denials > 0 ? 0 : 1;
}

int RunFaults() {
  constexpr std::uint64_t kSeeds = 200;
  int survived = 0;
  for (const FaultRow& row : kFaults) {
    std::string complaint;
    std::uint64_t seed = 0;
    while (complaint.empty() && seed < kSeeds) complaint = World(++seed, row.fault).Go();
    if (!complaint.empty() && !World(seed, Fault::kNone).Go().empty()) return 1;
    if (complaint.empty()) ++survived;
    std::printf("%s  %s: seed %llu: %s\n", complaint.empty() ? "SURVIVED" : "caught  ", row.what,
                static_cast<unsigned long long>(seed), complaint.c_str());
    std::fflush(stdout);
  }
  std::printf("%zu of %zu planted faults are found\n",
              kFaults.size() - static_cast<std::size_t>(survived), kFaults.size());
  return survived == 0 ? 0 : 1;
}

}  // namespace
}  // namespace shardline::simulation

int main(int argc, char** argv) {
  std::uint64_t first = 1;
  std::uint64_t last = 40;
  bool traces = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--trace") traces = true;
    if (name == "--mutants") return shardline::simulation::RunFaults();
    if (i + 1 == argc || name == "--trace") continue;
    const std::uint64_t number = std::strtoull(argv[i + 1], nullptr, 10);
    if (name == "--seed") first = last = number;
    if (name == "--seeds") last = number;
  }
  return shardline::simulation::RunSeeds(first, last, traces);
}
