#include "upkeep/delete.h"

#include <utility>

namespace shardline {

std::unique_ptr<Operation> DeleteCounter::Start(OperationContext& context,
                                                std::unique_ptr<const Counter> counter) {
  return std::make_unique<ProcedureOperation>(
      context, std::make_unique<DeleteCounter>(context, std::move(counter)));
}

DeleteCounter::Part DeleteCounter::FirstPart(OperationContext& context, const Counter& counter) {
  if (!counter.is_extension()) return Part(std::in_place_type<ShardRemoval>, counter, context);
  return Part(std::in_place_type<Drain>, counter, nullptr, 0, MaxRefusals(context.retry),
              context.random);
}

DeleteCounter::DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter)
    : context_(context), counter_(std::move(counter)), part_(FirstPart(context, *counter_)) {}

Result<std::optional<Call>> DeleteCounter::NextCall() {
  for (;;) {
    Result<std::optional<Call>> next =
        std::visit([](auto& part) { return part.NextCall(); }, part_);
    if (!next || *next || !BeginNextPart()) return next;
  }
}

bool DeleteCounter::BeginNextPart() {
  deleted_ += std::visit([](auto& part) { return part.deleted(); }, part_);
  if (const auto* own = std::get_if<OwnDocuments>(&part_)) {
    if (own->kind() == OwnKind::kSharedTotal) return false;
    if (own->kind() == OwnKind::kLedgers) {
      BeginOwn(OwnKind::kVotes, counted_until_);
    } else {
      BeginOwn(OwnKind::kSharedTotal, std::nullopt);
    }
    return true;
  }
  const auto* drain = std::get_if<Drain>(&part_);
  counted_until_ = Timestamp::Parse(drain != nullptr ? drain->read_time()
                                                     : std::get<ShardRemoval>(part_).read_time());
  BeginOwn(OwnKind::kLedgers, counted_until_);
  return true;
}

void DeleteCounter::BeginOwn(OwnKind kind, std::optional<Timestamp> written_until) {
  part_.emplace<OwnDocuments>(*counter_, context_, kind, std::nullopt, written_until);
}

Result<Billed> DeleteCounter::HandleAnswer(const PaddedText& body) {
  return std::visit([&](auto& part) { return part.HandleAnswer(body); }, part_);
}

bool DeleteCounter::HandleFailure(const CallFailure& failure) {
  return std::visit([&](auto& part) { return part.HandleFailure(failure); }, part_);
}

void DeleteCounter::WriteResult(JsonWriter& writer, const Billed&) const {
  writer.BeginObject().Key("deleted").Int(deleted_).EndObject();
}

}  // namespace shardline
