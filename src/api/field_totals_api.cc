#include "api/field_totals_api.h"

#include <memory>
#include <utility>

#include "counter/read_field_totals.h"

namespace shardline {

Result<std::unique_ptr<Operation>> StartFieldTotals(JsonScanner& scanner,
                                                    OperationContext& context) {
  Arguments arguments(scanner, kChecks<kFieldTotalsParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  CountedFields counted{ReadFieldNames(arguments, "fields")};
  if (arguments.ok() && counted.fields.empty()) arguments.Refuse("fields");
  return Started(arguments, [&]() -> Result<std::unique_ptr<Operation>> {
    const bool shards = arguments.Word("source") == 1;
    return std::make_unique<ReadFieldTotals>(context, std::move(counter), std::move(counted),
                                             shards ? TotalSource::kShards : TotalSource::kSum);
  });
}

}  // namespace shardline
