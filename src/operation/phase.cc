#include "operation/phase.h"

#include <utility>

namespace shardline {

bool IsRefusal(Code code) {
  return code == Code::kAlreadyExists || code == Code::kFailedPrecondition ||
         code == Code::kNotFound;
}

int MaxRefusals(const RetryPolicy& retry) { return 4 * retry.max_attempts; }

void PhasedOperation::Begin(std::unique_ptr<Phase> phase) {
  phase_ = std::move(phase);
  GoOn();
}

void PhasedOperation::GoOn() {
  for (;;) {
    Result<std::optional<Call>> next = phase_->NextCall();
    if (!next) return FinishWithError(next.TakeFailure());
    if (*next) {
      Send(std::move(**next));
      return;
    }
    std::unique_ptr<Phase> following = NextPhase();
    if (!following) return Finish();
    phase_ = std::move(following);
  }
}

Result<Billed> PhasedOperation::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, phase_->HandleAnswer(body));
  GoOn();
  return billed;
}

void PhasedOperation::OnFailure(CallId, const CallFailure& failure) {
  if (!phase_->HandleFailure(failure)) return FinishWithFailure(failure);
  GoOn();
}

}  // namespace shardline
