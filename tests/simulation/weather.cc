#include "simulation/weather.h"

#include <iterator>

#include "simulation/coverage.h"

namespace shardline::simulation {
namespace {

// Most seeds have some of the hazards, few have all of them.
double DrawProbability(Random& dice) {
  const std::uint64_t kind = dice.Below(4);
  if (kind < 2) return 0;
  return kind == 2 ? 0.02 : 0.3 * dice.Fraction();
}

bool OneIn(Random& dice, std::uint64_t number) { return dice.Below(number) == 0; }

}  // namespace

Weather Weather::Draw(Random& dice) {
  Weather weather;
  weather.hazards.latency = Duration(static_cast<std::int64_t>(dice.Below(200'000)));
  weather.is_honest = OneIn(dice, 8);
  if (weather.is_honest) {
    Reached(State::kHonest);
    return weather;
  }
  Hazards& hazards = weather.hazards;
  hazards.dropped = DrawProbability(dice) / 2;
  hazards.late = DrawProbability(dice) / 2;
  hazards.doubled = DrawProbability(dice);
  hazards.broken = DrawProbability(dice);
  hazards.silent = DrawProbability(dice) / 4;
  hazards.slow = DrawProbability(dice) / 2;
  hazards.garbled = DrawProbability(dice) / 2;
  simulator::Faults& faults = weather.faults;
  faults.internal = DrawProbability(dice) / 2;
  faults.unavailable = DrawProbability(dice) / 2;
  faults.exhausted = DrawProbability(dice) / 4;
  faults.unauthenticated = DrawProbability(dice) / 4;
  // Read times are in the past of one clock and in the future of another.
  if (OneIn(dice, 3)) {
    faults.clock_skew_micros = static_cast<std::int64_t>(dice.Below(20'000'000)) - 10'000'000;
  }
  weather.has_breakdowns = OneIn(dice, 3);
  weather.has_deaths = OneIn(dice, 2);
  weather.has_copies = weather.has_deaths && OneIn(dice, 2);
  weather.has_suspensions = OneIn(dice, 4);
  weather.changes_rules = OneIn(dice, 3);
  weather.has_wrong_clocks = OneIn(dice, 3);
  weather.heals = OneIn(dice, 3);
  weather.has_long_pauses = OneIn(dice, 3);
  return weather;
}

simulator::SimulatorOptions DrawSimulator(std::uint64_t seed, Random& dice) {
  simulator::SimulatorOptions options;
  options.seed = seed;
  constexpr State kDialects[] = {State::kEmulatorDialect, State::kProductionDialect,
                                 State::kProxyDialect};
  const std::size_t dialect = dice.Below(std::size(kDialects));
  Reached(kDialects[dialect]);
  options.dialect = static_cast<simulator::Dialect>(dialect);
  options.limits.enabled = OneIn(dice, 3);
  // Sooner than in production, so that a seed's few clients meet contention.
  options.limits.lock_deadline_seconds = static_cast<double>(5 + dice.Below(16));
  options.min_latency_micros = 1'000;
  options.max_latency_micros = 1'000 + static_cast<std::int64_t>(dice.Below(200'000));
  return options;
}

}  // namespace shardline::simulation
