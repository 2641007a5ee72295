#pragma once

#include <cstddef>

#include "simulator/query.h"

namespace shardline::simulator {

// The number of different conjunctions in the filter's disjunctive normal form, in which `in` and
// `array-contains-any` are disjunctions as well. Like in Google's emulator, conjunctions of the
// same conditions count once. A number far beyond the limit becomes `kEndless`.
inline constexpr std::size_t kEndless = 10'000;
std::size_t CountDisjunctions(const Filter& filter);

}  // namespace shardline::simulator
