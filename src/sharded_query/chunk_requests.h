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

// Bounded concurrency: a queue of the chunks to ask, and the chunks with a request under way, a
// limited number at a time. After every answer, its operation sends a request for each chunk that
// Next() returns.
class ChunkRequests {
 public:
  // The plan must outlive it.
  explicit ChunkRequests(const QueryPlan& plan) : plan_(plan), read_time_(plan.read_time()) {}

  // Queues a chunk. Requires that the chunk is not queued, and has no request under way.
  void Ask(std::size_t chunk);
  // Queues all chunks, in order.
  void AskAll();
  // Takes the next chunk out of the queue; nullopt if no request may go out now. The operation
  // passes its call to Sent().
  std::optional<std::size_t> Next();
  void Sent(std::size_t chunk, CallId call);
  // The chunk of a call that is under way.
  std::size_t ChunkOf(CallId call) const { return under_way_[IndexOf(call)].chunk; }
  // Notes that the answer has come. If all chunks are read at one instant, call FixInstant()
  // before.
  void Answered(CallId call);
  // Whether no chunk is queued, and no request is under way.
  bool idle() const { return queue_.empty() && under_way_.empty(); }
  // The number of requests sent.
  std::int64_t count() const { return count_; }

  // Sets the instant from the first answer, if all chunks are read at one instant. No other request
  // goes out before that answer.
  void FixInstant(std::string_view read_time);
  // The read time in the requests; empty if they have no read time.
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
