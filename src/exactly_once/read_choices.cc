#include "exactly_once/read_choices.h"

#include <utility>

namespace shardline {

ReadChoices::ReadChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
                         OfferedChoices choices, TotalSource source)
    : Operation(context, Patience::kShort),
      counter_(std::move(counter)),
      choices_(std::move(choices)),
      reading_(executor(), *counter_, choices_) {
  reading_.Start(source);
}

Result<Billed> ReadChoices::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, reading_.HandleAnswer(body));
  if (reading_.complete()) End();
  return billed;
}

void ReadChoices::OnFailure(CallId, const CallFailure& failure) {
  if (!reading_.HandleFailure(failure)) FinishWithFailure(failure);
}

void ReadChoices::End() {
  Result<std::vector<Amount>> counts = reading_.AddUp();
  if (!counts) return FinishWithError(counts.TakeFailure());
  counts_ = std::move(*counts);
  Finish();
}

void ReadChoices::WriteResult(JsonWriter& writer) const {
  reading_.Write(writer, counts_, billed());
}

}  // namespace shardline
