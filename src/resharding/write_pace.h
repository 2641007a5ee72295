#pragma once

#include <cstdint>

#include "base/instant.h"

namespace shardline {

// Rate limiting: how fast a long operation may write beside a running app.
//
// Firestore's rule for traffic that is new to a collection: 500 writes a second at first, and half
// as many again every five minutes
// (https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic). When the server
// asks for less, or writes meet with contention, the pace is halved; with each commit that goes
// well it recovers by a tenth, up to the rule.
class WritePace {
 public:
  // `most_per_second` bounds the rate; at least 1.
  explicit WritePace(std::int64_t most_per_second) : most_(most_per_second) {}

  // The first write may go out now.
  void Begin(Instant now) { begun_ = now; }

  // Writes a second.
  double Rate(Instant now) const;
  // The earliest time of the next write, after `writes` writes that went out at `now`.
  Instant NextAfter(std::int64_t writes, Instant now) const;

  void SlowDown();
  void Recover();

 private:
  std::int64_t most_;
  Instant begun_ = {};
  double share_ = 1;  // The share of the rule's rate that is used.
};

}  // namespace shardline
