#include "counter/total.h"

namespace shardline {

Result<Billed> ReadTotal::OnAnswer(CallId id, PaddedText& body) {
  Result<Billed> billed = reading_.HandleAnswer(id, body);
  if (billed && reading_.complete()) OnAllRead();
  return billed;
}

void ReadTotal::OnAllRead() {
  if (Status status = reading_.AddUp(total_); !status) return FinishWithError(status.TakeFailure());
  Finish();
}

void ReadTotal::OnFailure(CallId id, const CallFailure& failure) {
  if (!reading_.HandleFailure(id, failure)) FinishWithFailure(failure);
}

}  // namespace shardline
