#include "sharded_query/chunk_merge.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace shardline {

// The order in which the standard library's heaps have the first document in front.
auto ChunkMerge::LaterFirst() const {
  return [this](std::size_t a, std::size_t b) {
    return reader_.Compare(chunks_[a].head(), chunks_[b].head()) > 0;
  };
}

ChunkMerge::ChunkMerge(std::size_t chunk_count, const std::optional<Position>& start,
                       DocumentReader& reader)
    : reader_(reader), headless_(chunk_count) {
  for (std::size_t i = 0; i < chunk_count; ++i) chunks_.emplace_back(i, start);
  std::iota(headless_.begin(), headless_.end(), std::size_t{0});
}

void ChunkMerge::Begin(std::vector<ChunkScan> rest) { chunks_ = std::move(rest); }

void ChunkMerge::Add(std::size_t index, ChunkAnswer answer, std::int64_t asked) {
  chunks_[index].Add(std::move(answer), asked);
}

Status ChunkMerge::Load() {
  if (headless_.empty()) return {};
  std::vector<std::size_t> dry;
  for (const std::size_t i : headless_) {
    SHARDLINE_CHECK(chunks_[i].Next(reader_));
    if (chunks_[i].has_head()) {
      Push(i);
    } else if (!chunks_[i].complete()) {
      dry.push_back(i);
    }
  }
  headless_ = std::move(dry);
  return {};
}

Status ChunkMerge::Pop() {
  std::pop_heap(heap_.begin(), heap_.end(), LaterFirst());
  const std::size_t first = heap_.back();
  heap_.pop_back();
  SHARDLINE_CHECK(chunks_[first].Next(reader_));
  if (chunks_[first].has_head()) {
    Push(first);
  } else if (!chunks_[first].complete()) {
    headless_.push_back(first);
  }
  return {};
}

std::vector<ChunkScan> ChunkMerge::TakeRest(const Position& start) {
  for (ChunkScan& chunk : chunks_) chunk.GoOnFrom(start);
  return std::move(chunks_);
}

void ChunkMerge::Push(std::size_t index) {
  heap_.push_back(index);
  std::push_heap(heap_.begin(), heap_.end(), LaterFirst());
}

}  // namespace shardline
