#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>

#include "base/json_writer.h"
#include "base/padded_text.h"
#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "firestore/amount.h"
#include "firestore/answers.h"
#include "operation/executor.h"

namespace shardline {

enum class TotalSource : std::uint8_t {
  kSum,     // One aggregation: one read for every 1,000 shards that are started.
  kShards,  // Every shard document: the documented samples' way, one read each.
};

// A sum of integers that leaves int64 comes back as a double. It then looks like the sum of a
// counter of doubles.
bool MayHaveOverflown(const Amount& sum);
// Whether the client can list the shards after an aggregation has failed with this code. Listing
// works without aggregations and, by document name, without an index on the count. Servers that do
// not know aggregations answer NOT_FOUND.
bool CannotAggregate(Code code);

// Begins an object with the members that every total has: {"value": "42", "readTime": "…",
// "shards": 10, "source": "sum", "billed": {…}
void BeginTotal(JsonWriter& writer, const SumAndCount& total, std::string_view source,
                const Billed& billed);

// Reads a counter's total, as of one instant (a snapshot read).
//
// The server adds up. If it cannot (an emulator or a proxy without aggregations, a field exempted
// from indexing), or if its sum leaves the integers' range, this client reads all shards and adds
// them up exactly.
//
// In the layout of the firestore-counter extension, whose workers move counts about at any time,
// partials and the counter's document are read as of the same instant and added: three reads, as
// long as there are no partials.
//
// It is a part of an operation: it sends its calls with the operation's executor, and the operation
// hands over the answers and failures.
class TotalReading {
 public:
  // Both must outlive it. Sends nothing yet.
  TotalReading(Executor& executor, const Counter& counter)
      : executor_(executor), counter_(counter), listing_(counter, ShardListing::Reads::kField) {}

  // Sends the first calls. Requires that it has not been called before.
  void Start(TotalSource source);
  // Takes in an answer, and returns the operations billed for it. When it fails, nothing has
  // changed.
  Result<Billed> HandleAnswer(CallId id, const PaddedText& body);
  // A call has ended without a usable answer. False: that ends the operation.
  bool HandleFailure(CallId id, const CallFailure& failure);

  // Everything has been read.
  bool complete() const { return started_ && awaited_ == 0; }
  // Requires complete(). kOutOfRange if no 64-bit integer holds the total.
  Status AddUp(SumAndCount& total) const;
  // {"value": "42", "readTime": "…", "shards": 10, "source": "sum", "billed": {…}}, where `shards`
  // is the number of shard documents that have the count field. A listing adds "perShard": {"0":
  // "4", …}, and in the extension's layout the count in the counter's document: "main": "7".
  void Write(JsonWriter& writer, const SumAndCount& total, const Billed& billed) const;

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

  Executor& executor_;
  const Counter& counter_;
  TotalSource source_ = TotalSource::kSum;
  // All shards, or the partials that the server's sum leaves out.
  ShardListing listing_;
  // The server's.
  SumAndCount sum_;
  // The count in the counter's document, in the extension's layout.
  Amount main_ = Amount::Integer(0);
  CallId sum_call_ = 0;
  CallId document_call_ = 0;
  int awaited_ = 0;
  bool started_ = false;
};

}  // namespace shardline
