#include "api/resharding_api.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/arguments.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

Start StartTask(Arguments& arguments, OperationContext& context, ShardTask task) {
  if (!arguments.ok()) return arguments.TakeFailure();
  AssignShardsOptions options{.task = task};
  options.resume_from = arguments.Text("resumeFrom");
  options.dry_run = arguments.Boolean("dryRun");
  options.writes_per_second = arguments.Integer("writesPerSecond");
  SHARDLINE_TRY(std::shared_ptr<const ShardedCollection> && collection,
                ShardedCollection::Read(arguments.Raw("collection")));
  if (task == ShardTask::kReshard) {
    const std::vector<std::string> shards =
        ShardedCollection::ReadShards(arguments.Scanner("shards"));
    if (shards.empty()) arguments.Refuse("shards");
    if (!arguments.ok()) return arguments.TakeFailure();
    SHARDLINE_CHECK(CheckReshard(shards, *collection));
  }
  return AssignShards::Start(context, std::move(collection), options);
}

}  // namespace

Start StartCollectionBackfill(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionBackfillParameters>);
  return StartTask(arguments, context, ShardTask::kBackfill);
}

Start StartCollectionReshard(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCollectionReshardParameters>);
  return StartTask(arguments, context, ShardTask::kReshard);
}

}  // namespace shardline
