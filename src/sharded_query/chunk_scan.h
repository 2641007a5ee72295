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

// The documents of one chunk, one after the other, as far as they have been fetched. Reads only
// those documents of each answer that the caller asks for.
class ChunkScan {
 public:
  // `start` is where the chunk's first query begins.
  ChunkScan(std::size_t chunk, std::optional<Position> start)
      : chunk_(chunk), start_(std::move(start)) {}

  // The answer to a request for `asked` documents behind the last one fetched.
  void Add(ChunkAnswer answer, std::int64_t asked);

  // Goes on to the next document, unless there is none here: then has_head() is false. A fault of
  // the server is an error, worded by UnreadableAnswer().
  Status Next(DocumentReader& reader);
  bool has_head() const { return has_head_; }
  const DocumentHead& head() const { return head_; }

  // Documents fetched and not taken, the head included.
  std::int64_t unread() const { return unread_ + (has_head_ ? 1 : 0); }
  // Whether the server has no more than has been fetched.
  bool complete() const { return complete_; }
  // Where to ask for more: behind the last document fetched. nullopt before there is one.
  Result<std::optional<Position>> End(DocumentReader& reader);

  // The latest that an answer names, as the server wrote it; empty if none does.
  const std::string& read_time() const { return read_time_; }

  // Keeps the documents that were not taken, for another page that begins at `start`; size() is
  // their size in bytes.
  void GoOnFrom(const Position& start);
  std::size_t size() const;

 private:
  Status Refuse(const JsonScanner& scanner, const ChunkAnswer& answer) const;

  std::size_t chunk_;
  std::optional<Position> start_;
  // Those of which documents are still to be taken. The first one holds the head, or the document
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
