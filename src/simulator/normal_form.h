#pragma once

#include <cstddef>

#include "simulator/query.h"

namespace shardline::simulator {

// How many different conjunctions the filter's disjunctive normal form has, `in` and
// `array-contains-any` being disjunctions as well. Conjunctions of the same conditions count once,
// as Google's emulator counts them. Far too many count as `kEndless`.
inline constexpr std::size_t kEndless = 10'000;
std::size_t CountDisjunctions(const Filter& filter);

}  // namespace shardline::simulator
