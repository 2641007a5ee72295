#include "upkeep/delete.h"

#include <iterator>
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
  constexpr OwnKind kKinds[] = {OwnKind::kLedgers, OwnKind::kVotes, OwnKind::kMembers,
                                OwnKind::kKeys, OwnKind::kSharedTotal};
  if (own_ != nullptr) {
    deleted_ += own_->deleted();
  } else {
    deleted_ = drain_ != nullptr ? drain_->deleted() : removal_->deleted();
    counted_until_ =
        Timestamp::Parse(drain_ != nullptr ? drain_->read_time() : removal_->read_time());
  }
  if (kinds_begun_ == std::size(kKinds)) return nullptr;
  const OwnKind kind = kKinds[kinds_begun_++];
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
