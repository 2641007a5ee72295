#include "upkeep/migrate.h"

#include <cassert>
#include <utility>

#include "base/reason.h"

namespace shardline {

Result<std::unique_ptr<Operation>> MigrateCounter::Start(OperationContext& context,
                                                         std::unique_ptr<const Counter> counter,
                                                         std::unique_ptr<const Counter> target,
                                                         std::int64_t shards) {
  if (!counter->is_extension()) {
    return Conflict("layout", "to", "Only a counter of the layout 'extension' can be migrated.");
  }
  if (shards < 0 || shards > kMaxShards) {
    return OptionMustBe("shards", "an integer from 1 to 10,000") << ".";
  }
  if (target->is_extension() ||
      target->shard_collection().text() == counter->shard_collection().text()) {
    return RefuseArgument(kArgumentNotAllowed, "to", "another layout",
                          "The option `to` must name another layout.");
  }
  const FieldPath& field = counter->count_field();
  if (target->has_parent() && target->path() == counter->path() &&
      (field.IsPrefixOf(target->parent_field()) || target->parent_field().IsPrefixOf(field))) {
    return Fail(kArgumentsConflict,
                "The number of shards would take the place of the count in the field " +
                    field.text() + ": choose a layout with another shardCountField.")
        .With("argument", "to")
        .With("other", "countField");
  }
  return std::make_unique<ProcedureOperation>(
      context,
      std::make_unique<MigrateCounter>(context, std::move(counter), std::move(target), shards));
}

MigrateCounter::MigrateCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                               std::unique_ptr<const Counter> target, std::int64_t shards)
    : counter_(std::move(counter)),
      target_(std::move(target)),
      checks_only_(shards == 0),
      drain_(*counter_, target_.get(), shards, MaxRefusals(context.retry), context.random) {
  assert(counter_->is_extension() && !target_->is_extension());
  assert(0 <= shards && shards <= kMaxShards);
}

Result<std::optional<Call>> MigrateCounter::NextCall() {
  if (checks_only_) return std::optional<Call>();
  return drain_.NextCall();
}

void MigrateCounter::WriteResult(JsonWriter& writer, const Billed&) const {
  writer.BeginObject().Key("folded").Int(drain_.drained());
  writer.Key("complete").Boolean(drain_.is_empty()).EndObject();
}

}  // namespace shardline
