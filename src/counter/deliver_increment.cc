#include "counter/deliver_increment.h"

#include <utility>

#include "counter/requests.h"

namespace shardline {
namespace {

using Kind = DeliveryOutcome::Kind;

bool IsPrecondition(Code code) {
  return code == Code::kFailedPrecondition || code == Code::kNotFound ||
         code == Code::kAlreadyExists;
}

// What may go well another time.
bool IsPassing(Code code) {
  switch (code) {
    case Code::kOutcomeUnknown:
    case Code::kAborted:
    case Code::kResourceExhausted:
    case Code::kCancelled:
    case Code::kUnknown:
    case Code::kDeadlineExceeded:
    case Code::kInternal:
    case Code::kUnavailable:
    case Code::kDataLoss:
    case Code::kUnauthenticated:
      return true;
    default:
      return false;
  }
}

// A full name without the database in front.
std::string_view PathIn(const DatabaseName& database, std::string_view name) {
  return name.substr(database.documents().size() + 1);
}

}  // namespace

Result<std::unique_ptr<Operation>> DeliverIncrement::Start(OperationContext& context,
                                                           std::unique_ptr<const Counter> counter,
                                                           Batch batch) {
  SHARDLINE_CHECK(CheckShards(*counter));
  auto operation =
      std::make_unique<DeliverIncrement>(context, std::move(counter), std::move(batch));
  operation->Begin();
  return operation;
}

DeliverIncrement::DeliverIncrement(OperationContext& context,
                                   std::unique_ptr<const Counter> counter, Batch batch)
    : Increment(context, std::move(counter), batch.delta),
      batch_(std::move(batch)),
      update_time_(batch_.update_time),
      maybe_applied_(batch_.sent) {}

void DeliverIncrement::OnShardsKnown() {
  PickShard();
  // The first batch has no ledger to rely on, if it was sent in an earlier life; and on one that is
  // shared, others may have gone on.
  const bool look_first = batch_.shared || (batch_.sent && update_time_.empty());
  if (has_ledger() && look_first) {
    ReadLedger(0);
  } else {
    Commit();
  }
}

void DeliverIncrement::OnNoCounter(Failure failure) { OnRefused(std::move(failure.error())); }

void DeliverIncrement::Commit() {
  step_ = Step::kCommit;
  Send(MakeCommit());
}

Call DeliverIncrement::MakeCommit() const {
  std::string writes;
  if (has_ledger()) {
    const LedgerEntry entry{batch_.seq, batch_.id, delta(), counter().ShardId(shard()),
                            ExpiryOf(batch_.staged_at)};
    writes = EncodeLedgerWrite(LedgerName(), entry, update_time_);
    writes += ',';
  }
  writes += EncodeIncrement(ShardName(), counter().count_field(), delta());
  Call call = CommitCall(writes);
  // Sent blindly, it might find the ledger expired, and count again.
  if (has_ledger() && update_time_.empty()) call.effect = Effect::kOnce;
  return call;
}

void DeliverIncrement::ReadLedger(int failures) {
  step_ = Step::kLedger;
  Send({.path = database().UrlPath(":batchGet"),
        .body = EncodeReadLedger(LedgerName()),
        .attempts_before = failures});
}

Result<Billed> DeliverIncrement::OnShardAnswer(const PaddedText& body) {
  return step_ == Step::kCommit ? OnCommitted(body) : OnLedger(body);
}

Result<Billed> DeliverIncrement::OnCommitted(const PaddedText& body) {
  const std::size_t writes = has_ledger() ? 2 : 1;
  std::optional<Amount> value;
  std::string update_time;
  SHARDLINE_CHECK(DecodeCommitOf(writes, body, value, &update_time));
  if (has_ledger()) {
    outcome_.knows_ledger = true;
    outcome_.seq = batch_.seq;
    outcome_.update_time = std::move(update_time);
  }
  ++attempts_;
  std::optional<Error> error;
  if (IsSaturated(value, delta())) error = SaturatedError();
  End(Kind::kApplied, std::move(error));
  return Billed{.writes = static_cast<std::int64_t>(writes)};
}

void DeliverIncrement::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (step_ != Step::kCommit) return;
  ++attempts_;
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  const Code code = failure.error.code;
  if (code != Code::kAborted && code != Code::kResourceExhausted) return;
  ++aborted_;
  PickShard();
  call.body = MakeCommit().body;
}

void DeliverIncrement::OnFailure(CallId, const CallFailure& failure) {
  switch (step_) {
    case Step::kCommit:
      return OnCommitFailure(failure);
    case Step::kLedger:
      return OnLedgerFailure(failure);
    case Step::kShards:
      break;
  }
  if (IsPassing(failure.error.code)) return End(Kind::kUnsettled, failure.error);
  OnRefused(failure.error);
}

void DeliverIncrement::OnCommitFailure(const CallFailure& failure) {
  ++attempts_;
  const Code code = failure.error.code;
  if (code == Code::kAborted || code == Code::kResourceExhausted) ++aborted_;
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  const bool conflict = has_ledger() && IsPrecondition(code);
  const bool in_doubt = has_ledger() && update_time_.empty() && code == Code::kOutcomeUnknown;
  if (conflict || in_doubt) {
    if (conflict) conflict_ = failure.error;
    if (++rounds_ < context().retry.max_attempts) return ReadLedger(in_doubt ? rounds_ : 0);
  }
  if (conflict || IsPassing(code)) return End(Kind::kUnsettled, failure.error);
  OnRefused(failure.error);
}

Result<Billed> DeliverIncrement::OnLedger(const PaddedText& body) {
  LedgerReading ledger;
  SHARDLINE_CHECK(DecodeLedger(body, ledger));
  ledger_ = std::move(ledger);
  has_read_ = true;
  // Rules are asked before preconditions, and refuse what another client of a shared ledger has
  // been quicker than.
  const bool overtaken = batch_.shared && ledger_.exists() && ledger_.update_time != update_time_;
  if (overtaken && refusal_ && refusal_->code == Code::kPermissionDenied) refusal_.reset();
  if (!ledger_.exists()) {
    OnNoLedger();
  } else if (ledger_.batch == batch_.id) {
    End(Kind::kApplied);
  } else if (ledger_.seq < batch_.seq) {
    OnEarlierLedger();
  } else if (ledger_.seq == batch_.seq || !(maybe_applied_ || conflict_)) {
    Restart();
  } else {
    EndUnknown(
        "Another client has gone on with this client's ledger: its storage was copied, or its "
        "clientId is in use elsewhere.");
  }
  return Billed{.reads = 1};
}

void DeliverIncrement::OnEarlierLedger() {
  const bool moved = ledger_.update_time != update_time_;
  if (!moved && conflict_) {
    // Then it was no precondition of ours that failed.
    refusal_ = std::move(conflict_);
  }
  update_time_ = ledger_.update_time;
  // Of what was sent on the condition of the ledger as it was, nothing can be counted any more.
  if (moved) maybe_applied_ = false;
  // The clients of a shared ledger go on from where it is.
  if (moved && batch_.shared) return Restart();
  CommitAgain();
}

void DeliverIncrement::OnNoLedger() {
  if (!batch_.update_time.empty()) {
    if (maybe_applied_) return EndUnknown("The ledger has expired or was deleted.");
    return Restart();
  }
  // Had it been counted, there would be a ledger for so long at least.
  if (maybe_applied_ && ledger_.read_time >= ExpiryOf(batch_.staged_at)) {
    return EndUnknown("The ledger may have expired.");
  }
  // No commit goes out before the number of shards is known; so there never was any. Or the counter
  // was deleted since, with all that it had counted.
  const bool no_counter = shards() == 0 && refusal_ && refusal_->code == Code::kNotFound;
  if (no_counter) return End(Kind::kRefused, std::move(refusal_));
  CommitAgain();
}

void DeliverIncrement::CommitAgain() {
  if (!refusal_) return Commit();
  // An earlier attempt that nobody has answered might still arrive.
  if (maybe_applied_) return EndUnknown(std::move(refusal_->message));
  End(Kind::kRefused, std::move(refusal_));
}

void DeliverIncrement::Restart() {
  if (refusal_) return End(Kind::kRefused, std::move(refusal_));
  End(Kind::kRestart);
}

void DeliverIncrement::OnLedgerFailure(const CallFailure& failure) {
  const Code code = failure.error.code;
  Error error = failure.error;
  if (code == Code::kPermissionDenied) {
    error.message += " Security rules must allow `get` on ";
    error.message += PathIn(database(), LedgerName());
    error.message += '.';
  }
  // Of documents, NOT_FOUND is never said: it is the database that is not there.
  const bool never_sent = !maybe_applied_ && (!conflict_ || IsPrecondition(code));
  if (refusal_ && never_sent) return End(Kind::kRefused, std::move(refusal_));
  if (IsPassing(code)) return End(Kind::kUnsettled, std::move(error));
  if (never_sent) return End(Kind::kRefused, std::move(error));
  EndUnknown(std::move(error.message));
}

void DeliverIncrement::OnRefused(Error error) {
  if (has_ledger() && error.code == Code::kPermissionDenied && step_ == Step::kCommit) {
    std::string advice = " Security rules must allow one commit to create and update ";
    advice += PathIn(database(), LedgerName());
    advice += " (and `get` it), and to add to ";
    advice += PathIn(database(), ShardName());
    advice += "; counterRules() writes such rules. The delivery 'at-least-once' needs no ledger.";
    error.message += advice;
  }
  refusal_ = std::move(error);
  // The browser may have sent it twice, and a proxy may have garbled a failed precondition.
  if (has_ledger() && (maybe_applied_ || step_ == Step::kCommit)) return ReadLedger(0);
  // Without a ledger, an earlier attempt may have been counted for all anybody knows.
  if (maybe_applied_) return EndUnknown(std::move(refusal_->message));
  End(Kind::kRefused, std::move(refusal_));
}

void DeliverIncrement::EndUnknown(std::string why) {
  why += " The increment may or may not have been counted.";
  End(Kind::kUnknown, Error{Code::kOutcomeUnknown, std::move(why)});
}

void DeliverIncrement::End(Kind kind, std::optional<Error> error) {
  outcome_.kind = kind;
  outcome_.error = std::move(error);
  if (has_read_ && !outcome_.knows_ledger) {
    outcome_.knows_ledger = true;
    outcome_.seq = ledger_.seq;
    outcome_.update_time = ledger_.update_time;
  }
  Finish();
}

void DeliverIncrement::WriteResult(JsonWriter& writer) const {
  writer.BeginObject();
  outcome_.Write(writer);
  writer.Key("shard").Int(shard());
  writer.Key("shards").Int(shards());
  writer.Key("attempts").Int(attempts_);
  writer.Key("aborted").Int(aborted_).EndObject();
}

}  // namespace shardline
