#include "ids/set_up_sequence.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/write.h"

namespace shardline {
namespace {

struct NamedInteger {
  std::string_view name;
  std::int64_t value;
};

Write SetIntegers(std::string name, const std::vector<NamedInteger>& integers) {
  Write write{.name = std::move(name), .mask = std::vector<FieldPath>{}};
  FieldsWriter fields;
  for (const NamedInteger& integer : integers) {
    write.mask->push_back(SequenceField(integer.name));
    fields.Number(integer.name, Amount::Integer(integer.value));
  }
  write.fields = fields.Take();
  write.precondition.kind = Precondition::Kind::kMissing;
  return write;
}

}  // namespace

Result<std::unique_ptr<Operation>> SetUpSequence::Create(OperationContext& context,
                                                         Sequence sequence, std::int64_t stride) {
  const std::int64_t shards =
      sequence.shards() > 0 ? sequence.shards() : std::min(kDefaultIdShards, stride);
  if (stride < shards || stride > kMaxIdShards) {
    return InvalidArgument(
        "The option `maxShards` must be an integer from the number of shards to 10,000.");
  }
  std::unique_ptr<SetUpSequence> operation(new SetUpSequence(context, std::move(sequence), shards));
  operation->state_.stride = stride;
  operation->CommitShards();
  return operation;
}

Result<std::unique_ptr<Operation>> SetUpSequence::Resize(OperationContext& context,
                                                         Sequence sequence, std::int64_t shards) {
  if (shards < 1 || shards > kMaxIdShards) {
    return InvalidArgument("A sequence can have from 1 to 10,000 shards.");
  }
  std::unique_ptr<SetUpSequence> operation(new SetUpSequence(context, std::move(sequence), shards));
  operation->resizing_ = true;
  operation->SendReadParent();
  return operation;
}

void SetUpSequence::SendReadParent() {
  reading_ = true;
  Call call = sequence_.ReadParent(database());
  call.attempts_before = refusals_ > 1 ? refusals_ : 0;
  Send(std::move(call));
}

void SetUpSequence::CommitShards() {
  reading_ = false;
  std::vector<Write> writes;
  writes.push_back(SetIntegers(
      sequence_.parent_name(),
      {{"shards", shards_}, {"made", std::max(shards_, state_.made)}, {"stride", state_.stride}}));
  if (state_.exists()) {
    writes[0].precondition = Precondition::AsRead(state_.update_time);
  }
  for (std::int64_t shard = state_.made; shard < shards_; ++shard) {
    writes.push_back(
        SetIntegers(sequence_.ShardName(shard), {{"next", 0}, {"stride", state_.stride}}));
  }
  writes_ = static_cast<std::int64_t>(writes.size());
  std::string body = EncodeCommit(writes);
  if (body.size() > kMaxRequestBytes) {
    return FinishWithError(InvalidArgument(
        "The sequence's documents do not fit into one request of 10 MiB: choose fewer shards, or a "
        "shorter path."));
  }
  SendCommit(std::move(body), Effect::kRepeatable);
}

Result<Billed> SetUpSequence::OnAnswer(CallId, PaddedText& body) {
  if (reading_) {
    SHARDLINE_CHECK(DecodeSequence(body, sequence_, state_));
    OnParent();
    return Billed{.reads = 1};
  }
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(writes_)));
  created_ = !resizing_;
  Finish();
  return Billed{.writes = writes_};
}

void SetUpSequence::OnParent() {
  if (!state_.exists() && resizing_) return FinishWithError(sequence_.NotFound());
  if (!state_.valid()) {
    return FinishWithError(Fail(Code::kFailedPrecondition, "At ")
                           << sequence_.path()
                           << " lies something else, or the rest of a sequence of ids, which "
                              "made anew would repeat them: choose another path.");
  }
  if (!resizing_) shards_ = state_.shards;
  if (shards_ == state_.shards) return Finish();
  if (shards_ > state_.stride) {
    return FinishWithError(
        Fail(Code::kFailedPrecondition,
             "This sequence was made for fewer shards: create()'s maxShards is the "
             "most that it can have. Take larger blocks instead."));
  }
  CommitShards();
}

void SetUpSequence::OnFailure(CallId, const CallFailure& failure) {
  const Code code = failure.error.code;
  const bool refused =
      code == Code::kAlreadyExists || code == Code::kFailedPrecondition || code == Code::kNotFound;
  if (reading_ || !refused || ++refusals_ >= context().retry.max_attempts) {
    return FinishWithFailure(failure);
  }
  SendReadParent();
}

void SetUpSequence::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("created").Boolean(created_);
  writer.Key("shards").Int(shards_).EndObject();
}

}  // namespace shardline
