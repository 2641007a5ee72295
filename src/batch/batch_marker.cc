#include "batch/batch_marker.h"

#include <utility>

#include "firestore/answers.h"
#include "firestore/fields_writer.h"

namespace shardline {

Status DecodeMarker(const PaddedText& body, std::string_view name, MarkerReading& reading) {
  reading = {};
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name);
  if (document.exists()) {
    reading.update_time = document.update_time;
    const std::string_view applied = document.fields["applied.booleanValue"].Raw();
    if (applied != "true" && applied != "false") {
      answer.scanner().Reject("a batch's marker does not say whether it was applied");
    }
    reading.marker = applied == "true" ? Marker::kApplied : Marker::kWithdrawn;
  }
  SHARDLINE_CHECK(answer.Finish());
  reading.read_time = *Timestamp::Parse(answer.read_time());
  return {};
}

Write MarkerWrite(std::string name, bool applied, Timestamp expire_at) {
  FieldsWriter fields;
  fields.Boolean("applied", applied).Time("expireAt", expire_at.ToString());
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.precondition.kind = Precondition::Kind::kMissing;
  return write;
}

BatchStep Decide(const BatchFacts& facts, Marker marker) {
  if (marker == Marker::kApplied) return BatchStep::kApplied;
  if (marker == Marker::kWithdrawn) return BatchStep::kWithdrawn;
  if (facts.maybe_applied && facts.may_have_expired) return BatchStep::kUnknown;
  if (facts.last == MarkerFate::kNotWithdrawn) return BatchStep::kUnknown;
  if (facts.withdraws) return BatchStep::kWithdraw;
  if (facts.last != MarkerFate::kRefused || facts.clock_was_wrong) return BatchStep::kCommit;
  return facts.maybe_applied ? BatchStep::kWithdraw : BatchStep::kRefused;
}

}  // namespace shardline
