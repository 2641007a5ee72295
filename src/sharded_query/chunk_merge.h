#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "sharded_query/chunk_scan.h"

namespace shardline {

// A k-way merge (a heap) of the sorted documents of a query's chunks. It sends no requests, and
// knows no limit. Its cost grows with the documents that the caller takes, and not with those that
// were fetched: it reads only the head of each chunk, and one more behind each document taken.
//
// The merge never goes past a chunk whose next document is unknown: such chunks are dry() until
// Add() brings more of them.
class ChunkMerge {
 public:
  // `start` is where the query begins. The reader must outlive the merge.
  ChunkMerge(std::size_t chunk_count, const std::optional<Position>& start, DocumentReader& reader);
  // Call it first: begins with the documents that another merge has left.
  void Begin(std::vector<ChunkScan> rest);

  const ChunkScan& chunk(std::size_t index) const { return chunks_[index]; }
  // The answer to a request for `asked` documents behind End() of the chunk.
  void Add(std::size_t index, ChunkAnswer answer, std::int64_t asked);
  // The position of the next request to the chunk; nullopt for its beginning.
  Result<std::optional<Position>> End(std::size_t index) { return chunks_[index].End(reader_); }

  // Finds the head of each chunk that lacks one. Call it after Add() and Pop(), before the methods
  // below.
  Status Load();
  // Whether the next document of a chunk must come from the server.
  bool dry() const { return !headless_.empty(); }
  // Whether no chunk has a fetched document left.
  bool empty() const { return heap_.empty(); }
  bool ended() const { return empty() && !dry(); }
  // The chunk that has the first document of all, and that document.
  std::size_t first() const { return heap_.front(); }
  const DocumentHead& head() const { return chunks_[first()].head(); }
  // Takes the first document.
  Status Pop();

  // All documents that were not taken, for a merge that begins at `start`. Ends this merge.
  std::vector<ChunkScan> TakeRest(const Position& start);

 private:
  void Push(std::size_t index);
  auto LaterFirst() const;

  DocumentReader& reader_;
  std::vector<ChunkScan> chunks_;
  // The chunks that have a head, as a heap of the standard library: the chunk with the first
  // document of all is in front.
  std::vector<std::size_t> heap_;
  // The chunks without a head whose next documents may be on the server.
  std::vector<std::size_t> headless_;
};

}  // namespace shardline
