#include "upkeep/clean_up.h"

#include <utility>

namespace shardline {

std::unique_ptr<Operation> CleanUpCounter::Start(OperationContext& context,
                                                 std::unique_ptr<const Counter> counter,
                                                 Timestamp older_than) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<CleanUpCounter>(context, std::move(counter), older_than));
}

CleanUpCounter::CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                               Timestamp older_than)
    : context_(context), counter_(std::move(counter)), older_than_(older_than) {
  Begin(OwnKind::kLedgers);
}

Result<std::optional<Call>> CleanUpCounter::NextCall() {
  for (;;) {
    Result<std::optional<Call>> next = own_->NextCall();
    if (!next || *next) return next;
    deleted_ += own_->deleted();
    if (own_->kind() == OwnKind::kKeys) return next;
    Begin(OwnKind::kKeys);
  }
}

void CleanUpCounter::WriteResult(JsonWriter& writer, const Billed& billed) const {
  writer.BeginObject().Key("deleted").Int(deleted_);
  WriteBilled(writer.Key("billed"), billed);
  writer.EndObject();
}

}  // namespace shardline
