#include "exactly_once/change_member.h"

#include <algorithm>
#include <utility>

#include "base/reason.h"
#include "counter/increment.h"
#include "exactly_once/marker.h"
#include "firestore/answers.h"
#include "firestore/query.h"

namespace shardline {
namespace {

// Whether reading the document explains the outcome of a commit.
bool IsAboutKey(Code code) {
  return code == Code::kFailedPrecondition || code == Code::kAlreadyExists ||
         code == Code::kNotFound || code == Code::kPermissionDenied;
}

}  // namespace

Result<std::unique_ptr<Operation>> ChangeMember::Start(OperationContext& context,
                                                       std::unique_ptr<const Counter> counter,
                                                       MemberWish wish, std::string_view id,
                                                       std::vector<FieldPath> choices) {
  SHARDLINE_CHECK(ShardChoice::Check(*counter));
  return std::make_unique<ChangeMember>(context, std::move(counter), std::move(wish), id,
                                        std::move(choices));
}

ChangeMember::ChangeMember(OperationContext& context, std::unique_ptr<const Counter> counter,
                           MemberWish wish, std::string_view id, std::vector<FieldPath> choices)
    : Operation(context),
      counter_(std::move(counter)),
      wish_(std::move(wish)),
      choices_(std::move(choices)),
      name_(MemberName(*counter_, id)),
      change_(MakeAutoId(random())),
      choice_(*counter_) {
  if (choice_.shards() == 0) {
    Send(choice_.AskForShards());
  } else {
    OnShardsKnown();
  }
}

void ChangeMember::OnShardCount(Failure&& no_counter) {
  if (no_counter) return FinishWithError(std::move(no_counter));
  OnShardsKnown();
}

void ChangeMember::OnShardsKnown() {
  choice_.Pick(random());
  if (adds()) {
    Commit();
  } else {
    Read();
  }
}

void ChangeMember::Commit() {
  step_ = Step::kCommitting;
  choice_before_ = basis_.choice;
  Send(MakeCommit());
}

Call ChangeMember::MakeCommit() {
  const std::string shard = counter_->ShardId(choice_.shard());
  MemberChange change{change_, delta().integer(), shard, std::nullopt, wish_.choice};
  // Read before, so the server's clock is known.
  if (!adds()) change.expire_at = ExpiryOf(name_, basis_.read_time);
  CommitBody writes;
  writes.Add(MemberWrite(name_, basis_, change));
  writes.Add(ShardWrite());
  return {
      .path = database().UrlPath(":commit"), .body = writes.Take(), .effect = Effect::kRepeatable};
}

Write ChangeMember::ShardWrite() const {
  if (choices_.empty()) {
    return Write::Increment(choice_.ShardName(), counter_->count_field(), delta());
  }
  Write write{.name = choice_.ShardName()};
  write.mask.emplace();
  const auto add = [&](const FieldPath& field, std::int64_t amount) {
    write.transforms.push_back(
        {field, FieldTransform::Kind::kIncrement, Amount::Integer(amount).Encode()});
  };
  std::string before = basis_.choice;
  for (const FieldPath& field : choices_) {
    const std::string& name = field.segments().front();
    add(field, (name == wish_.choice ? 1 : 0) - (name == before ? 1 : 0));
    if (name == before) before.clear();
  }
  if (before.empty()) return write;
  // A choice that the app no longer offers.
  const Result<FieldPath> field = FieldPath::Parse(before);
  if (field && field->segments().size() == 1 && !field->IsDocumentName()) add(*field, -1);
  return write;
}

void ChangeMember::OnRetry(CallId, const CallFailure& failure, Call& call) {
  if (step_ != Step::kCommitting) return;
  commits_.NoteFailure(failure.error.code);
  if (failure.error.code != Code::kAborted) return;
  // One of all commits is applied, whatever their shards are.
  choice_.Pick(random());
  call = MakeCommit();
}

Result<Billed> ChangeMember::OnAnswer(CallId, PaddedText& body) {
  if (step_ == Step::kReading) return OnMember(body);
  if (step_ == Step::kCommitting) return OnCommitted(body);
  Failure no_counter;
  Result<Billed> billed = choice_.HandleAnswer(body, no_counter);
  if (billed) OnShardCount(std::move(no_counter));
  return billed;
}

Result<Billed> ChangeMember::OnCommitted(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 2, &answer));
  commits_.NoteSuccess();
  if (IsSaturated(answer, delta())) {
    FinishWithError(Fail(SaturatedError()));
  } else {
    End(true, std::move(answer.update_time));
  }
  return Billed{.writes = 2};
}

void ChangeMember::Read() {
  step_ = Step::kReading;
  Call call{.path = database().UrlPath(":batchGet"), .body = EncodeBatchGet({name_})};
  // The first refusal means as a rule that the key counts already: no pause before the look.
  call.attempts_before = std::max(reads_ - 1, 0);
  ++reads_;
  Send(std::move(call));
}

Result<Billed> ChangeMember::OnMember(const PaddedText& body) {
  MemberState state;
  SHARDLINE_CHECK(DecodeMember(body, name_, state));
  const bool has_moved = state.update_time != basis_.update_time;
  const bool was_denied = refusal_ && refusal_->code == Code::kPermissionDenied;
  basis_ = std::move(state);
  const MemberStep next = DecideMember(basis_, wish_, change_);
  if (next != MemberStep::kCommit) {
    const bool is_so = IsAsWished(basis_, wish_);
    End(next == MemberStep::kChanged, is_so ? basis_.update_time : std::string());
  } else if (!has_moved && was_denied) {
    Give(*std::move(refusal_));
  } else {
    if (has_moved) maybe_applied_ = false;
    Commit();
  }
  return Billed{.reads = 1};
}

void ChangeMember::OnFailure(CallId, const CallFailure& failure) {
  if (step_ != Step::kCommitting) return Give(failure.error);
  commits_.NoteFailure(failure.error.code);
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  // Everything else the executor has tried several times.
  if (!IsAboutKey(failure.error.code)) return Give(failure.error);
  if (reads_ < context().retry.max_attempts) {
    refusal_ = failure.error;
    return Read();
  }
  Error error = failure.error;
  error.Become(kTooMuchContention);
  error.message = "Other clients kept changing the same key, and nothing was counted.";
  Give(std::move(error));
}

void ChangeMember::End(bool changed, std::string commit_time) {
  changed_ = changed;
  commit_time_ = std::move(commit_time);
  Finish();
}

void ChangeMember::Give(Error error) {
  // A proxy's page does not tell the server's answer.
  if (error.reason == kAnswerUnreadable.name) error.code = Code::kUnavailable;
  if (maybe_applied_) {
    error.Become(kIncrementInDoubt);
    NextSentence(error.message) +=
        "The answer to a request was lost: ask again with the same key, which counts once.";
  } else if (error.by_rules) {
    NextSentence(error.message) += "Security rules must allow one commit to write ";
    error.message += name_.substr(database().documents().size() + 1);
    error.message += " (and `get` it), and to add to the shard that it names.";
  }
  FinishWithError(Fail(std::move(error)));
}

void ChangeMember::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("changed").Boolean(changed_);
  if (!commit_time_.empty()) writer.Key("commitTime").String(commit_time_);
  if (changed_ && !choices_.empty()) writer.Key("before").String(choice_before_);
  writer.Key("shards").Int(choice_.shards());
  commits_.Write(writer);
  writer.EndObject();
}

}  // namespace shardline
