#include "upkeep/shared_total.h"

#include <chrono>

namespace shardline {

ReadSharedTotal::ReadSharedTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                                 Duration max_age, bool published)
    : Operation(context, Patience::kShort),
      counter_(std::move(counter)),
      kept_(executor(), *counter_, published ? kPublishedId : kSharedTotalId, max_age),
      published_(published) {
  kept_.Start();
}

Result<Billed> ReadSharedTotal::OnAnswer(CallId id, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, kept_.HandleAnswer(id, body));
  if (kept_.all_read()) OnAllRead();
  if (kept_.complete()) Finish();
  return billed;
}

void ReadSharedTotal::OnAllRead() {
  if (Status status = kept_.AddUp(); !status) return FinishWithError(status.TakeFailure());
  if (published_) return Finish();
  kept_.Keep();
}

void ReadSharedTotal::OnFailure(CallId id, const CallFailure& failure) {
  // The total is known, and another client's write is as good as ours.
  if (kept_.is_writing()) return Finish();
  if (kept_.is_reading_shards()) {
    if (!kept_.HandleFailure(id, failure)) FinishWithFailure(failure);
  } else if (failure.error.code == Code::kPermissionDenied) {
    kept_.ReadShards();
  } else {
    FinishWithFailure(failure);
  }
}

void ReadSharedTotal::WriteResult(JsonWriter& writer) const {
  if (!kept_.age()) return kept_.reading().Write(writer, kept_.total(), billed());
  BeginTotal(writer, kept_.total(), "shared", billed());
  writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(*kept_.age()).count());
  writer.EndObject();
}

}  // namespace shardline
