#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "firestore/amount.h"
#include "operation/operation.h"

namespace shardline {

enum class TotalSource : std::uint8_t {
  kSum,     // One aggregation: one read for every 1,000 shards that are started.
  kShards,  // Every shard document: the documented samples' way, one read each.
};

// Reads what a counter has counted, as of one instant.
//
// The server adds up. Where it cannot (an emulator or a proxy without aggregations, a field
// exempted from indexing), and where its sum has left the integers' range, all shards are listed
// instead and added up here, exactly.
//
// In the layout of the firestore-counter extension, whose workers move counts about at any time,
// partials and the counter's document are read as of the same instant and added: three reads, as
// long as there are no partials.
class ReadTotal : public Operation {
 public:
  ReadTotal(OperationContext& context, std::unique_ptr<const Counter> counter, TotalSource source);

  // {"value": "42", "readTime": "…", "shards": 10, "source": "sum", "billed": {…}}, where `shards`
  // is the number of shard documents that have the count field. Of a listing also "perShard": {"0":
  // "4", …}, and in the extension's layout what the counter's document holds: "main": "7".
  void WriteResult(JsonWriter& writer) const override;

 protected:
  // Sends nothing yet.
  ReadTotal(OperationContext& context, std::unique_ptr<const Counter> counter)
      : Operation(context),
        counter_(std::move(counter)),
        listing_(*counter_, ShardListing::Reads::kField) {}
  void Begin(TotalSource source);
  // The total is known.
  virtual void OnTotal() { Finish(); }

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  const Counter& counter() const { return *counter_; }
  const SumAndCount& total() const { return total_; }
  void set_total(const SumAndCount& total) { total_ = total; }

 private:
  CallId Ask(Call call);
  void AskForSum();
  void AskForPage() { Ask(listing_.NextPage()); }
  // The server cannot add up.
  void ListInstead();
  Result<Billed> OnPart(CallId id, const PaddedText& body);
  Result<Billed> OnSum(const PaddedText& body);
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDocument(const PaddedText& body);
  void OnListed();
  void AddUp();

  std::unique_ptr<const Counter> counter_;
  TotalSource source_ = TotalSource::kSum;
  // All shards, or the partials that the server's sum leaves out.
  ShardListing listing_;
  SumAndCount total_;
  // What the counter's document holds, in the extension's layout.
  Amount main_ = Amount::Integer(0);
  CallId sum_call_ = 0;
  CallId document_call_ = 0;
  int awaited_ = 0;
};

}  // namespace shardline
