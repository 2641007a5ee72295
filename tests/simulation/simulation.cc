// Deterministic simulation: seeds × hazards on all operations of the library, in virtual time.
//
//   simulation --seed 7                        this one
//   simulation --jobs 2 --operations 500000    the seeds 1, 2, 3, …, until so many operations have
//                                              ended
//   simulation --states …                      … and on, up to ten times as many, until every named
//                                              state has been reached: else it fails
//   simulation --jobs 2 --minutes 10           for so long
//   simulation --seed 7 --trace                … and every request as it arrives
//   simulation --ignore TEXT                   complaints that hold it are passed over
//   simulation --go-on …                       also behind seeds that fail, which are listed
//   simulation --mutant NAME [--seed N]        with a planted fault: 0 if it is found
//   simulation --mutants --jobs 2              all planted faults, each until a seed finds it: the
//                                              one in mutant.cc, or one of a small world
//   simulation --mutants --search …            … the seeds 1, 2, 3, …, whatever is known
//
// Ends with 1 at a seed that fails, and says how to replay it.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "simulation/coverage.h"
#include "simulation/world.h"

namespace {

using namespace shardline::simulation;  // NOLINT(google-build-using-namespace): a program.
using Clock = std::chrono::steady_clock;

struct Arguments {
  std::uint64_t first = 1;
  std::uint64_t jobs = 1;
  std::int64_t operations = 1;
  double minutes = 0;
  std::uint64_t mutant_seeds = 1'000;
  std::string_view mutant;
  bool mutants = false;
  bool searches = false;
  bool one_seed = false;
  bool trace = false;
  bool goes_on = false;
  bool states = false;
  std::vector<std::string> ignored;
};

bool Read(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--mutants") {
      arguments.mutants = true;
      continue;
    }
    if (name == "--search") {
      arguments.searches = true;
      continue;
    }
    if (name == "--go-on") {
      arguments.goes_on = true;
      continue;
    }
    if (name == "--states") {
      arguments.states = true;
      continue;
    }
    if (name == "--trace") {
      arguments.trace = true;
      continue;
    }
    if (++i == argc) return false;
    const char* value = argv[i];
    if (name == "--seed" || name == "--first") {
      arguments.first = std::strtoull(value, nullptr, 10);
      arguments.one_seed = name == "--seed";
    } else if (name == "--jobs") {
      arguments.jobs = std::max<std::uint64_t>(1, std::strtoull(value, nullptr, 10));
    } else if (name == "--operations") {
      arguments.operations = std::strtoll(value, nullptr, 10);
    } else if (name == "--minutes") {
      arguments.minutes = std::strtod(value, nullptr);
    } else if (name == "--ignore") {
      arguments.ignored.emplace_back(value);
    } else if (name == "--mutant") {
      arguments.mutant = value;
    } else if (name == "--mutant-seeds") {
      arguments.mutant_seeds = std::strtoull(value, nullptr, 10);
    } else {
      return false;
    }
  }
  return true;
}

double Minutes(Clock::time_point since) {
  return std::chrono::duration<double, std::ratio<60>>(Clock::now() - since).count();
}

struct Sum {
  Outcome outcome;
  std::int64_t seeds = 0;
  std::uint64_t failed_seed = 0;

  void Add(const Outcome& other) {
    ++seeds;
    outcome.operations += other.operations;
    outcome.succeeded += other.succeeded;
    outcome.unknown += other.unknown;
    outcome.deaths += other.deaths;
    outcome.requests += other.requests;
    outcome.lost += other.lost;
    outcome.late += other.late;
    outcome.doubled += other.doubled;
    outcome.most_requests = std::max(outcome.most_requests, other.most_requests);
    outcome.longest = std::max(outcome.longest, other.longest);
  }
};

bool IsEveryStateReached() {
  for (int i = 0; i < static_cast<int>(State::kCount); ++i) {
    if (TimesReached(static_cast<State>(i)) == 0) return false;
  }
  return true;
}

bool IsEnough(const Arguments& arguments, std::int64_t operations) {
  constexpr std::int64_t kMostTimes = 10;
  const auto jobs = static_cast<std::int64_t>(arguments.jobs);
  const std::int64_t enough = (arguments.operations + jobs - 1) / jobs;
  if (operations < enough) return false;
  return !arguments.states || operations >= kMostTimes * enough || IsEveryStateReached();
}

// Together they reach every named state, with few operations. A change of what a seed draws makes
// them others; until they are found, a run with --states goes on for longer.
constexpr std::uint64_t kTellingSeeds[] = {167, 15, 63, 291, 219, 177, 266, 209};

// The seed of a run that comes at this place, from 0 on.
std::uint64_t SeedAt(const Arguments& arguments, std::uint64_t place) {
  if (!arguments.states) return arguments.first + place;
  const std::uint64_t telling = std::size(kTellingSeeds);
  return place < telling ? kTellingSeeds[place] : arguments.first + place - telling;
}

// Every `jobs`-th seed; so what is run does not depend on how fast each thread is, unless it goes
// on until every state has been reached.
Sum RunStripe(const Arguments& arguments, std::uint64_t stripe, std::atomic<bool>& stop) {
  const Clock::time_point begun = Clock::now();
  Sum sum;
  for (std::uint64_t place = stripe; !stop; place += arguments.jobs) {
    const std::uint64_t seed = SeedAt(arguments, place);
    const Outcome outcome =
        RunSeed(seed, {.ignored = arguments.ignored, .traces = arguments.trace});
    sum.Add(outcome);
    if (!outcome.complaint.empty()) {
      if (arguments.goes_on) {
        std::printf("seed %llu: %.400s\n", static_cast<unsigned long long>(seed),
                    outcome.complaint.c_str());
      }
      sum.outcome.complaint = outcome.complaint;
      sum.failed_seed = seed;
      stop = !arguments.goes_on;
    }
    const bool is_over = arguments.minutes > 0 ? Minutes(begun) >= arguments.minutes
                                               : IsEnough(arguments, sum.outcome.operations);
    if (is_over) break;
  }
  return sum;
}

template <class Work>
void InThreads(std::uint64_t jobs, Work work) {
  std::vector<std::thread> threads;
  for (std::uint64_t i = 0; i < jobs; ++i) threads.emplace_back([&work, i] { work(i); });
  for (std::thread& thread : threads) thread.join();
}

// Returns how many states were never reached.
int ReportStates() {
  constexpr auto kStates = static_cast<int>(State::kCount);
  int missing = 0;
  State rarest{};
  for (int i = 0; i < kStates; ++i) {
    const auto state = static_cast<State>(i);
    if (TimesReached(state) < TimesReached(rarest)) rarest = state;
    if (TimesReached(state) > 0) continue;
    ++missing;
    std::printf("never reached: %s\n", std::string(Name(state)).c_str());
  }
  std::printf("%d of %d states reached, the rarest %lld times: %s\n", kStates - missing, kStates,
              static_cast<long long>(TimesReached(rarest)), std::string(Name(rarest)).c_str());
  return missing;
}

void Report(const Sum& sum, double seconds) {
  const Outcome& all = sum.outcome;
  const auto number = [](std::int64_t value) { return static_cast<long long>(value); };
  std::printf(
      "%lld operations of %lld seeds in %.0f s: %lld succeeded, %lld unknown, %lld died "
      "with their page\n",
      number(all.operations), number(sum.seeds), seconds, number(all.succeeded),
      number(all.unknown), number(all.deaths));
  std::printf(
      "%lld requests: %lld late, %lld doubled, %lld without an answer; at most %lld for one "
      "operation, which took at most %lld s on a network that is well\n",
      number(all.requests), number(all.late), number(all.doubled), number(all.lost),
      number(all.most_requests), number(all.longest));
}

int RunSeeds(const Arguments& arguments, const char* program) {
  const Clock::time_point begun = Clock::now();
  std::atomic<bool> stop = false;
  std::vector<Sum> sums(arguments.jobs);
  InThreads(arguments.jobs,
            [&](std::uint64_t job) { sums[job] = RunStripe(arguments, job, stop); });
  Sum sum;
  bool failed = false;
  for (const Sum& one : sums) {
    const std::int64_t seeds = sum.seeds + one.seeds;
    sum.Add(one.outcome);
    sum.seeds = seeds;
    if (one.outcome.complaint.empty()) continue;
    failed = true;
    std::printf("seed %llu: %s\nreplay it with: %s --seed %llu\n",
                static_cast<unsigned long long>(one.failed_seed), one.outcome.complaint.c_str(),
                program, static_cast<unsigned long long>(one.failed_seed));
  }
  Report(sum, Minutes(begun) * 60);
  if (failed) return 1;
  if (arguments.one_seed) return 0;
  const int missing = ReportStates();
  return arguments.states && missing > 0 ? 1 : 0;
}

// Whether a seed finds the planted fault, and finds nothing when none is planted.
bool Finds(const Arguments& arguments, std::uint64_t seed, Mutant mutant, std::string& complaint) {
  complaint = RunSeed(seed, {mutant, arguments.ignored, arguments.trace}).complaint;
  return !complaint.empty() && RunSeed(seed, {.ignored = arguments.ignored}).complaint.empty();
}

// The same of the seed that is known to find it, and of small worlds when what seeds draw has
// changed; 0 if none of them finds it.
std::uint64_t QuickSeed(const Arguments& arguments, const MutantRow& row, std::string& complaint) {
  constexpr std::uint64_t kLast = 500;
  constexpr std::size_t kFewClients = 3;
  if (Finds(arguments, row.seed, row.mutant, complaint)) return row.seed;
  for (std::uint64_t seed = 1; seed <= kLast; ++seed) {
    const bool is_quick = ClientsOf(seed) <= kFewClients;
    if (is_quick && Finds(arguments, seed, row.mutant, complaint)) return seed;
  }
  return 0;
}

// The first seed that finds the planted fault; 0 if none does.
std::uint64_t FirstSeed(const Arguments& arguments, const MutantRow& row, std::string& complaint) {
  if (!arguments.one_seed && !arguments.searches) {
    if (const std::uint64_t seed = QuickSeed(arguments, row, complaint); seed > 0) return seed;
  }
  const std::uint64_t last =
      arguments.one_seed ? arguments.first : arguments.first + arguments.mutant_seeds - 1;
  for (std::uint64_t seed = arguments.first; seed <= last; ++seed) {
    if (Finds(arguments, seed, row.mutant, complaint)) return seed;
  }
  return 0;
}

int RunMutants(const Arguments& arguments) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> survived = 0;
  std::mutex printing;
  std::vector<MutantRow> rows;
  for (const MutantRow& row : Mutants()) {
    if (arguments.mutants || row.name == arguments.mutant) rows.push_back(row);
  }
  InThreads(arguments.jobs, [&](std::uint64_t) {
    for (std::size_t i = next++; i < rows.size(); i = next++) {
      std::string complaint;
      const std::uint64_t seed = FirstSeed(arguments, rows[i], complaint);
      const std::scoped_lock lock(printing);
      std::printf("%s  %s (%s): seed %llu: %.300s\n", seed > 0 ? "caught  " : "SURVIVED",
                  std::string(rows[i].name).c_str(), std::string(rows[i].what).c_str(),
                  static_cast<unsigned long long>(seed), complaint.c_str());
      std::fflush(stdout);
      if (seed == 0) ++survived;
    }
  });
  std::printf("%zu of %zu planted faults are found\n", rows.size() - survived, rows.size());
  return survived == 0 && !rows.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!Read(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: %s [--seed N | --first N] [--jobs N] [--operations N | --minutes M] "
                 "[--states] [--trace] [--mutant NAME | --mutants [--search]] [--ignore TEXT]\n",
                 argv[0]);
    return 2;
  }
  if (arguments.mutants || !arguments.mutant.empty()) return RunMutants(arguments);
  return RunSeeds(arguments, argv[0]);
}
