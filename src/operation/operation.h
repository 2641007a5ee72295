#pragma once

#include <cassert>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "firestore/resource_name.h"
#include "operation/executor.h"

namespace shardline {

// The memory that an operation leaves behind for the next ones of its kind.
class Leftovers {
 public:
  Leftovers() = default;
  Leftovers(const Leftovers&) = delete;
  Leftovers& operator=(const Leftovers&) = delete;
  virtual ~Leftovers() = default;
};

// The state that all operations on one database share. Must outlive them.
struct OperationContext {
  DatabaseName database;
  RetryPolicy retry;
  Random random;
  std::unique_ptr<Leftovers> page_leftovers = nullptr;   // See sharded_query/kept_pages.h.
  std::unique_ptr<Leftovers> last_collection = nullptr;  // See sharded_query/known_collection.h.
};

// One call of a user, from the first request to the result. An operation does no I/O: its driver
// sends the requests of TakeRequests(), brings back answers, network failures and the time, and
// goes on until done().
//
//   while (!operation.done()) {
//     for (HttpRequest& request : operation.TakeRequests(now)) Send(request);
//     ... wait for an answer or for NextWake(), whichever is first; pass it in ...
//   }
//
// An operation is a state machine without I/O. It always ends: in a result, or in an error.
//
// To write one: call Send() in the constructor, in Start() or in OnStart(). OnAnswer() and
// OnFailure() take the next step, and end with Finish() or FinishWithError(). State changes first,
// then come new calls. A long operation reports its progress with TellProgress(), and spares the
// server with WaitUntil().
class Operation : private CallHandler {
 public:
  ~Operation() override;
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

  // The requests that the driver may send now. Returns each request once.
  std::vector<HttpRequest> TakeRequests(Instant now);
  // Requests whose answers are no longer needed.
  std::vector<RequestId> TakeAborts() { return executor_.TakeAborts(); }
  // Returns the bill of this answer.
  Billed HandleResponse(RequestId id, HttpResponse response, Instant now);
  // The driver sent the request, and no answer will come: the server may have applied it.
  void HandleNetworkFailure(RequestId id, Instant now);
  void HandleTime(Instant now);
  // When to call HandleTime() and TakeRequests() again, if nothing else happens before.
  std::optional<Instant> NextWake() const;
  // The progress of a long operation, for the caller: one JSON value, which each operation defines.
  // Empty if there is no progress since the last call. To be asked after TakeRequests().
  std::string TakeProgress();
  // See Executor.
  std::optional<Error> TakeOutage() { return executor_.TakeOutage(); }
  // Ends the operation with kCancelled. The message warns if a write is under way.
  void Cancel();

  bool done() const { return done_; }
  // The error of a failed operation; null if it did not fail. Requires done().
  const Error* error() const {
    assert(done_);
    return failure_ ? &failure_.error() : nullptr;
  }
  // The sum over all answers so far.
  const Billed& billed() const { return billed_; }

  // Writes the result as one JSON value, which each operation defines. Requires done() and no
  // error.
  virtual void WriteResult(JsonWriter& writer) const = 0;

 protected:
  explicit Operation(OperationContext& context, Patience patience = Patience::kLong);

  OperationContext& context() const { return context_; }
  const DatabaseName& database() const { return context_.database; }
  Random& random() const { return context_.random; }

  // The time of the last call from outside.
  Instant now() const { return now_; }
  // Called once, when the time is known, before TakeRequests() returns the first requests.
  virtual void OnStart() {}

  CallId Send(Call call) { return executor_.Send(std::move(call)); }
  // For parts of an operation that send calls themselves.
  Executor& executor() { return executor_; }
  // A pause: no request goes out before `end`, neither a new call nor a repeated attempt.
  // NextWake() names the end if a request waits for it. If there are several pauses, the one that
  // ends last counts.
  void WaitUntil(Instant end) { executor_.HoldUntil(end); }
  // Announces progress: the next TakeProgress() calls WriteProgress().
  void TellProgress() { has_progress_ = true; }
  virtual void WriteProgress(JsonWriter& writer) const { writer.Raw("null"); }
  // Sends these writes as one atomic commit; at most once or repeatedly, as `effect` says.
  CallId SendCommit(std::string body, Effect effect);

  void Finish();
  void FinishWithError(Failure failure);
  // Ends the operation with the failure of a call: kOutcomeUnknown if the server may have applied
  // it, even if it refused the last attempt. `advice` is a further sentence of its message.
  void FinishWithFailure(const CallFailure& failure, std::string_view advice = {});

  // See CallHandler. By default, a failure ends the operation.
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override = 0;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

 private:
  OperationContext& context_;
  Executor executor_;
  Failure failure_;
  Billed billed_;
  Instant now_ = {};
  bool started_ = false;
  bool has_progress_ = false;
  bool done_ = false;
};

// Writes {"reads":1,"writes":0,"deletes":0}.
void WriteBilled(JsonWriter& writer, const Billed& billed);

}  // namespace shardline
