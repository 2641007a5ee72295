#include "sharded_query/chunk_requests.h"

#include <algorithm>
#include <cassert>

namespace shardline {
namespace {

// Browsers keep about a hundred requests per HTTP/2 connection under way, and time is running for
// each: a collection with thousands of shards must not ask for all of them at once.
constexpr std::size_t kMaxUnderWay = 32;

}  // namespace

void ChunkRequests::Ask(std::size_t chunk) {
  assert(chunk < plan_.chunk_count());
  assert(std::none_of(queue_.begin() + static_cast<std::ptrdiff_t>(queue_start_), queue_.end(),
                      [&](std::size_t queued) { return queued == chunk; }));
  assert(std::none_of(under_way_.begin(), under_way_.end(),
                      [&](const UnderWay& asked) { return asked.chunk == chunk; }));
  queue_.push_back(chunk);
}

void ChunkRequests::AskAll() {
  assert(idle());
  for (std::size_t i = 0; i < plan_.chunk_count(); ++i) queue_.push_back(i);
}

std::optional<std::size_t> ChunkRequests::Next() {
  const bool alone = plan_.at_one_instant() && read_time_.empty();
  const std::size_t most = alone ? 1 : kMaxUnderWay;
  if (queue_.empty() || under_way_.size() >= most) return std::nullopt;
  const std::size_t chunk = queue_[queue_start_++];
  if (queue_start_ == queue_.size()) {
    queue_.clear();
    queue_start_ = 0;
  }
  return chunk;
}

void ChunkRequests::Sent(std::size_t chunk, CallId call) {
  ++count_;
  under_way_.push_back({call, chunk});
}

void ChunkRequests::Answered(CallId call) {
  assert(!plan_.at_one_instant() || !read_time_.empty());
  under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(IndexOf(call)));
}

void ChunkRequests::FixInstant(std::string_view read_time) {
  if (plan_.at_one_instant() && read_time_.empty()) read_time_ = read_time;
}

std::size_t ChunkRequests::IndexOf(CallId call) const {
  std::size_t index = 0;
  while (index < under_way_.size() && under_way_[index].call != call) ++index;
  assert(index < under_way_.size());
  return index;
}

}  // namespace shardline
