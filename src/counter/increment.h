#pragma once

#include <cstdint>
#include <memory>

#include "counter/commit_counts.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "firestore/amount.h"
#include "firestore/answers.h"
#include "operation/operation.h"

namespace shardline {

// True if the server's increment, the last of the commit's, stopped at an end of int64. The server
// reports no error then. Also true if the value reached that end by chance, which looks the same.
bool IsSaturated(const CommitAnswer& answer, const Amount& delta);
Error SaturatedError();

// Optimistic concurrency: reads a shard, adds here, and writes on the condition that no other
// client has written meanwhile. Firestore's libraries do the same in a transaction, which end users
// may not open over REST. If another client has written, the operation begins again on another
// shard.
//
// After a lost answer, the operation sends the same commit again. If the server refuses that,
// either the first was applied or another client has written; the operation then ends with
// kOutcomeUnknown. A browser that sends a request twice by itself goes unnoticed: only a marker can
// settle that.
class TransactionIncrement final : public Operation {
 public:
  // kInvalidArgument if neither the user nor the layout says how many shards there are. `delta`
  // must be finite.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  const Amount& delta);
  // Use Start().
  TransactionIncrement(OperationContext& context, std::unique_ptr<const Counter> counter,
                       const Amount& delta);

  // {"shard": "3", "shards": 10}, and CommitCounts: which shard was chosen, out of how many.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class State : std::uint8_t { kCountingShards, kReadingShard, kCommitting };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void OnShardCount(Failure&& no_counter);
  void ReadAnyShard();
  Result<Billed> OnShard(const PaddedText& body);
  void Commit(const CountedDocument& shard, const Amount& sum);
  Result<Billed> OnCommitted(const PaddedText& body);

  std::unique_ptr<const Counter> counter_;
  Amount delta_;
  ShardChoice choice_;
  State state_ = State::kCountingShards;
  // How often another client has written between our read and our write: each was a commit that met
  // with contention.
  int conflicts_ = 0;
};

// The next step of a transaction's increment when its commit has failed.
enum class TransactionStep : std::uint8_t {
  kAnotherShard,  // Other clients have written to the shard since it was read: all of it is done
                  // again.
  kContended,     // They keep doing so.
  kFails,         // The commit's failure is the operation's.
};
// `conflicts` counts the commits that other clients' writes have refused, without this one.
TransactionStep DecideTransaction(const CallFailure& failure, int conflicts, int max_attempts);

}  // namespace shardline
