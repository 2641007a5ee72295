// The hazards of a seed's world, drawn once.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "simulation/hostile_network.h"
#include "simulator/simulator.h"

namespace shardline::simulation {

struct Weather {
  // None of the following hazards.
  bool is_honest = false;
  Hazards hazards;
  simulator::Faults faults;
  bool has_breakdowns = false;
  bool has_deaths = false;
  bool has_copies = false;
  bool has_suspensions = false;
  bool changes_rules = false;
  bool has_wrong_clocks = false;
  bool heals = false;
  // Weeks without any operation, in which markers expire.
  bool has_long_pauses = false;

  static Weather Draw(Random& dice);

  bool LosesAnswers() const {
    return hazards.LosesAnswers() || has_breakdowns || has_deaths || has_suspensions ||
           faults.internal > 0 || faults.unavailable > 0;
  }
};

// The simulator of a seed, without faults.
simulator::SimulatorOptions DrawSimulator(std::uint64_t seed, Random& dice);

}  // namespace shardline::simulation
