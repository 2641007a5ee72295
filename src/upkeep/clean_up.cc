#include "upkeep/clean_up.h"

namespace shardline {

CleanUpCounter::CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                               Timestamp older_than)
    : PhasedOperation(context), counter_(std::move(counter)) {
  auto ledgers = std::make_unique<OwnDocuments>(*counter_, context, OwnKind::kLedgers, older_than);
  ledgers_ = ledgers.get();
  Begin(std::move(ledgers));
}

void CleanUpCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("deleted").Int(ledgers_->deleted());
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
