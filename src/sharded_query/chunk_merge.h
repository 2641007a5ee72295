#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "sharded_query/chunk_scan.h"

namespace shardline {

// A k-way merge of the sorted documents of a query's chunks, and no more: it asks the server for
// nothing, and knows no limit. Its cost grows with the documents that are taken, and not with those
// that were fetched: of each chunk only the head is read, and one more behind each document taken.
//
// The merge never goes past a chunk whose next document is unknown: such chunks are dry() until
// Add() brings more of them.
class ChunkMerge {
 public:
  // `start` is where the query begins. The reader must outlive the merge.
  ChunkMerge(std::size_t chunk_count, const std::optional<Position>& start, DocumentReader& reader);
  // To be called first: begins with documents that another merge has left.
  void Begin(std::vector<ChunkScan> rest);

  const ChunkScan& chunk(std::size_t index) const { return chunks_[index]; }
  // The answer to a request for `asked` documents behind End() of the chunk.
  void Add(std::size_t index, ChunkAnswer answer, std::int64_t asked);
  // Where to ask the chunk for more; nullopt for its beginning.
  Result<std::optional<Position>> End(std::size_t index) { return chunks_[index].End(reader_); }

  // Finds the head of each chunk that lacks one. To be called after Add() and Pop(), before all
  // that follows.
  Status Load();
  // Whether the server must be asked for the next document of a chunk.
  bool dry() const { return !headless_.empty(); }
  // Whether no chunk has a document here.
  bool empty() const { return heap_.empty(); }
  bool ended() const { return empty() && !dry(); }
  // The chunk that has the first document of all, and that document.
  std::size_t first() const { return heap_.front(); }
  const DocumentHead& head() const { return chunks_[first()].head(); }
  // Goes on behind the first document.
  Status Pop();

  // All that was not taken, for a merge that begins at `start`. Ends this one.
  std::vector<ChunkScan> TakeRest(const Position& start);

 private:
  void Push(std::size_t index);
  auto LaterFirst() const;

  DocumentReader& reader_;
  std::vector<ChunkScan> chunks_;
  // Chunks that have a head, as a heap of the standard library: the first document of all is in
  // front.
  std::vector<std::size_t> heap_;
  // Chunks that have no head, and that the server may have more documents of.
  std::vector<std::size_t> headless_;
};

}  // namespace shardline
