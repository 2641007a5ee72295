#pragma once

#include <memory>
#include <vector>

#include "counter/field_reading.h"
#include "operation/operation.h"

namespace shardline {

// Reads the totals of several fields in the shards of a counter or of a set of choices
// (field_reading.h).
class ReadFieldTotals final : public Operation {
 public:
  ReadFieldTotals(OperationContext& context, std::unique_ptr<const Counter> counter,
                  CountedFields counted, TotalSource source);

  // See FieldReading::Write().
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void End();

  std::unique_ptr<const Counter> counter_;
  CountedFields counted_;
  FieldReading reading_;
  std::vector<Amount> totals_;
};

}  // namespace shardline
