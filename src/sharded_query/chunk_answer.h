#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/timestamp.h"

namespace shardline {

// A whole answer to a :runQuery, of which is known where its documents stand. What is in them has
// not been read yet: a page reads those that it returns, and one more of each chunk.
class ChunkAnswer {
 public:
  // Takes the body of an HTTP success that `limit` documents were asked for. Leaves it where it is,
  // and returns why, if it is an error after all (kind and text as the server says), or no complete
  // answer, or one of more documents, or one without the read time that is needed.
  static Result<ChunkAnswer> Take(PaddedText& body, std::size_t limit, bool needs_read_time);

  std::size_t size() const { return documents_.size(); }
  // In front of a document, which is an object.
  JsonScanner Document(std::size_t index) const {
    return JsonScanner::Within(body_, documents_[index]);
  }
  // The latest that an element names, as the server wrote it; empty if none does. All documents are
  // as they were at that moment: where read times rise within an answer, the documents before have
  // not changed meanwhile (RunQueryResponse.read_time).
  const std::string& read_time() const { return read_time_; }
  const PaddedText& body() const { return body_; }

 private:
  ChunkAnswer() = default;

  PaddedText body_;
  std::vector<std::string_view> documents_;
  std::string read_time_;
};

}  // namespace shardline
