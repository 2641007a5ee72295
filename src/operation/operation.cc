#include "operation/operation.h"

#include <utility>

#include "base/reason.h"

namespace shardline {

// Out of line, here and below: there is a subclass for everything that a user can ask for, and each
// would hold a copy.
Operation::Operation(OperationContext& context, Patience patience)
    : context_(context), executor_(context.retry, context.random, patience) {}

Operation::~Operation() = default;

std::vector<HttpRequest> Operation::TakeRequests(Instant now) {
  now_ = now;
  if (!std::exchange(started_, true) && !done_) OnStart();
  executor_.WakeOverslept(now, *this);
  return executor_.TakeRequests(now);
}

Billed Operation::HandleResponse(RequestId id, HttpResponse response, Instant now) {
  now_ = now;
  const Billed billed = executor_.HandleResponse(id, std::move(response), now, *this);
  billed_ += billed;
  return billed;
}

void Operation::HandleNetworkFailure(RequestId id, Instant now) {
  now_ = now;
  executor_.HandleNetworkFailure(id, now, *this);
}

void Operation::HandleTime(Instant now) {
  now_ = now;
  executor_.HandleTime(now, *this);
}

std::optional<Instant> Operation::NextWake() const { return executor_.NextWake(); }

std::string Operation::TakeProgress() {
  JsonWriter writer;
  if (std::exchange(has_progress_, false)) WriteProgress(writer);
  return writer.Take();
}

void Operation::Cancel() {
  if (done_) return;
  FinishWithError(executor_.MayHaveUnknownWrites()
                      ? Fail(kCancelledInDoubt,
                             "The operation was cancelled. A write that was under way may have "
                             "been applied.")
                      : Fail(kCancelled, "The operation was cancelled."));
}

CallId Operation::SendCommit(std::string body, Effect effect) {
  return Send({database().UrlPath(":commit"), std::move(body), effect});
}

void Operation::Finish() {
  assert(!done_);
  executor_.Clear();
  done_ = true;
}

void Operation::FinishWithError(Failure failure) {
  assert(failure);
  failure_ = std::move(failure);
  Finish();
}

void Operation::FinishWithFailure(const CallFailure& failure, std::string_view advice) {
  Failure why = Fail(failure.error);
  if (!advice.empty()) NextSentence(why.error().message) += advice;
  if (failure.maybe_applied && failure.error.code != Code::kOutcomeUnknown) {
    why.error().Become(kWriteInDoubt);
    why = std::move(why) << " An earlier attempt, whose answer was lost, may have been applied.";
  }
  FinishWithError(std::move(why));
}

void Operation::OnFailure(CallId, const CallFailure& failure) { FinishWithFailure(failure); }

void Operation::OnRetry(CallId, const CallFailure&, Call&) {}

void WriteBilled(JsonWriter& writer, const Billed& billed) {
  writer.BeginObject().Key("reads").Int(billed.reads);
  writer.Key("writes").Int(billed.writes);
  writer.Key("deletes").Int(billed.deletes).EndObject();
}

}  // namespace shardline
