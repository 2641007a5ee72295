#pragma once

#include <memory>
#include <optional>

#include "base/padded_text.h"
#include "operation/operation.h"

namespace shardline {

// A procedure is an operation that has one request in flight at a time. A procedure sends nothing
// itself: its owner sends NextCall(), hands over what became of the call, and asks
// again, until there is no next call.
class Procedure {
 public:
  virtual ~Procedure() = default;

  // The next request; nullopt if the procedure is over. Call it once at the start, and once after
  // each answer or failure. An error ends the operation.
  virtual Result<std::optional<Call>> NextCall() = 0;
  // Takes in an answer, and returns what it was billed. When it fails, nothing has changed.
  virtual Result<Billed> HandleAnswer(const PaddedText& body) = 0;
  // The call has ended without a usable answer. False: that ends the operation.
  virtual bool HandleFailure(const CallFailure& failure) = 0;
  // See Operation::WriteResult(). `billed` is what all answers were billed.
  virtual void WriteResult(JsonWriter& writer, const Billed& billed) const = 0;
};

// Carries a procedure out.
class ProcedureOperation final : public Operation {
 public:
  ProcedureOperation(OperationContext& context, std::unique_ptr<Procedure> procedure);

  void WriteResult(JsonWriter& writer) const override { procedure_->WriteResult(writer, billed()); }

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void GoOn();

  std::unique_ptr<Procedure> procedure_;
};

// How often in a row an operation's commits may be refused, because other clients wrote to the same
// documents in between, before it gives up: more often than a call is sent again, for each refusal
// comes from another write.
int MaxRefusals(const RetryPolicy& retry);

// True for what a precondition that does not hold is answered with.
bool IsRefusal(Code code);

}  // namespace shardline
