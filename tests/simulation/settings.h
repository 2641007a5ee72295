#pragma once

#include <string>
#include <vector>

#include "simulation/mutant.h"

namespace shardline::simulation {

// What a run of a seed does beside running it.
struct Settings {
  Mutant mutant = Mutant::kNone;
  // Complaints that hold one of these are passed over: to look for more beside what is known.
  std::vector<std::string> ignored;
  // Prints every arrival at the server.
  bool traces = false;
};

}  // namespace shardline::simulation
