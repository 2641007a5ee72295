#include "operation/executor.h"

#include <utility>

#include "firestore/server_error.h"

namespace shardline {
namespace {

// True if a write that was answered so may have been applied all the same.
bool OutcomeUnknown(Code code) {
  switch (code) {
    case Code::kCancelled:
    case Code::kUnknown:
    case Code::kDeadlineExceeded:
    case Code::kInternal:
    case Code::kUnavailable:
    case Code::kDataLoss:
      return true;
    default:
      return false;
  }
}

// A body that cannot be read is worth another try if it broke off, but not if it is something else
// altogether: asked again, a login page stays a login page.
bool LooksBrokenOff(const PaddedText& body) {
  const std::string_view view = body.view();
  const std::size_t start = view.find_first_not_of(" \r\n\t");
  return start == std::string_view::npos || view[start] == '{' || view[start] == '[';
}

Error WithAdvice(Error error, std::string_view advice) {
  error.message += ' ';
  error.message += advice;
  return error;
}

}  // namespace

bool IsTransient(Code code) {
  return code == Code::kAborted || code == Code::kResourceExhausted || OutcomeUnknown(code);
}

CallId Executor::Send(Call call) {
  const int attempts = call.attempts_before;
  calls_.push_back({.id = ++last_call_,
                    .call = std::move(call),
                    .state = attempts > 0 ? State::kPaused : State::kReady,
                    .attempts = attempts});
  return last_call_;
}

std::vector<HttpRequest> Executor::TakeRequests(Instant now) {
  std::vector<HttpRequest> requests;
  for (PendingCall& pending : calls_) {
    if (pending.state == State::kPaused) {
      pending.state = State::kWaiting;
      pending.due = now + policy_.Delay(pending.attempts, false, random_);
    }
    const bool due = pending.state == State::kWaiting && pending.due <= now;
    if (now < held_until_ || (pending.state != State::kReady && !due)) continue;
    pending.state = State::kUnderWay;
    pending.request = ++last_request_;
    pending.due = now + policy_.timeout;
    ++pending.attempts;
    requests.push_back({.id = pending.request,
                        .method = "POST",
                        .path = pending.call.path,
                        .body = pending.call.body,
                        .refresh_token = std::exchange(pending.refresh_token, false)});
  }
  return requests;
}

std::vector<RequestId> Executor::TakeAborts() { return std::exchange(aborts_, {}); }

Executor::PendingCall* Executor::FindRequest(RequestId id) {
  for (PendingCall& pending : calls_) {
    if (pending.state == State::kUnderWay && pending.request == id) return &pending;
  }
  return nullptr;
}

std::size_t Executor::IndexOf(CallId id) const {
  std::size_t index = 0;
  while (index < calls_.size() && calls_[index].id != id) ++index;
  return index;
}

Billed Executor::HandleResponse(RequestId id, HttpResponse response, Instant now,
                                CallHandler& handler) {
  PendingCall* pending = FindRequest(id);
  if (pending == nullptr) return {};
  if (response.status < 200 || response.status > 299) {
    Error error = DecodeServerError(response.status, response.body);
    const bool retryable = IsTransient(error.code);
    HandleFailure(*pending, std::move(error), retryable, now, handler);
    return {};
  }
  const CallId call = pending->id;
  pending->state = State::kAnswered;
  Result<Billed> billed = handler.OnAnswer(call, response.body);
  // The handler may have sent other calls, or given all of them up.
  const std::size_t index = IndexOf(call);
  if (index == calls_.size()) return billed ? *billed : Billed{};
  if (billed) {
    calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(index));
    return *billed;
  }
  Error error = std::move(billed.error());
  const bool said_by_server = error.http_status != 0;
  bool retryable = IsTransient(error.code);
  if (!said_by_server) {
    retryable = LooksBrokenOff(response.body);
    error = UnreadableAnswer(response.status, response.body, error);
  }
  HandleFailure(calls_[index], std::move(error), retryable, now, handler);
  return {};
}

void Executor::HandleNetworkFailure(RequestId id, Instant now, CallHandler& handler) {
  PendingCall* pending = FindRequest(id);
  if (pending == nullptr) return;
  Error error{Code::kUnavailable,
              "The server could not be reached, or the connection was cut; check `host` and the "
              "network."};
  HandleFailure(*pending, std::move(error), true, now, handler);
}

void Executor::HandleTime(Instant now, CallHandler& handler) {
  // A handler may change the list of calls: look again from the start after each.
  for (std::size_t i = 0; i < calls_.size();) {
    PendingCall& pending = calls_[i];
    if (pending.state != State::kUnderWay || pending.due > now) {
      ++i;
      continue;
    }
    aborts_.push_back(pending.request);
    Error error{Code::kDeadlineExceeded, "The server did not answer in time (retry.timeoutMs)."};
    HandleFailure(pending, std::move(error), true, now, handler);
    i = 0;
  }
}

void Executor::HandleFailure(PendingCall& pending, Error error, bool retryable, Instant now,
                             CallHandler& handler) {
  // An answer that cannot be read is kInternal: its call may have been applied, too.
  const bool unknown = OutcomeUnknown(error.code);
  if (pending.call.effect != Effect::kRead && unknown) pending.maybe_applied = true;
  if (error.code == Code::kUnauthenticated && !pending.refreshed) {
    pending.refreshed = true;
    pending.refresh_token = true;
    pending.state = State::kReady;
    return;
  }
  const bool must_not_repeat = pending.call.effect == Effect::kOnce && unknown;
  const bool out_of_date =
      error.code == Code::kAborted && !pending.call.retry_aborted && !pending.maybe_applied;
  const bool exhausted_attempts = pending.attempts >= policy_.max_attempts;
  if (!retryable || must_not_repeat || out_of_date || exhausted_attempts) {
    if (pending.maybe_applied && unknown) {
      error.code = Code::kOutcomeUnknown;
      error = WithAdvice(std::move(error), "The write may or may not have been applied.");
    }
    End(pending, {std::move(error), pending.maybe_applied, pending.attempts}, handler);
    return;
  }
  const bool exhausted = error.code == Code::kResourceExhausted;
  pending.state = State::kWaiting;
  pending.due = now + policy_.Delay(pending.attempts, exhausted, random_);
  const CallId id = pending.id;
  const CallFailure failure{std::move(error), pending.maybe_applied, pending.attempts};
  // Lent to the handler, which may send other calls meanwhile, or give all of them up.
  Call call = std::move(pending.call);
  handler.OnRetry(id, failure, call);
  const std::size_t index = IndexOf(id);
  if (index < calls_.size()) calls_[index].call = std::move(call);
}

void Executor::End(PendingCall& pending, const CallFailure& failure, CallHandler& handler) {
  const CallId id = pending.id;
  maybe_applied_ = maybe_applied_ || failure.maybe_applied;
  calls_.erase(calls_.begin() + static_cast<std::ptrdiff_t>(IndexOf(id)));
  handler.OnFailure(id, failure);
}

std::optional<Instant> Executor::NextWake() const {
  std::optional<Instant> wake;
  for (const PendingCall& pending : calls_) {
    if (pending.state == State::kPaused || pending.state == State::kAnswered) continue;
    Instant due = pending.due;
    if (pending.state == State::kReady) due = held_until_;
    if (pending.state == State::kWaiting) due = std::max(due, held_until_);
    if (!wake || due < *wake) wake = due;
  }
  return wake;
}

bool Executor::MayHaveUnknownWrites() const {
  if (maybe_applied_) return true;
  for (const PendingCall& pending : calls_) {
    const bool sent = pending.state == State::kUnderWay && pending.call.effect != Effect::kRead;
    if (sent || pending.maybe_applied) return true;
  }
  return false;
}

void Executor::Clear() {
  for (const PendingCall& pending : calls_) {
    if (pending.state == State::kUnderWay) aborts_.push_back(pending.request);
  }
  calls_.clear();
}

}  // namespace shardline
