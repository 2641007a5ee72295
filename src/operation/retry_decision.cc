#include "operation/retry_decision.h"

#include <cassert>

namespace shardline {

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

bool IsTransient(Code code) {
  return code == Code::kAborted || code == Code::kResourceExhausted || OutcomeUnknown(code);
}

AfterFailure DecideRetry(const FailedAttempt& attempt, int max_attempts) {
  assert(attempt.attempts >= 1 && max_attempts >= 1);
  const Code code = attempt.code;
  if (code == Code::kUnauthenticated && !attempt.refreshed) return AfterFailure::kNewToken;
  const bool must_not_repeat = attempt.effect == Effect::kOnce && OutcomeUnknown(code);
  const bool is_out_of_date =
      code == Code::kAborted && !attempt.retry_aborted && !attempt.maybe_applied;
  const bool ends = !attempt.is_retryable || must_not_repeat || is_out_of_date ||
                    attempt.attempts >= max_attempts || attempt.is_too_late;
  return ends ? AfterFailure::kEnd : AfterFailure::kAfterPause;
}

bool IsOutage(Code code, int attempts, Duration pause) {
  constexpr Duration kLongPause = std::chrono::seconds(2);
  return code != Code::kAborted && (attempts > 1 || pause > kLongPause);
}

}  // namespace shardline
