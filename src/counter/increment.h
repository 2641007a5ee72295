#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "counter/counter.h"
#include "firestore/amount.h"
#include "operation/operation.h"

namespace shardline {

// Adds to one random shard of a counter, in the way that the counter's delivery says. Where the
// user has not said how many shards there are, the parent document is asked first. A missing shard
// is made.
class Increment : public Operation {
 public:
  // kInvalidArgument if neither the user nor the layout says how many shards there are. `delta`
  // must be finite.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  const Amount& delta);

  // {"shard": "3", "shards": 10}: which shard was chosen, out of how many.
  void WriteResult(JsonWriter& writer) const override;

 protected:
  Increment(OperationContext& context, std::unique_ptr<const Counter> counter, const Amount& delta);

  // kInvalidArgument if neither the user nor the layout says how many shards there are.
  static Status CheckShards(const Counter& counter);
  // Learns the shard count, if need be, and goes on with OnShardsKnown().
  void Begin();
  // Goes on with the first request to a shard.
  virtual void OnShardsKnown() = 0;
  // The counter's document says that there is no such counter.
  virtual void OnNoCounter(Failure failure) { FinishWithError(std::move(failure)); }
  // The answer to anything but ReadParent().
  virtual Result<Billed> OnShardAnswer(const PaddedText& body) = 0;

  const Counter& counter() const { return *counter_; }
  const Amount& delta() const { return delta_; }
  std::int64_t shard() const { return shard_; }
  // How many there are; 0 until it is known.
  std::int64_t shards() const { return shards_; }
  // Chooses a shard, other than the last one where there is another.
  void PickShard();
  // Requires a number below shards().
  void UseShard(std::int64_t shard) {
    assert(shard >= 0 && shard < shards_);
    shard_ = shard;
  }
  std::string ShardName() const { return counter_->ShardName(shard_); }
  Call CommitCall(std::string body) const;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) final;
  Result<Billed> OnParent(const PaddedText& body);

  std::unique_ptr<const Counter> counter_;
  Amount delta_;
  std::int64_t shards_ = 0;  // 0: not known yet.
  CallId parent_call_ = 0;   // The one that asks how many.
  std::int64_t shard_ = -1;
};

// True if the server's increment, the last of the commit's, stopped at an end of int64, which it
// does without a word; or if the value came to lie there by chance, which looks the same.
bool IsSaturated(const CommitAnswer& answer, const Amount& delta);
Error SaturatedError();

// One write, and no read unless for the shard count. The server adds. After contention or a lost
// answer the write goes to another shard.
class BlindIncrement final : public Increment {
 public:
  BlindIncrement(OperationContext& context, std::unique_ptr<const Counter> counter,
                 const Amount& delta)
      : Increment(context, std::move(counter), delta) {}

 private:
  void OnShardsKnown() override;
  Result<Billed> OnShardAnswer(const PaddedText& body) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  Call WriteCall() const;
};

// Reads a shard, adds here, and writes on the condition that nobody else has written meanwhile:
// what Firestore's libraries do in a transaction, which end users may not open over REST. When
// somebody else has, all of it is done anew on another shard.
//
// A lost answer is asked for by sending the same commit again. If that is refused, either the first
// was applied or somebody else has written; the operation then ends with kOutcomeUnknown. A browser
// that sends a request twice by itself goes unnoticed: only a ledger can settle that.
class TransactionIncrement final : public Increment {
 public:
  TransactionIncrement(OperationContext& context, std::unique_ptr<const Counter> counter,
                       const Amount& delta)
      : Increment(context, std::move(counter), delta) {}

 private:
  void OnShardsKnown() override;
  Result<Billed> OnShardAnswer(const PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void ReadAnyShard();
  Result<Billed> OnRead(const PaddedText& body);
  Result<Billed> OnCommitted(const PaddedText& body);

  bool committing_ = false;
  // How often somebody else has written between our read and our write.
  int conflicts_ = 0;
};

}  // namespace shardline
