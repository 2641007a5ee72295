#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/instant.h"
#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "operation/billed.h"
#include "operation/retry_decision.h"
#include "operation/retry_policy.h"

namespace shardline {

using RequestId = std::uint32_t;

// To be sent once, by the driver of the operation. Every answer repeats the id.
struct HttpRequest {
  RequestId id;
  std::string_view method;
  std::string path;  // From "/v1/" on, percent-encoded; without host and key.
  std::string body;  // JSON; empty for none.
  // The last answer was UNAUTHENTICATED: get a new token before sending.
  bool refresh_token = false;
};

struct HttpResponse {
  int status;
  PaddedText body;
  // The answer's Retry-After.
  Duration retry_after = {};
  // False if the request carried no user's token.
  bool is_signed_in = true;
};

using CallId = std::uint32_t;

// One thing to be asked of the server, in as many attempts as it takes.
struct Call {
  std::string path;
  std::string body;
  Effect effect = Effect::kRead;
  // Attempts of an earlier call that this one continues: they count, and there is a pause before
  // it.
  int attempts_before = 0;
  // False for writes that follow from a read: ABORTED means that what was read is out of date, so
  // the call ends with it, unless an earlier attempt may have been applied.
  bool retry_aborted = true;
};

// Why a call ended without a usable answer.
struct CallFailure {
  Error error;
  // True if the server may have applied the call, in this attempt or an earlier one: an answer was
  // lost. Such a failure's code is kOutcomeUnknown, unless the last attempt was refused outright.
  bool maybe_applied = false;
  // How often it was tried, including attempts_before.
  int attempts = 0;
};

// The events that an executor reports to its operation. Each call ends in exactly one OnAnswer that
// returns a value, or one OnFailure.
class CallHandler {
 public:
  virtual ~CallHandler() = default;

  // A success. The handler may take the body. It returns what the answer was billed, or, having
  // changed nothing, the error that the body turned out to hold: then the call goes on as if it had
  // failed so.
  virtual Result<Billed> OnAnswer(CallId id, PaddedText& body) = 0;
  virtual void OnFailure(CallId id, const CallFailure& failure) = 0;
  // The call will be sent again later, after this error. The handler may change it: `call` is what
  // will be sent; its effect on the database must stay of the same kind, or it must be a read.
  virtual void OnRetry(CallId id, const CallFailure& failure, Call& call) = 0;
  // The pause before a repeated attempt ended kOverslept ago: the device has slept. The handler may
  // change the call as in OnRetry().
  virtual void OnOverslept(CallId, Call&) {}
};

// A timer is late by more than this only where a device sleeps.
inline constexpr Duration kOverslept = std::chrono::hours(1);

// How long calls are sent again.
enum class Patience : std::uint8_t {
  kLong,   // RetryPolicy::max_attempts times
  kShort,  // and for RetryPolicy::max_read at the most: a user waits for the answer
};

// Sends calls until they succeed or there is no point in going on: DecideRetry() says when. Does no
// I/O and reads no clock.
class Executor {
 public:
  // The policy and the dice must outlive the executor.
  Executor(const RetryPolicy& policy, Random& random, Patience patience = Patience::kLong)
      : policy_(policy), random_(random), patience_(patience) {
    assert(policy.max_attempts >= 1);
  }

  CallId Send(Call call);
  // A pause: until then no request goes out, neither a first attempt nor a repeated one. Calls in
  // flight continue. If there are several pauses, the one that ends last counts.
  void HoldUntil(Instant end) { held_until_ = std::max(held_until_, end); }

  // Before TakeRequests(): tells the handler of each pause that ended long ago.
  void WakeOverslept(Instant now, CallHandler& handler);
  // The driver's side: it takes requests, and brings answers and the time. Answers to attempts that
  // were given up are ignored.
  std::vector<HttpRequest> TakeRequests(Instant now);
  std::vector<RequestId> TakeAborts();
  // Why a call has failed that will be sent again, if its user is to hear of it: IsOutage(). Each
  // is given out once.
  std::optional<Error> TakeOutage();
  Billed HandleResponse(RequestId id, HttpResponse response, Instant now, CallHandler& handler);
  void HandleNetworkFailure(RequestId id, Instant now, CallHandler& handler);
  void HandleTime(Instant now, CallHandler& handler);
  // When HandleTime will have something to do, or TakeRequests something to give. Valid after
  // TakeRequests, which starts pauses and time limits.
  std::optional<Instant> NextWake() const;

  // Gives up all calls; what is under way is to be aborted. No handler hears of it.
  void Clear();
  bool idle() const { return calls_.empty(); }
  // True if a write is under way, or the answer to one was lost.
  bool MayHaveUnknownWrites() const;

 private:
  // Where a call stands.
  struct Ready {  // To be sent with the next requests.
    bool refresh_token = false;
  };
  struct Paused {};  // Waiting, except the time, which is not known yet.
  struct Waiting {
    Instant until;
  };
  struct UnderWay {
    RequestId request;
    Instant give_up;
  };
  struct Answered {};  // The handler reads the answer.
  using State = std::variant<Ready, Paused, Waiting, UnderWay, Answered>;

  struct PendingCall {
    CallId id;
    Call call;
    State state;
    int attempts = 0;
    bool maybe_applied = false;
    bool refreshed = false;
    std::optional<Instant> sent_first = {};
  };
  // The end of a failed attempt.
  struct Failed {
    Error error;
    bool is_retryable = true;
    Duration retry_after = {};
  };

  PendingCall* FindRequest(RequestId id);
  std::size_t IndexOf(CallId id) const;
  // Decides what becomes of a call after an attempt that failed.
  void HandleFailure(PendingCall& pending, Failed failed, Instant now, CallHandler& handler);
  // For how long it may still be sent again.
  Duration TimeLeft(const PendingCall& pending, Instant now) const;
  void End(PendingCall& pending, const CallFailure& failure, CallHandler& handler);

  const RetryPolicy& policy_;
  Random& random_;
  const Patience patience_;
  std::vector<PendingCall> calls_;
  std::vector<RequestId> aborts_;
  std::optional<Error> outage_;
  Instant held_until_ = Instant::min();
  CallId last_call_ = 0;
  RequestId last_request_ = 0;
  // Set when a call has ended.
  bool maybe_applied_ = false;
};

}  // namespace shardline
