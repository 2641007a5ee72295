#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <variant>

#include "ids/sequence.h"
#include "operation/operation.h"

namespace shardline {

// The next step, which depends on the state in the sequence's own document.
enum class SetUpStep : std::uint8_t {
  kNotFound,  // There is no sequence to resize.
  kForeign,   // The document is not a sequence's, or only the rest of a sequence is there.
  kDone,      // It has the number of shards already, or is there already.
  kTooMany,   // Its stride allows fewer shards.
  kCommit,    // Write the number, and the missing shards.
};
// `shards` is the wanted number, 0 for the present one.
SetUpStep DecideSetUp(const SequenceState& state, std::int64_t shards);

// The number of ids that a new shard skips, so that its first id is at least the sequence's start.
std::int64_t FirstNext(std::int64_t shard, const SequenceState& state);

// Makes a sequence, or changes its number of shards, while other clients go on taking ids. Their
// ids stay unique, whatever number of shards they know.
class SetUpSequence final : public Operation {
 public:
  // Makes a sequence with that stride, whose ids are at least `start_at`. An existing one stays as
  // it is.
  static Result<std::unique_ptr<Operation>> Create(OperationContext& context, Sequence sequence,
                                                   std::int64_t stride, std::int64_t start_at = 1);
  // Makes the shards that are missing, if it grows. Nothing is ever deleted.
  static Result<std::unique_ptr<Operation>> Resize(OperationContext& context, Sequence sequence,
                                                   std::int64_t shards);

  // {"created": true, "shards": 10}. `created` is true only if this operation surely made the
  // sequence.
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
  SequenceState found_;  // The state that was read last; before creation, the state to write.
};

}  // namespace shardline
