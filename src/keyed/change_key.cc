#include "keyed/change_key.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/reason.h"
#include "counter/increment.h"
#include "delivery/ledger.h"
#include "firestore/answers.h"
#include "firestore/query.h"

namespace shardline {
namespace {

using Goal = KeyRequest::Goal;

std::string KeyName(const Counter& counter, KeyKind kind, const std::string& id) {
  const std::string_view collection = kind == KeyKind::kMember ? kMemberCollection : kKeyCollection;
  return counter.OwnCollection(collection).Document(id).Name(counter.database());
}

// Whether a look at the document explains what has become of a commit.
bool IsAboutKey(Code code) {
  return code == Code::kFailedPrecondition || code == Code::kAlreadyExists ||
         code == Code::kNotFound || code == Code::kPermissionDenied;
}

}  // namespace

Result<std::unique_ptr<Operation>> ChangeKey::Start(OperationContext& context,
                                                    std::unique_ptr<const Counter> counter,
                                                    KeyRequest request) {
  SHARDLINE_CHECK(ShardChoice::Check(*counter));
  return std::make_unique<ChangeKey>(context, std::move(counter), std::move(request));
}

ChangeKey::ChangeKey(OperationContext& context, std::unique_ptr<const Counter> counter,
                     KeyRequest request)
    : Operation(context),
      counter_(std::move(counter)),
      choice_(*counter_),
      request_(std::move(request)),
      name_(KeyName(*counter_, kind(), request_.id)),
      change_(MakeAutoId(random())) {
  if (request_.goal == Goal::kRemove) request_.delta = Amount::Integer(-1);
  assert(std::isfinite(delta().number()));
  if (choice_.shards() == 0) {
    Send(choice_.AskForShards());
  } else {
    OnShardsKnown();
  }
}

void ChangeKey::OnShardCount(Failure&& no_counter) {
  if (no_counter) return FinishWithError(std::move(no_counter));
  OnShardsKnown();
}

void ChangeKey::OnShardsKnown() {
  choice_.Pick(random());
  // What expires is dated by the server's clock.
  const bool is_dated = request_.goal == Goal::kAdd || request_.server_now.has_value();
  if (is_dated && should_count()) {
    Commit();
  } else {
    Read();
  }
}

void ChangeKey::Commit() {
  step_ = Step::kCommitting;
  Send(MakeCommit());
}

Call ChangeKey::MakeCommit() {
  if (request_.goal != Goal::kAdd) {
    expiry_ = ExpiryOf(name_, reads_ > 0 ? basis_.read_time : *request_.server_now);
  }
  const std::string shard = counter_->ShardId(choice_.shard());
  const KeyChange change{change_, delta(), shard, expiry_};
  CommitBody writes;
  writes.Add(KeyWrite(name_, basis_, change));
  writes.Add(Write::Increment(choice_.ShardName(), counter_->count_field(), delta()));
  Call call{
      .path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kRepeatable};
  // Sent blindly after weeks of sleep, it might find that the key has expired, and count again.
  if (kind() == KeyKind::kOnce) call.effect = Effect::kOnce;
  return call;
}

void ChangeKey::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (step_ != Step::kCommitting) return;
  commits_.NoteFailure(failure.error.code);
  if (failure.error.code != Code::kAborted) return;
  // Whichever shard they go to, one of all is applied.
  choice_.Pick(random());
  call = MakeCommit();
}

Result<Billed> ChangeKey::OnAnswer(CallId, PaddedText& body) {
  if (step_ == Step::kReading) return OnKey(body);
  if (step_ == Step::kCommitting) return OnCommitted(body);
  Failure no_counter;
  Result<Billed> billed = choice_.HandleAnswer(body, no_counter);
  if (billed) OnShardCount(std::move(no_counter));
  return billed;
}

Result<Billed> ChangeKey::OnCommitted(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 2, &answer));
  commits_.NoteSuccess();
  if (IsSaturated(answer, delta())) {
    FinishWithError(Fail(SaturatedError()));
  } else {
    End(true);
  }
  return Billed{.writes = 2};
}

void ChangeKey::Read() {
  step_ = Step::kReading;
  Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})};
  // The first refusal means as a rule that the key counts already: no pause before the look.
  call.attempts_before = std::max(reads_ - 1, 0);
  ++reads_;
  Send(std::move(call));
}

Result<Billed> ChangeKey::OnKey(const PaddedText& body) {
  KeyState state;
  SHARDLINE_CHECK(DecodeKey(body, name_, kind(), state));
  const bool has_moved = state.update_time != basis_.update_time;
  const bool was_denied = refusal_ && refusal_->code == Code::kPermissionDenied;
  basis_ = std::move(state);
  switch (DecideKey(basis_, should_count(), change_)) {
    case KeyStep::kChanged:
      End(true);
      break;
    case KeyStep::kUnchanged:
      End(false);
      break;
    case KeyStep::kCommit:
      if (has_moved) maybe_applied_ = false;
      if (!has_moved && was_denied) {
        Give(*std::move(refusal_));
      } else if (maybe_applied_ && expiry_ && *expiry_ <= basis_.read_time) {
        Give(Error(kIncrementInDoubt, "The key may have counted, and expired since."));
      } else {
        Commit();
      }
  }
  return Billed{.reads = 1};
}

void ChangeKey::OnFailure(CallId, const CallFailure& failure) {
  if (step_ == Step::kCountingShards) return FinishWithFailure(failure);
  if (step_ == Step::kReading) return Give(failure.error);
  commits_.NoteFailure(failure.error.code);
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  const bool is_about_key = IsAboutKey(failure.error.code);
  // What is sent once has been lost once; everything else the executor has tried several times.
  const bool was_lost_once = maybe_applied_ && kind() == KeyKind::kOnce;
  if (!is_about_key && !was_lost_once) return Give(failure.error);
  if (reads_ < context().retry.max_attempts) {
    refusal_ = failure.error;
    return Read();
  }
  Error error = failure.error;
  if (is_about_key) {
    error.Become(kTooMuchContention);
    error.message = "Others kept changing the same key, and nothing was counted.";
  }
  Give(std::move(error));
}

void ChangeKey::End(bool changed) {
  changed_ = changed;
  Finish();
}

void ChangeKey::Give(Error error) {
  if (maybe_applied_) {
    error.Become(kIncrementInDoubt);
    NextSentence(error.message) +=
        "The answer to a request was lost: ask again with the same key, which counts once.";
  } else if (error.code == Code::kPermissionDenied) {
    NextSentence(error.message) += "Security rules must allow one commit to write ";
    error.message += name_.substr(database().documents().size() + 1);
    error.message += " (and `get` it), and to add to the shard that it names.";
  }
  FinishWithError(Fail(std::move(error)));
}

void ChangeKey::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("changed").Boolean(changed_);
  writer.Key("shards").Int(choice_.shards());
  commits_.Write(writer);
  writer.EndObject();
}

ReadKey::ReadKey(OperationContext& context, const Counter& counter, const std::string& id)
    : Operation(context), name_(KeyName(counter, KeyKind::kMember, id)) {
  Send({.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})});
}

Result<Billed> ReadKey::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_CHECK(DecodeKey(body, name_, KeyKind::kMember, state_));
  Finish();
  return Billed{.reads = 1};
}

void ReadKey::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("counts").Boolean(state_.counts).EndObject();
}

}  // namespace shardline
