#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/json_members.h"
#include "base/json_scanner.h"
#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Walks the answer of a streaming method (:batchGet, :runQuery, :runAggregationQuery): an array of
// objects, in UTF-8. The stream can fail in the middle: then the last object, or the only thing
// there is, is {"error": {…}}.
//
// There must be an object, and each must have a member that the v1 API defines for one of these
// methods: an empty answer is an error of the server, and not an empty result. A member that the
// API defines for another method belongs to the answer to another request, and is an error, too.
// Further members may be anything.
//
//   while (answer.NextElement()) {
//     while (answer.Next()) {
//       if (answer.Is("readTime")) time = answer.scanner().String();
//     }
//   }
//   SHARDLINE_CHECK(answer.Finish("the answer"));
class StreamedAnswer {
 public:
  // A set of the methods that the request may have called.
  enum Asked : std::uint8_t { kBatchGet = 1, kQuery = 2, kDocuments = 3, kAggregation = 4 };

  // The body must outlive it.
  StreamedAnswer(const PaddedText& body, Asked asked);

  // From now on, refuses members of other methods.
  void Expect(Asked asked) { asked_ = asked; }

  bool NextElement();
  // The next member of this object; see JsonMembers.
  bool Next();
  bool Is(std::string_view name) const { return members_->Is(name); }
  // Reads the values; its errors are kept until Finish().
  JsonScanner& scanner() { return scanner_; }

  // Reads to the end of the body. Returns the server's error if there is one, otherwise the first
  // fault of the answer. `what` names the answer in the message.
  Status Finish(const char* what);

 private:
  const PaddedText& body_;
  Asked asked_;
  JsonScanner scanner_;
  std::optional<JsonMembers> members_;
  bool begun_ = false;
  // Whether this object has had a member that the API defines.
  bool says_something_ = false;
  bool has_error_ = false;
  // True for an object without an array around it, which must be an error.
  bool alone_ = false;
};

}  // namespace shardline
