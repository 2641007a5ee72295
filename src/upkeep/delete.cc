#include "upkeep/delete.h"

#include <iterator>
#include <utility>

namespace shardline {

std::unique_ptr<Operation> DeleteCounter::Start(OperationContext& context,
                                                std::unique_ptr<const Counter> counter,
                                                ShardFields fields) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<DeleteCounter>(context, std::move(counter), fields));
}

DeleteCounter::Part DeleteCounter::FirstPart(OperationContext& context, const Counter& counter,
                                             ShardFields fields) {
  if (!counter.is_extension()) {
    return Part(std::in_place_type<ShardRemoval>, counter, context, fields);
  }
  return Part(std::in_place_type<Drain>, counter, nullptr, 0, MaxRefusals(context.retry),
              context.random);
}

DeleteCounter::DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                             ShardFields fields)
    : context_(context),
      counter_(std::move(counter)),
      part_(FirstPart(context, *counter_, fields)) {}

// A third of the code that std::visit() takes.
template <class Function>
auto DeleteCounter::WithPart(Function function) {
  if (auto* drain = std::get_if<Drain>(&part_)) return function(*drain);
  if (auto* removal = std::get_if<ShardRemoval>(&part_)) return function(*removal);
  return function(*std::get_if<OwnDocuments>(&part_));
}

Result<std::optional<Call>> DeleteCounter::NextCall() {
  for (;;) {
    Result<std::optional<Call>> next = WithPart([](auto& part) { return part.NextCall(); });
    if (!next || *next || !BeginNextPart()) return next;
  }
}

bool DeleteCounter::BeginNextPart() {
  constexpr OwnKind kKinds[] = {OwnKind::kMembers, OwnKind::kKeys, OwnKind::kSharedTotal,
                                OwnKind::kPublished};
  deleted_ += WithPart([](auto& part) { return part.deleted(); });
  if (const auto* drain = std::get_if<Drain>(&part_)) {
    counted_until_ = Timestamp::Parse(drain->read_time());
  } else if (const auto* removal = std::get_if<ShardRemoval>(&part_)) {
    counted_until_ = Timestamp::Parse(removal->read_time());
  }
  if (kinds_begun_ == std::size(kKinds)) return false;
  const OwnKind kind = kKinds[kinds_begun_++];
  const bool is_total = kind == OwnKind::kSharedTotal || kind == OwnKind::kPublished;
  part_.emplace<OwnDocuments>(*counter_, context_, kind, std::nullopt,
                              is_total ? std::nullopt : counted_until_);
  return true;
}

Result<Billed> DeleteCounter::HandleAnswer(const PaddedText& body) {
  return WithPart([&](auto& part) { return part.HandleAnswer(body); });
}

bool DeleteCounter::HandleFailure(const CallFailure& failure) {
  return WithPart([&](auto& part) { return part.HandleFailure(failure); });
}

void DeleteCounter::WriteResult(JsonWriter& writer, const Billed&) const {
  writer.BeginObject().Key("deleted").Int(deleted_).EndObject();
}

}  // namespace shardline
