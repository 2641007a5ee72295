#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "operation/executor.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// Which chunks of a plan are to be asked, and which are being asked: a limited number at a time.
// An operation that has one sends for each chunk that Next() returns, after every answer, too.
class ChunkRequests {
 public:
  // The plan must outlive it.
  explicit ChunkRequests(const QueryPlan& plan) : plan_(plan), read_time_(plan.read_time()) {}

  // Queues a chunk. Requires that it is neither queued nor being asked.
  void Ask(std::size_t chunk);
  // The same for all of them, in order.
  void AskAll();
  // Takes the chunk that is to be asked now out of the queue; nullopt if none may be for now.
  // Sent() is told which call asks it.
  std::optional<std::size_t> Next();
  void Sent(std::size_t chunk, CallId call);
  // Which chunk is asked by this call. Requires one that is under way.
  std::size_t ChunkOf(CallId call) const { return under_way_[IndexOf(call)].chunk; }
  // The answer has come. Where all chunks are read at one instant, requires FixInstant() before.
  void Answered(CallId call);
  // Whether no chunk is queued or being asked.
  bool idle() const { return queue_.empty() && under_way_.empty(); }
  // How many have been sent.
  std::int64_t count() const { return count_; }

  // Where all chunks are read at one instant, the first answer says which: nothing but it is asked
  // before.
  void FixInstant(std::string_view read_time);
  // The instant that requests name; empty for none.
  const std::string& read_time() const { return read_time_; }

 private:
  struct UnderWay {
    CallId call;
    std::size_t chunk;
  };

  std::size_t IndexOf(CallId call) const;

  const QueryPlan& plan_;
  std::string read_time_;
  std::vector<std::size_t> queue_;  // From queue_start_ on.
  std::size_t queue_start_ = 0;
  std::vector<UnderWay> under_way_;
  std::int64_t count_ = 0;
};

}  // namespace shardline
