#include "operation/retry_decision.h"

#include <gtest/gtest.h>

#include <initializer_list>

namespace shardline::retry_decision_test {
namespace {

constexpr Code kAll[] = {
    Code::kCancelled,        Code::kUnknown,           Code::kInvalidArgument,
    Code::kDeadlineExceeded, Code::kNotFound,          Code::kAlreadyExists,
    Code::kPermissionDenied, Code::kResourceExhausted, Code::kFailedPrecondition,
    Code::kAborted,          Code::kOutOfRange,        Code::kUnimplemented,
    Code::kInternal,         Code::kUnavailable,       Code::kDataLoss,
    Code::kUnauthenticated};
constexpr Code kUnknownOutcome[] = {Code::kCancelled, Code::kUnknown,     Code::kDeadlineExceeded,
                                    Code::kInternal,  Code::kUnavailable, Code::kDataLoss};
constexpr int kMaxAttempts = 6;

bool IsOneOf(Code code, std::initializer_list<Code> codes) {
  for (const Code other : codes) {
    if (code == other) return true;
  }
  return false;
}

bool LeavesOutcomeUnknown(Code code) {
  for (const Code other : kUnknownOutcome) {
    if (code == other) return true;
  }
  return false;
}

// As the executor fills it in.
FailedAttempt Attempt(Code code, Effect effect) {
  return {.code = code,
          .is_retryable = IsTransient(code),
          .effect = effect,
          .maybe_applied = effect != Effect::kRead && OutcomeUnknown(code)};
}

TEST(DecideRetry, WhatAServerRefusesForGoodEnds) {
  for (const Code code : kAll) {
    const bool passes =
        LeavesOutcomeUnknown(code) || IsOneOf(code, {Code::kAborted, Code::kResourceExhausted});
    EXPECT_EQ(IsTransient(code), passes) << CodeName(code);
    EXPECT_EQ(OutcomeUnknown(code), LeavesOutcomeUnknown(code)) << CodeName(code);
    if (code == Code::kUnauthenticated) continue;
    for (const Effect effect : {Effect::kRead, Effect::kRepeatable}) {
      EXPECT_EQ(DecideRetry(Attempt(code, effect), kMaxAttempts),
                passes ? AfterFailure::kAfterPause : AfterFailure::kEnd)
          << CodeName(code);
    }
  }
}

TEST(DecideRetry, WhatMayHaveBeenAppliedAndWouldBeTwiceEnds) {
  for (const Code code : kAll) {
    if (code == Code::kUnauthenticated) continue;
    const bool surely_not = IsOneOf(code, {Code::kAborted, Code::kResourceExhausted});
    EXPECT_EQ(DecideRetry(Attempt(code, Effect::kOnce), kMaxAttempts),
              surely_not ? AfterFailure::kAfterPause : AfterFailure::kEnd)
        << CodeName(code);
  }
}

TEST(DecideRetry, ATokenIsRenewedOnce) {
  for (const Effect effect : {Effect::kRead, Effect::kRepeatable, Effect::kOnce}) {
    FailedAttempt attempt = Attempt(Code::kUnauthenticated, effect);
    EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kNewToken);
    attempt.attempts = kMaxAttempts;
    EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kNewToken)
        << "even at the last attempt, which the token has wasted";
    attempt.refreshed = true;
    EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kEnd);
  }
}

TEST(DecideRetry, AttemptsAreCounted) {
  for (const int max_attempts : {1, 2, 6}) {
    for (int attempts = 1; attempts <= max_attempts + 1; ++attempts) {
      FailedAttempt attempt = Attempt(Code::kUnavailable, Effect::kRepeatable);
      attempt.attempts = attempts;
      EXPECT_EQ(DecideRetry(attempt, max_attempts),
                attempts < max_attempts ? AfterFailure::kAfterPause : AfterFailure::kEnd);
    }
  }
}

TEST(DecideRetry, WhatComesTooLateEnds) {
  for (const Code code : kAll) {
    FailedAttempt attempt = Attempt(code, Effect::kRead);
    attempt.is_too_late = true;
    EXPECT_EQ(DecideRetry(attempt, kMaxAttempts),
              code == Code::kUnauthenticated ? AfterFailure::kNewToken : AfterFailure::kEnd)
        << CodeName(code);
  }
}

TEST(DecideRetry, WhatReliesOnAReadIsOutOfDateWhenItIsAborted) {
  FailedAttempt attempt = Attempt(Code::kAborted, Effect::kRepeatable);
  EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kAfterPause);
  attempt.retry_aborted = false;
  EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kEnd);
  attempt.maybe_applied = true;
  EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kAfterPause)
      << "an earlier attempt may be what it met with: only another one tells";
}

TEST(DecideRetry, AnAnswerThatCannotBeReadIsWorthAnotherTryIfItBrokeOff) {
  FailedAttempt attempt = Attempt(Code::kInternal, Effect::kRead);
  EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kAfterPause);
  attempt.is_retryable = false;
  EXPECT_EQ(DecideRetry(attempt, kMaxAttempts), AfterFailure::kEnd);
}

TEST(IsOutage, ASecondFailureIsOneAndALongPauseButNeverContention) {
  using std::chrono::seconds;
  EXPECT_FALSE(IsOutage(Code::kUnavailable, 1, seconds(1)));
  EXPECT_TRUE(IsOutage(Code::kUnavailable, 1, seconds(3)));
  EXPECT_TRUE(IsOutage(Code::kUnavailable, 2, seconds(1)));
  EXPECT_TRUE(IsOutage(Code::kResourceExhausted, 1, seconds(5)));
  EXPECT_FALSE(IsOutage(Code::kAborted, 5, seconds(30)));
}

}  // namespace
}  // namespace shardline::retry_decision_test
