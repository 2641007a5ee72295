#pragma once

#include <cstdint>

namespace shardline {

// The contention that a client has met on a counter's shards.
struct Contention {
  std::int64_t shards = 0;
  std::int64_t attempts = 0;  // Commits tried.
  std::int64_t aborted = 0;   // The number of these that met contention.
  double commits_per_second = 0;
};

// How many shards would do: never fewer than there are, at most ten times as many, and at most
// 10,000.
//
// Two commits that are under way on one of N shards at once collide, so the share that is aborted
// is a = 1 − exp(−load / N). The suggestion is the N that would bring it down to 2 %, once 5 % are
// aborted, of at least twenty attempts; and at least one shard for each commit per second, which is
// what Firestore's documentation says that one document takes.
std::int64_t SuggestShards(const Contention& contention);

}  // namespace shardline
