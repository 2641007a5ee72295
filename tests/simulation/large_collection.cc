// A large collection gets its shard field, and then other shard values, in virtual time: beside
// clients that go on writing, over a hostile network, and with pages that die, each of which is
// followed by one that resumes. Whenever a page dies, the program measures the memory that the
// operation holds.
//
//   large_collection [--documents 100000] [--seed 1]
//
// Ends with 1 and a sentence if a document has been passed over, overwritten or changed in any
// other field, or if the memory that the operation holds grows with the collection.

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/collection_api.h"
#include "api/resharding_api.h"
#include "experiment/virtual_driver.h"
#include "simulation/hostile_network.h"
#include "simulation/part.h"
#include "simulator/simulator.h"

namespace {

std::int64_t live_bytes = 0;

}  // namespace

void* operator new(std::size_t size) {
  void* const bytes = std::malloc(size);
  if (bytes == nullptr) std::abort();
  live_bytes += static_cast<std::int64_t>(malloc_usable_size(bytes));
  return bytes;
}
void operator delete(void* bytes) noexcept {
  live_bytes -= static_cast<std::int64_t>(malloc_usable_size(bytes));
  std::free(bytes);
}
void operator delete(void* bytes, std::size_t) noexcept { operator delete(bytes); }

namespace shardline::simulation {
namespace {

using experiment::ClientId;
using experiment::VirtualDriver;
using std::chrono::seconds;

constexpr ClientId kUpkeep = 0;
constexpr std::size_t kWriters = 6;  // From 1 on.
constexpr ClientId kDeath = kWriters + 1;
constexpr std::size_t kClients = kWriters + 2;
// One page of names, times and shards, twice: as it was read, and as it is sent.
constexpr std::int64_t kMostHeldBytes = std::int64_t{512} * 1024;

[[noreturn]] void Fail(const std::string& why) {
  std::printf("%s\n", why.c_str());
  std::exit(1);
}

class LargeNetwork final : public HostileNetwork {
 public:
  LargeNetwork(simulator::Simulator& simulator, const Hazards& hazards, std::uint64_t seed)
      : HostileNetwork(hazards, kClients, seed), simulator_(simulator) {}

 private:
  simulator::Delivery Serve(const experiment::Arrival& arrival) override {
    return simulator_.Handle({arrival.request.method, arrival.request.path},
                             PaddedText(arrival.request.body), arrival.now);
  }

  simulator::Simulator& simulator_;
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

Hazards UsualHazards() {
  Hazards hazards;
  hazards.latency = std::chrono::milliseconds(50);
  hazards.dropped = hazards.late = hazards.broken = hazards.garbled = 0.01;
  hazards.doubled = 0.03;
  hazards.silent = 0.002;
  return hazards;
}

class Large {
 public:
  Large(int documents, std::uint64_t seed)
      : documents_(documents),
        dice_(seed),
        simulator_(OptionsOf(seed)),
        network_(simulator_, UsualHazards(), dice_.Next()),
        driver_(network_, kClients),
        versions_(static_cast<std::size_t>(documents)) {
    for (std::size_t i = 0; i < kClients; ++i) {
      contexts_.push_back(
          {DatabaseName::Make("demo", "(default)").value(), RetryPolicy{}, Random(dice_.Next())});
    }
    Fill();
  }

  void Run() {
    for (std::size_t i = 1; i <= kWriters; ++i) driver_.SetTimer(static_cast<ClientId>(i), {});
    driver_.SetTimer(kDeath, driver_.now() + seconds(10));
    RunToEnd("backfill", StartCollectionBackfill);
    Check([](const std::string& shard) { return !shard.empty(); });
    RunToEnd("reshard", StartCollectionReshard);
    Check([](const std::string& shard) { return shard.starts_with("new"); });
    std::printf(
        "%zu writes by others; at most %lld bytes held, %lld in the last quarter of each run\n",
        static_cast<std::size_t>(last_version_), static_cast<long long>(most_held_),
        static_cast<long long>(most_held_late_));
  }

 private:
  // Half of the documents have a shard, of the old values.
  void Fill() {
    constexpr int kPerCommit = 500;
    for (int start = 0; start < documents_; start += kPerCommit) {
      json writes = json::array();
      for (int i = start; i < std::min(start + kPerCommit, documents_); ++i) {
        json fields = {{"n", {{"integerValue", std::to_string(i)}}}};
        if (i % 2 == 0) fields["shard"] = {{"stringValue", "old" + std::to_string(i % 5)}};
        writes.push_back({{"update", {{"name", NameOf(i)}, {"fields", fields}}}});
      }
      Ask(":commit", {{"writes", writes}});
    }
  }

  std::string IdOf(int number) const {
    const std::string digits = std::to_string(number);
    return "d" + std::string(8 - digits.size(), '0') + digits;
  }
  std::string NameOf(int number) const {
    return contexts_[0].database.documents() + "/stock/" + IdOf(number);
  }
  static json Collection() {
    return {{"path", "stock"},
            {"shards", {"new0", "new1", "new2"}},
            {"alsoRead", {"old0", "old1", "old2", "old3", "old4"}}};
  }

  json Ask(std::string_view verb, const json& body) {
    const simulator::Answer answer = simulator_.backend().Handle(
        {"POST", contexts_[0].database.UrlPath(verb), shardline::simulator::Caller::kAdmin},
        PaddedText(body.dump()), driver_.server_now());
    if (answer.status != 200) Fail("the test's own request failed: " + answer.body);
    return json::parse(answer.body);
  }

  void StartUpkeep(Started (*start)(JsonScanner&, OperationContext&)) {
    json arguments = {{"collection", Collection()}};
    if (start == StartCollectionReshard) arguments["shards"] = Collection()["shards"];
    if (token_.is_string()) arguments["resumeFrom"] = token_;
    Started started = StartWith(start, arguments.dump(), contexts_[kUpkeep]);
    if (!started) Fail("refused: " + started.error().message);
    driver_.Run(kUpkeep, std::move(*started));
    ++runs_;
  }

  void NoteToken() {
    const json told = json::parse(driver_.progress(kUpkeep), nullptr, false);
    if (!told.is_object()) return;
    token_ = told["resumeFrom"];
    read_ += told["read"].get<std::int64_t>();
    written_ += told["written"].get<std::int64_t>();
  }

  void RunToEnd(const char* name, Started (*start)(JsonScanner&, OperationContext&)) {
    const auto begun = std::chrono::steady_clock::now();
    const Instant begun_at = driver_.now();
    token_ = nullptr;
    runs_ = read_ = written_ = 0;
    StartUpkeep(start);
    int steps = 100'000'000;
    for (;;) {
      std::optional<VirtualDriver::Event> event = driver_.Next(steps);
      if (!event) Fail("an operation hangs");
      if (event->client == kDeath) {
        Die(start);
      } else if (event->client != kUpkeep) {
        Write(*event);
      } else {
        NoteToken();
        if (!event->operation->error()) break;
        StartUpkeep(start);
      }
    }
    const double took =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf(
        "%s: %lld documents read, %lld written in %lld runs, %lld s of virtual time, %.1f s of "
        "ours\n",
        name, static_cast<long long>(read_), static_cast<long long>(written_),
        static_cast<long long>(runs_),
        static_cast<long long>((driver_.now() - begun_at) / seconds(1)), took);
  }

  // The page closes, and another one goes on. The memory that it has held goes with it.
  void Die(Started (*start)(JsonScanner&, OperationContext&)) {
    driver_.SetTimer(kDeath, driver_.now() + seconds(5 + dice_.Below(20)));
    std::unique_ptr<Operation> operation = driver_.Kill(kUpkeep);
    if (!operation) return;
    NoteToken();
    const std::int64_t before = live_bytes;
    operation.reset();
    const std::int64_t held = before - live_bytes;
    most_held_ = std::max(most_held_, held);
    if (read_ > documents_ / 4 * 3) most_held_late_ = std::max(most_held_late_, held);
    if (held > kMostHeldBytes) Fail("the operation holds " + std::to_string(held) + " bytes");
    StartUpkeep(start);
  }

  // Now an update has ended, now it is time for the next one.
  void Write(const VirtualDriver::Event& event) {
    if (event.operation) {
      driver_.SetTimer(event.client,
                       driver_.now() + std::chrono::milliseconds(100 + dice_.Below(400)));
      return;
    }
    const int number = DrawNumber();
    const std::int64_t version = ++last_version_;
    versions_[static_cast<std::size_t>(number)].push_back(version);
    const json fields = {{"version", {{"integerValue", std::to_string(version)}}}};
    const json arguments = {
        {"collection", Collection()}, {"id", IdOf(number)}, {"changes", {{"fields", fields}}}};
    Started started = StartWith(StartCollectionUpdate, arguments.dump(), contexts_[event.client]);
    if (!started) Fail("refused: " + started.error().message);
    driver_.Run(event.client, std::move(*started));
  }

  // Mostly one of those that are about to be dealt with.
  int DrawNumber() {
    const auto all = static_cast<std::uint64_t>(documents_);
    if (dice_.Below(4) == 0) return static_cast<int>(dice_.Below(all));
    constexpr std::uint64_t kNear = 600;
    const json told = json::parse(driver_.progress(kUpkeep), nullptr, false);
    const std::int64_t position = read_ + (told.is_object() ? told["read"].get<std::int64_t>() : 0);
    return static_cast<int>((static_cast<std::uint64_t>(position) + dice_.Below(kNear)) % all);
  }

  template <class IsRight>
  void Check(const IsRight& is_right) {
    int number = 0;
    std::string after;
    for (bool more = true; more;) {
      json query = {{"from", {{{"collectionId", "stock"}}}}, {"limit", 5000}};
      query["orderBy"] = json::array({{{"field", {{"fieldPath", "__name__"}}}}});
      if (!after.empty()) {
        query["startAt"] = {{"values", {{{"referenceValue", after}}}}, {"before", false}};
      }
      more = false;
      for (const json& element : Ask(":runQuery", {{"structuredQuery", query}})) {
        if (!element.contains("document")) continue;
        more = true;
        after = element["document"]["name"];
        CheckDocument(number, element["document"], is_right);
        ++number;
      }
    }
    if (number != documents_) Fail("there are " + std::to_string(number) + " documents");
  }

  template <class IsRight>
  void CheckDocument(int number, const json& document, const IsRight& is_right) const {
    if (document["name"] != NameOf(number)) Fail(IdOf(number) + " is missing");
    json fields = document["fields"];
    const std::string shard =
        fields.value("shard", json::object()).value("stringValue", std::string());
    if (!is_right(shard)) Fail(IdOf(number) + " has the shard \"" + shard + "\"");
    if (fields["n"]["integerValue"] != std::to_string(number)) Fail(IdOf(number) + " has changed");
    const std::vector<std::int64_t>& versions = versions_[static_cast<std::size_t>(number)];
    const bool has_version = fields.contains("version");
    // A request that was sent may still be on its way, or never arrive.
    if (has_version &&
        std::find(versions.begin(), versions.end(),
                  std::stoll(fields["version"]["integerValue"].get<std::string>())) ==
            versions.end()) {
      Fail(IdOf(number) + " has a version that nobody has written");
    }
    if (fields.size() != (has_version ? 3u : 2u)) Fail(IdOf(number) + " has other fields");
  }

  int documents_;
  Random dice_;
  simulator::Simulator simulator_;
  LargeNetwork network_;
  VirtualDriver driver_;
  std::vector<OperationContext> contexts_;
  std::vector<std::vector<std::int64_t>> versions_;  // That writers have sent, by document.
  std::int64_t last_version_ = 0;
  json token_;
  std::int64_t runs_ = 0;
  std::int64_t read_ = 0;
  std::int64_t written_ = 0;
  std::int64_t most_held_ = 0;
  std::int64_t most_held_late_ = 0;
};

}  // namespace
}  // namespace shardline::simulation

int main(int argc, char** argv) {
  int documents = 100'000;
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--documents") documents = std::max(std::atoi(argv[i + 1]), 1);
    if (name == "--seed") seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  shardline::simulation::Large(documents, seed).Run();
  return 0;
}
