#include "upkeep/publish_total.h"

#include <chrono>
#include <utility>

namespace shardline {

PublishTotal::PublishTotal(OperationContext& context, std::unique_ptr<const Counter> counter,
                           FieldPath field, Duration every)
    : Operation(context),
      counter_(std::move(counter)),
      kept_(executor(), *counter_, kPublishedId, every),
      field_(std::move(field)) {
  kept_.Start();
}

Result<Billed> PublishTotal::OnAnswer(CallId id, PaddedText& body) {
  SHARDLINE_TRY(const Billed billed, kept_.HandleAnswer(id, body));
  if (kept_.all_read()) OnAllRead();
  if (kept_.complete()) Finish();
  return billed;
}

void PublishTotal::OnAllRead() {
  if (Status status = kept_.AddUp(); !status) return FinishWithError(status.TakeFailure());
  kept_.Keep(&field_);
}

void PublishTotal::OnFailure(CallId id, const CallFailure& failure) {
  if (kept_.is_reading_shards()) {
    if (!kept_.HandleFailure(id, failure)) FinishWithFailure(failure);
    return;
  }
  const Code code = failure.error.code;
  // Invalid: the field would make the document too large, or too deep.
  const bool is_refused = code == Code::kPermissionDenied || code == Code::kNotFound ||
                          code == Code::kInvalidArgument || code == Code::kUnimplemented;
  // Another client was faster, or the outcome is unknown: the next client publishes.
  if (kept_.is_writing() && !is_refused) return Finish();
  FinishWithFailure(failure, code == Code::kNotFound ? kWriteItFirst : "");
}

void PublishTotal::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("published").Boolean(kept_.is_written());
  if (kept_.is_written()) kept_.total().sum.Write(writer.Key("value"));
  if (kept_.age()) {
    writer.Key("ageMs").Int(std::chrono::ceil<std::chrono::milliseconds>(*kept_.age()).count());
  }
  writer.EndObject();
}

}  // namespace shardline
