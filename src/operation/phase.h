#pragma once

#include <memory>
#include <optional>

#include "base/padded_text.h"
#include "operation/operation.h"

namespace shardline {

// A part of an operation, with one request under way at a time. It sends nothing itself: whoever
// owns it sends NextCall(), hands over what became of the call, and asks again, until there is no
// next call.
class Phase {
 public:
  virtual ~Phase() = default;

  // The next request; nullopt if the phase is over. Call it once at the start, and once after each
  // answer or failure. An error ends the operation.
  virtual Result<std::optional<Call>> NextCall() = 0;
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  virtual Result<Billed> HandleAnswer(const PaddedText& body) = 0;
  // The call has ended without a usable answer. False: that ends the operation.
  virtual bool HandleFailure(const CallFailure& failure) = 0;
};

// An operation that consists of phases, one after the other.
class PhasedOperation : public Operation {
 protected:
  explicit PhasedOperation(OperationContext& context) : Operation(context) {}

  // Goes on with this one.
  void Begin(std::unique_ptr<Phase> phase);
  // The phase is over: what comes next, or null for the end of the operation. The phase that ended
  // is still there.
  virtual std::unique_ptr<Phase> NextPhase() { return nullptr; }

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) final;
  void OnFailure(CallId id, const CallFailure& failure) final;
  void GoOn();

  std::unique_ptr<Phase> phase_;
};

// How often in a row an operation's commits may be refused, because others wrote to the same
// documents in between, before it gives up: more often than a call is sent again, for each refusal
// comes from another write.
int MaxRefusals(const RetryPolicy& retry);

// True for what a precondition that does not hold is answered with.
bool IsRefusal(Code code);

}  // namespace shardline
