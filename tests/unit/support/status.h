// Matchers for Result<T> and Status.
#pragma once

#include <gmock/gmock.h>

#include <ostream>
#include <utility>

#include "base/result.h"

namespace shardline {

inline void PrintTo(const Error& error, std::ostream* out) {
  *out << CodeName(error.code) << " (" << error.http_status << "): " << error.message;
}

// EXPECT_THAT(ParseName(text), IsOk());
MATCHER(IsOk, negation ? "is an error" : "is a value") {
  if (arg) return true;
  *result_listener << testing::PrintToString(arg.error());
  return false;
}

// EXPECT_THAT(ParseName(text), IsOkAnd(Eq("a")));
MATCHER_P(IsOkAnd, matcher, "is a value that fits") {
  if (arg) return testing::ExplainMatchResult(matcher, *arg, result_listener);
  *result_listener << testing::PrintToString(arg.error());
  return false;
}

// EXPECT_THAT(ParseName(text), Fails(Code::kInvalidArgument, HasSubstr("empty")));
MATCHER_P2(Fails, code, message, "is an error of that code") {
  if (arg) {
    *result_listener << "which is a value";
    return false;
  }
  *result_listener << testing::PrintToString(arg.error());
  return arg.error().code == code &&
         testing::ExplainMatchResult(message, arg.error().message, result_listener);
}

// The commonest of them.
template <class Matcher>
auto IsRefused(Matcher message) {
  return Fails(Code::kInvalidArgument, std::move(message));
}

}  // namespace shardline
