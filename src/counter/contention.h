#pragma once

#include <cstdint>

namespace shardline {

// Feedback for capacity planning: the contention that a client has met on a counter's shards.
struct Contention {
  std::int64_t shards = 0;
  std::int64_t attempts = 0;  // Commits tried.
  std::int64_t aborted = 0;   // The number of these that met contention.
  double commits_per_second = 0;
};

// Suggests a number of shards: never fewer than there are, at most ten times as many, and at most
// 10,000.
//
// Two commits that are under way on one of N shards at once collide, so the share that is aborted
// is a = 1 − exp(−load / N). If more than 5 % of at least twenty attempts are aborted, the
// suggestion is the N that would bring the share down to 2 %. It is at least one shard for each
// commit per second, because Firestore's documentation plans one write a second for a document.
std::int64_t SuggestShards(const Contention& contention);

}  // namespace shardline
