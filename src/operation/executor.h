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

// A request that the operation's driver sends once. Its answer carries the same id.
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

// One question to the server, in one attempt or several.
struct Call {
  std::string path;
  std::string body;
  Effect effect = Effect::kRead;
  // Attempts of an earlier call that this one continues: they count, and there is a pause before
  // it.
  int attempts_before = 0;
  // False for a write that relies on an earlier read. ABORTED then means that the read is out of
  // date, so the call ends, unless an earlier attempt may have been applied.
  bool retry_aborted = true;
};

// Why a call ended without a usable answer.
struct CallFailure {
  Error error;
  // True if the server may have applied the call, in this attempt or an earlier one: an answer was
  // lost. Such a failure's code is kOutcomeUnknown, unless the last attempt was refused outright.
  bool maybe_applied = false;
  // The number of attempts, including attempts_before.
  int attempts = 0;
};

// The events that an executor reports to its operation. Each call ends in exactly one OnAnswer that
// returns a value, or one OnFailure.
class CallHandler {
 public:
  virtual ~CallHandler() = default;

  // A success. The handler may take the body. It returns the bill of the answer. If the body turns
  // out to hold an error, the handler changes nothing and returns the error, and the call goes on
  // as after a failure.
  virtual Result<Billed> OnAnswer(CallId id, PaddedText& body) = 0;
  virtual void OnFailure(CallId id, const CallFailure& failure) = 0;
  // The executor will send `call` again after this error. The handler may change it; the new call
  // must have the same Effect, or be a read.
  virtual void OnRetry(CallId id, const CallFailure& failure, Call& call) = 0;
  // The pause before a repeated attempt ended kOverslept ago: the device has slept. The handler may
  // change the call as in OnRetry().
  virtual void OnOverslept(CallId, Call&) {}
};

// A timer is late by more than this only if the device slept.
inline constexpr Duration kOverslept = std::chrono::hours(1);

// How long calls are sent again.
enum class Patience : std::uint8_t {
  kLong,   // RetryPolicy::max_attempts times
  kShort,  // and for RetryPolicy::max_read at the most: a user waits for the answer
};

// Sends calls with retries, back-off and timeouts until they succeed or DecideRetry() ends them.
// Does no I/O and reads no clock.
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

  // Reports each pause that ended long ago to the handler. Call it before TakeRequests().
  void WakeOverslept(Instant now, CallHandler& handler);
  // The driver takes requests here, and brings answers and the time. The executor ignores answers
  // to attempts that it has given up.
  std::vector<HttpRequest> TakeRequests(Instant now);
  std::vector<RequestId> TakeAborts();
  // The error of a call that the executor will send again, if the user should know about it: see
  // IsOutage(). Returns each error once.
  std::optional<Error> TakeOutage();
  Billed HandleResponse(RequestId id, HttpResponse response, Instant now, CallHandler& handler);
  void HandleNetworkFailure(RequestId id, Instant now, CallHandler& handler);
  void HandleTime(Instant now, CallHandler& handler);
  // The time of the next call of HandleTime() and TakeRequests(). Valid after TakeRequests(), which
  // starts pauses and time limits.
  std::optional<Instant> NextWake() const;

  // Gives up all calls, and asks the driver to abort their requests. The handler gets no event.
  void Clear();
  bool idle() const { return calls_.empty(); }
  // True if a write is under way, or the answer to one was lost.
  bool MayHaveUnknownWrites() const;

 private:
  // The state of a call.
  struct Ready {  // To be sent with the next requests.
    bool refresh_token = false;
  };
  struct Paused {};  // The same as Waiting, before the time is known.
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
  // Decides the next step of a call after a failed attempt.
  void HandleFailure(PendingCall& pending, Failed failed, Instant now, CallHandler& handler);
  // How long the executor may still send it again.
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
