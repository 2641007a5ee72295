#pragma once

#include <memory>
#include <optional>
#include <string>

#include "counter/delivery.h"
#include "counter/increment.h"
#include "counter/ledger.h"

namespace shardline {

// Sends one batch of increments, and finds out what became of it.
//
// With the delivery kExactlyOnce the increment goes together with the client's ledger (ledger.h),
// under a precondition that only one commit can meet; so it does no harm to send it again, on
// another shard too, nor that browsers do so by themselves. When a precondition has failed, also on
// the first attempt, the ledger tells:
//
//   it names this batch                      it was counted
//   it is at the batch before                it was not: once more, with the ledger's update time
//   another batch of this number stands      it was not; somebody else writes this ledger, for
//   there                                    storage was copied or the id is shared: kRestart
//   it is further on                         nobody can tell: kUnknown
//   it is gone, though there was one         if the batch may have been sent before, nobody can
//                                            tell; otherwise kRestart, with a new ledger
//   there never was one                      it was not counted, unless so much time has passed
//                                            that the ledger may have expired meanwhile
//   there is no counter either               it was not counted, or what it counted was deleted
//
// The first batch of all relies on there being no ledger; so it is not sent again before the ledger
// has been looked for. With kAtLeastOnce there is no ledger, and what is sent again may count
// twice.
//
// Always ends in a DeliveryOutcome; as an error only when it is cancelled.
class DeliverIncrement final : public Increment {
 public:
  // The batch's client id must be a valid document id, its delta finite. kInvalidArgument if
  // neither the user nor the layout says how many shards there are. Not for kTransaction.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  Batch batch);

  DeliverIncrement(OperationContext& context, std::unique_ptr<const Counter> counter, Batch batch);

  // Requires done() and no error().
  const DeliveryOutcome& outcome() const { return outcome_; }

  // The members of DeliveryOutcome, and "shard": "3", "shards": 10, how many commits were tried
  // ("attempts"), and how many of them met with contention ("aborted").
  void WriteResult(JsonWriter& writer) const override;

 private:
  void OnShardsKnown() override;
  void OnNoCounter(Failure failure) override;
  Result<Billed> OnShardAnswer(const PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  void Commit();
  Call MakeCommit() const;
  // Asks what became of the batch; after a pause if that many attempts have failed.
  void ReadLedger(int failures);

  Result<Billed> OnCommitted(const PaddedText& body);
  void OnCommitFailure(const CallFailure& failure);
  Result<Billed> OnLedger(const PaddedText& body);
  void OnEarlierLedger();
  void OnNoLedger();
  void OnLedgerFailure(const CallFailure& failure);

  bool has_ledger() const { return counter().delivery() == Delivery::kExactlyOnce; }
  std::string LedgerName() const { return counter().LedgerName(batch_.client); }
  // The batch has not been counted: sends it once more, or has it made anew; unless it was refused
  // for good.
  void CommitAgain();
  void Restart();
  void OnRefused(Error error);
  void End(DeliveryOutcome::Kind kind, std::optional<Error> error = std::nullopt);
  void EndUnknown(std::string why);

  enum class Step : std::uint8_t { kShards, kLedger, kCommit };

  Batch batch_;
  Step step_ = Step::kShards;
  // The ledger's, as last known.
  std::string update_time_;
  LedgerReading ledger_;
  bool has_read_ = false;
  // An earlier attempt may have been applied.
  bool maybe_applied_;
  // How a precondition has failed. The browser may have sent the commit twice.
  std::optional<Error> conflict_;
  // Refused for good; what is left is to learn whether an earlier attempt was not.
  std::optional<Error> refusal_;
  int rounds_ = 0;
  int attempts_ = 0;
  int aborted_ = 0;
  DeliveryOutcome outcome_;
};

}  // namespace shardline
