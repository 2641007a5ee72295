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

// All writes of one commit, and their marker (an idempotency key).
struct BatchRequest {
  // The marker's full name (marker.h). Empty: the batch has no marker, and a repeated request may
  // be applied twice.
  std::string marker = {};
  // Set for a key's marker; empty for all others, and only others can be withdrawn.
  std::string change = {};
  // Withdraws the batch: it must not be applied any more, and its writes do not matter.
  bool withdraws = false;
  std::vector<Write> writes = {};
  std::vector<BatchIncrement> increments = {};
  // The server's clock when the operation begins, or the best guess at it.
  Timestamp now = {};
  // How long ago the batch was made.
  Duration age = {};
  // An earlier operation or another client may have sent the batch, with an unknown outcome.
  bool sent_before = false;
};

struct BatchOutcome {
  enum class Kind : std::uint8_t {
    kCounted,  // It was applied, once. An error then names a fault of the applied batch.
    kRefused,  // It was not applied, and never will be.
    kUnknown,  // Its marker cannot tell any more.
    kWaiting,  // It may be sent again at any time.
  };
  Kind kind = Kind::kWaiting;
  std::string commit_time = {};  // Set for kCounted.
  // Set for kCounted with a key: another call has counted it.
  bool by_another = false;
  // The server's last error, unless the batch was applied. A refused batch without an error was
  // withdrawn by another client.
  std::optional<Error> error = {};
  // Set for kCounted: the number of the increment whose sum its shard could not hold.
  std::size_t full = 0;
};

// Applies a batch exactly once, or withdraws it: marker.h has the table. The operation sends the
// commit at once, and reads nothing before, unless it must read a counter's number of shards or the
// batch is old. Each increment goes to a shard drawn at random. After contention, and after an
// answer that is lost or cannot be read, the operation sends the batch to other shards, after a
// pause. After retry.max_attempts lost answers it leaves the batch for another call (kWaiting).
//
// Subclasses define the end and the result.
class CommitBatch : public Operation {
 public:
  // Requires done(), and that the operation was not cancelled.
  const BatchOutcome& outcome() const { return outcome_; }
  // True if a request of this operation, of an earlier one or of another client may be without an
  // answer.
  bool WasSent() const { return lost_ || request_.sent_before; }

 protected:
  // Without a marker the batch is applied at least once: a repeated request may count twice.
  CommitBatch(OperationContext& context, BatchRequest request);

  // Ends the operation, when the outcome is known.
  virtual void Conclude() = 0;

  const BatchRequest& request() const { return request_; }
  const ShardChoice& choice(std::size_t increment) const { return choices_[increment]; }
  const CommitCounts& commits() const { return commits_; }
  BatchOutcome& mutable_outcome() { return outcome_; }
  // Adds advice to the server's error when rules have denied a commit.
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
  // Reads the marker of a batch that is too old, before a request that writes the marker is sent
  // again.
  void LookFirstIfTooOld(Call& call);
  // Reads the marker after a refused request.
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
  // The best guess at the server's clock, whether it is only a guess, and the expireAt of the last
  // commit.
  Timestamp clock_;
  bool has_guessed_ = true;
  Timestamp expiry_;
  // The end of the last request that writes the marker, and the error of the first refused one.
  MarkerFate last_ = MarkerFate::kNone;
  std::optional<Error> refusal_;
  // An answer of this operation's commits was lost.
  bool lost_ = false;

  CommitCounts commits_;
  BatchOutcome outcome_;
};

}  // namespace shardline
