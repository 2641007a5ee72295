#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Capacity planning: JavaScript calls this to compute the number of shards for a load. Takes JSON,
// [options]:
//
//   writesPerSecond  sustained commits that reach Firestore; above 0, up to 10,000,000
//   burst            the most in one second. Default: writesPerSecond.
//
// Returns {counter: {shards, enough, why}, collection: {shards, tooEarly, enough, why},
// rampUpMinutes}, from Firestore's planning figures (firestore/limits_and_prices.h): a shard of a
// counter takes one write a second, a shard value of a collection 500. `enough` is false if the
// load needs more than 10,000 shards, the most that there can be. `rampUpMinutes` is how long the
// traffic should take to grow from 500 writes a second.
Result<std::string> ShardsFor(const PaddedText& arguments);

}  // namespace shardline
