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

// A whole answer to a :runQuery. It knows where each document stands, and has not read them: a page
// reads those that it returns, and one more of each chunk.
class ChunkAnswer {
 public:
  // Takes the body of an HTTP success; `limit` documents were asked for. Fails, and leaves the body
  // where it is, if it is an error after all (kind and text as the server says), or no complete
  // answer, or if it has more documents than that, or no read time although it `needs_read_time`.
  static Result<ChunkAnswer> Take(PaddedText& body, std::size_t limit, bool needs_read_time);

  std::size_t size() const { return documents_.size(); }
  // In front of a document, which is an object.
  JsonScanner Document(std::size_t index) const {
    return JsonScanner::Within(body_, documents_[index]);
  }
  // The latest read time in the answer, as the server wrote it; empty if there is none. All
  // documents are as they were then: where read times rise within an answer, the documents before
  // have not changed meanwhile (RunQueryResponse.read_time).
  const std::string& read_time() const { return read_time_; }
  const PaddedText& body() const { return body_; }

 private:
  ChunkAnswer() = default;

  PaddedText body_;
  std::vector<std::string_view> documents_;
  std::string read_time_;
};

}  // namespace shardline
