#include "upkeep/clean_up.h"

#include <utility>

namespace shardline {

std::unique_ptr<Operation> CleanUpCounter::Start(OperationContext& context,
                                                 std::unique_ptr<const Counter> counter,
                                                 Timestamp older_than, OwnKind kind) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<CleanUpCounter>(context, std::move(counter), older_than, kind));
}

CleanUpCounter::CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                               Timestamp older_than, OwnKind kind)
    : counter_(std::move(counter)), kept_(*counter_, context, kind, older_than) {}

void CleanUpCounter::WriteResult(JsonWriter& writer, const Billed& billed) const {
  writer.BeginObject().Key("deleted").Int(kept_.deleted());
  WriteBilled(writer.Key("billed"), billed);
  writer.EndObject();
}

}  // namespace shardline
