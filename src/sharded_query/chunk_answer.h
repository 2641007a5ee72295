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

// A whole answer to a :runQuery, for lazy parsing. It knows the position of each document, and has
// read none: a page reads the documents that it returns, and one more of each chunk.
class ChunkAnswer {
 public:
  // Takes the body of an HTTP success, the answer to a request for `limit` documents. Fails, and
  // leaves the body to the caller, if it holds an error (with the server's code and message), is
  // incomplete, has more documents than that, or has no read time although it `needs_read_time`.
  static Result<ChunkAnswer> Take(PaddedText& body, std::size_t limit, bool needs_read_time);

  std::size_t size() const { return documents_.size(); }
  // A scanner in front of a document, which is an object.
  JsonScanner Document(std::size_t index) const {
    return JsonScanner::Within(body_, documents_[index]);
  }
  // The latest read time in the answer, as the server wrote it; empty if there is none. All
  // documents are as of that time: if read times rise within an answer, the earlier documents have
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
