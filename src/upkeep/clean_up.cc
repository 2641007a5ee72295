#include "upkeep/clean_up.h"

namespace shardline {

CleanUpCounter::CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                               Timestamp older_than)
    : PhasedOperation(context), counter_(std::move(counter)), older_than_(older_than) {
  Begin(CleanUp(OwnKind::kLedgers));
}

std::unique_ptr<Phase> CleanUpCounter::CleanUp(OwnKind kind) {
  auto own = std::make_unique<OwnDocuments>(*counter_, context(), kind, older_than_);
  own_ = own.get();
  return own;
}

std::unique_ptr<Phase> CleanUpCounter::NextPhase() {
  deleted_ += own_->deleted();
  return std::exchange(has_keys_, false) ? CleanUp(OwnKind::kKeys) : nullptr;
}

void CleanUpCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("deleted").Int(deleted_);
  WriteBilled(writer.Key("billed"), billed());
  writer.EndObject();
}

}  // namespace shardline
