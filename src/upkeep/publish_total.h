#pragma once

#include <memory>

#include "firestore/field_path.h"
#include "operation/operation.h"
#include "upkeep/total_document.h"

namespace shardline {

// Writes a counter's total into a field of its document, at most once in `every` among all clients,
// and never an older total over a newer one.
//
// The document `published` (total_document.h) has the last published total. The operation reads it
// first, and writes it in the same commit as the field, if its update time is unchanged
// (compare-and-swap). Therefore each published total is newer than the one before it, and a late or
// doubled request changes nothing. The counter's document must exist.
class PublishTotal final : public Operation {
 public:
  // Requires a field that has passed Counter::CheckPublishedField().
  PublishTotal(OperationContext& context, std::unique_ptr<const Counter> counter, FieldPath field,
               Duration every);

  // {"published": true, "value": "42"}; or {"published": false, "ageMs": 700} if another client has
  // published that many milliseconds ago, which is recent enough; without "ageMs" if another client
  // was faster, or if no answer came.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnAllRead();

  std::unique_ptr<const Counter> counter_;
  TotalDocument kept_;
  FieldPath field_;
};

}  // namespace shardline
