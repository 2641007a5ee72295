#pragma once

#include <cstdint>

#include "base/error.h"
#include "base/instant.h"

namespace shardline {

// The effect on the database of sending a call twice.
enum class Effect : std::uint8_t {
  kRead,        // nothing
  kRepeatable,  // a write that a precondition guards, or that has the same result when applied
                // twice
  kOnce,        // a write that would be applied twice
};

// True if the server may have applied a write that it answered with this code.
bool OutcomeUnknown(Code code);

// True for errors that a retry may cure: contention, and every error that leaves the outcome
// unknown.
bool IsTransient(Code code);

// A failed attempt of a call, and the facts about the call.
struct FailedAttempt {
  Code code;
  // The server may answer a repeated attempt otherwise: see IsTransient(), and Executor for answers
  // that cannot be read.
  bool is_retryable = true;
  Effect effect = Effect::kRead;
  // False if ABORTED means that the read before the call is out of date.
  bool retry_aborted = true;
  // The server may have applied this attempt or an earlier one.
  bool maybe_applied = false;
  // An earlier attempt has made the driver ask for a new token.
  bool refreshed = false;
  // The number of attempts, with this one.
  int attempts = 1;
  // A user waits for the call, and has waited for as long as the policy allows
  // (RetryPolicy::max_read); or the server asks for a pause that would last longer.
  bool is_too_late = false;
};

enum class AfterFailure : std::uint8_t {
  kNewToken,    // It is sent again at once, with a new token.
  kAfterPause,  // It is sent again after RetryPolicy::Delay().
  kEnd,
};

// Decides whether a call is sent again: a decision table, the only one for all operations. The
// first row that fits counts:
//
// clang-format off
//
//   answer                                                    what follows
//   --------------------------------------------------------  -----------------------------------
//   UNAUTHENTICATED                                           kNewToken the first time, then kEnd
//   a final refusal by the server                             kEnd
//   outcome unknown, and the effect is kOnce                  kEnd
//   ABORTED, not retry_aborted, surely not applied before     kEnd
//   the `max_attempts`-th attempt                             kEnd
//   is_too_late                                               kEnd
//   outcome unknown: no answer, timeout, UNAVAILABLE,         kAfterPause
//     DEADLINE_EXCEEDED, INTERNAL, CANCELLED, UNKNOWN,
//     DATA_LOSS, an answer that breaks off
//   definitely not applied: ABORTED, RESOURCE_EXHAUSTED       kAfterPause
//
// clang-format on
//
// (https://cloud.google.com/firestore/docs/use-rest-api#error_codes_and_error_handling).
AfterFailure DecideRetry(const FailedAttempt& attempt, int max_attempts);

// Whether the user learns of a failed attempt although the call goes on: from the second failure
// on, and at once before a long pause. Never for contention, which is normal.
bool IsOutage(Code code, int attempts, Duration pause);

}  // namespace shardline
