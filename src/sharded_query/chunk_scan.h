#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "sharded_query/chunk_answer.h"
#include "sharded_query/document_reader.h"

namespace shardline {

// An iterator over the fetched documents of one chunk. It parses lazily: only the documents that
// the caller asks for.
class ChunkScan {
 public:
  // `start` is where the chunk's first query begins.
  ChunkScan(std::size_t chunk, std::optional<Position> start)
      : chunk_(chunk), start_(std::move(start)) {}

  // The answer to a request for `asked` documents behind the last one fetched.
  void Add(ChunkAnswer answer, std::int64_t asked);

  // Moves to the next document. If no fetched document is left, has_head() is false afterwards. A
  // fault of the server is an error, worded by UnreadableAnswer().
  Status Next(DocumentReader& reader);
  bool has_head() const { return has_head_; }
  const DocumentHead& head() const { return head_; }

  // Documents fetched and not taken, the head included.
  std::int64_t unread() const { return unread_ + (has_head_ ? 1 : 0); }
  // Whether the server has no more than has been fetched.
  bool complete() const { return complete_; }
  // The position of the next request: behind the last document fetched. nullopt before the first
  // document.
  Result<std::optional<Position>> End(DocumentReader& reader);

  // The latest read time of all answers, in the server's spelling; empty if no answer has one.
  const std::string& read_time() const { return read_time_; }

  // Keeps the documents that were not taken, for another page that begins at `start`; size() is
  // their size in bytes.
  void GoOnFrom(const Position& start);
  std::size_t size() const;

 private:
  Status Refuse(const JsonScanner& scanner, const ChunkAnswer& answer) const;

  std::size_t chunk_;
  std::optional<Position> start_;
  // The answers with documents that were not taken. The first one holds the head, or the document
  // that was read last.
  std::vector<ChunkAnswer> answers_;
  std::size_t next_ = 0;  // The number of a document in the first answer.
  // The answer that the head was read from, once the first answer is another one.
  std::optional<ChunkAnswer> spent_;
  DocumentHead head_;
  DocumentHead following_;  // Used while a document is read.
  std::int64_t unread_ = 0;
  std::string read_time_;
  bool has_head_ = false;
  bool has_read_ = false;  // Whether head_ is, or was, a document.
  bool complete_ = false;
};

}  // namespace shardline
