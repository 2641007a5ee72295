#include "ids/take_ids.h"

#include <cassert>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/number.h"
#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/write.h"

namespace shardline {
namespace {

std::string Digits(std::int64_t value) {
  std::string digits;
  AppendInt64(digits, value);
  return digits;
}

FieldTransform IncrementOf(std::string_view field, std::int64_t by) {
  return {SequenceField(field), FieldTransform::Kind::kIncrement, Amount::Integer(by).Encode()};
}

}  // namespace

TakeIds::TakeIds(OperationContext& context, Sequence sequence, std::int64_t count)
    : Operation(context),
      sequence_(std::move(sequence)),
      count_(count),
      shards_(sequence_.shards()) {
  assert(count >= 1 && count <= kMaxIdsTaken);
  if (shards_ == 0) {
    AskForShards();
  } else {
    Take();
  }
}

Result<Billed> TakeIds::OnAnswer(CallId, PaddedText& body) {
  return state_ == State::kCountingShards ? OnParent(body) : OnTaken(body);
}

void TakeIds::AskForShards() {
  state_ = State::kCountingShards;
  has_asked_ = true;
  Send(sequence_.ReadParent(database()));
}

Result<Billed> TakeIds::OnParent(const PaddedText& body) {
  SequenceState state;
  SHARDLINE_CHECK(DecodeSequence(body, sequence_, state));
  if (!state.valid()) {
    FinishWithError(sequence_.NotFound());
  } else {
    shards_ = state.shards;
    shard_ = -1;
    Take();
  }
  return Billed{.reads = 1};
}

void TakeIds::Take() {
  state_ = State::kTaking;
  Send(TakeFromAnyShard());
}

Call TakeIds::TakeFromAnyShard() {
  shard_ = random().Another(shards_, shard_);
  Write write{.name = sequence_.ShardName(shard_), .mask = std::vector<FieldPath>{}};
  write.transforms.push_back(IncrementOf("next", count_));
  // Adds nothing, and tells the stride as of the same instant.
  write.transforms.push_back(IncrementOf("stride", 0));
  write.precondition.kind = Precondition::Kind::kExists;
  return {.path = database().UrlPath(":commit"),
          .body = EncodeCommit(write),
          .effect = Effect::kRepeatable};
}

TakenBlock JudgeBlock(std::int64_t next, std::int64_t stride, std::int64_t shard,
                      std::int64_t count) {
  assert(shard >= 0 && count >= 1);
  if (next < count || stride < 1 || stride <= shard) return TakenBlock::kNoSequence;
  const std::int64_t most = (std::numeric_limits<std::int64_t>::max() - stride) / stride;
  return next > most ? TakenBlock::kTooHigh : TakenBlock::kGood;
}

Result<Billed> TakeIds::OnTaken(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 1, &answer));
  if (answer.results.size() != 2) {
    return Fail(kAnswerUnreadable, "there is not one result for each transform");
  }
  const auto number = [&](std::size_t i) -> std::int64_t {
    const std::optional<Amount>& result = answer.results[i];
    return result && !result->is_double() ? result->integer() : 0;
  };
  const std::int64_t next = number(0);
  stride_ = number(1);
  switch (JudgeBlock(next, stride_, shard_, count_)) {
    case TakenBlock::kNoSequence:
      FinishWithError(Fail(kIdsDamaged, "What lies in ")
                      << Param{"document", sequence_.ShardName(shard_)}
                      << " is no sequence of ids: it lacks the fields next and stride.");
      break;
    case TakenBlock::kTooHigh:
      FinishWithError(Fail(kIdsUsedUp, "The sequence of ids at ")
                      << Param{"path", sequence_.path()} << " has reached the end of 64 bits.");
      break;
    case TakenBlock::kGood:
      first_ = (next - count_) * stride_ + shard_ + 1;
      Finish();
  }
  return Billed{.writes = 1};
}

void TakeIds::OnFailure(CallId, const CallFailure& failure) {
  if (failure.error.code == Code::kOutcomeUnknown) {
    return FinishWithError(
        Fail(Error(kIdsPerhapsLost,
                   "No answer came from the server. Some ids may be lost, but none will be "
                   "given away twice: call again.",
                   failure.error.http_status)));
  }
  const bool is_missing = state_ == State::kTaking && failure.error.code == Code::kNotFound;
  if (!is_missing) return FinishWithError(Fail(failure.error));
  // There is no such shard. The user may have passed too large a number.
  if (!has_asked_) return AskForShards();
  FinishWithError(Fail(kIdsDamaged, "The document ")
                  << Param{"document", sequence_.ShardName(shard_)}
                  << " has been deleted. Made again, it would repeat its ids: begin a sequence "
                     "at another path.");
}

void TakeIds::OnRetry(CallId, const CallFailure&, Call& call) {
  if (state_ == State::kTaking) call = TakeFromAnyShard();
}

void TakeIds::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("first").String(Digits(first_));
  writer.Key("stride").String(Digits(stride_));
  writer.Key("count").Int(count_);
  writer.Key("shards").Int(shards_).EndObject();
}

}  // namespace shardline
