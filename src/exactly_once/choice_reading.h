#pragma once

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

// The choices of a set that the app offers.
struct OfferedChoices {
  // Names of fields without dots, at least one.
  std::vector<FieldPath> fields;
  // The app has always offered these choices.
  bool is_complete = false;
};

// Reads how many members of a set of choices have each choice: the sums of the shards' fields.
//
// The server adds up to five fields in one request, but only of documents that have all of them. A
// shard that was last written before the app offered one of the choices lacks a field. Unless the
// choices are complete, the server also counts the documents that it adds up, and if these are
// fewer than the shards, this reading takes the shards and adds up. It does the same if the server
// has no index of all the fields, if there are too many fields, or if a sum may be beyond int64:
// the server has rounded such a sum.
//
// It is a part of an operation: it sends its calls with the operation's executor, and the operation
// hands over the outcome of each.
class ChoiceReading {
 public:
  // All three must outlive it. Sends nothing yet.
  ChoiceReading(Executor& executor, const Counter& counter, const OfferedChoices& choices)
      : executor_(executor),
        counter_(counter),
        choices_(choices),
        listing_(counter, choices.fields) {}

  // Sends the first call. `source`: kSum, or kShards to read the shards in any case.
  void Start(TotalSource source);
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  Result<Billed> HandleAnswer(const PaddedText& body);
  // A call has ended without a usable answer. False: that ends the operation.
  bool HandleFailure(const CallFailure& failure);

  bool complete() const { return is_complete_; }
  // The counts, in the order of the choices. Requires complete(). kOutOfRange if no 64-bit integer
  // holds one of them.
  Result<std::vector<Amount>> AddUp() const;
  // As the server wrote it. Valid when complete.
  const std::string& read_time() const { return read_time_; }
  // {"counts": ["3", "0"], "readTime": "…", "source": "sum", "billed": {…}}. `source` is "shards"
  // if this client has added up.
  void Write(JsonWriter& writer, const std::vector<Amount>& counts, const Billed& billed) const;

 private:
  void AskForSums();
  void AskForPage();
  Result<Billed> OnSums(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);

  Executor& executor_;
  const Counter& counter_;
  const OfferedChoices& choices_;
  // Whether this client reads the shards.
  bool is_listing_ = false;
  bool is_complete_ = false;
  FieldSums listing_;
  std::vector<Amount> sums_;  // By the server.
  std::string read_time_;
};

}  // namespace shardline
