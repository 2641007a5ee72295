// Seeds × faults on everything the library does, in virtual time.
//
//   simulation --seed 7                        this one
//   simulation --first 1 --step 2 --operations 250000    the seeds 1, 3, 5, …, until so many
//   operations have ended simulation --first 1 --step 2 --minutes 10           for so long
//
// Ends with 1 at the first seed that fails, and says how to replay it.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "simulation/world.h"

namespace {

using Clock = std::chrono::steady_clock;
using shardline::simulation::Outcome;
using shardline::simulation::RunSeed;

struct Arguments {
  std::uint64_t first = 1;
  std::uint64_t step = 1;
  std::int64_t operations = 1;
  double minutes = 0;
};

bool Read(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    const char* value = argv[i + 1];
    if (name == "--seed" || name == "--first") {
      arguments.first = std::strtoull(value, nullptr, 10);
    } else if (name == "--step") {
      arguments.step = std::strtoull(value, nullptr, 10);
    } else if (name == "--operations") {
      arguments.operations = std::strtoll(value, nullptr, 10);
    } else if (name == "--minutes") {
      arguments.minutes = std::strtod(value, nullptr);
    } else {
      return false;
    }
  }
  return argc % 2 == 1;
}

double Minutes(Clock::time_point since) {
  return std::chrono::duration<double, std::ratio<60>>(Clock::now() - since).count();
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  if (!Read(argc, argv, arguments)) {
    std::fprintf(stderr,
                 "usage: %s [--seed N] [--first N --step N] [--operations N] [--minutes M]\n",
                 argv[0]);
    return 2;
  }
  const Clock::time_point begun = Clock::now();
  Outcome sum;
  std::int64_t seeds = 0;
  for (std::uint64_t seed = arguments.first;; seed += arguments.step) {
    const Outcome outcome = RunSeed(seed);
    if (!outcome.complaint.empty()) {
      std::fprintf(stderr, "seed %llu: %s\nreplay it with: %s --seed %llu\n",
                   static_cast<unsigned long long>(seed), outcome.complaint.c_str(), argv[0],
                   static_cast<unsigned long long>(seed));
      return 1;
    }
    ++seeds;
    sum.operations += outcome.operations;
    sum.succeeded += outcome.succeeded;
    sum.unknown += outcome.unknown;
    sum.requests += outcome.requests;
    sum.lost += outcome.lost;
    const bool enough = sum.operations >= arguments.operations;
    if (arguments.minutes > 0 ? Minutes(begun) >= arguments.minutes : enough) break;
  }
  std::printf(
      "%lld operations, %lld succeeded, %lld unknown, %lld requests, %lld lost, %lld seeds, %.1f "
      "seconds\n",
      static_cast<long long>(sum.operations), static_cast<long long>(sum.succeeded),
      static_cast<long long>(sum.unknown), static_cast<long long>(sum.requests),
      static_cast<long long>(sum.lost), static_cast<long long>(seeds), Minutes(begun) * 60);
  return 0;
}
