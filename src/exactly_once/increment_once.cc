#include "exactly_once/increment_once.h"

#include <utility>

#include "base/reason.h"
#include "counter/places.h"

namespace shardline {
namespace {

using Kind = BatchOutcome::Kind;

}  // namespace

Result<std::unique_ptr<Operation>> IncrementOnce::Start(OperationContext& context,
                                                        std::unique_ptr<const Counter> counter,
                                                        std::string_view id, const Amount& delta,
                                                        Timestamp now) {
  SHARDLINE_CHECK(ShardChoice::Check(*counter));
  BatchRequest request{
      .marker = counter->OwnCollection(kKeyCollection).Document(id).Name(context.database),
      .change = MakeAutoId(context.random),
      .now = now};
  request.increments.push_back({std::move(counter), delta});
  return std::make_unique<IncrementOnce>(context, std::move(request));
}

IncrementOnce::IncrementOnce(OperationContext& context, BatchRequest request)
    : CommitBatch(context, std::move(request)) {}

void IncrementOnce::Conclude() {
  const Kind kind = outcome().kind;
  std::optional<Error>& error = mutable_outcome().error;
  const bool is_in_doubt = kind == Kind::kUnknown || (kind == Kind::kWaiting && WasSent());
  if (is_in_doubt) {
    if (!error) error.emplace(kIncrementInDoubt, "Its marker may have expired.");
    error->Become(kIncrementInDoubt);
    NextSentence(error->message) +=
        "The answer to a request was lost: ask again with the same key, which counts once.";
  }
  if (!error) return Finish();
  AdviseOnRules(*error);
  FinishWithError(Fail(*std::move(error)));
}

void IncrementOnce::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("changed").Boolean(!outcome().by_another);
  writer.Key("shards").Int(choice(0).shards());
  commits().Write(writer);
  writer.EndObject();
}

}  // namespace shardline
