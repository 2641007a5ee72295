// Compares CommitBatch (exactly_once/commit_batch.h) with the model's client: both get the same
// answers, every series of them, and must send the same requests and end in the same way.
#pragma once

#include <cstdint>
#include <string>

namespace shardline::simulation {

struct Replayed {
  std::int64_t series = 0;
  std::int64_t same = 0;
  std::string difference;  // The first one.
};

// Two attempts to each request. A pause may last for days, in which the batch gets too old.
Replayed CompareWithCommitBatch();

}  // namespace shardline::simulation
