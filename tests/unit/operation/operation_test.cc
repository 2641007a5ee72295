#include "operation/operation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/reason.h"
#include "unit/support/operation_driver.h"

namespace shardline::operation_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// Sends `steps` calls one after the other; each answer is billed two reads and a write.
class Chain : public Operation {
 public:
  Chain(OperationContext& context, int steps, Effect effect)
      : Operation(context), left_(steps), effect_(effect) {
    Next();
  }

  void WriteResult(JsonWriter& writer) const override { writer.Int(answers_); }

 private:
  void Next() {
    if (left_-- == 0) return Finish();
    SendCommit("{}", effect_);
  }

  Result<Billed> OnAnswer(CallId, PaddedText& body) override {
    if (body.view() != "{}") return Fail(kAnswerUnreadable, "Not {}.");
    ++answers_;
    Next();
    return Billed{.reads = 2, .writes = 1};
  }

  int left_;
  Effect effect_;
  int answers_ = 0;
};

class OperationTest : public ::testing::Test {
 protected:
  OperationDriver Drive(int steps, Effect effect = Effect::kRead) {
    return OperationDriver(std::make_unique<Chain>(context_, steps, effect));
  }

  OperationContext context_ = TestContext();
};

TEST_F(OperationTest, EndsWhenItsLastStepDoes) {
  OperationDriver driver = Drive(3);
  driver.Script({OkText("{}"), OkText("{}"), OkText("{}")}).Run();
  EXPECT_EQ(driver.result(), 3);
  EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 6, .writes = 3}));
  EXPECT_EQ(driver.sent()[0].path, "/v1/projects/demo/databases/(default)/documents:commit");
  EXPECT_FALSE(driver.operation().NextWake());
  EXPECT_THAT(driver.aborted(), IsEmpty());
}

TEST_F(OperationTest, NeedsNoNetworkIfItHasNoSteps) {
  OperationDriver driver = Drive(0);
  EXPECT_TRUE(driver.operation().done());
  EXPECT_THAT(driver.Run().sent(), IsEmpty());
  EXPECT_EQ(driver.result(), 0);
}

TEST_F(OperationTest, FailedAttemptsAreNotBilled) {
  OperationDriver driver = Drive(1);
  driver.Script({Refusal("UNAVAILABLE"), OkText("<"), OkText("{}")}).Run();
  EXPECT_EQ(driver.error().code, Code::kUnavailable);
  OperationDriver other = Drive(1);
  other.Script({Refusal("UNAVAILABLE"), OkText(""), OkText("{}")}).Run();
  EXPECT_EQ(other.result(), 1);
  EXPECT_EQ(other.operation().billed(), (Billed{.reads = 2, .writes = 1}));
}

TEST_F(OperationTest, FailureOfACallIsTheOperationsFailure) {
  OperationDriver driver = Drive(2);
  driver.Script({OkText("{}"), Refusal("PERMISSION_DENIED", "Not yours.")}).Run();
  EXPECT_EQ(driver.error().code, Code::kPermissionDenied);
  EXPECT_EQ(driver.error().message, "Not yours.");
  EXPECT_EQ(driver.error().http_status, 403);
}

TEST_F(OperationTest, LastRefusalDoesNotHideALostAnswer) {
  for (const char* last : {"PERMISSION_DENIED", "NOT_FOUND", "INVALID_ARGUMENT"}) {
    OperationDriver driver = Drive(1, Effect::kRepeatable);
    driver.Script({Cut(), Refusal(last, "No.")}).Run();
    EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown) << last;
    EXPECT_THAT(driver.error().message, HasSubstr("No."));
    EXPECT_THAT(driver.error().message, HasSubstr("may have been applied"));
  }
  OperationDriver driver = Drive(1, Effect::kRepeatable);
  driver.Serve(
      [&](const SentRequest& request) { return request.id == 1 ? Cut() : Refusal("ABORTED"); });
  driver.Run();
  EXPECT_EQ(driver.sent().size(), 6u);
  EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown);
}

TEST_F(OperationTest, CancelAbortsAndWarns) {
  OperationDriver driver = Drive(1, Effect::kOnce);
  driver.Send();
  driver.operation().Cancel();
  driver.Run();
  EXPECT_EQ(driver.error().code, Code::kCancelled);
  EXPECT_THAT(driver.error().message, HasSubstr("may have been applied"));
  EXPECT_THAT(driver.aborted(), ElementsAre(driver.sent()[0].id));
}

TEST_F(OperationTest, CancelDoesNotWarnWithoutReason) {
  OperationDriver before = Drive(1, Effect::kOnce);
  before.operation().Cancel();
  EXPECT_EQ(before.error().code, Code::kCancelled);
  EXPECT_THAT(before.error().message, Not(HasSubstr("applied")));
  EXPECT_THAT(before.Run().sent(), IsEmpty());

  OperationDriver reading = Drive(1, Effect::kRead);
  reading.Send();
  reading.operation().Cancel();
  EXPECT_THAT(reading.error().message, Not(HasSubstr("applied")));
}

TEST_F(OperationTest, CancelAfterTheEndChangesNothing) {
  OperationDriver driver = Drive(1);
  driver.Script({OkText("{}")}).Run();
  driver.operation().Cancel();
  EXPECT_EQ(driver.result(), 1);
  driver.operation().HandleTime(driver.now() + std::chrono::hours(1));
  driver.operation().HandleResponse(1, {200, PaddedText("{}")}, driver.now());
  driver.operation().HandleNetworkFailure(1, driver.now());
  EXPECT_EQ(driver.result(), 1);
}

TEST_F(OperationTest, WritesWhatWasBilled) {
  JsonWriter writer;
  WriteBilled(writer, {.reads = 1, .writes = 20, .deletes = 300});
  EXPECT_EQ(writer.text(), R"({"reads":1,"writes":20,"deletes":300})");
}

// Counts its steps aloud, and rests before each but the first.
class Slow : public Operation {
 public:
  Slow(OperationContext& context, int steps) : Operation(context), left_(steps) {}

  void WriteResult(JsonWriter& writer) const override { writer.Boolean(true); }

 private:
  void OnStart() override {
    TellProgress();
    Send({"/v1/x", "{}"});
  }
  Result<Billed> OnAnswer(CallId, PaddedText&) override {
    --left_;
    TellProgress();
    if (left_ == 0) {
      Finish();
    } else {
      WaitUntil(now() + std::chrono::seconds(7));
      Send({"/v1/x", "{}"});
    }
    return Billed{.reads = 1};
  }

  void WriteProgress(JsonWriter& writer) const override {
    writer.BeginArray().Int(left_).Int(billed().reads).EndArray();
  }

  int left_;
};

TEST_F(OperationTest, RestsAndGoesOnByItself) {
  OperationDriver driver(std::make_unique<Slow>(context_, 3));
  driver.Script({OkText(""), OkText(""), OkText("")}).Run();
  EXPECT_EQ(driver.result(), true);
  ASSERT_EQ(driver.sent().size(), 3u);
  for (std::size_t i = 1; i < 3; ++i) {
    EXPECT_EQ(driver.sent()[i].at - driver.sent()[i - 1].at, std::chrono::milliseconds(7010));
  }
}

TEST_F(OperationTest, TellsItsProgressOnceAndAsItIsThen) {
  Slow slow(context_, 2);
  EXPECT_EQ(slow.TakeProgress(), "");
  Instant now{};
  const RequestId first = slow.TakeRequests(now).at(0).id;
  EXPECT_EQ(slow.TakeProgress(), "[2,0]");
  EXPECT_EQ(slow.TakeProgress(), "");
  slow.HandleResponse(first, {200, PaddedText("")}, now);
  EXPECT_TRUE(slow.TakeRequests(now).empty());
  ASSERT_EQ(slow.NextWake(), now + std::chrono::seconds(7));
  now = *slow.NextWake();
  slow.HandleResponse(slow.TakeRequests(now).at(0).id, {200, PaddedText("")}, now);
  EXPECT_TRUE(slow.done());
  EXPECT_EQ(slow.TakeProgress(), "[0,2]") << "also at the end, with what that was billed";
  EXPECT_EQ(slow.TakeProgress(), "");
}

}  // namespace
}  // namespace shardline::operation_test
