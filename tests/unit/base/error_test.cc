#include "base/error.h"

#include <gtest/gtest.h>

#include <string>

#include "base/reason.h"

namespace shardline::error_test {
namespace {

struct Names {
  Code code;
  std::string_view firebase;
  std::string_view server;
};

constexpr Names kAll[] = {
    {Code::kCancelled, "cancelled", "CANCELLED"},
    {Code::kUnknown, "unknown", "UNKNOWN"},
    {Code::kInvalidArgument, "invalid-argument", "INVALID_ARGUMENT"},
    {Code::kDeadlineExceeded, "deadline-exceeded", "DEADLINE_EXCEEDED"},
    {Code::kNotFound, "not-found", "NOT_FOUND"},
    {Code::kAlreadyExists, "already-exists", "ALREADY_EXISTS"},
    {Code::kPermissionDenied, "permission-denied", "PERMISSION_DENIED"},
    {Code::kResourceExhausted, "resource-exhausted", "RESOURCE_EXHAUSTED"},
    {Code::kFailedPrecondition, "failed-precondition", "FAILED_PRECONDITION"},
    {Code::kAborted, "aborted", "ABORTED"},
    {Code::kOutOfRange, "out-of-range", "OUT_OF_RANGE"},
    {Code::kUnimplemented, "unimplemented", "UNIMPLEMENTED"},
    {Code::kInternal, "internal", "INTERNAL"},
    {Code::kUnavailable, "unavailable", "UNAVAILABLE"},
    {Code::kDataLoss, "data-loss", "DATA_LOSS"},
    {Code::kUnauthenticated, "unauthenticated", "UNAUTHENTICATED"},
};

TEST(CodeName, IsFirebasesForEveryCode) {
  for (const Names& names : kAll) EXPECT_EQ(CodeName(names.code), names.firebase);
}

TEST(NextSentence, FollowsAFullStopThatAServerMayHaveLeftOut) {
  for (const auto& [said, whole] : {
           std::pair<std::string, std::string>{"No matching allow statements",
                                               "No matching allow statements. Ask."},
           {"Missing or insufficient permissions.", "Missing or insufficient permissions. Ask."},
           {"\nfalse for 'create' @ L7!", "\nfalse for 'create' @ L7! Ask."},
           {"", " Ask."},
       }) {
    std::string message = said;
    NextSentence(message) += "Ask.";
    EXPECT_EQ(message, whole);
  }
}

TEST(CodeName, HasAWordForAnUnknownOutcome) {
  EXPECT_EQ(CodeName(Code::kOutcomeUnknown), "outcome-unknown");
}

TEST(CodeFromServerStatus, KnowsEveryCode) {
  for (const Names& names : kAll) EXPECT_EQ(CodeFromServerStatus(names.server), names.code);
}

TEST(CodeFromServerStatus, IsUnknownForAnythingElse) {
  for (const std::string_view status :
       {"", "OK", "not-found", "NOT-FOUND", "NOT_FOUN", "NOT_FOUND ", "Not_Found", "TEAPOT"}) {
    EXPECT_EQ(CodeFromServerStatus(status), Code::kUnknown) << status;
  }
}

TEST(CodeFromServerStatus, NeverGivesOurOwnCode) {
  EXPECT_EQ(CodeFromServerStatus("OUTCOME_UNKNOWN"), Code::kUnknown);
}

TEST(ServerStatus, IsTheServersName) {
  for (const Names& names : kAll) EXPECT_EQ(ServerStatus(names.code), names.server);
}

TEST(Error, HasTheCodeOfItsReason) {
  Error error(kCounterNotFound, "There is none.", 404);
  EXPECT_EQ(error.code, Code::kNotFound);
  EXPECT_EQ(error.reason, "counter-not-found");
  error.Add("path", "posts/p1");
  error.Become(kWriteInDoubt);
  EXPECT_EQ(error.code, Code::kOutcomeUnknown);
  EXPECT_EQ(error.reason, "write-in-doubt");
  EXPECT_EQ(error.params, "");
  EXPECT_EQ(error.message, "There is none.");
  EXPECT_EQ(error.http_status, 404);
}

TEST(Error, KeepsTheBeginningOfALongParameter) {
  Error error(kCounterNotFound, "");
  error.Add("path", std::string(10'000, 'x'));
  EXPECT_EQ(error.params, R"("path":")" + std::string(500, 'x') + '"');
}

TEST(HasItsParameters, KnowsWhatEachReasonNames) {
  Error error(kServerRefused, "");
  EXPECT_FALSE(HasItsParameters(error));
  error.Add("status", "ABORTED");
  EXPECT_FALSE(HasItsParameters(error));
  error.Add("http", 409);
  EXPECT_TRUE(HasItsParameters(error));
  error.Add("more", 1);
  EXPECT_FALSE(HasItsParameters(error));
  EXPECT_TRUE(HasItsParameters(Error(kCancelled, "")));
}

TEST(Codes, AreGrpcsNumbers) {
  EXPECT_EQ(static_cast<int>(Code::kCancelled), 1);
  EXPECT_EQ(static_cast<int>(Code::kAborted), 10);
  EXPECT_EQ(static_cast<int>(Code::kUnauthenticated), 16);
}

}  // namespace
}  // namespace shardline::error_test
