#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "ids/sequence.h"
#include "operation/operation.h"

namespace shardline {

// The next step, by the state in the sequence's own document.
enum class SetUpStep : std::uint8_t {
  kNotFound,  // There is no sequence that could be resized.
  kForeign,   // Something else lies there, or the rest of a sequence.
  kDone,      // It has the number of shards already, or is there already.
  kTooMany,   // It was made for fewer.
  kCommit,    // The number is written, with the shards that are missing.
};
// `shards` is how many it is to have, 0 for as many as it has.
SetUpStep DecideSetUp(const SequenceState& state, std::int64_t shards);

// How many of its ids a new shard passes over, so that it begins with the first one that is at
// least where the sequence starts.
std::int64_t FirstNext(std::int64_t shard, const SequenceState& state);

// Makes a sequence, or changes how many shards are in use, while other clients go on taking ids:
// whatever number of shards they know, what they take stays unique.
class SetUpSequence final : public Operation {
 public:
  // Makes one with that stride, whose ids are at least `start_at`. One that is there stays as it
  // is.
  static Result<std::unique_ptr<Operation>> Create(OperationContext& context, Sequence sequence,
                                                   std::int64_t stride, std::int64_t start_at = 1);
  // Makes the shards that are missing, if it grows. Nothing is ever deleted.
  static Result<std::unique_ptr<Operation>> Resize(OperationContext& context, Sequence sequence,
                                                   std::int64_t shards);

  // {"created": true, "shards": 10}. `created` is true only if it was surely this operation.
  void WriteResult(JsonWriter& writer) const override;

 private:
  // The call: create() or resize().
  enum class Goal : std::uint8_t { kCreate, kResize };
  struct ReadingParent {};
  struct Committing {
    std::int64_t writes;
  };
  using State = std::variant<ReadingParent, Committing>;

  SetUpSequence(OperationContext& context, Sequence sequence, Goal goal, std::int64_t shards)
      : Operation(context), sequence_(std::move(sequence)), goal_(goal), shards_(shards) {}

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void ReadParent();
  Result<Billed> OnParent(const PaddedText& body);
  void Take(SetUpStep step);
  void Commit();
  Result<Billed> OnCommitted(Committing committing, const PaddedText& body);

  Sequence sequence_;
  Goal goal_;
  std::int64_t shards_;
  State state_;
  bool created_ = false;
  int refusals_ = 0;
  SequenceState found_;  // As last read; before creation, what is to be.
};

}  // namespace shardline
