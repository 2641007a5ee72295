#include "batch/commit_batch.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/reason.h"
#include "counter/increment.h"
#include "counter/places.h"
#include "delivery/ledger.h"
#include "firestore/answers.h"
#include "firestore/query.h"

namespace shardline {
namespace {

constexpr std::int64_t kDayMicros = std::int64_t{24} * 3600 * 1'000'000;

std::string MarkerName(const DatabaseName& database, const std::string& id) {
  return database.documents() + '/' + std::string(kBatchCollection) + '/' + id;
}

Write IncrementWrite(const BatchIncrement& increment, std::int64_t shard) {
  const Counter& counter = *increment.counter;
  return Write::Increment(counter.ShardName(shard), counter.count_field(), increment.delta);
}

// Whichever shards are drawn, the request is not larger.
Status CheckSize(const DatabaseName& database, const BatchRequest& request) {
  CommitBody body;
  bool fits = body.AddIfFits(MarkerWrite(MarkerName(database, request.id), true, {}));
  for (const Write& write : request.writes) fits = fits && body.AddIfFits(write);
  for (const BatchIncrement& increment : request.increments) {
    fits = fits && body.AddIfFits(IncrementWrite(increment, kMaxShards - 1));
  }
  if (fits) return {};
  return Fail(
      kRequestTooLarge,
      "The batch is larger than 10 MiB, which is all that Firestore takes in one commit: divide it "
      "into several, each of which is applied by itself.");
}

}  // namespace

Result<std::unique_ptr<Operation>> CommitBatch::Start(OperationContext& context,
                                                      BatchRequest request) {
  for (const BatchIncrement& increment : request.increments) {
    assert(std::isfinite(increment.delta.number()));
    SHARDLINE_CHECK(ShardChoice::Check(*increment.counter));
  }
  SHARDLINE_CHECK(CheckSize(context.database, request));
  return std::make_unique<CommitBatch>(context, std::move(request));
}

CommitBatch::CommitBatch(OperationContext& context, BatchRequest request)
    : Operation(context),
      request_(std::move(request)),
      name_(MarkerName(database(), request_.id)),
      maybe_applied_(request_.sent_before.has_value()),
      clock_(request_.server_now) {
  assert(CheckId(request_.id, "batch"));
  for (const BatchIncrement& increment : request_.increments) {
    increments_.push_back({increment, ShardChoice(*increment.counter)});
  }
  // Markers are dated by the server's clock.
  if (maybe_applied_ || request_.withdraws || !clock_) {
    Read(MarkerFate::kNone);
  } else {
    Prepare();
  }
}

// ---- The counters ----

void CommitBatch::Prepare() {
  for (std::size_t i = 0; i < increments_.size(); ++i) {
    if (increments_[i].choice.shards() > 0) continue;
    step_ = CountingShards{i};
    Send(increments_[i].choice.AskForShards());
    return;
  }
  Commit();
}

void CommitBatch::OnShardCount(Failure&& no_counter) {
  if (no_counter) return OnNoShards(std::move(no_counter.error()));
  Prepare();
}

void CommitBatch::OnNoShards(Error error) {
  if (!maybe_applied_) return Refuse(std::move(error));
  // An earlier request may still arrive.
  if (IsTransient(error.code)) return EndUnknown(std::move(error.message));
  refusal_ = std::move(error);
  Withdraw();
}

// ---- The commit ----

void CommitBatch::Commit() {
  step_ = Committing{};
  for (Increment& increment : increments_) increment.choice.Pick(random());
  Send(MakeCommit());
}

Call CommitBatch::MakeCommit() {
  expiry_ = ExpiryOf(name_, *clock_);
  CommitBody writes;
  writes.Add(MarkerWrite(name_, true, expiry_));
  for (const Write& write : request_.writes) writes.Add(write);
  for (const Increment& increment : increments_) {
    writes.Add(IncrementWrite(increment.asked, increment.choice.shard()));
  }
  return {.path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kOnce};
}

void CommitBatch::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (!std::holds_alternative<Committing>(step_) || failure.error.code != Code::kAborted) return;
  // Whichever shards they go to, one of all commits is applied.
  for (Increment& increment : increments_) increment.choice.Pick(random());
  call = MakeCommit();
}

Result<Billed> CommitBatch::OnCommitted(const PaddedText& body) {
  const std::size_t others = request_.writes.size() + increments_.size();
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 1 + others, &answer));
  if (!Timestamp::Parse(answer.update_time)) {
    return Fail(kAnswerUnreadable, "The update time of the first write is no timestamp.")
        .With("http", "200");
  }
  Billed billed;
  for (const Write& write : request_.writes) {
    if (write.kind == Write::Kind::kDelete) ++billed.deletes;
  }
  billed.writes = static_cast<std::int64_t>(1 + others) - billed.deletes;
  // Increments are the last writes, and each has one result.
  for (std::size_t i = increments_.size(); i > 0; --i) {
    if (IsSaturated(answer, increments_[i - 1].asked.delta)) {
      Error error = SaturatedError();
      error.message += " All else in the batch was applied: ";
      error.message += increments_[i - 1].asked.counter->path();
      FinishWithError(Fail(std::move(error)) << " is the counter.");
      return billed;
    }
    if (!answer.results.empty()) answer.results.pop_back();
  }
  EndApplied(std::move(answer.update_time));
  return billed;
}

void CommitBatch::OnCommitFailure(const CallFailure& failure) {
  if (failure.maybe_applied) {
    maybe_applied_ = true;
    first_expiry_ = std::min(first_expiry_.value_or(expiry_), expiry_);
    refusal_.reset();
    return Read(MarkerFate::kLost);
  }
  refusal_ = failure.error;
  Read(MarkerFate::kRefused);
}

// ---- The marker ----

void CommitBatch::Read(MarkerFate last) {
  if (reads_ >= context().retry.max_attempts) {
    if (maybe_applied_) return EndUnknown("No request was answered that says so.");
    return Refuse(*std::move(refusal_));
  }
  step_ = ReadingMarker{last};
  Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})};
  // No pause before the first look; and the one for the server's clock, before anything is sent, is
  // none.
  call.attempts_before = reads_;
  if (last != MarkerFate::kNone) ++reads_;
  Send(std::move(call));
}

Result<Billed> CommitBatch::OnMarker(const PaddedText& body) {
  MarkerReading reading;
  SHARDLINE_CHECK(DecodeMarker(body, name_, reading));
  const BatchFacts facts = FactsAfter(std::get<ReadingMarker>(step_).last, reading.read_time);
  // An earlier call has withdrawn the batch, and its marker stood in the way.
  const bool was_withdrawn =
      reading.marker == Marker::kWithdrawn && facts.last == MarkerFate::kRefused;
  if (was_withdrawn && refusal_->code == Code::kAlreadyExists) refusal_.reset();
  clock_ = reading.read_time;
  commit_time_ = std::move(reading.update_time);
  Take(Decide(facts, reading.marker));
  return Billed{.reads = 1};
}

BatchFacts CommitBatch::FactsAfter(MarkerFate last, Timestamp read_time) {
  if (request_.sent_before && !first_expiry_) {
    const Duration age = *request_.sent_before + (now() - begun_at_);
    // A day for clocks that are wrong.
    first_expiry_ = Timestamp{read_time.micros - age.count() + kLedgerLifeMicros - kDayMicros};
  }
  const bool denied = last == MarkerFate::kRefused && refusal_->code == Code::kPermissionDenied;
  return {.last = last,
          .withdraws = request_.withdraws,
          .maybe_applied = maybe_applied_,
          .may_have_expired = first_expiry_ && *first_expiry_ <= read_time,
          .clock_was_wrong = denied && expiry_ != ExpiryOf(name_, read_time)};
}

void CommitBatch::Take(BatchStep next) {
  switch (next) {
    case BatchStep::kApplied:
      return EndApplied(std::move(commit_time_));
    case BatchStep::kWithdrawn:
      return EndWithdrawn();
    case BatchStep::kRefused:
      return Refuse(*std::move(refusal_));
    case BatchStep::kCommit:
      return Prepare();
    case BatchStep::kWithdraw:
      return Withdraw();
    case BatchStep::kUnknown:
      return EndUnknown(refusal_ ? std::move(refusal_->message)
                                 : "What would say so has expired by now.");
  }
}

void CommitBatch::OnMarkerFailure(const CallFailure& failure) {
  // A refusal may be that of a request which has come twice, the first time to be applied.
  if (maybe_applied_ || refusal_ || request_.withdraws) return EndUnknown(failure.error.message);
  // Of documents, NOT_FOUND is never said: it is the database that is not there.
  Refuse(failure.error);
}

// ---- To withdraw it ----

void CommitBatch::Withdraw() {
  step_ = Withdrawing{};
  SendCommit(EncodeCommit(MarkerWrite(name_, false, ExpiryOf(name_, *clock_))),
             Effect::kRepeatable);
}

Result<Billed> CommitBatch::OnWithdrawn(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  EndWithdrawn();
  return Billed{.writes = 1};
}

void CommitBatch::OnWithdrawFailure(const CallFailure& failure) {
  const Code code = failure.error.code;
  if (IsTransient(code) || code == Code::kOutcomeUnknown) return EndUnknown(failure.error.message);
  // The batch was applied meanwhile, or a request whose answer was lost has withdrawn it.
  if (!refusal_) refusal_ = failure.error;
  Read(MarkerFate::kNotWithdrawn);
}

// ---- The end ----

void CommitBatch::EndApplied(std::string commit_time) {
  applied_ = true;
  commit_time_ = std::move(commit_time);
  Finish();
}

void CommitBatch::EndWithdrawn() {
  if (request_.withdraws) return Finish();
  if (refusal_) return Refuse(*std::move(refusal_));
  FinishWithError(Fail(kBatchWithdrawn,
                       "The batch was withdrawn, and nothing of it was applied: make a new one."));
}

void CommitBatch::Refuse(Error error) {
  if (error.code == Code::kPermissionDenied) {
    NextSentence(error.message) +=
        "Security rules must allow all that the batch writes in one commit, to create ";
    error.message += name_.substr(database().documents().size() + 1);
    error.message +=
        " with it, and to `get` that; counterRules({ batches: true }) writes such rules.";
  }
  FinishWithError(Fail(std::move(error)));
}

void CommitBatch::EndUnknown(std::string why) {
  NextSentence(why) += "Call commit() again, which applies it once at the most, or withdraw().";
  FinishWithError(Fail(kWriteInDoubt, "The batch may or may not have been applied. ") << why);
}

// ---- What all steps share ----

Result<Billed> CommitBatch::OnAnswer(CallId, PaddedText& body) {
  if (const auto* counting = std::get_if<CountingShards>(&step_)) {
    ShardChoice& choice = increments_[counting->increment].choice;
    Failure no_counter;
    Result<Billed> billed = choice.HandleAnswer(body, no_counter);
    if (billed) OnShardCount(std::move(no_counter));
    return billed;
  }
  if (std::holds_alternative<Committing>(step_)) return OnCommitted(body);
  return std::holds_alternative<Withdrawing>(step_) ? OnWithdrawn(body) : OnMarker(body);
}

void CommitBatch::OnFailure(CallId, const CallFailure& failure) {
  if (std::holds_alternative<CountingShards>(step_)) return OnNoShards(failure.error);
  if (std::holds_alternative<Committing>(step_)) return OnCommitFailure(failure);
  if (std::holds_alternative<Withdrawing>(step_)) return OnWithdrawFailure(failure);
  OnMarkerFailure(failure);
}

void CommitBatch::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("applied").Boolean(applied_);
  if (applied_) writer.Key("commitTime").String(commit_time_);
  std::vector<std::int64_t> shards;
  for (const Increment& increment : increments_) {
    for (const std::size_t place : increment.asked.places) {
      if (place >= shards.size()) shards.resize(place + 1);
      shards[place] = increment.choice.shards();
    }
  }
  writer.Key("shards").BeginArray();
  for (const std::int64_t count : shards) writer.Int(count);
  writer.EndArray().EndObject();
}

}  // namespace shardline
