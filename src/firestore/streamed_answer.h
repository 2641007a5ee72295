#pragma once

#include <string_view>

#include "base/json_scanner.h"
#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Walks the answer of a streaming method (:batchGet, :runQuery, :runAggregationQuery): an array of
// objects. The stream can fail in the middle: then the last object, or the only thing there is, is
// {"error": {…}}.
//
//   while (answer.NextElement()) {
//     while (answer.NextKey(key)) {
//       if (key == "readTime") time = answer.scanner().String(); else answer.scanner().SkipValue();
//     }
//   }
//   SHARDLINE_CHECK(answer.Finish("the answer"));
class StreamedAnswer {
 public:
  // The body must outlive it.
  explicit StreamedAnswer(const PaddedText& body) : body_(body), scanner_(body) {}

  bool NextElement();
  // The next member of this object; its value must be read or skipped.
  bool NextKey(std::string_view& raw_key);
  // Reads the values; its errors are kept until Finish().
  JsonScanner& scanner() { return scanner_; }

  // What went wrong: the server's error if there is one, else what is not as expected, down to the
  // end of the body. `what` names it in the message.
  Status Finish(std::string_view what);

 private:
  const PaddedText& body_;
  JsonScanner scanner_;
  bool begun_ = false;
  bool has_error_ = false;
  // An object without an array around it, which only an error may be.
  bool alone_ = false;
};

}  // namespace shardline
