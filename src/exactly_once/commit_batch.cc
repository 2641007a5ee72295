#include "exactly_once/commit_batch.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/reason.h"
#include "counter/increment.h"
#include "firestore/query.h"

namespace shardline {
namespace {

using Kind = BatchOutcome::Kind;

// Whether an error is the server's final answer. A proxy's page is not, nor is a token that cannot
// be renewed now.
bool IsVerdict(const Error& error) {
  return !IsTransient(error.code) && error.code != Code::kOutcomeUnknown &&
         error.code != Code::kUnauthenticated && error.reason != kAnswerUnreadable.name;
}

// An answer that the server may have given to a commit that it has applied: nothing or a page of a
// proxy came instead of it.
bool MayHideSuccess(const CallFailure& failure) {
  return failure.maybe_applied || failure.error.reason == kAnswerUnreadable.name;
}

// The first counter of which nothing says how many shards it has.
std::vector<ShardChoice>::iterator FirstUnknown(std::vector<ShardChoice>& choices) {
  return std::find_if(choices.begin(), choices.end(),
                      [](const ShardChoice& choice) { return choice.shards() == 0; });
}

}  // namespace

CommitBatch::CommitBatch(OperationContext& context, BatchRequest request)
    : Operation(context), request_(std::move(request)), clock_(request_.now) {
  for (const BatchIncrement& increment : request_.increments) {
    assert(std::isfinite(increment.delta.number()));
    choices_.emplace_back(*increment.counter);
  }
}

void CommitBatch::OnStart() {
  begun_at_ = now();
  if (has_marker() && IsTooOld()) {
    step_ = Step::kReading;
    Send(MakeRead());
  } else if (request_.withdraws) {
    Withdraw();
  } else {
    Prepare();
  }
}

// ---- The counters ----

void CommitBatch::Prepare() {
  const auto next = FirstUnknown(choices_);
  if (next != choices_.end()) {
    step_ = Step::kCountingShards;
    Send(next->AskForShards());
  } else {
    step_ = Step::kCommitting;
    Send(MakeCommit());
  }
}

Result<Billed> CommitBatch::OnShardCount(const PaddedText& body) {
  const auto asked = FirstUnknown(choices_);
  Failure no_counter;
  SHARDLINE_TRY(const Billed billed, asked->HandleAnswer(body, no_counter));
  if (no_counter) {
    OnNoShards(no_counter.error());
  } else {
    Prepare();
  }
  return billed;
}

void CommitBatch::OnNoShards(const Error& error) {
  // An earlier request may still arrive.
  if (WasSent() && has_marker()) return Read(MarkerFate::kRefused, error);
  End(WasSent() ? Kind::kUnknown : Kind::kRefused, error);
}

// ---- The commit ----

Call CommitBatch::MakeCommit() {
  CommitBody writes;
  if (has_marker()) {
    expiry_ = ExpiryOf(request_.marker, clock_);
    writes.Add(MarkerWrite(request_.marker, true, expiry_, request_.change));
  }
  for (const Write& write : request_.writes) writes.Add(write);
  for (std::size_t i = 0; i < choices_.size(); ++i) {
    choices_[i].Pick(random());
    const BatchIncrement& increment = request_.increments[i];
    writes.Add(increment.fields.empty()
                   ? Write::Increment(choices_[i].ShardName(), increment.counter->count_field(),
                                      increment.delta)
                   : Write::Increment(choices_[i].ShardName(), increment.fields));
  }
  return {
      .path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kRepeatable};
}

void CommitBatch::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (step_ == Step::kCommitting) {
    commits_.NoteFailure(failure.error.code);
    lost_ = lost_ || failure.maybe_applied;
    call = MakeCommit();
  }
  LookFirstIfTooOld(call);
}

void CommitBatch::OnOverslept(CallId, Call& call) { LookFirstIfTooOld(call); }

void CommitBatch::LookFirstIfTooOld(Call& call) {
  const bool writes_marker = step_ == Step::kCommitting || step_ == Step::kWithdrawing;
  if (!writes_marker || !has_marker() || !IsTooOld()) return;
  step_ = Step::kReading;
  call = MakeRead();
}

Result<Billed> CommitBatch::OnCommitted(const PaddedText& body) {
  const std::size_t markers = has_marker() ? 1 : 0;
  const std::size_t writes = markers + request_.writes.size() + request_.increments.size();
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, writes, &answer));
  if (!Timestamp::Parse(answer.update_time)) {
    return Fail(kAnswerUnreadable, "The update time of the first write is no timestamp.")
        .With("http", "200");
  }
  commits_.NoteSuccess();
  Billed billed;
  for (const Write& write : request_.writes) {
    if (write.kind == Write::Kind::kDelete) ++billed.deletes;
  }
  billed.writes = static_cast<std::int64_t>(writes) - billed.deletes;
  outcome_.commit_time = std::move(answer.update_time);
  std::optional<Error> error;
  // Increments are the last writes.
  for (std::size_t i = request_.increments.size(); i > 0 && !error; --i) {
    if (!TakeSaturation(request_.increments[i - 1], answer)) continue;
    error = SaturatedError();
    outcome_.full = i - 1;
  }
  End(Kind::kCounted, std::move(error));
  return billed;
}

bool CommitBatch::TakeSaturation(const BatchIncrement& increment, CommitAnswer& answer) {
  bool is_saturated = false;
  const auto take = [&](const Amount& delta) {
    is_saturated = is_saturated || IsSaturated(answer, delta);
    if (!answer.results.empty()) answer.results.pop_back();
  };
  if (increment.fields.empty()) take(increment.delta);
  // Each field has one result, in their order.
  for (std::size_t i = increment.fields.size(); i > 0; --i) take(increment.fields[i - 1].amount);
  return is_saturated;
}

void CommitBatch::OnCommitFailure(const CallFailure& failure) {
  commits_.NoteFailure(failure.error.code);
  lost_ = lost_ || MayHideSuccess(failure);
  if (has_marker()) {
    if (!IsVerdict(failure.error)) return End(Kind::kWaiting, failure.error);
    return Read(MarkerFate::kRefused, failure.error);
  }
  // A success that cannot be read has most likely counted, and would count again each time.
  const int status = failure.error.http_status;
  if (status >= 200 && status < 300) return End(Kind::kUnknown, failure.error);
  if (!IsVerdict(failure.error)) return End(Kind::kWaiting, failure.error);
  End(WasSent() ? Kind::kUnknown : Kind::kRefused, failure.error);
}

// ---- The marker ----

Call CommitBatch::MakeRead() {
  return {.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({request_.marker})};
}

void CommitBatch::Read(MarkerFate last, const Error& refusal) {
  last_ = last;
  if (!refusal_) refusal_ = refusal;
  step_ = Step::kReading;
  Send(MakeRead());
}

Result<Billed> CommitBatch::OnMarker(const PaddedText& body) {
  MarkerReading reading;
  SHARDLINE_CHECK(DecodeMarker(body, request_.marker, reading));
  const bool was_denied = refusal_ && refusal_->code == Code::kPermissionDenied;
  const bool clock_was_wrong = was_denied && has_guessed_ && expiry_ != Timestamp{} &&
                               expiry_ != ExpiryOf(request_.marker, reading.read_time);
  has_guessed_ = false;
  clock_ = reading.read_time;
  // Its own marker was in the way: that says nothing of why the batch was refused.
  const bool was_there = refusal_ && refusal_->code == Code::kAlreadyExists;
  if (reading.marker == Marker::kWithdrawn && (was_there || request_.withdraws)) refusal_.reset();
  outcome_.commit_time = std::move(reading.update_time);
  outcome_.by_another = reading.change != request_.change;
  Take(Decide({.last = last_,
               .can_withdraw = request_.change.empty(),
               .may_arrive = WasSent(),
               .is_too_old = IsTooOld(),
               .clock_was_wrong = clock_was_wrong},
              reading.marker));
  return Billed{.reads = 1};
}

void CommitBatch::OnMarkerFailure(const CallFailure& failure) {
  if (!IsVerdict(failure.error)) return End(Kind::kWaiting, failure.error);
  if (!refusal_) refusal_ = failure.error;
  Take(Decide({.last = last_,
               .can_withdraw = request_.change.empty(),
               .may_arrive = WasSent(),
               .is_too_old = IsTooOld()},
              Marker::kHidden));
}

void CommitBatch::Take(BatchStep next) {
  switch (next) {
    case BatchStep::kCounted:
      return End(Kind::kCounted, std::nullopt);
    case BatchStep::kRefused:
      return End(Kind::kRefused, std::move(refusal_));
    case BatchStep::kCommit:
      last_ = MarkerFate::kNone;
      refusal_.reset();
      return Prepare();
    case BatchStep::kWithdraw:
      // Reports the refusal of the batch; that of its withdrawal only if it is refused again.
      if (request_.withdraws) refusal_.reset();
      return Withdraw();
    case BatchStep::kUnknown:
      return End(Kind::kUnknown, std::move(refusal_));
  }
}

// ---- To withdraw it ----

void CommitBatch::Withdraw() {
  step_ = Step::kWithdrawing;
  expiry_ = ExpiryOf(request_.marker, clock_);
  SendCommit(EncodeCommit(MarkerWrite(request_.marker, false, expiry_)), Effect::kRepeatable);
}

Result<Billed> CommitBatch::OnWithdrawn(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  End(Kind::kRefused, std::move(refusal_));
  return Billed{.writes = 1};
}

void CommitBatch::OnWithdrawFailure(const CallFailure& failure) {
  if (!IsVerdict(failure.error)) return End(Kind::kWaiting, failure.error);
  const bool was_there = failure.error.code == Code::kAlreadyExists;
  // Nothing was sent that the marker could tell of.
  if (!was_there && !WasSent()) {
    return End(Kind::kRefused, refusal_ ? std::move(refusal_) : failure.error);
  }
  Read(was_there ? MarkerFate::kTaken : MarkerFate::kNotWithdrawn, failure.error);
}

// ---- Shared by all steps ----

Result<Billed> CommitBatch::OnAnswer(CallId, PaddedText& body) {
  switch (step_) {
    case Step::kCountingShards:
      return OnShardCount(body);
    case Step::kCommitting:
      return OnCommitted(body);
    case Step::kReading:
      return OnMarker(body);
    case Step::kWithdrawing:
      break;
  }
  return OnWithdrawn(body);
}

void CommitBatch::OnFailure(CallId, const CallFailure& failure) {
  switch (step_) {
    case Step::kCountingShards:
      if (!IsVerdict(failure.error)) return End(Kind::kWaiting, failure.error);
      return OnNoShards(failure.error);
    case Step::kCommitting:
      return OnCommitFailure(failure);
    case Step::kReading:
      return OnMarkerFailure(failure);
    case Step::kWithdrawing:
      return OnWithdrawFailure(failure);
  }
}

void CommitBatch::AdviseOnRules(Error& error) const {
  if (!error.by_rules) return;
  NextSentence(error.message) += "Security rules must allow all that the commit writes";
  if (has_marker()) {
    error.message += ", to create ";
    error.message += request_.marker.substr(database().documents().size() + 1);
    error.message += " with it, and to `get` that";
  }
  error.message +=
      "; counterRules() writes such rules, which need the counter's document and its `maxDelta`.";
}

void CommitBatch::End(Kind kind, std::optional<Error> error) {
  outcome_.kind = kind;
  outcome_.error = std::move(error);
  Conclude();
}

}  // namespace shardline
