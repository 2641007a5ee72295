#include "experiment/next_by_transaction.h"

#include <utility>

#include "counter/answers.h"
#include "experiment/workload.h"
#include "firestore/query.h"
#include "firestore/write.h"

namespace shardline::experiment {

NextByTransaction::NextByTransaction(OperationContext& context, std::optional<std::int64_t> most)
    : Operation(context),
      name_(database().documents() + '/' + CounterShard(0)),
      field_(*FieldPath::Parse("count")),
      most_(most) {
  Read();
}

void NextByTransaction::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("value").Int(value_).EndObject();
}

void NextByTransaction::Read() {
  committing_ = false;
  value_ = 0;
  shardline::Call call{.path = database().UrlPath(":batchGet"),
                       .body = EncodeBatchGet({name_}, &field_)};
  call.attempts_before = conflicts_;
  Send(std::move(call));
}

Result<Billed> NextByTransaction::OnAnswer(CallId, PaddedText& body) {
  if (committing_) {
    SHARDLINE_CHECK(DecodeCommit(body, 1));
    Finish();
    return Billed{.writes = 1};
  }
  CountedDocument document;
  SHARDLINE_CHECK(DecodeCount(body, name_, field_, document));
  const std::int64_t count = document.amount ? document.amount->integer() : 0;
  if (most_ && count >= *most_) {
    Finish();
    return Billed{.reads = 1};
  }
  value_ = count + 1;
  committing_ = true;
  const auto write =
      shardline::Write::SetField(name_, field_, Amount::Integer(value_),
                                 shardline::Precondition::AsRead(document.update_time));
  Send({.path = database().UrlPath(":commit"),
        .body = EncodeCommit(write),
        .effect = Effect::kRepeatable,
        .retry_aborted = false});
  return Billed{.reads = 1};
}

void NextByTransaction::OnFailure(CallId, const CallFailure& failure) {
  const Code code = failure.error.code;
  const bool conflict = committing_ && !failure.maybe_applied &&
                        (code == Code::kAborted || code == Code::kFailedPrecondition);
  if (!conflict || ++conflicts_ >= context().retry.max_attempts) {
    return FinishWithFailure(failure);
  }
  Read();
}

}  // namespace shardline::experiment
