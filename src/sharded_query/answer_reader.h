#pragma once

#include <cstddef>
#include <string_view>

#include "base/json_scanner.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "sharded_query/document_head.h"
#include "sharded_query/plain_writer.h"

namespace shardline {

// Refuses the body of a :runQuery that is an error after all (kind and text as the server says),
// that is something else, or that breaks off. Looks at its two ends, and only if these say too
// little at all of it.
Status CheckAnswer(const PaddedText& body);

// How many documents a body that passed CheckAnswer() holds, without reading it: the billed reads.
// It must not hold more than `limit`, and is counted quickly if it holds as many.
std::size_t CountDocuments(const PaddedText& body, std::size_t limit);

// Reads the documents of a :runQuery answer one at a time, and never further than it is asked. A
// small value: a copy reads on by itself.
class AnswerReader {
 public:
  // The body must outlive the reader and have passed CheckAnswer(); its memory may change owners.
  explicit AnswerReader(const PaddedText& body) : scanner_(body) { scanner_.BeginArray(); }

  // Reads the next document into `head`. False at the end, when `head` is as it was, and at an
  // error.
  bool Next(PlainWriter& writer, DocumentHead& head);

  // Of the first element that names one, as the server wrote it; empty before.
  std::string_view read_time() const { return read_time_; }

  bool ok() const { return scanner_.ok(); }
  // For callers that know that there was to be one.
  void RejectAsEmpty() { scanner_.Reject("it holds no document"); }
  // Requires !ok().
  Error error() const { return scanner_.failure("the answer to the query").error(); }

 private:
  // The rest of an element; true if it holds a document.
  bool ReadElement(PlainWriter& writer, DocumentHead& head);
  void ReadDocument(PlainWriter& writer, DocumentHead& head);

  JsonScanner scanner_;
  std::string_view read_time_;
  bool ended_ = false;
};

}  // namespace shardline
