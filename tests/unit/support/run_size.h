// The default run of the tests is short; the long run, with SHARDLINE_RUN=long, has more seeds.
#pragma once

#include <cstdlib>
#include <string_view>

namespace shardline {

// The number of seeds of this run, or of something else that only a long run can afford.
inline int InRun(int by_default, int in_long_run) {
  const char* run = std::getenv("SHARDLINE_RUN");
  return run != nullptr && std::string_view(run) == "long" ? in_long_run : by_default;
}

}  // namespace shardline
