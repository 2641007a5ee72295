// One seed: clients with random operations on a simulated Firestore over a hostile network, and the
// invariants at every read and in the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "simulation/settings.h"

namespace shardline::simulation {

struct Outcome {
  std::int64_t operations = 0;  // That have ended.
  std::int64_t succeeded = 0;
  std::int64_t unknown = 0;
  std::int64_t deaths = 0;
  std::int64_t requests = 0;
  std::int64_t lost = 0;
  std::int64_t late = 0;
  std::int64_t doubled = 0;
  // The most requests of one operation, and the longest that one took, in seconds.
  std::int64_t most_requests = 0;
  std::int64_t longest = 0;
  // The first complaint; empty if there is no complaint.
  std::string complaint;
};

// How many clients the world of a seed has, 2 at the least: with few, it is soon over.
std::size_t ClientsOf(std::uint64_t seed);

// The same seed and settings give the same outcome.
Outcome RunSeed(std::uint64_t seed, const Settings& settings);

}  // namespace shardline::simulation
