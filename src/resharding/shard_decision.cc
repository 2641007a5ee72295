#include "resharding/shard_decision.h"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace shardline {

ShardState ReadShardState(const JsonView& fields, const ShardedCollection& collection,
                          std::string* shard) {
  const std::vector<std::string>& names = collection.shard_field().segments();
  JsonView value = fields.Member(names[0]);
  for (std::size_t i = 1; i < names.size() && value; ++i) {
    const JsonView map = value.Member("mapValue");
    if (!map) return ShardState::kStrange;
    value = map.Member("fields").Member(names[i]);
  }
  if (!value) return ShardState::kMissing;
  std::string json = value.Read(ReadShardValue);
  const std::optional<std::size_t> index = collection.IndexOfShard(json);
  if (!index) return ShardState::kStrange;
  const bool is_written = collection.IsWritten(json);
  if (shard != nullptr) *shard = std::move(json);
  return is_written ? ShardState::kWritten : ShardState::kRead;
}

ShardFate DecideShard(ShardTask task, ShardState state) {
  switch (state) {
    case ShardState::kMissing:
      return task == ShardTask::kBackfill ? ShardFate::kGetsShard : ShardFate::kOutside;
    case ShardState::kRead:
      return task == ShardTask::kReshard ? ShardFate::kGetsShard : ShardFate::kSkipped;
    case ShardState::kWritten:
      return ShardFate::kSkipped;
    case ShardState::kStrange:
      break;
  }
  return ShardFate::kOutside;
}

}  // namespace shardline
