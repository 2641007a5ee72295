#pragma once

#include <cassert>
#include <cstdint>
#include <string>

#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "counter/counter.h"
#include "operation/billed.h"
#include "operation/executor.h"

namespace shardline {

// Random load balancing: draws the shard of a counter that an increment goes to. If the user has
// not passed the number of shards, it reads the counter's document first.
class ShardChoice {
 public:
  // kInvalidArgument if neither the user nor the layout says how many shards there are.
  static Status Check(const Counter& counter);

  // The counter must outlive it, and have passed Check().
  explicit ShardChoice(const Counter& counter) : counter_(counter), shards_(counter.shards()) {}

  // The number of shards; 0 until it is known.
  std::int64_t shards() const { return shards_; }
  // Asks for the number of shards. Requires that it is not known.
  Call AskForShards() const;
  // Takes in the answer, and returns the operations billed for it; fails if it cannot be read.
  // Afterwards either shards() is known, or `no_counter` says that there is no such counter. A
  // counter whose document holds nonsense for the number (0, a string, 100,000) gets
  // kDefaultShards: a number that another client has spoiled stops no client from counting.
  Result<Billed> HandleAnswer(const PaddedText& body, Failure& no_counter);

  // The shard that was chosen last; -1 before the first choice.
  std::int64_t shard() const { return shard_; }
  // Chooses at random: another shard than the last one, if there is another.
  void Pick(Random& random);
  // Requires a number below shards().
  void Use(std::int64_t shard) {
    assert(shard >= 0 && shard < shards_);
    shard_ = shard;
  }
  // Requires that one was chosen.
  std::string ShardName() const;

 private:
  const Counter& counter_;
  std::int64_t shards_;
  std::int64_t shard_ = -1;
};

}  // namespace shardline
