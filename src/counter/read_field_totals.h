#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counter/counter.h"
#include "counter/field_sums.h"
#include "counter/shard_choice.h"
#include "counter/total_reading.h"
#include "firestore/amount.h"
#include "firestore/field_path.h"
#include "operation/operation.h"

namespace shardline {

// Reads the totals of a counter with fields, as of one instant.
//
// The server adds up four fields in one request, but only of documents that have all of them. A
// shard that was last written before the app had one of the fields lacks that field. The request
// therefore also counts the documents that the server adds up. If these are fewer than the shards,
// this operation reads the shards and adds up. It does the same if the server has no index of all
// the fields, if a sum has left the integers' range, and if nothing says how many shards there are.
class ReadFieldTotals final : public Operation {
 public:
  // `fields`: names of fields without dots, at least one. `source`: kSum, or kShards to read the
  // shards in any case.
  ReadFieldTotals(OperationContext& context, std::unique_ptr<const Counter> counter,
                  std::vector<FieldPath> fields, TotalSource source);

  // {"totals": ["3", "0"], "readTime": "…", "added": 10, "shards": 10, "source": "sum", "billed":
  // {…}}: the totals in the order of the fields; `added`, how many documents they are the sums of;
  // `shards`, how many there are, 0 if that was never asked. `source` is "shards" if this client
  // has added up.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t { kCountingShards, kSumming, kListing };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  // The fields of the next request for sums.
  std::vector<FieldPath> NextFields() const;
  void AskForSums();
  void AskForPage();
  Result<Billed> OnShardCount(const PaddedText& body);
  Result<Billed> OnSums(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();

  // Constant after construction.
  std::unique_ptr<const Counter> counter_;
  std::vector<FieldPath> fields_;

  Step step_ = Step::kCountingShards;
  ShardChoice choice_;  // It knows the number of shards. No shard is chosen.
  FieldSums listing_;
  // The totals of the first fields, as far as the server has added them up; in the end, all.
  std::vector<Amount> totals_;
  std::string read_time_;
  std::int64_t added_ = 0;
};

}  // namespace shardline
