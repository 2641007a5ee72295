#include "base/result.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>

#include "base/reason.h"
#include "unit/support/status.h"

namespace shardline::result_test {
namespace {

using testing::Eq;

Result<int> Half(int number) {
  if (number % 2 != 0) return Fail(kCounterFull, "odd");
  return number / 2;
}

Status CheckEven(int number) {
  if (number % 2 != 0) return Fail(kQueryTooLarge, "odd");
  return {};
}

Result<int> Quarter(int number) {
  SHARDLINE_TRY(const int half, Half(number));
  SHARDLINE_TRY(const int quarter, Half(half));
  return quarter;
}

Result<std::string> Describe(int number) {
  SHARDLINE_CHECK(CheckEven(number));
  SHARDLINE_CHECK(CheckEven(number / 2));
  return "a multiple of four";
}

Result<std::unique_ptr<int>> Box(int number) { return std::make_unique<int>(number); }

Result<int> Unbox(int number) {
  SHARDLINE_TRY(const std::unique_ptr<int> box, Box(number));
  return *box;
}

Status CheckNamedLikeTheMacrosOwn(Status status) {
  SHARDLINE_CHECK(std::move(status));
  return {};
}

TEST(Try, GoesOnWithTheValue) { EXPECT_THAT(Quarter(12), IsOkAnd(Eq(3))); }

TEST(Try, ReturnsTheFirstError) {
  EXPECT_THAT(Quarter(7), Fails(Code::kOutOfRange, "odd"));
  EXPECT_THAT(Quarter(6), Fails(Code::kOutOfRange, "odd"));
}

TEST(Try, MovesWhatCannotBeCopied) { EXPECT_THAT(Unbox(5), IsOkAnd(Eq(5))); }

TEST(Check, GoesOnOrReturnsTheError) {
  EXPECT_THAT(Describe(8), IsOkAnd(Eq("a multiple of four")));
  EXPECT_THAT(Describe(7), IsRefused("odd"));
  EXPECT_THAT(Describe(6), IsRefused("odd"));
}

TEST(Check, TakesAVariableOfAnyName) {
  EXPECT_THAT(CheckNamedLikeTheMacrosOwn({}), IsOk());
  EXPECT_THAT(CheckNamedLikeTheMacrosOwn(CheckEven(1)), IsRefused("odd"));
}

TEST(Fail, HasNoHttpStatus) {
  EXPECT_EQ(Half(1).error().http_status, 0);
  EXPECT_EQ(Half(1).error().message, "odd");
}

TEST(MustBe, SaysWhatIsAllowed) {
  const Failure failure = MustBe("limit", "at least 1");
  const Error& error = failure.error();
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_EQ(error.reason, "argument-not-allowed");
  EXPECT_EQ(error.params, R"("argument":"limit","allowed":"at least 1")");
  EXPECT_EQ(error.message, "limit must be at least 1.");
  EXPECT_EQ(error.http_status, 0);
}

TEST(Failure, IsPutTogetherInPlace) {
  const std::string path = "posts/p1";
  const Status status = Fail(kIdsNotFound, "Nothing at ")
                        << path << ": " << path.substr(0, 5) << std::string_view(".");
  EXPECT_THAT(status, Fails(Code::kNotFound, "Nothing at posts/p1: posts."));
}

TEST(Failure, KeepsItsParametersBesideTheMessage) {
  const Status status = Fail(kCounterOfAnotherLayout, "At ").With("path", "posts/p1")
                        << Param{"field", "\"a\""} << " is none.";
  EXPECT_THAT(status, Fails(Code::kFailedPrecondition, "At \"a\" is none."));
  EXPECT_EQ(status.error().reason, "counter-of-another-layout");
  EXPECT_EQ(status.error().params, R"("path":"posts/p1","field":"\"a\"")");
}

TEST(Failure, IsHandedOnOnce) {
  Status status = Fail(kIdsNotFound, "gone");
  const Result<int> result = status.TakeFailure();
  EXPECT_THAT(result, Fails(Code::kNotFound, "gone"));
}

}  // namespace
}  // namespace shardline::result_test
