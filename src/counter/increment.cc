#include "counter/increment.h"

#include <limits>
#include <optional>
#include <utility>

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
  return {Code::kOutOfRange,
          "The shard has reached the end of what a 64-bit integer holds: what goes beyond it was "
          "not counted."};
}

Status Increment::CheckShards(const Counter& counter) {
  if (counter.shards() > 0 || counter.has_parent()) return {};
  return InvalidArgument(
      "Nothing in this layout says how many shards the counter has: pass the option `shards`.");
}

Result<std::unique_ptr<Operation>> Increment::Start(OperationContext& context,
                                                    std::unique_ptr<const Counter> counter,
                                                    const Amount& delta) {
  SHARDLINE_CHECK(CheckShards(*counter));
  std::unique_ptr<Increment> increment;
  if (counter->delivery() == Delivery::kTransaction) {
    increment = std::make_unique<TransactionIncrement>(context, std::move(counter), delta);
  } else {
    increment = std::make_unique<BlindIncrement>(context, std::move(counter), delta);
  }
  increment->Begin();
  return increment;
}

Increment::Increment(OperationContext& context, std::unique_ptr<const Counter> counter,
                     const Amount& delta)
    : Operation(context),
      counter_(std::move(counter)),
      delta_(delta),
      shards_(counter_->shards()) {}

void Increment::Begin() {
  if (shards_ == 0) {
    parent_call_ = Send(counter_->ReadParent());
  } else {
    OnShardsKnown();
  }
}

void Increment::PickShard() { shard_ = shardline::PickShard(shards_, shard_, random()); }

Call Increment::CommitCall(std::string body) const {
  return {.path = database().UrlPath(":commit"),
          .body = std::move(body),
          .effect = Effect::kRepeatable};
}

Result<Billed> Increment::OnAnswer(CallId id, PaddedText& body) {
  return id == parent_call_ ? OnParent(body) : OnShardAnswer(body);
}

Result<Billed> Increment::OnParent(const PaddedText& body) {
  const FieldPath& field = counter_->parent_field();
  CountedDocument parent;
  SHARDLINE_CHECK(DecodeCount(body, counter_->ParentName(), field, parent));
  const Result<std::int64_t> shards = counter_->ShardsFromParent(parent);
  if (!shards) {
    OnNoCounter(Fail(shards.error()));
  } else if (*shards == 0) {
    OnNoCounter(Fail(Code::kNotFound, "There is no counter at ")
                << counter_->path() << ", for no field " << field.text()
                << " is there: call create() first, or pass the option `shards`.");
  } else {
    shards_ = *shards;
    OnShardsKnown();
  }
  return Billed{.reads = 1};
}

void Increment::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("shard");
  Amount::Integer(shard_).Write(writer);
  writer.Key("shards").Int(shards_).EndObject();
}

void BlindIncrement::OnShardsKnown() {
  PickShard();
  Send(WriteCall());
}

Call BlindIncrement::WriteCall() const {
  return CommitCall(EncodeCommit(Write::Increment(ShardName(), counter().count_field(), delta())));
}

void BlindIncrement::OnRetry(CallId, const CallFailure&, Call& call) {
  if (call.effect == Effect::kRead) return;  // The shard count.
  PickShard();
  call = WriteCall();
}

Result<Billed> BlindIncrement::OnShardAnswer(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 1, &answer));
  if (IsSaturated(answer, delta())) {
    FinishWithError(Fail(SaturatedError()));
  } else {
    Finish();
  }
  return Billed{.writes = 1};
}

void TransactionIncrement::OnShardsKnown() { ReadAnyShard(); }

void TransactionIncrement::ReadAnyShard() {
  PickShard();
  committing_ = false;
  Call call = counter().ReadShard(shard());
  call.attempts_before = conflicts_;
  Send(std::move(call));
}

Result<Billed> TransactionIncrement::OnShardAnswer(const PaddedText& body) {
  return committing_ ? OnCommitted(body) : OnRead(body);
}

Result<Billed> TransactionIncrement::OnRead(const PaddedText& body) {
  const FieldPath& field = counter().count_field();
  CountedDocument document;
  SHARDLINE_CHECK(DecodeCount(body, ShardName(), field, document));
  // What is no number counts as nothing, as it does for the server's increment.
  const std::optional<Amount> after =
      document.amount ? Add(*document.amount, delta()) : std::optional<Amount>(delta());
  if (!after) {
    FinishWithError(
        Fail(Code::kOutOfRange,
             "The shard would go beyond what a 64-bit integer holds: nothing was counted."));
    return Billed{.reads = 1};
  }
  committing_ = true;
  Call call = CommitCall(EncodeCommit(
      Write::SetField(ShardName(), field, *after, Precondition::AsRead(document.update_time))));
  call.retry_aborted = false;
  // A shard that was made, and that a resize has emptied and deleted since, could be made again.
  if (document.update_time.empty()) call.effect = Effect::kOnce;
  Send(std::move(call));
  return Billed{.reads = 1};
}

Result<Billed> TransactionIncrement::OnCommitted(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, 1));
  Finish();
  return Billed{.writes = 1};
}

void TransactionIncrement::OnFailure(CallId, const CallFailure& failure) {
  const bool conflict = committing_ && IsConflict(failure.error.code);
  if (!conflict || failure.maybe_applied) return FinishWithFailure(failure);
  if (++conflicts_ >= context().retry.max_attempts) {
    return FinishWithError(
        Fail({Code::kAborted,
              "Others kept writing to the counter's shards at the same time, and "
              "nothing was counted: give the counter more shards, or use the "
              "delivery 'at-least-once'.",
              failure.error.http_status}));
  }
  ReadAnyShard();
}

}  // namespace shardline
