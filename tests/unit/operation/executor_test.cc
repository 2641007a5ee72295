#include "operation/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "simulator/refusal.h"
#include "unit/support/operation_driver.h"

namespace shardline::executor_test {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Instant kStart = Instant(std::chrono::seconds(100));

// Records what it is told, and does what the test wants it to.
class Handler : public CallHandler {
 public:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override {
    answers.emplace_back(id, std::string(body.view()));
    if (on_answer) return on_answer(id, body);
    return Billed{.reads = 3};
  }
  void OnFailure(CallId id, const CallFailure& failure) override {
    failures.push_back(failure);
    if (on_failure) on_failure(id);
  }
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override {
    retries.push_back(failure);
    if (on_retry) on_retry(id, call);
  }

  std::vector<std::pair<CallId, std::string>> answers;
  std::vector<CallFailure> failures;
  std::vector<CallFailure> retries;
  std::function<Result<Billed>(CallId, PaddedText&)> on_answer;
  std::function<void(CallId)> on_failure;
  std::function<void(CallId, Call&)> on_retry;
};

class ExecutorTest : public ::testing::Test {
 protected:
  static Call MakeCall(Effect effect, int attempts_before = 0) {
    return {.path = "/v1/x", .body = "{}", .effect = effect, .attempts_before = attempts_before};
  }

  // Sends the one request that is due, and returns it.
  HttpRequest Take() {
    std::vector<HttpRequest> requests = executor_.TakeRequests(now_);
    EXPECT_EQ(requests.size(), 1u);
    return requests.empty() ? HttpRequest{} : std::move(requests[0]);
  }
  bool NothingToSend() { return executor_.TakeRequests(now_).empty(); }

  Billed Respond(RequestId id, const Reply& reply) {
    if (reply.kind == Reply::Kind::kCut) {
      executor_.HandleNetworkFailure(id, now_, handler_);
      return {};
    }
    return executor_.HandleResponse(id, {reply.status, PaddedText(reply.body)}, now_, handler_);
  }

  // Lets the time pass until the next attempt is due; returns how long that was.
  Duration Wait() {
    const std::optional<Instant> wake = executor_.NextWake();
    EXPECT_TRUE(wake.has_value());
    const Duration pause = wake.value_or(now_) - now_;
    now_ += pause;
    executor_.HandleTime(now_, handler_);
    return pause;
  }

  // Answers every attempt like this until the call ends.
  void RespondAlways(const Reply& reply) {
    while (!executor_.idle()) {
      Respond(Take().id, reply);
      if (!executor_.idle() && executor_.NextWake()) Wait();
    }
  }

  RetryPolicy policy_;
  Random random_{3};
  Executor executor_{policy_, random_};
  Handler handler_;
  Instant now_ = kStart;
};

TEST_F(ExecutorTest, SuccessGoesToTheHandlerOnce) {
  const CallId call = executor_.Send(MakeCall(Effect::kOnce));
  EXPECT_FALSE(executor_.idle());
  const HttpRequest request = Take();
  EXPECT_EQ(request.path, "/v1/x");
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(request.method, "POST");
  EXPECT_FALSE(request.refresh_token);
  EXPECT_TRUE(NothingToSend());
  EXPECT_EQ(Respond(request.id, OkText("[]")), Billed{.reads = 3});
  EXPECT_THAT(handler_.answers, ElementsAre(std::pair(call, std::string("[]"))));
  EXPECT_TRUE(executor_.idle());
  // The browser may bring the same answer again.
  EXPECT_EQ(Respond(request.id, OkText("[]")), Billed{});
  EXPECT_EQ(handler_.answers.size(), 1u);
  EXPECT_THAT(executor_.TakeAborts(), IsEmpty());
}

TEST_F(ExecutorTest, All2xxAreSuccesses) {
  for (const int status : {200, 201, 204, 299}) {
    executor_.Send(MakeCall(Effect::kRead));
    Respond(Take().id, Answer(status, "{}"));
  }
  EXPECT_EQ(handler_.answers.size(), 4u);
}

TEST_F(ExecutorTest, AnswersMayComeInAnyOrder) {
  const CallId a = executor_.Send(MakeCall(Effect::kRead));
  const CallId b = executor_.Send(MakeCall(Effect::kRead));
  const CallId c = executor_.Send(MakeCall(Effect::kRead));
  const std::vector<HttpRequest> requests = executor_.TakeRequests(now_);
  ASSERT_EQ(requests.size(), 3u);
  Respond(requests[2].id, OkText("c"));
  Respond(requests[0].id, OkText("a"));
  Respond(requests[1].id, OkText("b"));
  EXPECT_THAT(handler_.answers,
              ElementsAre(std::pair(c, std::string("c")), std::pair(a, std::string("a")),
                          std::pair(b, std::string("b"))));
}

// How a call ends that is always answered alike, by its effect.
struct Ending {
  int attempts;
  Code code;
  bool maybe_applied;

  bool operator==(const Ending&) const = default;
  friend void PrintTo(const Ending& ending, std::ostream* out) {
    *out << ending.attempts << " × " << CodeName(ending.code) << (ending.maybe_applied ? "?" : "");
  }
};

class ExecutorEndingTest : public ExecutorTest {
 protected:
  Ending EndOf(Effect effect, const Reply& reply) {
    Executor executor(policy_, random_);
    Handler handler;
    // What is no JSON for the handler is what a decoder would refuse.
    handler.on_answer = [&](CallId, PaddedText&) -> Result<Billed> {
      return Fail(kAnswerUnreadable, "Cannot read it.");
    };
    executor.Send(MakeCall(effect));
    Instant now = kStart;
    int sent = 0;
    while (!executor.idle()) {
      for (const HttpRequest& request : executor.TakeRequests(now)) {
        ++sent;
        if (reply.kind == Reply::Kind::kCut) {
          executor.HandleNetworkFailure(request.id, now, handler);
        } else if (reply.kind == Reply::Kind::kAnswer) {
          executor.HandleResponse(request.id, {reply.status, PaddedText(reply.body)}, now, handler);
        }
      }
      if (const auto wake = executor.NextWake()) now = *wake;
      executor.HandleTime(now, handler);
    }
    EXPECT_EQ(handler.failures.size(), 1u);
    const CallFailure& failure = handler.failures.at(0);
    EXPECT_EQ(failure.attempts, sent);
    EXPECT_EQ(handler.retries.size(), static_cast<std::size_t>(sent - 1));
    EXPECT_FALSE(failure.error.message.empty());
    return {failure.attempts, failure.error.code, failure.maybe_applied};
  }
};

TEST_F(ExecutorEndingTest, RefusalsEndTheCallAtOnce) {
  const std::pair<const char*, Code> cases[] = {
      {"INVALID_ARGUMENT", Code::kInvalidArgument},
      {"NOT_FOUND", Code::kNotFound},
      {"ALREADY_EXISTS", Code::kAlreadyExists},
      {"PERMISSION_DENIED", Code::kPermissionDenied},
      {"FAILED_PRECONDITION", Code::kFailedPrecondition},
      {"OUT_OF_RANGE", Code::kOutOfRange},
      {"UNIMPLEMENTED", Code::kUnimplemented},
  };
  for (const auto& [status, code] : cases) {
    for (const Effect effect : {Effect::kRead, Effect::kRepeatable, Effect::kOnce}) {
      EXPECT_EQ(EndOf(effect, Refusal(status)), (Ending{1, code, false})) << status;
    }
  }
}

TEST_F(ExecutorEndingTest, ContentionIsTriedAgainWhateverTheEffect) {
  for (const Effect effect : {Effect::kRead, Effect::kRepeatable, Effect::kOnce}) {
    EXPECT_EQ(EndOf(effect, Refusal("ABORTED")), (Ending{6, Code::kAborted, false}));
    EXPECT_EQ(EndOf(effect, Refusal("RESOURCE_EXHAUSTED")),
              (Ending{6, Code::kResourceExhausted, false}));
  }
}

TEST_F(ExecutorEndingTest, UnknownOutcomesAreRepeatedOnlyWhereThatIsSafe) {
  const std::pair<const char*, Code> cases[] = {
      {"CANCELLED", Code::kCancelled},     {"UNKNOWN", Code::kInternal},
      {"INTERNAL", Code::kInternal},       {"DEADLINE_EXCEEDED", Code::kDeadlineExceeded},
      {"UNAVAILABLE", Code::kUnavailable}, {"DATA_LOSS", Code::kDataLoss},
  };
  for (const auto& [status, code] : cases) {
    EXPECT_EQ(EndOf(Effect::kRead, Refusal(status)), (Ending{6, code, false})) << status;
    EXPECT_EQ(EndOf(Effect::kRepeatable, Refusal(status)), (Ending{6, Code::kOutcomeUnknown, true}))
        << status;
    EXPECT_EQ(EndOf(Effect::kOnce, Refusal(status)), (Ending{1, Code::kOutcomeUnknown, true}))
        << status;
  }
}

TEST_F(ExecutorEndingTest, CutConnectionsAndSilenceAreUnknownOutcomes) {
  EXPECT_EQ(EndOf(Effect::kRead, Cut()), (Ending{6, Code::kUnavailable, false}));
  EXPECT_EQ(EndOf(Effect::kRepeatable, Cut()), (Ending{6, Code::kOutcomeUnknown, true}));
  EXPECT_EQ(EndOf(Effect::kOnce, Cut()), (Ending{1, Code::kOutcomeUnknown, true}));
  EXPECT_EQ(EndOf(Effect::kRead, Silence()), (Ending{6, Code::kDeadlineExceeded, false}));
  EXPECT_EQ(EndOf(Effect::kRepeatable, Silence()), (Ending{6, Code::kOutcomeUnknown, true}));
  EXPECT_EQ(EndOf(Effect::kOnce, Silence()), (Ending{1, Code::kOutcomeUnknown, true}));
}

TEST_F(ExecutorEndingTest, HttpStatusCountsWhereTheBodySaysNothing) {
  const char* kPage = "<!DOCTYPE html><title>Error</title>";
  for (const int status : {500, 502, 503, 504, 599}) {
    for (const char* body : {kPage, "", "oops"}) {
      EXPECT_EQ(EndOf(Effect::kRead, Answer(status, body)).attempts, 6) << status;
      EXPECT_EQ(EndOf(Effect::kOnce, Answer(status, body)),
                (Ending{1, Code::kOutcomeUnknown, true}));
    }
  }
  // These say by themselves what is wrong.
  for (const int status : {403, 404, 413, 414}) {
    const Ending ending = EndOf(Effect::kRepeatable, Answer(status, kPage));
    EXPECT_EQ(ending.attempts, 1) << status;
    EXPECT_FALSE(ending.maybe_applied) << status;
  }
  // Firestore never refuses without saying so in its own words: something in between has answered,
  // and whether it passed the request on is not known.
  for (const int status : {400, 405, 410, 415, 431, 451}) {
    EXPECT_EQ(EndOf(Effect::kRepeatable, Answer(status, kPage)),
              (Ending{6, Code::kOutcomeUnknown, true}))
        << status;
  }
  EXPECT_EQ(EndOf(Effect::kOnce, Answer(429, kPage)), (Ending{6, Code::kResourceExhausted, false}));
}

TEST_F(ExecutorEndingTest, SuccessThatCannotBeRead) {
  // Broken off: worth another try. The write has most likely been applied.
  for (const char* body : {"", " \r\n", "{\"writeRes", "[{\"document\""}) {
    EXPECT_EQ(EndOf(Effect::kRead, OkText(body)), (Ending{6, Code::kInternal, false})) << body;
    EXPECT_EQ(EndOf(Effect::kRepeatable, OkText(body)), (Ending{6, Code::kOutcomeUnknown, true}))
        << body;
    EXPECT_EQ(EndOf(Effect::kOnce, OkText(body)), (Ending{1, Code::kOutcomeUnknown, true})) << body;
  }
  // Something else altogether: asked again, it would be the same. A login page hides the server.
  for (const auto& [body, code] :
       {std::pair{"<html>log in</html>", Code::kUnavailable}, {"OK", Code::kInternal}}) {
    EXPECT_EQ(EndOf(Effect::kRead, OkText(body)), (Ending{1, code, false})) << body;
    EXPECT_EQ(EndOf(Effect::kRepeatable, OkText(body)), (Ending{1, Code::kOutcomeUnknown, true}))
        << body;
  }
}

TEST_F(ExecutorTest, ErrorInsideASuccessIsTheServersError) {
  handler_.on_answer = [](CallId, PaddedText&) -> Result<Billed> {
    return Fail(simulator::Refusal(Code::kPermissionDenied, "No.", 403));
  };
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, OkText("[{\"error\":…}]"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.failures[0].error.code, Code::kPermissionDenied);
  EXPECT_EQ(handler_.failures[0].error.message, "No.");

  handler_.on_answer = [](CallId, PaddedText&) -> Result<Billed> {
    return Fail(simulator::Refusal(Code::kUnavailable, "Later.", 503));
  };
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, OkText("[{\"error\":…}]"));
  EXPECT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.retries.size(), 1u);
}

TEST_F(ExecutorTest, PausesGrowAndAreKept) {
  executor_.Send(MakeCall(Effect::kRead));
  double nominal = 1;
  for (int attempt = 1; attempt < 6; ++attempt) {
    Respond(Take().id, Refusal("UNAVAILABLE"));
    EXPECT_TRUE(NothingToSend());
    const Duration pause = Wait();
    EXPECT_GE(pause, nominal * milliseconds(500));
    EXPECT_LE(pause, nominal * milliseconds(1500));
    nominal *= 1.5;
  }
  EXPECT_THAT(handler_.failures, IsEmpty());
  Respond(Take().id, OkText("{}"));
  EXPECT_EQ(handler_.answers.size(), 1u);
}

TEST_F(ExecutorTest, ExhaustionPausesLonger) {
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Refusal("RESOURCE_EXHAUSTED"));
  EXPECT_GE(Wait(), seconds(5));
}

TEST_F(ExecutorTest, EveryAttemptHasAnIdOfItsOwn) {
  executor_.Send(MakeCall(Effect::kRead));
  const RequestId first = Take().id;
  Respond(first, Cut());
  Wait();
  const RequestId second = Take().id;
  EXPECT_NE(first, second);
  // What comes late for the first attempt is none of the second's business.
  Respond(first, OkText("late"));
  EXPECT_THAT(handler_.answers, IsEmpty());
  Respond(second, OkText("in time"));
  EXPECT_EQ(handler_.answers.at(0).second, "in time");
}

TEST_F(ExecutorTest, UnauthenticatedGetsOneNewTokenAtOnce) {
  executor_.Send(MakeCall(Effect::kOnce));
  Respond(Take().id, Refusal("UNAUTHENTICATED"));
  HttpRequest again = Take();
  EXPECT_TRUE(again.refresh_token);
  // Another failure in between does not earn it another token.
  Respond(again.id, Refusal("ABORTED"));
  Wait();
  again = Take();
  EXPECT_FALSE(again.refresh_token);
  Respond(again.id, Refusal("UNAUTHENTICATED"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.failures[0].error.code, Code::kUnauthenticated);
  EXPECT_FALSE(handler_.failures[0].maybe_applied);
}

TEST_F(ExecutorTest, TimeLimitAbortsTheRequest) {
  executor_.Send(MakeCall(Effect::kRepeatable));
  const RequestId id = Take().id;
  EXPECT_EQ(executor_.NextWake(), kStart + seconds(30));
  now_ = kStart + seconds(30) - milliseconds(1);
  executor_.HandleTime(now_, handler_);
  EXPECT_THAT(executor_.TakeAborts(), IsEmpty());
  now_ = kStart + seconds(30);
  executor_.HandleTime(now_, handler_);
  EXPECT_THAT(executor_.TakeAborts(), ElementsAre(id));
  EXPECT_THAT(executor_.TakeAborts(), IsEmpty());
  ASSERT_EQ(handler_.retries.size(), 1u);
  EXPECT_TRUE(handler_.retries[0].maybe_applied);
  EXPECT_EQ(handler_.retries[0].error.code, Code::kDeadlineExceeded);
  Respond(id, OkText("late"));
  EXPECT_THAT(handler_.answers, IsEmpty());
}

TEST_F(ExecutorTest, TimeLimitsOfSeveralCallsAtOnce) {
  for (int i = 0; i < 3; ++i) executor_.Send(MakeCall(Effect::kOnce));
  EXPECT_EQ(executor_.TakeRequests(now_).size(), 3u);
  now_ += seconds(31);
  executor_.HandleTime(now_, handler_);
  EXPECT_EQ(handler_.failures.size(), 3u);
  EXPECT_EQ(executor_.TakeAborts().size(), 3u);
  EXPECT_TRUE(executor_.idle());
}

TEST_F(ExecutorTest, RefusalAfterALostAnswerKeepsTheDoubt) {
  executor_.Send(MakeCall(Effect::kRepeatable));
  Respond(Take().id, Cut());
  Wait();
  Respond(Take().id, Refusal("FAILED_PRECONDITION"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.failures[0].error.code, Code::kFailedPrecondition);
  EXPECT_TRUE(handler_.failures[0].maybe_applied);
  EXPECT_EQ(handler_.failures[0].attempts, 2);
}

TEST_F(ExecutorTest, ReadsAreNeverInDoubt) {
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Cut());
  EXPECT_FALSE(executor_.MayHaveUnknownWrites());
  Wait();
  Respond(Take().id, Refusal("PERMISSION_DENIED"));
  EXPECT_FALSE(handler_.failures.at(0).maybe_applied);
}

TEST_F(ExecutorTest, MayHaveUnknownWrites) {
  EXPECT_FALSE(executor_.MayHaveUnknownWrites());
  executor_.Send(MakeCall(Effect::kRepeatable));
  EXPECT_FALSE(executor_.MayHaveUnknownWrites()) << "nothing has been sent yet";
  RequestId id = Take().id;
  EXPECT_TRUE(executor_.MayHaveUnknownWrites()) << "it is under way";
  Respond(id, Refusal("ABORTED"));
  EXPECT_FALSE(executor_.MayHaveUnknownWrites()) << "it was refused";
  Wait();
  Respond(Take().id, Cut());
  EXPECT_TRUE(executor_.MayHaveUnknownWrites()) << "its answer was lost";
  Wait();
  Respond(Take().id, Refusal("NOT_FOUND"));
  EXPECT_TRUE(executor_.idle());
  EXPECT_TRUE(executor_.MayHaveUnknownWrites()) << "what became of the lost one is still open";
}

TEST_F(ExecutorTest, SuccessSettlesADoubt) {
  executor_.Send(MakeCall(Effect::kRepeatable));
  Respond(Take().id, Cut());
  Wait();
  Respond(Take().id, OkText("{}"));
  EXPECT_FALSE(executor_.MayHaveUnknownWrites());
}

TEST_F(ExecutorTest, ContinuedCallsPauseFirstAndCountOn) {
  executor_.Send(MakeCall(Effect::kRead, 4));
  EXPECT_TRUE(NothingToSend());
  const Duration pause = Wait();
  EXPECT_GE(pause, milliseconds(1687));  // 1.5³ s ± 50 %
  EXPECT_LE(pause, milliseconds(5063));
  Respond(Take().id, Refusal("UNAVAILABLE"));
  EXPECT_THAT(handler_.failures, IsEmpty());
  Wait();
  Respond(Take().id, Refusal("UNAVAILABLE"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.failures[0].attempts, 6);
}

TEST_F(ExecutorTest, OneAttemptIsAllowed) {
  policy_.max_attempts = 1;
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Refusal("ABORTED"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_EQ(handler_.failures[0].attempts, 1);
}

// How long it takes until a call ends that is always answered so, if each answer comes at once.
class ExecutorPatienceTest : public ExecutorTest {
 protected:
  std::chrono::milliseconds Until(const Reply& reply, Patience patience,
                                  Duration retry_after = {}) {
    Executor executor(policy_, random_, patience);
    executor.Send(MakeCall(Effect::kRead));
    const Instant begin = now_;
    while (!executor.idle()) {
      for (const HttpRequest& request : executor.TakeRequests(now_)) {
        sent_.push_back(now_ - begin);
        HttpResponse response{reply.status, PaddedText(reply.body), retry_after};
        executor.HandleResponse(request.id, std::move(response), now_, handler_);
      }
      if (executor.NextWake()) now_ = *executor.NextWake();
    }
    return std::chrono::duration_cast<std::chrono::milliseconds>(now_ - begin);
  }

  std::vector<Duration> sent_;
};

TEST_F(ExecutorPatienceTest, AReadEndsInTimeHoweverTheServerRefusesToAnswer) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    random_ = Random(seed);
    EXPECT_LE(Until(Refusal("RESOURCE_EXHAUSTED"), Patience::kShort), seconds(10));
    EXPECT_LE(Until(Refusal("UNAVAILABLE"), Patience::kShort), seconds(10));
    EXPECT_GT(Until(Refusal("RESOURCE_EXHAUSTED"), Patience::kLong), seconds(60));
  }
  policy_.max_read = seconds(1000);
  EXPECT_GT(Until(Refusal("RESOURCE_EXHAUSTED"), Patience::kShort), seconds(60));
}

TEST_F(ExecutorPatienceTest, AReadOfASilentServerIsTriedTwice) {
  for (const auto& [patience, attempts] : {std::pair{Patience::kShort, 2}, {Patience::kLong, 6}}) {
    Executor executor(policy_, random_, patience);
    executor.Send(MakeCall(Effect::kRead));
    int sent = 0;
    while (!executor.idle()) {
      sent += static_cast<int>(executor.TakeRequests(now_).size());
      if (executor.NextWake()) now_ = *executor.NextWake();
      executor.HandleTime(now_, handler_);
    }
    EXPECT_EQ(sent, attempts);
    EXPECT_EQ(handler_.failures.back().error.code, Code::kDeadlineExceeded);
  }
}

TEST_F(ExecutorPatienceTest, AServerGetsThePauseItAsksFor) {
  Until(Refusal("UNAVAILABLE"), Patience::kLong, seconds(100));
  ASSERT_EQ(sent_.size(), 6u);
  for (std::size_t i = 1; i < sent_.size(); ++i) EXPECT_GE(sent_[i] - sent_[i - 1], seconds(100));
  // Nobody waits for so long.
  sent_.clear();
  EXPECT_EQ(Until(Refusal("UNAVAILABLE"), Patience::kShort, seconds(100)), seconds(0));
  EXPECT_EQ(sent_.size(), 1u);
}

TEST_F(ExecutorTest, AnOutageIsToldOnceForEachFailure) {
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Refusal("RESOURCE_EXHAUSTED"));
  const std::optional<Error> outage = executor_.TakeOutage();
  ASSERT_TRUE(outage);
  EXPECT_EQ(outage->code, Code::kResourceExhausted);
  EXPECT_FALSE(executor_.TakeOutage());
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Refusal("UNAVAILABLE"));
  EXPECT_FALSE(executor_.TakeOutage()) << "one failure is everyday";
}

TEST_F(ExecutorTest, ARefusalByRulesSaysThatNobodyIsSignedIn) {
  for (const bool is_signed_in : {true, false}) {
    executor_.Send(MakeCall(Effect::kRead));
    HttpResponse response{403, PaddedText(Refusal("PERMISSION_DENIED").body), {}, is_signed_in};
    executor_.HandleResponse(Take().id, std::move(response), now_, handler_);
    EXPECT_EQ(
        handler_.failures.back().error.message.find("Nobody was signed in") == std::string::npos,
        is_signed_in);
  }
}

TEST_F(ExecutorTest, AbortedEndsACallThatFollowsFromARead) {
  Call call = MakeCall(Effect::kRepeatable);
  call.retry_aborted = false;
  executor_.Send(call);
  Respond(Take().id, Refusal("ABORTED"));
  ASSERT_EQ(handler_.failures.size(), 1u);
  EXPECT_FALSE(handler_.failures[0].maybe_applied);
  // Unless an earlier attempt may have been applied: only the same call again can tell.
  executor_.Send(call);
  Respond(Take().id, Cut());
  Wait();
  Respond(Take().id, Refusal("ABORTED"));
  EXPECT_EQ(handler_.failures.size(), 1u);
  Wait();
  Respond(Take().id, OkText("{}"));
  EXPECT_EQ(handler_.answers.size(), 1u);
}

TEST_F(ExecutorTest, RetriesMaySendSomethingElse) {
  handler_.on_retry = [](CallId, Call& call) { call.body = "{\"other\":1}"; };
  executor_.Send(MakeCall(Effect::kRepeatable));
  Respond(Take().id, Refusal("ABORTED"));
  Wait();
  EXPECT_EQ(Take().body, "{\"other\":1}");
}

TEST_F(ExecutorTest, HandlersMaySendFromAnywhere) {
  const auto send_many = [&] {
    for (int i = 0; i < 50; ++i) executor_.Send(MakeCall(Effect::kRead));
  };
  handler_.on_retry = [&](CallId, Call& call) {
    send_many();
    call.body = "{\"after\":1}";
  };
  executor_.Send(MakeCall(Effect::kRepeatable));
  Respond(Take().id, Refusal("ABORTED"));
  EXPECT_EQ(executor_.TakeRequests(now_).size(), 50u);
  now_ += seconds(2);
  EXPECT_EQ(Take().body, "{\"after\":1}");

  handler_.on_answer = [&](CallId, PaddedText&) -> Result<Billed> {
    send_many();
    return Fail(kAnswerUnreadable, "and then it was no JSON");
  };
  Executor fresh(policy_, random_);
  fresh.Send(MakeCall(Effect::kRead));
  fresh.HandleResponse(fresh.TakeRequests(now_).at(0).id, {200, PaddedText("{")}, now_, handler_);

  handler_.on_failure = [&](CallId) { send_many(); };
  executor_.Clear();
  executor_.Send(MakeCall(Effect::kRead));
  Respond(Take().id, Refusal("NOT_FOUND"));
  EXPECT_EQ(executor_.TakeRequests(now_).size(), 50u);
}

TEST_F(ExecutorTest, HandlersMayGiveUpEverythingFromAnywhere) {
  handler_.on_retry = [&](CallId, Call&) { executor_.Clear(); };
  handler_.on_failure = [&](CallId) { executor_.Clear(); };
  handler_.on_answer = [&](CallId, PaddedText&) -> Result<Billed> {
    executor_.Clear();
    return Billed{.reads = 1};
  };
  for (const Reply& reply :
       {Refusal("ABORTED"), Cut(), Refusal("NOT_FOUND"), OkText("{}"), Silence()}) {
    for (int i = 0; i < 3; ++i) executor_.Send(MakeCall(Effect::kRead));
    const std::vector<HttpRequest> requests = executor_.TakeRequests(now_);
    ASSERT_EQ(requests.size(), 3u);
    if (reply.kind == Reply::Kind::kSilence) {
      now_ += seconds(30);
      executor_.HandleTime(now_, handler_);
    } else {
      Respond(requests[1].id, reply);
    }
    EXPECT_TRUE(executor_.idle());
    const std::vector<RequestId> aborts = executor_.TakeAborts();
    // The others, and not the one that has had its answer.
    if (reply.kind == Reply::Kind::kSilence) {
      EXPECT_THAT(aborts, ElementsAre(requests[0].id, requests[1].id, requests[2].id));
    } else {
      EXPECT_THAT(aborts, ElementsAre(requests[0].id, requests[2].id));
    }
  }
}

TEST_F(ExecutorTest, ClearAbortsOnlyWhatIsUnderWay) {
  executor_.Send(MakeCall(Effect::kRead));
  const RequestId waiting = Take().id;
  Respond(waiting, Cut());
  executor_.Send(MakeCall(Effect::kRead));
  const RequestId under_way = Take().id;
  executor_.Send(MakeCall(Effect::kRead));
  executor_.Clear();
  EXPECT_THAT(executor_.TakeAborts(), ElementsAre(under_way));
  EXPECT_TRUE(NothingToSend());
  EXPECT_FALSE(executor_.NextWake());
  EXPECT_THAT(handler_.failures, IsEmpty());
}

TEST_F(ExecutorTest, NextWakeIsTheEarliest) {
  EXPECT_FALSE(executor_.NextWake());
  executor_.Send(MakeCall(Effect::kRead));
  const RequestId first = Take().id;
  now_ += seconds(5);
  executor_.Send(MakeCall(Effect::kRead));
  Take();
  EXPECT_EQ(executor_.NextWake(), kStart + seconds(30));
  Respond(first, Refusal("UNAVAILABLE"));
  EXPECT_LE(*executor_.NextWake(), now_ + milliseconds(1500));
}

TEST_F(ExecutorTest, NothingGoesOutInAPause) {
  executor_.Send(MakeCall(Effect::kRead));
  const RequestId under_way = Take().id;
  executor_.HoldUntil(now_ + seconds(10));
  executor_.HoldUntil(now_ + seconds(4));  // Ends earlier: changes nothing.
  executor_.Send(MakeCall(Effect::kRead));
  EXPECT_TRUE(NothingToSend());
  EXPECT_EQ(executor_.NextWake(), kStart + seconds(10));
  // A call that fails meanwhile waits for the end of the pause, too, though its own is shorter.
  Respond(under_way, Refusal("UNAVAILABLE"));
  EXPECT_EQ(Wait(), seconds(10));
  EXPECT_EQ(executor_.TakeRequests(now_).size(), 2u);
  EXPECT_EQ(executor_.NextWake(), kStart + seconds(40));
}

TEST_F(ExecutorTest, APauseLeavesTimeLimitsAndLongerPausesAlone) {
  executor_.Send(MakeCall(Effect::kRead));
  executor_.HoldUntil(kStart + milliseconds(1));
  now_ = kStart + milliseconds(1);
  const RequestId id = Take().id;
  executor_.HoldUntil(kStart + seconds(100));
  EXPECT_EQ(executor_.NextWake(), now_ + seconds(30)) << "its time limit";
  executor_.HoldUntil(kStart + seconds(100));
  Respond(id, Refusal("RESOURCE_EXHAUSTED"));
  EXPECT_GE(*executor_.NextWake(), kStart + seconds(100));
  executor_.Send(MakeCall(Effect::kRead, 3));  // Begins with a pause of its own.
  EXPECT_TRUE(NothingToSend());
  EXPECT_GE(*executor_.NextWake(), kStart + seconds(100));
  now_ = kStart + seconds(100);
  EXPECT_EQ(executor_.TakeRequests(now_).size(), 2u);
}

TEST_F(ExecutorTest, SameSeedSameRun) {
  const auto run = [] {
    RetryPolicy policy;
    Random random(11);
    Executor executor(policy, random);
    Handler handler;
    Instant now = kStart;
    std::vector<Instant> times;
    executor.Send({.path = "/", .body = "{}"});
    while (!executor.idle()) {
      for (const HttpRequest& request : executor.TakeRequests(now)) {
        times.push_back(now);
        executor.HandleNetworkFailure(request.id, now, handler);
      }
      if (const auto wake = executor.NextWake()) now = *wake;
    }
    return times;
  };
  EXPECT_EQ(run().size(), 6u);
  EXPECT_EQ(run(), run());
}

TEST_F(ExecutorTest, MessagesSayWhatToDo) {
  executor_.Send(MakeCall(Effect::kOnce));
  Respond(Take().id, Cut());
  EXPECT_THAT(handler_.failures.at(0).error.message, HasSubstr("check `host`"));
  EXPECT_THAT(handler_.failures[0].error.message, HasSubstr("may or may not have been applied"));
  handler_.on_answer = [](CallId, PaddedText&) -> Result<Billed> {
    return Fail(kAnswerUnreadable, "Cannot read the total.");
  };
  executor_.Send(MakeCall(Effect::kRead));
  RespondAlways(OkText("<html>"));
  EXPECT_THAT(handler_.failures.back().error.message, HasSubstr("web page"));
  executor_.Send(MakeCall(Effect::kRead));
  RespondAlways(OkText("{}"));
  EXPECT_THAT(handler_.failures.back().error.message, HasSubstr("Cannot read the total"));
}

}  // namespace
}  // namespace shardline::executor_test
