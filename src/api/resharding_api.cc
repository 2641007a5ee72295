#include "api/resharding_api.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arguments.h"
#include "firestore/limits_and_prices.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// Reads the prices of a million reads and writes. Refuses a location without known prices.
Status ReadPrices(Arguments& arguments, AssignShardsOptions& options) {
  std::optional<double> read;
  std::optional<double> write;
  if (const StandardPrices* prices = FindStandardPrices(arguments.Text("location"))) {
    read = prices->read;
    write = prices->write;
  }
  if (arguments.Has("prices")) {
    Arguments given(arguments.Raw("prices"), kChecks<kPricesParameters>, "prices.");
    if (given.Has("reads")) read = given.Number("reads");
    if (given.Has("writes")) write = given.Number("writes");
    if (!given.ok()) return given.TakeFailure();
  }
  if (!read || !write) {
    arguments.Refuse("location", "us-central1 or nam5; for other locations give `prices`");
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  options.read_price = *read;
  options.write_price = *write;
  return {};
}

Start StartTask(Arguments& arguments, OperationContext& context, ShardTask task) {
  if (!arguments.ok()) return arguments.TakeFailure();
  AssignShardsOptions options{.task = task};
  options.resume_from = arguments.Text("resumeFrom");
  options.dry_run = arguments.Boolean("dryRun");
  options.writes_per_second = arguments.Integer("writesPerSecond");
  SHARDLINE_CHECK(ReadPrices(arguments, options));
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
