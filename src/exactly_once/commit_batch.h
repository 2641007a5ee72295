#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "counter/commit_counts.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "exactly_once/marker.h"
#include "firestore/amount.h"
#include "firestore/answers.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// The amount that a batch adds to one counter.
struct BatchIncrement {
  std::unique_ptr<const Counter> counter;  // Has passed ShardChoice::Check().
  Amount delta;                            // Finite. Unused if there are fields.
  // Set for a counter with fields: a finite amount for each of them, most of them 0. A shard gets
  // all, because the server adds up only documents that have all fields.
  std::vector<FieldAmount> fields = {};
};

// All that one commit is to write, and the marker that goes with it.
struct BatchRequest {
  // The marker's full name (marker.h). Empty: there is none, and what is sent again may be applied
  // twice.
  std::string marker = {};
  // Set for a key's marker; empty for all others, and only others can be withdrawn.
  std::string change = {};
  // The batch is not to be applied any more. Nothing that it writes matters then.
  bool withdraws = false;
  std::vector<Write> writes = {};
  std::vector<BatchIncrement> increments = {};
  // The server's clock when the operation begins, or the best guess at it.
  Timestamp now = {};
  // How long ago the batch was made.
  Duration age = {};
  // An earlier operation or another client may have sent the batch, and its outcome is not known.
  bool sent_before = false;
};

struct BatchOutcome {
  enum class Kind : std::uint8_t {
    kCounted,  // It was applied, once. An error says what went wrong with it nevertheless.
    kRefused,  // It was not applied, and never will be.
    kUnknown,  // Nothing tells any more.
    kWaiting,  // It may be sent again at any time.
  };
  Kind kind = Kind::kWaiting;
  std::string commit_time = {};  // Set for kCounted.
  // Set for kCounted with a key: another call has counted it.
  bool by_another = false;
  // The server's last error, unless the batch was applied. A refused batch without an error was
  // withdrawn by another client.
  std::optional<Error> error = {};
  // Set for kCounted: the number of the increment that its shard could not hold.
  std::size_t full = 0;
};

// Applies a batch exactly once, or withdraws it: marker.h has the table. The commit is sent at
// once, without any reading, unless a counter must be asked how many shards it has or the batch is
// old. Each increment goes to a shard drawn at random. After contention, a lost answer or one that
// cannot be read, the same goes to other shards, after a pause; what is lost more than
// retry.max_attempts times is left for another call (kWaiting).
//
// How it ends, and what is reported, is said by the operations that are made of this one.
class CommitBatch : public Operation {
 public:
  // Requires done() and no cancellation.
  const BatchOutcome& outcome() const { return outcome_; }
  // A request of this operation, of an earlier one or of another client may be without an answer.
  bool WasSent() const { return lost_ || request_.sent_before; }

 protected:
  // At least once, where there is no marker: what is sent again may count twice.
  CommitBatch(OperationContext& context, BatchRequest request);

  // The outcome is known: ends the operation.
  virtual void Conclude() = 0;

  const BatchRequest& request() const { return request_; }
  const ShardChoice& choice(std::size_t increment) const { return choices_[increment]; }
  const CommitCounts& commits() const { return commits_; }
  BatchOutcome& mutable_outcome() { return outcome_; }
  // Completes what the server said when rules have denied a commit.
  void AdviseOnRules(Error& error) const;

 private:
  enum class Step : std::uint8_t { kCountingShards, kCommitting, kReading, kWithdrawing };

  void OnStart() override;
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;
  void OnOverslept(CallId id, Call& call) override;

  bool has_marker() const { return !request_.marker.empty(); }
  bool IsTooOld() const { return request_.age + (now() - begun_at_) >= kBatchLife; }

  // Commits, as soon as it is known how many shards all counters have.
  void Prepare();
  Result<Billed> OnShardCount(const PaddedText& body);
  void OnNoShards(const Error& error);
  Call MakeCommit();
  Result<Billed> OnCommitted(const PaddedText& body);
  // Whether a shard could not hold what an increment has added. Takes the increment's results, the
  // last ones, from the answer.
  static bool TakeSaturation(const BatchIncrement& increment, CommitAnswer& answer);
  void OnCommitFailure(const CallFailure& failure);

  Call MakeRead();
  // Before a request is sent again that would write the marker.
  void LookFirstIfTooOld(Call& call);
  // After a request that was refused so.
  void Read(MarkerFate last, const Error& refusal);
  Result<Billed> OnMarker(const PaddedText& body);
  void OnMarkerFailure(const CallFailure& failure);
  void Take(BatchStep next);

  void Withdraw();
  Result<Billed> OnWithdrawn(const PaddedText& body);
  void OnWithdrawFailure(const CallFailure& failure);

  void End(BatchOutcome::Kind kind, std::optional<Error> error);

  // Constant after construction and OnStart().
  BatchRequest request_;
  Instant begun_at_;

  // The step whose answer the operation awaits.
  Step step_ = Step::kCountingShards;
  std::vector<ShardChoice> choices_;  // One choice for each increment.
  // The server's clock, as far as it is known, which no reading has told so far if it was guessed;
  // and what the last commit said in expireAt.
  Timestamp clock_;
  bool has_guessed_ = true;
  Timestamp expiry_;
  // How the last request ended that was to write the marker, and why the first refused one was.
  MarkerFate last_ = MarkerFate::kNone;
  std::optional<Error> refusal_;
  // An answer of this operation's commits was lost.
  bool lost_ = false;

  CommitCounts commits_;
  BatchOutcome outcome_;
};

}  // namespace shardline
