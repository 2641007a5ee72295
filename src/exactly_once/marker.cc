#include "exactly_once/marker.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "counter/places.h"
#include "firestore/answers.h"
#include "firestore/fields_writer.h"

namespace shardline {

Status DecodeMarker(const PaddedText& body, std::string_view name, MarkerReading& reading) {
  reading = {};
  DocumentsAnswer answer(body);
  const DocumentAnswer document = answer.ReadOnly(name);
  if (document.exists()) {
    reading.update_time = document.update_time;
    reading.change = document.fields["change.stringValue"].String();
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

std::string MarkerName(const DatabaseName& database, std::string_view id) {
  std::string name = database.documents();
  name += '/';
  name += kMarkerCollection;
  name += '/';
  name += id;
  return name;
}

Write MarkerWrite(std::string name, bool applied, Timestamp expire_at, std::string_view change) {
  FieldsWriter fields;
  fields.Boolean("applied", applied).Time("expireAt", expire_at.ToString());
  if (!change.empty()) fields.Text("change", change);
  Write write{.name = std::move(name), .fields = fields.Take()};
  write.precondition.kind = Precondition::Kind::kMissing;
  return write;
}

Timestamp ExpiryOf(std::string_view name, Timestamp now) {
  constexpr std::int64_t kLife = std::int64_t{30} * 24 * 3600 * 1'000'000;
  const std::int64_t least =
      std::clamp(now.micros, std::int64_t{0}, Timestamp::kMaxMicros - 2 * kLife) + kLife;
  const auto phase = static_cast<std::int64_t>(HashText(name) % kLife);
  return {least + (phase - least % kLife + kLife) % kLife};
}

BatchStep Decide(const BatchFacts& facts, Marker marker) {
  if (marker == Marker::kApplied) return BatchStep::kCounted;
  if (marker == Marker::kWithdrawn) return BatchStep::kRefused;
  if (facts.is_too_old) return BatchStep::kUnknown;
  switch (facts.last) {
    case MarkerFate::kNone:
    case MarkerFate::kTaken:
      return BatchStep::kUnknown;
    case MarkerFate::kRefused:
      if (facts.clock_was_wrong) return BatchStep::kCommit;
      if (facts.can_withdraw) return BatchStep::kWithdraw;
      break;
    case MarkerFate::kNotWithdrawn:
      if (facts.clock_was_wrong) return BatchStep::kWithdraw;
      break;
  }
  return facts.may_arrive ? BatchStep::kUnknown : BatchStep::kRefused;
}

}  // namespace shardline
