#include "ids/set_up_sequence.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/reason.h"
#include "firestore/answers.h"
#include "firestore/fields_writer.h"
#include "firestore/write.h"
#include "operation/procedure.h"

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

std::int64_t FirstNext(std::int64_t shard, const SequenceState& state) {
  const std::int64_t below = state.start_at - 1 - shard;
  return below > 0 ? (below - 1) / state.stride + 1 : 0;
}

SetUpStep DecideSetUp(const SequenceState& state, std::int64_t shards) {
  if (!state.exists() && shards > 0) return SetUpStep::kNotFound;
  if (!state.valid()) return SetUpStep::kForeign;
  if (shards == 0 || shards == state.shards) return SetUpStep::kDone;
  return shards > state.stride ? SetUpStep::kTooMany : SetUpStep::kCommit;
}

Result<std::unique_ptr<Operation>> SetUpSequence::Create(OperationContext& context,
                                                         Sequence sequence, std::int64_t stride,
                                                         std::int64_t start_at) {
  const std::int64_t shards =
      sequence.shards() > 0 ? sequence.shards() : std::min(kDefaultIdShards, stride);
  if (stride < shards || stride > kMaxIdShards) {
    return OptionMustBe("maxShards", "an integer from the number of shards to 10,000") << ".";
  }
  std::unique_ptr<SetUpSequence> operation(
      new SetUpSequence(context, std::move(sequence), Goal::kCreate, shards));
  operation->found_.stride = stride;
  operation->found_.start_at = start_at;
  operation->Commit();
  return operation;
}

Result<std::unique_ptr<Operation>> SetUpSequence::Resize(OperationContext& context,
                                                         Sequence sequence, std::int64_t shards) {
  if (shards < 1 || shards > kMaxIdShards) {
    return RefuseArgument(kArgumentNotAllowed, "shards", "an integer from 1 to 10,000",
                          "A sequence can have from 1 to 10,000 shards.");
  }
  std::unique_ptr<SetUpSequence> operation(
      new SetUpSequence(context, std::move(sequence), Goal::kResize, shards));
  operation->ReadParent();
  return operation;
}

Result<Billed> SetUpSequence::OnAnswer(CallId, PaddedText& body) {
  const auto* committing = std::get_if<Committing>(&state_);
  return committing != nullptr ? OnCommitted(*committing, body) : OnParent(body);
}

void SetUpSequence::ReadParent() {
  state_ = ReadingParent{};
  Call call = sequence_.ReadParent(database());
  call.attempts_before = refusals_ > 1 ? refusals_ : 0;
  Send(std::move(call));
}

Result<Billed> SetUpSequence::OnParent(const PaddedText& body) {
  SHARDLINE_CHECK(DecodeSequence(body, sequence_, found_));
  Take(DecideSetUp(found_, goal_ == Goal::kResize ? shards_ : 0));
  return Billed{.reads = 1};
}

void SetUpSequence::Take(SetUpStep step) {
  switch (step) {
    case SetUpStep::kNotFound:
      return FinishWithError(sequence_.NotFound());
    case SetUpStep::kForeign:
      return FinishWithError(Fail(kIdsPathTaken, "At ")
                             << Param{"path", sequence_.path()}
                             << " is another document, or the rest of a deleted sequence, whose "
                                "ids a new one would repeat: choose another path.");
    case SetUpStep::kTooMany:
      return FinishWithError(
          Fail(kIdsTooManyShards,
               "This sequence was made for fewer shards: create()'s maxShards is the "
               "most that it can have. Take larger blocks instead."));
    case SetUpStep::kDone:
      shards_ = found_.shards;
      return Finish();
    case SetUpStep::kCommit:
      return Commit();
  }
}

void SetUpSequence::Commit() {
  std::vector<Write> writes;
  std::vector<NamedInteger> parent = {
      {"shards", shards_}, {"made", std::max(shards_, found_.made)}, {"stride", found_.stride}};
  if (found_.start_at > 1) parent.push_back({"startAt", found_.start_at});
  writes.push_back(SetIntegers(sequence_.parent_name(), parent));
  if (found_.exists()) writes[0].precondition = Precondition::AsRead(found_.update_time);
  for (std::int64_t shard = found_.made; shard < shards_; ++shard) {
    writes.push_back(SetIntegers(sequence_.ShardName(shard),
                                 {{"next", FirstNext(shard, found_)}, {"stride", found_.stride}}));
  }
  std::string body = EncodeCommit(writes);
  if (body.size() > kMaxRequestBytes) {
    return FinishWithError(Fail(
        kRequestTooLarge,
        "The sequence's documents do not fit into one request of 10 MiB: choose fewer shards, or a "
        "shorter path."));
  }
  state_ = Committing{static_cast<std::int64_t>(writes.size())};
  SendCommit(std::move(body), Effect::kRepeatable);
}

Result<Billed> SetUpSequence::OnCommitted(Committing committing, const PaddedText& body) {
  SHARDLINE_CHECK(DecodeCommit(body, static_cast<std::size_t>(committing.writes)));
  created_ = goal_ == Goal::kCreate;
  Finish();
  return Billed{.writes = committing.writes};
}

void SetUpSequence::OnFailure(CallId, const CallFailure& failure) {
  const bool is_refused =
      std::holds_alternative<Committing>(state_) && IsRefusal(failure.error.code);
  if (!is_refused || ++refusals_ >= context().retry.max_attempts) {
    return FinishWithFailure(failure);
  }
  ReadParent();
}

void SetUpSequence::WriteResult(JsonWriter& writer) const {
  writer.BeginObject().Key("created").Boolean(created_);
  writer.Key("shards").Int(shards_).EndObject();
}

}  // namespace shardline
