#include "exactly_once/apply_batch.h"

#include <string>
#include <utility>

#include "base/reason.h"

namespace shardline {
namespace {

using Kind = BatchOutcome::Kind;

// The size of the request does not depend on the drawn shards.
Status CheckSize(const BatchRequest& request) {
  CommitBody body;
  bool fits = body.AddIfFits(MarkerWrite(request.marker, true, {}));
  for (const Write& write : request.writes) fits = fits && body.AddIfFits(write);
  for (const BatchIncrement& increment : request.increments) {
    const Counter& counter = *increment.counter;
    fits = fits && body.AddIfFits(Write::Increment(counter.ShardName(kMaxShards - 1),
                                                   counter.count_field(), increment.delta));
  }
  if (fits) return {};
  return Fail(
      kRequestTooLarge,
      "The batch is larger than 10 MiB, which is all that Firestore takes in one commit: divide it "
      "into several, each of which is applied by itself.");
}

}  // namespace

Result<std::unique_ptr<Operation>> ApplyBatch::Start(OperationContext& context,
                                                     BatchRequest request,
                                                     std::vector<std::size_t> places) {
  for (const BatchIncrement& increment : request.increments) {
    SHARDLINE_CHECK(ShardChoice::Check(*increment.counter));
  }
  SHARDLINE_CHECK(CheckSize(request));
  return std::make_unique<ApplyBatch>(context, std::move(request), std::move(places));
}

ApplyBatch::ApplyBatch(OperationContext& context, BatchRequest request,
                       std::vector<std::size_t> places)
    : CommitBatch(context, std::move(request)), places_(std::move(places)) {}

void ApplyBatch::Conclude() {
  const Kind kind = outcome().kind;
  std::optional<Error>& error = mutable_outcome().error;
  const bool is_in_doubt =
      kind == Kind::kUnknown || (kind == Kind::kWaiting && (WasSent() || request().withdraws));
  if (is_in_doubt) {
    std::string why = error ? error->message : "Its marker may have expired.";
    NextSentence(why) += "Call commit() again, which applies it once at the most, or withdraw().";
    FinishWithError(Fail(kWriteInDoubt, "The batch may or may not have been applied. ") << why);
  } else if (kind == Kind::kRefused && !error && !request().withdraws) {
    FinishWithError(
        Fail(kBatchWithdrawn,
             "The batch was withdrawn, and nothing of it was applied: make a new one."));
  } else if (error) {
    if (kind == Kind::kCounted) {
      error->message += " All else in the batch was applied: ";
      error->message += request().increments[outcome().full].counter->path();
      error->message += " is the counter.";
    }
    AdviseOnRules(*error);
    FinishWithError(Fail(*std::move(error)));
  } else {
    Finish();
  }
}

void ApplyBatch::WriteResult(JsonWriter& writer) const {
  const bool applied = outcome().kind == Kind::kCounted;
  writer.BeginObject().Key("applied").Boolean(applied);
  if (applied) writer.Key("commitTime").String(outcome().commit_time);
  writer.Key("shards").BeginArray();
  for (const std::size_t increment : places_) writer.Int(choice(increment).shards());
  writer.EndArray().EndObject();
}

}  // namespace shardline
