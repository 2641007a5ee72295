#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counter/counter.h"
#include "counter/total_reading.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"
#include "operation/operation.h"

namespace shardline {

// Reads how many members of a set of choices have each choice: the sums of the shards' fields.
//
// The server adds up to five fields in one request, but only of documents that have all of them. A
// shard that was last written before the app offered one of the choices lacks a field. Unless
// `is_complete`, the server also counts the documents that it adds up, and if these are fewer than
// the shards, this operation reads the shards and adds up. It does the same if the server has no
// index of all the fields, or if there are too many fields.
class ReadChoices final : public Operation {
 public:
  // `choices`: names of fields without dots, at least one. `is_complete`: the app has always
  // offered these choices. `source`: kSum, or kShards to read the shards in any case.
  ReadChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
              std::vector<FieldPath> choices, bool is_complete, TotalSource source);

  // {"counts": ["3", "0"], "readTime": "…", "source": "sum", "billed": {…}}: the counts in the
  // order of the choices. `source` is "shards" if this client has added up.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void AskForSums();
  void AskForPage();
  Result<Billed> OnSums(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  void End();

  std::unique_ptr<const Counter> counter_;
  std::vector<FieldPath> choices_;
  bool is_complete_;
  // Whether this client reads the shards.
  bool is_listing_ = false;
  std::string last_shard_;  // The full name of the last one that was read.
  std::vector<Sum> sums_;
  std::vector<Amount> counts_;
  std::string read_time_;
};

}  // namespace shardline
