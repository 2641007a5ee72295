// Decodes Firestore's small answers. (Sharded queries scan theirs lazily: document_reader.h.)
// Streams can fail in the middle: the error that such a body holds is then the result. Unexpected
// JSON, invalid UTF-8 and an empty answer are kInvalidArgument. All times have been parsed, and
// keep the server's spelling, so that they can be sent back unchanged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_view.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/amount.h"
#include "firestore/streamed_answer.h"

namespace shardline {

// Reads a time and returns it as the server wrote it. Rejects any other text: if a request sent it
// back, the server would blame the caller.
std::string DecodeTime(JsonScanner& scanner);

struct DocumentAnswer {
  std::string name;
  std::string update_time;  // Empty if there is no such document.
  JsonView fields;          // An object of values; absent if it was left out.

  bool exists() const { return !update_time.empty(); }
};

// The answer to a :batchGet or a :runQuery, document by document. It must have a read time.
//
//   DocumentsAnswer answer(body);
//   while (answer.Next()) names.push_back(answer.document().name);
//   SHARDLINE_CHECK(answer.Finish());
class DocumentsAnswer {
 public:
  // The body must outlive it.
  explicit DocumentsAnswer(const PaddedText& body,
                           StreamedAnswer::Asked asked = StreamedAnswer::kDocuments)
      : answer_(body, asked) {}

  // Goes on to the next document, found or missing.
  bool Next();
  const DocumentAnswer& document() const { return document_; }
  // The only document of a :batchGet. Its full name must be `name`.
  DocumentAnswer ReadOnly(std::string_view name);

  // To latch errors.
  JsonScanner& scanner() { return answer_.scanner(); }
  // Requires that Next() has returned false.
  Status Finish();
  // The read time in the last element that has one. Valid after Finish().
  const std::string& read_time() const { return read_time_; }

 private:
  StreamedAnswer answer_;
  DocumentAnswer document_;
  std::string read_time_;
};

// The answer to the :runAggregationQuery of EncodeRunAggregation().
struct SumAndCount {
  Amount sum = Amount::Integer(0);  // Set if the request asked for it.
  std::int64_t count = 0;           // Not negative.
  std::string read_time = {};
  // Set if the request asked for it, and if there are numbers.
  std::optional<Amount> average = {};
};
Status DecodeAggregation(const PaddedText& body, bool has_sum, SumAndCount& result);

// The answer to the :runAggregationQuery that EncodeSums() makes.
struct SumsAndCount {
  std::vector<Amount> sums;
  std::optional<std::int64_t> count;  // Set if the request asked for it; not negative.
  std::string read_time;
};
// `fields` is the number of fields that the server adds up.
Status DecodeSums(const PaddedText& body, std::size_t fields, bool counts, SumsAndCount& result);

// The answer to a :commit.
struct CommitAnswer {
  std::string update_time;  // The update time of the first write; empty for a delete.
  // The results of the transforms of all writes; nullopt for a result that is not a number.
  std::vector<std::optional<Amount>> results;
};
// There must be a result for each of the `writes` writes.
Status DecodeCommit(const PaddedText& body, std::size_t writes, CommitAnswer* answer = nullptr);

}  // namespace shardline
