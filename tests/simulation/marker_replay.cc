#include "simulation/marker_replay.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "exactly_once/commit_increment.h"
#include "simulation/marker_client.h"
#include "simulation/part.h"
#include "unit/support/run_size.h"

namespace shardline::simulation {
namespace {

constexpr int kAttempts = 2;
constexpr std::string_view kId = "aaaaaaaaaaaaaaaaaaaa";
constexpr std::int64_t kNowMicros = 1'790'000'000'000'000;
// Years later: a clock that was guessed was wrong.
constexpr std::string_view kServerTime = "2030-01-01T00:00:00.000001Z";
constexpr Duration kSleep = std::chrono::hours(29 * 24);

// How a series begins.
struct Start {
  bool sent_before;
  bool sole_owner;
  bool is_too_old;
  bool withdraws;
  bool can_withdraw;
};

// One answer, and the answers that follow it.
struct Event {
  Reply reply;
  bool sleeps = false;  // Days go by before the next request.
};

// ---- CommitBatch. ----

struct Answer {
  int status;  // 0: none.
  std::string body;
};

std::string ErrorBody(int status, std::string_view code) {
  return json({{"error", {{"code", status}, {"message", "Refused."}, {"status", code}}}}).dump();
}

// All answers without information, one after the other.
Answer LostAnswer(std::size_t number) {
  switch (number % 4) {
    case 0:
      return {0, ""};
    case 1:
      return {503, ErrorBody(503, "UNAVAILABLE")};
    case 2:
      return {200, "{\"writeResults\": ["};
    default:
      return {500, "<html><title>Internal</title></html>"};
  }
}

Answer ReadAnswer(Reply reply, const std::string& name) {
  if (reply == Reply::kMissing) {
    return {200, json::array({{{"missing", name}, {"readTime", kServerTime}}}).dump()};
  }
  const json fields = {{"applied", {{"booleanValue", reply == Reply::kApplied}}},
                       {"expireAt", {{"timestampValue", kServerTime}}}};
  const json found = {
      {"name", name}, {"fields", fields}, {"createTime", kServerTime}, {"updateTime", kServerTime}};
  return {200, json::array({{{"found", found}, {"readTime", kServerTime}}}).dump()};
}

Answer AnswerOf(Reply reply, const json& request, std::size_t number, const std::string& marker) {
  switch (reply) {
    case Reply::kDone: {
      json results = json::array();
      for (const json& write : request["writes"]) {
        json result = {{"updateTime", kServerTime}};
        if (write.contains("updateTransforms")) {
          result["transformResults"] = json::array({{{"integerValue", "7"}}});
        }
        results.push_back(result);
      }
      return {200, json({{"writeResults", results}, {"commitTime", kServerTime}}).dump()};
    }
    case Reply::kExists:
      return {409, ErrorBody(409, "ALREADY_EXISTS")};
    case Reply::kDenied:
    case Reply::kHidden:
      return {403, ErrorBody(403, "PERMISSION_DENIED")};
    case Reply::kContention:
      return {409, ErrorBody(409, "ABORTED")};
    case Reply::kMissing:
    case Reply::kApplied:
    case Reply::kWithdrawn:
      return ReadAnswer(reply, marker);
    case Reply::kLost:
      break;
  }
  return LostAnswer(number);
}

// A request of CommitBatch, by the model's name.
Request KindOf(const HttpRequest& request) {
  if (request.path.ends_with(":batchGet")) return Request::kRead;
  const json body = json::parse(request.body);
  const bool applies = body["writes"][0]["update"]["fields"]["applied"]["booleanValue"];
  return applies ? Request::kCommit : Request::kWithdrawal;
}

class RealCall {
 public:
  explicit RealCall(const Start& start) {
    BatchRequest request{
        .marker = MarkerName(context_.database, kId),
        .change = start.can_withdraw ? "" : "bbbbbbbbbbbbbbbbbbbb",
        .withdraws = start.withdraws,
        .now = Timestamp{kNowMicros},
        .age = start.is_too_old ? kBatchLife : Duration{},
        .sent_before = start.sent_before || !start.sole_owner,
    };
    const CounterOptions options{
        .path = "posts/p1", .layout = Layout::Preset("web-sample").value(), .shards = 3};
    request.increments.push_back(
        {Counter::Make(context_.database, options).value(), Amount::Integer(1)});
    operation_ = std::make_unique<CommitIncrement>(context_, std::move(request));
    Take();
  }

  // The event that it waits for now.
  Request request() const {
    return operation_->done() ? Request::kNone : KindOf(requests_.front());
  }
  Verdict verdict() const {
    if (!operation_->done()) return Verdict::kNone;
    switch (operation_->outcome().kind) {
      case BatchOutcome::Kind::kCounted:
        return Verdict::kCounted;
      case BatchOutcome::Kind::kRefused:
        return Verdict::kRefused;
      case BatchOutcome::Kind::kUnknown:
        return Verdict::kUnknown;
      case BatchOutcome::Kind::kWaiting:
        break;
    }
    return Verdict::kWaiting;
  }
  bool was_sent() const { return operation_->WasSent(); }

  void Handle(const Event& event, std::size_t number) {
    const HttpRequest request = std::move(requests_.front());
    requests_.clear();
    const Answer answer = AnswerOf(event.reply, json::parse(request.body), number,
                                   MarkerName(context_.database, kId));
    if (answer.status == 0) {
      operation_->HandleNetworkFailure(request.id, now_);
    } else {
      operation_->HandleResponse(request.id, {answer.status, PaddedText(answer.body)}, now_);
    }
    if (event.sleeps) now_ += kSleep;
    Take();
  }

 private:
  // The next requests, behind their pause.
  void Take() {
    while (!operation_->done() && requests_.empty()) {
      requests_ = operation_->TakeRequests(now_);
      const std::optional<Instant> wake = operation_->NextWake();
      if (!requests_.empty() || !wake) return;
      now_ = std::max(now_, *wake);
      operation_->HandleTime(now_);
    }
  }

  OperationContext context_{DatabaseName::Make("demo", "(default)").value(),
                            RetryPolicy{.max_attempts = kAttempts}, Random(1)};
  std::unique_ptr<CommitIncrement> operation_;
  std::vector<HttpRequest> requests_;
  Instant now_{};
};

// ---- The model's client. ----

class ModelCall {
 public:
  explicit ModelCall(const Start& start) : is_too_old_(start.is_too_old) {
    call_.withdraws = start.withdraws;
    call_.sent_before = start.sent_before;
    call_.sole_owner = start.sole_owner;
    call_.can_withdraw = start.can_withdraw;
    client_.Begin(call_, {.is_too_old = is_too_old_});
  }

  const ClientCall& call() const { return call_; }
  bool is_too_old() const { return is_too_old_; }

  void Handle(const Event& event) {
    const bool is_repeated = event.reply == Reply::kLost || event.reply == Reply::kContention;
    Moment moment{.is_too_old = is_too_old_,
                  .is_last_attempt = is_repeated && attempts_ == kAttempts,
                  .clock_is_wrong = true};
    const bool pauses = client_.Handle(call_, event.reply, moment);
    is_too_old_ = moment.is_too_old = is_too_old_ || event.sleeps;
    if (pauses) client_.Resume(call_, moment);
    attempts_ = is_repeated ? attempts_ + 1 : 1;
  }

 private:
  ModelClient client_{ModelMutant::kNone};
  ClientCall call_;
  bool is_too_old_;
  int attempts_ = 1;  // Of the request that it waits for.
};

// ---- Both. ----

class Comparison {
 public:
  Replayed Run() {
    for (unsigned bits = 0; bits < 32; ++bits) {
      const auto bit = [bits](unsigned number) { return (bits >> number & 1U) != 0; };
      start_ = {bit(0), bit(1), bit(2), bit(3), bit(4)};
      // One reason to be in doubt is enough. Who withdraws a batch, or counts with a key, is its
      // only owner; and a key's marker is never withdrawn.
      if (start_.sent_before && !start_.sole_owner) continue;
      if ((start_.withdraws || !start_.can_withdraw) && !start_.sole_owner) continue;
      if (start_.withdraws && !start_.can_withdraw) continue;
      Continue(ModelCall(start_));
    }
    return replayed_;
  }

 private:
  // All that can follow the events so far.
  // NOLINTNEXTLINE(misc-no-recursion)
  void Continue(const ModelCall& model) {
    if (model.call().request == Request::kNone) return Compare(model);
    for (const Reply reply : RepliesTo(model.call().request)) {
      const bool pauses = reply == Reply::kLost || reply == Reply::kContention;
      for (const bool sleeps : {false, true}) {
        if (sleeps && (!pauses || model.is_too_old())) break;
        events_.push_back({reply, sleeps});
        ModelCall next = model;
        next.Handle(events_.back());
        Continue(next);
        events_.pop_back();
      }
    }
  }

  static std::vector<Reply> RepliesTo(Request request) {
    if (request == Request::kRead) {
      return {Reply::kMissing, Reply::kApplied, Reply::kWithdrawn, Reply::kHidden, Reply::kLost};
    }
    return {Reply::kDone, Reply::kExists, Reply::kDenied, Reply::kContention, Reply::kLost};
  }

  // The default run compares every seventh series.
  void Compare(const ModelCall& end) {
    if (ends_++ % InRun(7, 1) != 0) return;
    ++replayed_.series;
    RealCall real(start_);
    ModelCall model(start_);
    std::size_t number = 0;
    while (real.request() == model.call().request && number < events_.size()) {
      real.Handle(events_[number], number + static_cast<std::size_t>(replayed_.series));
      model.Handle(events_[number++]);
    }
    const ClientCall& call = end.call();
    if (number == events_.size() && real.verdict() == call.verdict &&
        real.was_sent() == (call.lost || call.sent_before || !call.sole_owner)) {
      ++replayed_.same;
      return;
    }
    if (!replayed_.difference.empty()) return;
    replayed_.difference = "withdraws " + std::to_string(start_.withdraws) + ", sent before " +
                           std::to_string(start_.sent_before) + ", sole owner " +
                           std::to_string(start_.sole_owner) + ", too old " +
                           std::to_string(start_.is_too_old) + "; requests and replies:";
    ModelCall again(start_);
    for (std::size_t i = 0; i < number; ++i) {
      replayed_.difference += ' ' + std::to_string(static_cast<int>(again.call().request)) + ':' +
                              std::to_string(static_cast<int>(events_[i].reply)) +
                              (events_[i].sleeps ? " (weeks)" : "");
      again.Handle(events_[i]);
    }
    replayed_.difference += "; then request " + std::to_string(static_cast<int>(real.request())) +
                            " for " + std::to_string(static_cast<int>(again.call().request)) +
                            ", verdict " + std::to_string(static_cast<int>(real.verdict())) +
                            " for " + std::to_string(static_cast<int>(again.call().verdict));
  }

  Start start_{};
  std::vector<Event> events_;
  int ends_ = 0;
  Replayed replayed_;
};

}  // namespace

Replayed CompareWithCommitBatch() { return Comparison().Run(); }

}  // namespace shardline::simulation
