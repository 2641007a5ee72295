#pragma once

#include <string>
#include <vector>

#include "simulation/mutant.h"

namespace shardline::simulation {

// The settings for the run of a seed.
struct Settings {
  Mutant mutant = Mutant::kNone;
  // Complaints that hold one of these are passed over, so that a run can look for others.
  std::vector<std::string> ignored;
  // Prints every arrival at the server.
  bool traces = false;
};

}  // namespace shardline::simulation
