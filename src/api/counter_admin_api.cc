#include "api/counter_admin_api.h"

#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "api/ready_operation.h"
#include "base/reason.h"
#include "counter/contention.h"
#include "counter/create.h"
#include "counter/increment.h"
#include "firestore/timestamp.h"
#include "upkeep/clean_up.h"
#include "upkeep/clean_up_markers.h"
#include "upkeep/delete.h"
#include "upkeep/migrate.h"
#include "upkeep/publish_total.h"
#include "upkeep/resize.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// Left out, it is the end of time.
Timestamp ReadOlderThan(Arguments& arguments) {
  const Timestamp all{Timestamp::kMaxMicros};
  if (!arguments.Has("olderThan")) return all;
  const std::optional<Timestamp> time = Timestamp::Parse(arguments.Text("olderThan"));
  if (!time) arguments.Refuse("olderThan");
  return time.value_or(all);
}

}  // namespace

Start StartCounterCreate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterCreateParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  std::vector<FieldPath> fields = ReadFieldNames(arguments, "fields");
  return Started(arguments, [&]() -> Start {
    const bool error = arguments.Word("ifExists") == 1;
    return std::make_unique<CreateCounter>(
        context, std::move(counter), error ? IfExists::kError : IfExists::kKeep, std::move(fields));
  });
}

Start StartCounterIncrement(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterIncrementParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const Amount delta = ReadDelta(arguments);
  return Started(arguments, [&]() -> Start {
    if (counter->delivery() != Delivery::kTransaction) {
      return Conflict("delivery", "delta",
                      "Only with 'transaction'; others' increments are sent by counter.commit.");
    }
    return TransactionIncrement::Start(context, std::move(counter), delta);
  });
}

Start StartCounterDelete(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterDeleteParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  return Started(arguments, [&]() -> Start {
    const bool choices = arguments.Boolean("hasChoices");
    return DeleteCounter::Start(context, std::move(counter),
                                choices ? ShardFields::kChoices : ShardFields::kCount);
  });
}

Start StartCounterResize(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterResizeParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const std::vector<FieldPath> fields = ReadFieldNames(arguments, "fields");
  return Started(arguments, [&] {
    const ShardGoal goal = {arguments.Integer("shards"), arguments.Boolean("atLeast")};
    return ResizeCounter::Start(context, std::move(counter), goal, fields);
  });
}

Start StartCounterMigrate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterMigrateParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  std::unique_ptr<const Counter> to = ReadCounter(arguments, "to", context.database);
  return Started(arguments, [&] {
    return MigrateCounter::Start(context, std::move(counter), std::move(to),
                                 arguments.Integer("shards"));
  });
}

Start StartCounterCleanUp(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterCleanUpParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const Timestamp older_than = ReadOlderThan(arguments);
  return Started(arguments, [&]() -> Start {
    const OwnKind kind = arguments.Boolean("members") ? OwnKind::kMembers : OwnKind::kKeys;
    return CleanUpCounter::Start(context, std::move(counter), older_than, kind);
  });
}

Start StartMarkersCleanUp(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kMarkersCleanUpParameters>);
  const Timestamp older_than = ReadOlderThan(arguments);
  return Started(arguments, [&]() -> Start { return CleanUpMarkers::Start(context, older_than); });
}

Start StartCounterPublish(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterPublishParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  std::optional<FieldPath> field = ReadPublish(arguments, counter.get());
  if (!field) arguments.Refuse("publish", "given");
  return Started(arguments, [&]() -> Start {
    return std::make_unique<PublishTotal>(context, std::move(counter), *std::move(field),
                                          std::chrono::milliseconds(arguments.Integer("everyMs")));
  });
}

Start StartContention(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kContentionParameters>);
  return Started(arguments, [&]() -> Start {
    const Contention contention = {arguments.Integer("shards"), arguments.Integer("attempts"),
                                   arguments.Integer("aborted"), arguments.Number("perSecond")};
    JsonWriter writer;
    writer.BeginObject().Key("suggestedShards").Int(SuggestShards(contention)).EndObject();
    return std::make_unique<ReadyOperation>(context, writer.Take());
  });
}

}  // namespace shardline
