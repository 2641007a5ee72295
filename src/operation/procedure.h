#pragma once

#include <memory>
#include <optional>

#include "base/padded_text.h"
#include "operation/operation.h"

namespace shardline {

// A procedure is an operation that has one request in flight at a time. A procedure sends nothing
// itself: its owner sends NextCall(), hands over the answer or the failure, and asks again, until
// there is no next call.
class Procedure {
 public:
  virtual ~Procedure() = default;

  // The next request; nullopt if the procedure is over. Call it once at the start, and once after
  // each answer or failure. An error ends the operation.
  virtual Result<std::optional<Call>> NextCall() = 0;
  // Takes in an answer, and returns its bill. If it fails, nothing has changed.
  virtual Result<Billed> HandleAnswer(const PaddedText& body) = 0;
  // The call has ended without a usable answer. False: the failure ends the operation.
  virtual bool HandleFailure(const CallFailure& failure) = 0;
  // See Operation::WriteResult(). `billed` is the bill of all answers.
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

// The number of refused commits in a row after which an operation gives up, if other clients keep
// writing to the same documents. It is higher than the number of attempts of a call, because each
// refusal comes from another write.
int MaxRefusals(const RetryPolicy& retry);

// True for the codes that answer a failed precondition.
bool IsRefusal(Code code);

}  // namespace shardline
