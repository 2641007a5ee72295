// The default run of the tests is short; the long run, with SHARDLINE_RUN=long, has more seeds.
// Tests whose names end in InLongRun are in that run alone (run.js).
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <type_traits>

namespace shardline {

// The number of seeds of this run, or of something else that only a long run can afford.
template <class Number>
Number InRun(Number by_default, std::type_identity_t<Number> in_long_run) {
  const char* run = std::getenv("SHARDLINE_RUN");
  return run != nullptr && std::string_view(run) == "long" ? in_long_run : by_default;
}

// The same of seeds, which are numbered from 1 on.
inline std::uint64_t SeedsInRun(std::uint64_t by_default, std::uint64_t in_long_run) {
  return InRun(by_default, in_long_run);
}

}  // namespace shardline
