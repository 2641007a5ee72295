#include "exactly_once/commit_increment.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/reason.h"

namespace shardline {
namespace {

using Kind = BatchOutcome::Kind;

// Indexed by BatchOutcome::Kind.
constexpr std::string_view kOutcomes[] = {"counted", "refused", "unknown", "waiting"};

}  // namespace

Result<std::unique_ptr<Operation>> CommitIncrement::Start(OperationContext& context,
                                                          BatchRequest request) {
  assert(request.increments.size() == 1);
  SHARDLINE_CHECK(ShardChoice::Check(*request.increments.front().counter));
  return std::make_unique<CommitIncrement>(context, std::move(request));
}

CommitIncrement::CommitIncrement(OperationContext& context, BatchRequest request)
    : CommitBatch(context, std::move(request)) {}

void CommitIncrement::Conclude() {
  std::optional<Error>& error = mutable_outcome().error;
  if (outcome().kind == Kind::kUnknown) {
    if (!error) error.emplace(kIncrementInDoubt, "Its marker may have expired.");
    error->Become(kIncrementInDoubt);
    NextSentence(error->message) += "The increment may or may not have been counted.";
  } else if (outcome().kind == Kind::kRefused) {
    if (!error) {
      error.emplace(kBatchWithdrawn, "The increment was refused before, and is not counted.");
    }
    AdviseOnRules(*error);
  }
  Finish();
}

void CommitIncrement::WriteResult(JsonWriter& writer) const {
  const Kind kind = outcome().kind;
  writer.BeginObject().Key("outcome").String(kOutcomes[static_cast<std::size_t>(kind)]);
  if (kind == Kind::kCounted) writer.Key("commitTime").String(outcome().commit_time);
  if (outcome().error) WriteError(writer.Key("error"), *outcome().error);
  if (kind == Kind::kWaiting && WasSent()) writer.Key("mayArrive").Boolean(true);
  if (choice(0).shard() >= 0) Amount::Integer(choice(0).shard()).Write(writer.Key("shard"));
  writer.Key("shards").Int(choice(0).shards());
  commits().Write(writer);
  writer.EndObject();
}

}  // namespace shardline
