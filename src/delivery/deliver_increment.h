#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "counter/commit_counts.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "delivery/batch.h"
#include "delivery/batch_history.h"
#include "delivery/delivery_decision.h"
#include "delivery/ledger.h"
#include "operation/operation.h"

namespace shardline {

// Sends one batch of increments, and finds out what became of it.
//
// With the delivery kExactlyOnce the increment goes together with the client's ledger (ledger.h),
// or with the voter's vote, under a precondition that only one commit can meet. So it does no harm
// to send it again, on another shard too, nor that browsers do so by themselves. Whatever goes
// wrong, the ledger is read, and delivery_decision.h says what comes next:
//
//   - Where others have gone on with a ledger that they share, the same batch is committed anew on
//     it. From the second time on there is a pause before, and another look; after kMaxRounds
//     commits the batch is kUnsettled, and goes on later from the ledger as it was read.
//   - A ledger that others share is read before the first commit. Where it has moved on further
//     than it remembers, the batch is kRestart: made anew, after a pause from the second time on.
//   - The first batch of all relies on there being no ledger; so it is not sent again before the
//     ledger has been looked for, whatever the commit ended with. Where none is there, but may have
//     been, the database's memory is asked (batch_history.h).
//   - What security rules have denied is committed anew by the server's clock, once.
//
// With kAtLeastOnce there is no ledger, and what is sent again may count twice: at most
// retry.max_attempts times where the server's answers cannot be read, which then ends in kUnknown;
// and as often as the network cuts connections behind the server's back, with a pause before each
// time.
//
// Always ends in a DeliveryOutcome; as an error only when it is cancelled.
class DeliverIncrement final : public Operation {
 public:
  static constexpr int kMaxRounds = 16;
  // A batch goes to the first of so many shards that meets with no contention. Its id says which
  // they are, so a later life of the batch knows where an earlier one may have sent it.
  static constexpr std::int64_t kShardChoices = 6;

  // The batch's client id must be a valid document id, its delta finite. kInvalidArgument if
  // neither the user nor the layout says how many shards there are. Where the delivery is
  // kTransaction, it is done as for kAtLeastOnce.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  Batch batch);

  DeliverIncrement(OperationContext& context, std::unique_ptr<const Counter> counter, Batch batch);

  // Requires done() and no error().
  const DeliveryOutcome& outcome() const {
    assert(done() && error() == nullptr);
    return outcome_;
  }

  // The members of DeliveryOutcome, and "shard": "3", "shards": 10, how many commits were tried
  // ("attempts"), and how many of them met with contention ("aborted").
  void WriteResult(JsonWriter& writer) const override;

 private:
  // What is being waited for.
  struct CountingShards {};
  struct Committing {};
  struct ReadingLedger {
    CommitFate why = CommitFate::kNone;
    std::optional<Error> error = {};  // What the commit ended with, or the search for the counter.
    // What a search has found out since the ledger was read first; now it is read once more.
    std::optional<SearchResult> searched = {};
  };
  struct Searching {
    ReadingLedger reading;
    BatchHistory history;
  };
  using Step = std::variant<CountingShards, Committing, ReadingLedger, Searching>;

  void OnStart() override { begun_at_ = now(); }
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  const Counter& counter() const { return *counter_; }
  const Amount& delta() const { return batch_.delta; }
  std::int64_t shard() const { return choice_.shard(); }
  std::int64_t shards() const { return choice_.shards(); }
  std::string ShardName() const { return choice_.ShardName(); }
  bool has_ledger() const { return counter().delivery() == Delivery::kExactlyOnce; }
  std::string LedgerName() const { return counter().LedgerName(batch_.client); }
  void NoteCommit(const CallFailure& failure);
  // When the batch was first sent, at the latest.
  void NoteSent();
  void ChooseShard();

  void OnShardCount(Failure&& no_counter);
  void OnShardsKnown();
  // The counter's document says that there is no such counter.
  void OnNoCounter(Error error);

  void Commit();
  Call MakeCommit();
  std::optional<Timestamp> Expiry() const;
  Result<Billed> OnCommitted(const PaddedText& body);
  void OnCommitFailure(const CallFailure& failure);
  void OnBlindFailure(const CallFailure& failure);
  void AdviseOnRules(std::string& message) const;

  // Asks what became of the batch; after a pause if that many attempts have failed.
  Call LedgerCall(int failures);
  void ReadLedger(ReadingLedger reading, int failures);
  Result<Billed> OnLedger(const PaddedText& body);
  void OnLedgerFailure(ReadingLedger reading, const CallFailure& failure);
  DeliveryFacts FactsAfter(const ReadingLedger& reading, const LedgerReading& ledger);

  // The ledger is gone.
  void OnGone(ReadingLedger reading);
  // Whether what was read then, and has been asked for last, still holds.
  bool IsFresh(Timestamp read) const;
  void EndSearch(SearchResult result, ReadingLedger reading);
  bool MayHaveExpired() const;
  void Search(ReadingLedger reading);
  void SendSearch();
  Result<Billed> OnSearchAnswer(const PaddedText& body);
  void OnSearchFailure(const CallFailure& failure);
  void OnSearched(SearchResult result);

  void Take(NextStep next, ReadingLedger reading);
  // Commits on the ledger as it was read; after a pause and another look if it was not the first.
  void CommitOnLedger(CommitFate why);
  void End(DeliveryOutcome::Kind kind, std::optional<Error> error = std::nullopt);
  void EndUnknown(std::string why);

  std::unique_ptr<const Counter> counter_;
  ShardChoice choice_;
  Batch batch_;
  Step step_;
  // What the next commit relies on, and what is known of those that have relied on it.
  LedgerState basis_;
  bool maybe_counted_;
  int idle_conflicts_ = 0;
  // What was read last.
  std::optional<LedgerReading> ledger_;
  DeliveryFacts facts_;
  // By the server's clock: when the batch was first sent, at the latest; and what the last search
  // knows of the ledger.
  std::optional<Timestamp> sent_;
  Timestamp searched_as_of_;
  // When the ledger was asked for last, or the search began.
  Instant asked_at_;
  // When this life of the batch began, and what its last commit said in expireAt.
  Instant begun_at_;
  std::optional<Timestamp> expiry_;
  // Commits that have not settled it.
  int rounds_ = 0;
  std::int64_t moves_ = 0;
  CommitCounts commits_;
  DeliveryOutcome outcome_;
};

}  // namespace shardline
