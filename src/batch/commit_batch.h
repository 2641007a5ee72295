#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "batch/batch_marker.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "firestore/amount.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// What a batch adds to one counter.
struct BatchIncrement {
  std::unique_ptr<const Counter> counter;
  Amount delta;  // Finite.
  // Which of the user's increments these are, for the result.
  std::vector<std::size_t> places = {0};
  // What the counter's rules allow one commit to add, up or down.
  std::optional<Amount> most = {};
};

// All that one commit is to write, and the marker that goes with it.
struct BatchRequest {
  std::string id;  // Of the marker: a valid document id, drawn for this batch alone.
  // The batch is not to be applied any more. Nothing else of the request matters then.
  bool withdraws = false;
  std::vector<Write> writes = {};
  std::vector<BatchIncrement> increments = {};
  // The server's clock, if it is known.
  std::optional<Timestamp> server_now = {};
  // An earlier operation has sent the same batch, and did not learn what became of it: so long ago
  // it began.
  std::optional<Duration> sent_before = {};
};

// Applies a batch exactly once, or withdraws it; see batch_marker.h. Each counter's increment goes
// to a shard drawn at random, and to another one where the commit meets with contention.
//
// No commit is sent again blindly: after weeks of sleep the marker might have expired, and the
// batch be applied twice. So after each lost answer the marker is read, which takes a pause from
// the second time on.
//
// A batch that the server refuses, surely, ends with what it said, and nothing of it was or will be
// applied. One that ends with kOutcomeUnknown may be asked for again with the same id.
class CommitBatch final : public Operation {
 public:
  // kInvalidArgument if the request is larger than Firestore takes, or if neither the user nor the
  // layout says how many shards a counter has.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context, BatchRequest request);
  // Use Start().
  CommitBatch(OperationContext& context, BatchRequest request);

  // {"applied": true, "commitTime": "…", "shards": [10]}: how many shards the counter of each of
  // the user's increments has, 0 where that was never asked. `commitTime` stands there if it was
  // applied.
  void WriteResult(JsonWriter& writer) const override;

 private:
  struct Increment {
    const BatchIncrement& asked;
    ShardChoice choice;
  };
  // What is being waited for.
  struct CountingShards {
    std::size_t increment;
  };
  struct Committing {};
  struct ReadingMarker {
    MarkerFate last = MarkerFate::kNone;
  };
  struct Withdrawing {};
  using Step = std::variant<CountingShards, Committing, ReadingMarker, Withdrawing>;

  void OnStart() override { begun_at_ = now(); }
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  // Commits, as soon as it is known how many shards all counters have.
  void Prepare();
  void OnShardCount(Failure&& no_counter);
  void OnNoShards(Error error);

  void Commit();
  Call MakeCommit();
  Result<Billed> OnCommitted(const PaddedText& body);
  void OnCommitFailure(const CallFailure& failure);

  void Read(MarkerFate last);
  Result<Billed> OnMarker(const PaddedText& body);
  void OnMarkerFailure(const CallFailure& failure);
  BatchFacts FactsAfter(MarkerFate last, Timestamp read_time);
  void Take(BatchStep next);

  void Withdraw();
  Result<Billed> OnWithdrawn(const PaddedText& body);
  void OnWithdrawFailure(const CallFailure& failure);

  // The end: the batch was applied, or it was not and never will be.
  void EndApplied(std::string commit_time);
  void EndWithdrawn();
  // It was not applied.
  void Refuse(Error error);
  void EndUnknown(std::string why);

  BatchRequest request_;
  std::vector<Increment> increments_;
  std::string name_;  // The marker's.
  Step step_;
  // A commit may have been applied, or may still arrive.
  bool maybe_applied_;
  // What was refused last, and why.
  std::optional<Error> refusal_;
  // The server's clock, as it was learnt last.
  std::optional<Timestamp> clock_;
  // What the last commit said in expireAt, and the earliest of those that may have been applied.
  Timestamp expiry_;
  std::optional<Timestamp> first_expiry_;
  Instant begun_at_;
  int reads_ = 0;
  bool applied_ = false;
  std::string commit_time_;
};

}  // namespace shardline
