#pragma once

#include <memory>
#include <vector>

#include "exactly_once/choice_reading.h"
#include "operation/operation.h"

namespace shardline {

// Reads how many members of a set of choices have each choice (choice_reading.h).
class ReadChoices final : public Operation {
 public:
  ReadChoices(OperationContext& context, std::unique_ptr<const Counter> counter,
              OfferedChoices choices, TotalSource source);

  // See ChoiceReading::Write().
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void End();

  std::unique_ptr<const Counter> counter_;
  OfferedChoices choices_;
  ChoiceReading reading_;
  std::vector<Amount> counts_;
};

}  // namespace shardline
