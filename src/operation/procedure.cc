#include "operation/procedure.h"

#include <utility>

namespace shardline {

bool IsRefusal(Code code) {
  return code == Code::kAlreadyExists || code == Code::kFailedPrecondition ||
         code == Code::kNotFound;
}

int MaxRefusals(const RetryPolicy& retry) { return 4 * retry.max_attempts; }

ProcedureOperation::ProcedureOperation(OperationContext& context,
                                       std::unique_ptr<Procedure> procedure)
    : Operation(context), procedure_(std::move(procedure)) {
  GoOn();
}

void ProcedureOperation::GoOn() {
  Result<std::optional<Call>> next = procedure_->NextCall();
  if (!next) return FinishWithError(next.TakeFailure());
  if (!*next) return Finish();
  Send(std::move(**next));
}

Result<Billed> ProcedureOperation::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, procedure_->HandleAnswer(body));
  GoOn();
  return billed;
}

void ProcedureOperation::OnFailure(CallId, const CallFailure& failure) {
  if (!procedure_->HandleFailure(failure)) return FinishWithFailure(failure);
  GoOn();
}

}  // namespace shardline
