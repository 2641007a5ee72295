// One seed: clients that do what they like to a simulated Firestore, faults, and what must be true
// in the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiment/virtual_driver.h"
#include "simulation/part.h"

namespace shardline::simulation {

struct Outcome {
  std::int64_t operations = 0;  // That have ended.
  std::int64_t succeeded = 0;
  std::int64_t unknown = 0;
  std::int64_t requests = 0;
  std::int64_t lost = 0;
  // What was found to be wrong; empty: nothing.
  std::string complaint;
};

// The same seed gives the same outcome.
Outcome RunSeed(std::uint64_t seed);

}  // namespace shardline::simulation
