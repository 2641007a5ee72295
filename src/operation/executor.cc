#include "operation/executor.h"

#include <utility>

#include "base/reason.h"
#include "firestore/server_error.h"

namespace shardline {
namespace {

// A body that cannot be read is worth another try if it broke off, but not if it is something else
// altogether: asked again, a login page stays a login page.
bool LooksBrokenOff(const PaddedText& body) {
  const std::string_view view = body.view();
  const std::size_t start = view.find_first_not_of(" \r\n\t");
  return start == std::string_view::npos || view[start] == '{' || view[start] == '[';
}

Error WithAdvice(Error error, std::string_view advice) {
  NextSentence(error.message) += advice;
  return error;
}

// A page that says "forbidden" stays so: a hotel's or a proxy's.
bool IsForeignPage(const Error& error) {
  return error.http_status == 403 && error.reason == kAnswerUnreadable.name;
}

constexpr std::string_view kNobody =
    "Nobody was signed in: `authToken` was not passed to connect(), or has returned null.";

}  // namespace

CallId Executor::Send(Call call) {
  assert(call.attempts_before >= 0);
  const int attempts = call.attempts_before;
  calls_.push_back({.id = ++last_call_,
                    .call = std::move(call),
                    .state = attempts > 0 ? State(Paused{}) : State(Ready{}),
                    .attempts = attempts});
  return last_call_;
}

std::vector<HttpRequest> Executor::TakeRequests(Instant now) {
  std::vector<HttpRequest> requests;
  for (PendingCall& pending : calls_) {
    if (std::holds_alternative<Paused>(pending.state)) {
      pending.state = Waiting{now + policy_.Delay(pending.attempts, false, random_)};
    }
    const auto* ready = std::get_if<Ready>(&pending.state);
    const auto* waiting = std::get_if<Waiting>(&pending.state);
    const bool is_due = ready != nullptr || (waiting != nullptr && waiting->until <= now);
    if (now < held_until_ || !is_due) continue;
    requests.push_back({.id = ++last_request_,
                        .method = "POST",
                        .path = pending.call.path,
                        .body = pending.call.body,
                        .refresh_token = ready != nullptr && ready->refresh_token});
    pending.state = UnderWay{last_request_, now + policy_.timeout};
    if (!pending.sent_first) pending.sent_first = now;
    ++pending.attempts;
  }
  return requests;
}

std::vector<RequestId> Executor::TakeAborts() { return std::exchange(aborts_, {}); }

std::optional<Error> Executor::TakeOutage() { return std::exchange(outage_, {}); }

Executor::PendingCall* Executor::FindRequest(RequestId id) {
  for (PendingCall& pending : calls_) {
    const auto* under_way = std::get_if<UnderWay>(&pending.state);
    if (under_way != nullptr && under_way->request == id) return &pending;
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
    if (error.by_rules && !response.is_signed_in) error = WithAdvice(std::move(error), kNobody);
    const bool retryable = IsTransient(error.code) && !IsForeignPage(error);
    HandleFailure(*pending, {std::move(error), retryable, response.retry_after}, now, handler);
    return {};
  }
  const CallId call = pending->id;
  pending->state = Answered{};
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
  HandleFailure(calls_[index], {std::move(error), retryable}, now, handler);
  return {};
}

void Executor::HandleNetworkFailure(RequestId id, Instant now, CallHandler& handler) {
  PendingCall* pending = FindRequest(id);
  if (pending == nullptr) return;
  Error error(kNoNetwork,
              "The server could not be reached, or the connection was cut; check `host` and the "
              "network.");
  HandleFailure(*pending, {std::move(error)}, now, handler);
}

void Executor::WakeOverslept(Instant now, CallHandler& handler) {
  // NOLINTNEXTLINE(modernize-loop-convert): the handler may change the list.
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const auto* waiting = std::get_if<Waiting>(&calls_[i].state);
    if (waiting == nullptr || waiting->until + kOverslept > now) continue;
    calls_[i].state = Waiting{now};
    const CallId id = calls_[i].id;
    Call call = std::move(calls_[i].call);
    handler.OnOverslept(id, call);
    const std::size_t index = IndexOf(id);
    if (index < calls_.size()) calls_[index].call = std::move(call);
  }
}

void Executor::HandleTime(Instant now, CallHandler& handler) {
  // A handler may change the list of calls: look again from the start after each.
  for (std::size_t i = 0; i < calls_.size();) {
    PendingCall& pending = calls_[i];
    const auto* under_way = std::get_if<UnderWay>(&pending.state);
    if (under_way == nullptr || under_way->give_up > now) {
      ++i;
      continue;
    }
    aborts_.push_back(under_way->request);
    Error error(kTimedOut, "The server did not answer in time (retry.timeoutMs).");
    HandleFailure(pending, {std::move(error)}, now, handler);
    i = 0;
  }
}

Duration Executor::TimeLeft(const PendingCall& pending, Instant now) const {
  if (patience_ == Patience::kLong || !pending.sent_first) return Duration::max();
  return *pending.sent_first + policy_.max_read - now;
}

void Executor::HandleFailure(PendingCall& pending, Failed failed, Instant now,
                             CallHandler& handler) {
  Error& error = failed.error;
  // An answer that cannot be read is kInternal: its call may have been applied, too.
  const bool unknown = OutcomeUnknown(error.code) && !IsForeignPage(error);
  if (pending.call.effect != Effect::kRead && unknown) pending.maybe_applied = true;
  // Silence is waited for longer by itself, and the first one says nothing against another attempt:
  // the connection may have been lost.
  const bool is_first_silence = error.reason == kTimedOut.name && pending.attempts < 2;
  const Duration left = is_first_silence ? Duration::max() : TimeLeft(pending, now);
  switch (DecideRetry({.code = error.code,
                       .is_retryable = failed.is_retryable,
                       .effect = pending.call.effect,
                       .retry_aborted = pending.call.retry_aborted,
                       .maybe_applied = pending.maybe_applied,
                       .refreshed = pending.refreshed,
                       .attempts = pending.attempts,
                       .is_too_late = left <= Duration::zero() || failed.retry_after > left},
                      policy_.max_attempts)) {
    case AfterFailure::kNewToken:
      pending.refreshed = true;
      pending.state = Ready{.refresh_token = true};
      return;
    case AfterFailure::kEnd:
      if (pending.maybe_applied && unknown) {
        error.Become(kWriteInDoubt);
        error = WithAdvice(std::move(error), "The write may or may not have been applied.");
      }
      End(pending, {std::move(error), pending.maybe_applied, pending.attempts}, handler);
      return;
    case AfterFailure::kAfterPause:
      break;
  }
  const bool exhausted = error.code == Code::kResourceExhausted;
  const Duration delay = policy_.Delay(pending.attempts, exhausted, random_);
  const Duration pause = std::min(std::max(delay, failed.retry_after), left);
  pending.state = Waiting{now + pause};
  if (IsOutage(error.code, pending.attempts, pause)) outage_ = error;
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
    Instant due = held_until_;  // Ready.
    if (const auto* waiting = std::get_if<Waiting>(&pending.state)) {
      due = std::max(waiting->until, held_until_);
    } else if (const auto* under_way = std::get_if<UnderWay>(&pending.state)) {
      due = under_way->give_up;
    } else if (!std::holds_alternative<Ready>(pending.state)) {
      continue;
    }
    if (!wake || due < *wake) wake = due;
  }
  return wake;
}

bool Executor::MayHaveUnknownWrites() const {
  if (maybe_applied_) return true;
  for (const PendingCall& pending : calls_) {
    const bool sent =
        std::holds_alternative<UnderWay>(pending.state) && pending.call.effect != Effect::kRead;
    if (sent || pending.maybe_applied) return true;
  }
  return false;
}

void Executor::Clear() {
  for (const PendingCall& pending : calls_) {
    const auto* under_way = std::get_if<UnderWay>(&pending.state);
    if (under_way != nullptr) aborts_.push_back(under_way->request);
  }
  calls_.clear();
}

}  // namespace shardline
