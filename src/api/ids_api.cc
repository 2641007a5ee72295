#include "api/ids_api.h"

#include <algorithm>
#include <utility>

#include "api/ready_operation.h"
#include "base/arguments.h"
#include "ids/set_up_sequence.h"
#include "ids/take_ids.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

// The sequence, with `shards` shards or, if that is 0, with the number in its document.
Result<Sequence> ReadSequence(Arguments& arguments, const OperationContext& context,
                              std::int64_t shards) {
  const std::string path = arguments.Text("path");
  if (!arguments.ok()) return arguments.TakeFailure();
  return Sequence::Make(context.database, path, shards);
}

}  // namespace

Start StartIdsCheck(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kIdsCheckParameters>);
  SHARDLINE_CHECK(ReadSequence(arguments, context, 0));
  return std::make_unique<ReadyOperation>(context, "{}");
}

Start StartIdsCreate(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kIdsCreateParameters>);
  const std::int64_t shards = arguments.Integer("shards");
  SHARDLINE_TRY(Sequence && sequence, ReadSequence(arguments, context, shards));
  const std::int64_t given = arguments.Integer("maxShards");
  const std::int64_t stride = given > 0 ? given : std::max(kDefaultStride, shards);
  return SetUpSequence::Create(context, std::move(sequence), stride, arguments.Integer("startAt"));
}

Start StartIdsResize(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kIdsResizeParameters>);
  SHARDLINE_TRY(Sequence && sequence, ReadSequence(arguments, context, 0));
  return SetUpSequence::Resize(context, std::move(sequence), arguments.Integer("shards"));
}

Start StartIdsTake(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kIdsTakeParameters>);
  const std::int64_t shards = arguments.Integer("shards");
  SHARDLINE_TRY(Sequence && sequence, ReadSequence(arguments, context, shards));
  return std::make_unique<TakeIds>(context, std::move(sequence), arguments.Integer("count"));
}

}  // namespace shardline
