#include "upkeep/delete.h"

#include <utility>

namespace shardline {

DeleteCounter::DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter)
    : PhasedOperation(context), counter_(std::move(counter)) {
  if (counter_->is_extension()) {
    auto drain =
        std::make_unique<Drain>(*counter_, nullptr, 0, MaxRefusals(context.retry), context.random);
    drain_ = drain.get();
    Begin(std::move(drain));
  } else {
    auto removal = std::make_unique<ShardRemoval>(*counter_, context);
    removal_ = removal.get();
    Begin(std::move(removal));
  }
}

std::unique_ptr<Phase> DeleteCounter::NextPhase() {
  OwnKind kind = OwnKind::kLedgers;
  switch (part_) {
    case Part::kCount:
      deleted_ = drain_ != nullptr ? drain_->deleted() : removal_->deleted();
      counted_until_ =
          Timestamp::Parse(drain_ != nullptr ? drain_->read_time() : removal_->read_time());
      part_ = Part::kLedgers;
      break;
    case Part::kLedgers:
      kind = OwnKind::kVotes;
      part_ = Part::kVotes;
      break;
    case Part::kVotes:
      kind = OwnKind::kSharedTotal;
      part_ = Part::kSharedTotal;
      break;
    case Part::kSharedTotal:
      deleted_ += own_->deleted();
      return nullptr;
  }
  if (own_ != nullptr) deleted_ += own_->deleted();
  auto own =
      std::make_unique<OwnDocuments>(*counter_, context(), kind, std::nullopt,
                                     kind == OwnKind::kSharedTotal ? std::nullopt : counted_until_);
  own_ = own.get();
  return own;
}

void DeleteCounter::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("deleted").Int(deleted_).EndObject();
}

}  // namespace shardline
