// Drives an operation in virtual time against a server that the test plays. No sleeps, no sockets:
// a day of back-off passes in no time.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "operation/operation.h"

namespace shardline {

// What becomes of one request.
struct Reply {
  enum class Kind {
    kAnswer,
    kCut,  // The connection breaks; whether the server applied the request is the test's to say.
    kSilence,  // Nothing ever comes.
  };
  Kind kind = Kind::kAnswer;
  int status = 200;
  std::string body;
  Duration latency = std::chrono::milliseconds(10);
};

inline Reply Ok(const nlohmann::json& body) { return {.body = body.dump()}; }
inline Reply OkText(std::string body) { return {.body = std::move(body)}; }
inline Reply Answer(int status, std::string body) {
  return {.status = status, .body = std::move(body)};
}
inline Reply Cut() { return {.kind = Reply::Kind::kCut, .body = {}}; }
inline Reply Silence() { return {.kind = Reply::Kind::kSilence, .body = {}}; }
// An error as Firestore words it. Requires one of the statuses below.
inline Reply Refusal(const std::string& status, const std::string& message = "Made up.") {
  static const std::pair<const char*, int> kHttp[] = {{"CANCELLED", 499},
                                                      {"UNKNOWN", 500},
                                                      {"INVALID_ARGUMENT", 400},
                                                      {"DEADLINE_EXCEEDED", 504},
                                                      {"NOT_FOUND", 404},
                                                      {"ALREADY_EXISTS", 409},
                                                      {"PERMISSION_DENIED", 403},
                                                      {"RESOURCE_EXHAUSTED", 429},
                                                      {"FAILED_PRECONDITION", 400},
                                                      {"ABORTED", 409},
                                                      {"OUT_OF_RANGE", 400},
                                                      {"UNIMPLEMENTED", 501},
                                                      {"INTERNAL", 500},
                                                      {"UNAVAILABLE", 503},
                                                      {"DATA_LOSS", 500},
                                                      {"UNAUTHENTICATED", 401}};
  for (const auto& [name, http] : kHttp) {
    if (status != name) continue;
    const nlohmann::json error = {{"code", http}, {"message", message}, {"status", status}};
    return Answer(http, nlohmann::json({{"error", error}}).dump());
  }
  ADD_FAILURE() << "no such status: " << status;
  return Cut();
}

// A request as it went out.
struct SentRequest {
  RequestId id;
  Instant at;
  std::string path;
  nlohmann::json body;
  bool refresh_token;

  // "commit", "batchGet", …
  std::string verb() const { return path.substr(path.rfind(':') + 1); }
};

inline void PrintTo(const SentRequest& request, std::ostream* out) {
  *out << request.path << ' ' << request.body.dump();
}

// What all operations of a test share.
inline OperationContext TestContext(std::uint64_t seed = 1) {
  return {DatabaseName::Make("demo", "(default)").value(), RetryPolicy{}, Random(seed)};
}

// The full name of a document in the database of TestContext().
inline std::string Name(const std::string& path) {
  return "projects/demo/databases/(default)/documents/" + path;
}

// Pumps one operation: what it sends is answered by the script, in order, and then by the server,
// if there is one. A request that neither answers is left hanging, and Run() returns.
class OperationDriver {
 public:
  using Server = std::function<Reply(const SentRequest&)>;

  // Fails the test if the operation was refused.
  explicit OperationDriver(Result<std::unique_ptr<Operation>> operation)
      : operation_(operation ? std::move(*operation) : nullptr) {
    if (!operation_) ADD_FAILURE() << "refused: " << operation.error().message;
  }

  // Replies to the requests that come next, in the order of sending.
  OperationDriver& Script(std::vector<Reply> replies) {
    for (Reply& reply : replies) script_.push_back(std::move(reply));
    return *this;
  }
  OperationDriver& Serve(Server server) {
    server_ = std::move(server);
    return *this;
  }

  // Goes on until the operation is done, or nothing but time limits of unanswered requests is left
  // when the script has run out.
  OperationDriver& Run() {
    for (int steps = 0; !operation_->done(); ++steps) {
      if (steps > 100'000) {
        ADD_FAILURE() << "the operation does not end";
        break;
      }
      Send();
      if (operation_->done() || !Step()) break;
    }
    if (operation_->done()) Collect();
    return *this;
  }

  // The next thing that happens, alone; false if nothing will.
  bool Step() {
    Send();
    const auto arrival =
        std::min_element(arrivals_.begin(), arrivals_.end(),
                         [](const Arrival& a, const Arrival& b) { return a.at < b.at; });
    const std::optional<Instant> wake = operation_->NextWake();
    if (arrival != arrivals_.end() && (!wake || arrival->at <= *wake)) {
      const Arrival next = std::move(*arrival);
      arrivals_.erase(arrival);
      now_ = std::max(now_, next.at);
      Deliver(next);
      return true;
    }
    if (!wake || hanging_) return false;
    now_ = std::max(now_, *wake);
    operation_->HandleTime(now_);
    Collect();
    return true;
  }

  // Hands out what the operation wants to send, without letting time pass.
  void Send() {
    for (HttpRequest& request : operation_->TakeRequests(now_)) {
      EXPECT_EQ(request.method, "POST");
      const auto body = nlohmann::json::parse(request.body, nullptr, false);
      EXPECT_FALSE(body.is_discarded()) << request.body;
      sent_.push_back({request.id, now_, request.path, body, request.refresh_token});
      Reply reply;
      if (!script_.empty()) {
        reply = std::move(script_.front());
        script_.pop_front();
      } else if (server_) {
        reply = server_(sent_.back());
      } else {
        hanging_ = true;
        continue;
      }
      if (reply.kind == Reply::Kind::kSilence) continue;
      arrivals_.push_back({now_ + reply.latency, request.id, std::move(reply)});
    }
  }

  Operation& operation() { return *operation_; }
  Instant now() const { return now_; }
  void set_now(Instant now) { now_ = now; }
  const std::vector<SentRequest>& sent() const { return sent_; }
  const std::vector<RequestId>& aborted() const { return aborted_; }
  std::size_t unused_replies() const { return script_.size(); }

  // Requires success.
  nlohmann::json result() const {
    EXPECT_TRUE(operation_->done()) << "the operation waits for an answer";
    if (!operation_->done()) return nullptr;
    if (operation_->error()) {
      ADD_FAILURE() << CodeName(operation_->error()->code) << ": " << operation_->error()->message;
      return nullptr;
    }
    JsonWriter writer;
    operation_->WriteResult(writer);
    return nlohmann::json::parse(writer.text());
  }

  // Requires failure.
  Error error() const {
    EXPECT_TRUE(operation_->done()) << "the operation waits for an answer";
    if (!operation_->done() || !operation_->error()) {
      ADD_FAILURE() << "the operation has not failed";
      return Error(kInternalFault, "");
    }
    return *operation_->error();
  }

  // The verbs of what was sent: "batchGet commit".
  std::string verbs() const {
    std::string verbs;
    for (const SentRequest& request : sent_) {
      if (!verbs.empty()) verbs += ' ';
      verbs += request.verb();
    }
    return verbs;
  }

 private:
  struct Arrival {
    Instant at;
    RequestId id;
    Reply reply;
  };

  void Deliver(const Arrival& arrival) {
    if (arrival.reply.kind == Reply::Kind::kCut) {
      operation_->HandleNetworkFailure(arrival.id, now_);
    } else {
      operation_->HandleResponse(arrival.id, {arrival.reply.status, PaddedText(arrival.reply.body)},
                                 now_);
    }
    Collect();
  }

  void Collect() {
    for (const RequestId id : operation_->TakeAborts()) {
      aborted_.push_back(id);
      arrivals_.erase(std::remove_if(arrivals_.begin(), arrivals_.end(),
                                     [&](const Arrival& arrival) { return arrival.id == id; }),
                      arrivals_.end());
    }
  }

  std::unique_ptr<Operation> operation_;
  Instant now_ = Instant(std::chrono::seconds(1000));
  std::deque<Reply> script_;
  Server server_;
  // True once a request has found no reply: time limits must not end the test's wait for it.
  bool hanging_ = false;
  std::vector<Arrival> arrivals_;
  std::vector<SentRequest> sent_;
  std::vector<RequestId> aborted_;
};

using Drivers = std::vector<std::unique_ptr<OperationDriver>>;

// Lets all of `drivers` go on at once, in an order that the dice decide, until each is done. Those
// that are `interrupted` go on now and then meanwhile, and are given up where they stand.
inline void RunTogether(const Drivers& drivers, Random& random, const Drivers& interrupted = {}) {
  std::vector<OperationDriver*> running;
  for (const auto& driver : drivers) running.push_back(driver.get());
  while (!running.empty()) {
    const std::size_t i = random.Below(running.size());
    if (running[i]->operation().done() || !running[i]->Step()) {
      ASSERT_TRUE(running[i]->operation().done());
      running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (interrupted.empty()) continue;
    OperationDriver& other = *interrupted[random.Below(interrupted.size())];
    if (!other.operation().done() && random.Below(3) > 0) other.Step();
  }
}

// How many of them are done, and well.
inline int CountSucceeded(const Drivers& drivers) {
  return static_cast<int>(std::count_if(drivers.begin(), drivers.end(), [](const auto& driver) {
    return driver->operation().done() && !driver->operation().error();
  }));
}

// The server behind a network that loses a tenth of the requests, and as many answers.
inline OperationDriver::Server Lossy(OperationDriver::Server server, Random& random) {
  return [server = std::move(server), &random](const SentRequest& request) {
    const std::uint64_t fate = random.Below(10);
    if (fate == 0) return Cut();
    Reply reply = server(request);
    return fate == 1 ? Cut() : reply;
  };
}

}  // namespace shardline
