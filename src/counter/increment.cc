#include "counter/increment.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

#include "base/reason.h"
#include "firestore/write.h"

namespace shardline {
namespace {

bool IsConflict(Code code) {
  return code == Code::kFailedPrecondition || code == Code::kAlreadyExists ||
         code == Code::kNotFound || code == Code::kAborted;
}

}  // namespace

bool IsSaturated(const CommitAnswer& answer, const Amount& delta) {
  if (answer.results.empty() || delta.is_double()) return false;
  const std::optional<Amount>& value = answer.results.back();
  if (!value || value->is_double()) return false;
  using Limits = std::numeric_limits<std::int64_t>;
  return (delta.integer() > 0 && value->integer() == Limits::max()) ||
         (delta.integer() < 0 && value->integer() == Limits::min());
}

Error SaturatedError() {
  return Error(kCounterFull,
               "The shard has reached the end of what a 64-bit integer holds: what goes beyond it "
               "was not counted.");
}

Result<std::unique_ptr<Operation>> TransactionIncrement::Start(
    OperationContext& context, std::unique_ptr<const Counter> counter, const Amount& delta) {
  assert(std::isfinite(delta.number()));
  SHARDLINE_CHECK(ShardChoice::Check(*counter));
  return std::make_unique<TransactionIncrement>(context, std::move(counter), delta);
}

TransactionIncrement::TransactionIncrement(OperationContext& context,
                                           std::unique_ptr<const Counter> counter,
                                           const Amount& delta)
    : Operation(context), counter_(std::move(counter)), delta_(delta), choice_(*counter_) {
  if (choice_.shards() == 0) {
    Send(choice_.AskForShards());
  } else {
    ReadAnyShard();
  }
}

Result<Billed> TransactionIncrement::OnAnswer(CallId, PaddedText& body) {
  if (state_ == State::kReadingShard) return OnShard(body);
  if (state_ == State::kCommitting) return OnCommitted(body);
  Failure no_counter;
  Result<Billed> billed = choice_.HandleAnswer(body, no_counter);
  if (billed) OnShardCount(std::move(no_counter));
  return billed;
}

void TransactionIncrement::OnShardCount(Failure&& no_counter) {
  if (no_counter) return FinishWithError(std::move(no_counter));
  ReadAnyShard();
}

void TransactionIncrement::ReadAnyShard() {
  state_ = State::kReadingShard;
  choice_.Pick(random());
  Call call = counter_->ReadShard(choice_.shard());
  call.attempts_before = conflicts_;
  Send(std::move(call));
}

Result<Billed> TransactionIncrement::OnShard(const PaddedText& body) {
  CountedDocument shard;
  SHARDLINE_CHECK(DecodeCount(body, choice_.ShardName(), counter_->count_field(), shard));
  // A value that is not a number counts as 0; the server's increment does the same.
  const std::optional<Amount> sum =
      shard.amount ? Add(*shard.amount, delta_) : std::optional<Amount>(delta_);
  if (sum) {
    Commit(shard, *sum);
  } else {
    FinishWithError(
        Fail(kCounterFull,
             "The shard would go beyond what a 64-bit integer holds: nothing was counted."));
  }
  return Billed{.reads = 1};
}

void TransactionIncrement::Commit(const CountedDocument& shard, const Amount& sum) {
  state_ = State::kCommitting;
  // A shard that was made, and that a resize has emptied and deleted since, could be made again.
  const bool is_missing = shard.update_time.empty();
  Send({.path = database().UrlPath(":commit"),
        .body = EncodeCommit(Write::SetField(choice_.ShardName(), counter_->count_field(), sum,
                                             Precondition::AsRead(shard.update_time))),
        .effect = is_missing ? Effect::kOnce : Effect::kRepeatable,
        .retry_aborted = false});
}

Result<Billed> TransactionIncrement::OnCommitted(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  Finish();
  return Billed{.writes = 1};
}

TransactionStep DecideTransaction(const CallFailure& failure, int conflicts, int max_attempts) {
  if (!IsConflict(failure.error.code) || failure.maybe_applied) return TransactionStep::kFails;
  return conflicts + 1 < max_attempts ? TransactionStep::kAnotherShard
                                      : TransactionStep::kContended;
}

void TransactionIncrement::OnFailure(CallId, const CallFailure& failure) {
  if (state_ != State::kCommitting) return FinishWithFailure(failure);
  switch (DecideTransaction(failure, conflicts_, context().retry.max_attempts)) {
    case TransactionStep::kFails:
      return FinishWithFailure(failure);
    case TransactionStep::kContended:
      return FinishWithError(
          Fail(Error(kTooMuchContention,
                     "Other clients kept writing to the counter's shards at the same time, and "
                     "nothing was counted: give the counter more shards, or use the "
                     "delivery 'at-least-once'.",
                     failure.error.http_status)));
    case TransactionStep::kAnotherShard:
      ++conflicts_;
      ReadAnyShard();
  }
}

void TransactionIncrement::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("shard");
  Amount::Integer(choice_.shard()).Write(writer);
  writer.Key("shards").Int(choice_.shards());
  CommitCounts{.attempts = conflicts_ + 1, .aborted = conflicts_}.Write(writer);
  writer.EndObject();
}

}  // namespace shardline
