#include "api/resharding_api.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "api/arguments.h"
#include "resharding/assign_shards.h"
#include "sharded_query/sharded_collection.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

// Whether the values are those that the collection's documents are written with, in any order.
bool AreWritten(const std::vector<std::string>& shards, const ShardedCollection& collection) {
  return shards.size() == collection.written_count() &&
         std::all_of(shards.begin(), shards.end(),
                     [&](const std::string& shard) { return collection.IsWritten(shard); });
}

Status CheckReshard(const std::vector<std::string>& shards, const ShardedCollection& collection) {
  if (shards.empty()) return InvalidArgument("reshard() needs the new shard values, or a number.");
  if (AreWritten(shards, collection) && collection.in_transition()) return {};
  return InvalidArgument(
      "reshard() moves documents to the values that all clients write by now: first let all of "
      "them have { shards: old, alsoRead: new }, then { shards: new, alsoRead: old }, and then "
      "call "
      "reshard(new) on a collection with these latter options. If none of the old values is to be "
      "given up, no document has to move.");
}

Started Start(JsonScanner& scanner, OperationContext& context, ShardTask task) {
  const bool is_reshard = task == ShardTask::kReshard;
  AssignShardsOptions options{.task = task};
  std::shared_ptr<const ShardedCollection> collection;
  std::vector<std::string> shards;
  Arguments arguments(scanner);
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("collection")) {
      SHARDLINE_TRY(collection, ShardedCollection::Read(scanner));
    } else if (is_reshard && arguments.Is("shards")) {
      shards = ShardedCollection::ReadShards(scanner);
      if (shards.empty()) break;
    } else if (arguments.Is("resumeFrom")) {
      options.resume_from = arguments.TextOrNull().value_or("");
    } else if (arguments.Is("dryRun")) {
      options.dry_run = arguments.Boolean();
    } else if (arguments.Is("writesPerSecond")) {
      options.writes_per_second = arguments.Integer();
      const bool is_in_range =
          options.writes_per_second >= 1 &&
          options.writes_per_second <= AssignShardsOptions::kMostWritesPerSecond;
      if (!is_in_range) arguments.Refuse("an integer from 1 to 10,000");
    } else {
      arguments.RefuseUnknown("onProgress, resumeFrom, signal, dryRun and writesPerSecond");
    }
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  if (collection == nullptr) return InvalidArgument("There is no collection.");
  if (is_reshard) SHARDLINE_CHECK(CheckReshard(shards, *collection));
  return AssignShards::Start(context, std::move(collection), options);
}

}  // namespace

Started StartCollectionBackfill(JsonScanner& scanner, OperationContext& context) {
  return Start(scanner, context, ShardTask::kBackfill);
}

Started StartCollectionReshard(JsonScanner& scanner, OperationContext& context) {
  return Start(scanner, context, ShardTask::kReshard);
}

}  // namespace shardline
