#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/padded_text.h"
#include "counter/counter.h"
#include "counter/field_sums.h"
#include "counter/total_reading.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"
#include "operation/executor.h"

namespace shardline {

// The fields of the shards that are counted together.
struct CountedFields {
  // Names without dots, at least one.
  std::vector<FieldPath> fields;
  // Every shard has all of them: the app has always had these fields.
  bool is_complete = false;
};

// Reads the totals of several fields of a counter's shards, as of one instant.
//
// The server adds up several fields in one request, but only of documents that have all of them. A
// shard that was last written before the app had one of the fields lacks that field. Unless the
// fields are complete, the requests therefore also count the documents that the server adds up, and
// a last request counts all documents of the collection. If there are more, this reading takes the
// shards, and adds up itself. It does the same if the server has no index of all the fields, and if
// a sum has left the integers' range.
//
// It is a part of an operation: it sends its calls with the operation's executor, and the operation
// hands over the outcome of each.
class FieldReading {
 public:
  // All three must outlive it. Sends nothing yet.
  FieldReading(Executor& executor, const Counter& counter, const CountedFields& counted)
      : executor_(executor),
        counter_(counter),
        counted_(counted),
        listing_(counter, counted.fields) {}

  // Sends the first call. `source`: kSum, or kShards to read the shards in any case.
  void Start(TotalSource source);
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  Result<Billed> HandleAnswer(const PaddedText& body);
  // A call has ended without a usable answer. False: that ends the operation.
  bool HandleFailure(const CallFailure& failure);

  bool complete() const { return step_ == Step::kDone; }
  // In the order of the fields. Requires complete(). kOutOfRange if no 64-bit integer holds one of
  // them.
  Result<std::vector<Amount>> AddUp() const;
  // As the server wrote it. Valid when complete.
  const std::string& read_time() const { return read_time_; }
  // {"totals": ["3", "0"], "readTime": "…", "added": 10, "source": "sum", "billed": {…}}: `added`
  // is the number of documents whose sums they are; 0 if the fields are complete and the server has
  // added up. `source` is "shards" if this client has added up.
  void Write(JsonWriter& writer, const std::vector<Amount>& totals, const Billed& billed) const;

 private:
  enum class Step : std::uint8_t { kSumming, kCounting, kListing, kDone };

  // The fields of the next request for sums.
  std::vector<FieldPath> NextFields() const;
  void AskForSums();
  void AskForCount();
  void AskForPage();
  Result<Billed> OnSums(const PaddedText& body);
  Result<Billed> OnCount(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);

  Executor& executor_;
  const Counter& counter_;
  const CountedFields& counted_;
  Step step_ = Step::kSumming;
  bool is_listing_ = false;
  FieldSums listing_;
  // The totals of the first fields, as far as the server has added them up.
  std::vector<Amount> sums_;
  // How many documents have the fields of each request so far. Requests whose numbers differ end
  // the summing.
  std::int64_t added_ = 0;
  std::string read_time_;
};

}  // namespace shardline
