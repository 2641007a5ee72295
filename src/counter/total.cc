#include "counter/total.h"

namespace shardline {

Result<Billed> ReadTotal::OnAnswer(CallId id, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, reading_.HandleAnswer(id, body));
  if (!reading_.complete()) return billed;
  if (Status status = reading_.AddUp(total_); !status) {
    FinishWithError(status.TakeFailure());
  } else {
    Finish();
  }
  return billed;
}

void ReadTotal::OnFailure(CallId id, const CallFailure& failure) {
  if (!reading_.HandleFailure(id, failure)) FinishWithFailure(failure);
}

}  // namespace shardline
