#include "api/choices_api.h"

#include <memory>
#include <utility>
#include <vector>

#include "exactly_once/read_choices.h"

namespace shardline {

Result<std::unique_ptr<Operation>> StartChoicesSummary(JsonScanner& scanner,
                                                       OperationContext& context) {
  Arguments arguments(scanner, kChecks<kChoicesSummaryParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  std::vector<FieldPath> choices = ReadChoiceFields(arguments);
  if (arguments.ok() && choices.empty()) arguments.Refuse("choices");
  return Started(arguments, [&]() -> Result<std::unique_ptr<Operation>> {
    const bool shards = arguments.Word("source") == 1;
    return std::make_unique<ReadChoices>(context, std::move(counter), std::move(choices),
                                         arguments.Boolean("isComplete"),
                                         shards ? TotalSource::kShards : TotalSource::kSum);
  });
}

}  // namespace shardline
