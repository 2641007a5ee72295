#include "counter/read_field_totals.h"

#include <utility>

namespace shardline {

ReadFieldTotals::ReadFieldTotals(OperationContext& context, std::unique_ptr<const Counter> counter,
                                 CountedFields counted, TotalSource source)
    : Operation(context, Patience::kShort),
      counter_(std::move(counter)),
      counted_(std::move(counted)),
      reading_(executor(), *counter_, counted_) {
  reading_.Start(source);
}

Result<Billed> ReadFieldTotals::OnAnswer(CallId, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, reading_.HandleAnswer(body));
  if (reading_.complete()) End();
  return billed;
}

void ReadFieldTotals::OnFailure(CallId, const CallFailure& failure) {
  if (!reading_.HandleFailure(failure)) FinishWithFailure(failure);
}

void ReadFieldTotals::End() {
  Result<std::vector<Amount>> totals = reading_.AddUp();
  if (!totals) return FinishWithError(totals.TakeFailure());
  totals_ = std::move(*totals);
  Finish();
}

void ReadFieldTotals::WriteResult(JsonWriter& writer) const {
  reading_.Write(writer, totals_, billed());
}

}  // namespace shardline
