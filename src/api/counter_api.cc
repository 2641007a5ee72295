#include "api/counter_api.h"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "api/ready_operation.h"
#include "counter/read_published.h"
#include "counter/total.h"
#include "upkeep/shared_total.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

}  // namespace

Start StartCounterCheck(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterCheckParameters>);
  const std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  ReadMaxDelta(arguments);
  ReadPublish(arguments, counter.get());
  return Started(arguments, [&]() -> Start {
    JsonWriter writer;
    writer.BeginObject().Key("layout");
    counter->WriteLayout(writer);
    writer.EndObject();
    return std::make_unique<ReadyOperation>(context, writer.Take());
  });
}

Start StartCounterTotal(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterTotalParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  return Started(arguments, [&]() -> Start {
    const bool shards = arguments.Word("source") == 1;
    return std::make_unique<ReadTotal>(context, std::move(counter),
                                       shards ? TotalSource::kShards : TotalSource::kSum);
  });
}

Start StartCounterSharedTotal(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterSharedTotalParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  return Started(arguments, [&]() -> Start {
    return std::make_unique<ReadSharedTotal>(
        context, std::move(counter), std::chrono::milliseconds(arguments.Integer("maxAgeMs")),
        arguments.Boolean("published"));
  });
}

Start StartCountersPublished(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCountersPublishedParameters>);
  const std::string text = arguments.Text("publish");
  if (!arguments.ok()) return arguments.TakeFailure();
  SHARDLINE_TRY(FieldPath && field, FieldPath::Parse(text));
  SHARDLINE_TRY(const auto counters, ReadCounters(arguments, context.database));
  std::vector<std::string> names;
  for (const auto& counter : counters) {
    SHARDLINE_CHECK(counter->CheckPublishedField(field));
    names.push_back(counter->ParentName());
  }
  return std::make_unique<ReadPublished>(context, std::move(names), std::move(field));
}

}  // namespace shardline
