#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "ids/sequence.h"
#include "operation/operation.h"

namespace shardline {

// Makes a sequence, or changes how many shards are in use, while others go on taking ids: whatever
// number of shards they know, what they take stays unique.
class SetUpSequence final : public Operation {
 public:
  // Makes one with that stride. One that is there stays as it is.
  static Result<std::unique_ptr<Operation>> Create(OperationContext& context, Sequence sequence,
                                                   std::int64_t stride);
  // Makes the shards that are missing, if it grows. Nothing is ever deleted.
  static Result<std::unique_ptr<Operation>> Resize(OperationContext& context, Sequence sequence,
                                                   std::int64_t shards);

  // {"created": true, "shards": 10}. `created` is true only if it was surely this operation.
  void WriteResult(JsonWriter& writer) const override;

 private:
  SetUpSequence(OperationContext& context, Sequence sequence, std::int64_t shards)
      : Operation(context), sequence_(std::move(sequence)), shards_(shards) {}

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void SendReadParent();
  void OnParent();
  void CommitShards();

  Sequence sequence_;
  std::int64_t shards_;
  bool resizing_ = false;
  bool reading_ = false;
  bool created_ = false;
  int refusals_ = 0;
  std::int64_t writes_ = 0;
  SequenceState state_;  // As last read; before creation, what is to be.
};

}  // namespace shardline
