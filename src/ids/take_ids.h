#pragma once

#include <cstdint>

#include "ids/sequence.h"
#include "operation/operation.h"

namespace shardline {

// The outcome of a commit that takes a block.
enum class TakenBlock : std::uint8_t {
  kGood,
  kNoSequence,  // The document is not a shard of a sequence.
  kTooHigh,     // The ids would not fit into 64 bits.
};
// `next` and `stride` are the shard's fields after the commit, 0 for a field that is not an
// integer. `count` ids were taken from it.
TakenBlock JudgeBlock(std::int64_t next, std::int64_t stride, std::int64_t shard,
                      std::int64_t count);

// Block allocation (hi/lo): takes a block of ids from one random shard, by one commit. After a lost
// answer it takes another block. The ids of the first block are never used, and no id is given away
// twice.
class TakeIds final : public Operation {
 public:
  // `count` must be from 1 to kMaxIdsTaken.
  TakeIds(OperationContext& context, Sequence sequence, std::int64_t count);

  // {"first": "41", "stride": "100", "count": 20, "shards": 10}: the ids 41, 141, … 1941.
  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  enum class State : std::uint8_t { kCountingShards, kTaking };

  void AskForShards();
  Result<Billed> OnParent(const PaddedText& body);
  void Take();
  Call TakeFromAnyShard();
  Result<Billed> OnTaken(const PaddedText& body);

  Sequence sequence_;
  std::int64_t count_;
  State state_ = State::kCountingShards;
  // The sequence's document has been asked how many shards there are.
  bool has_asked_ = false;
  std::int64_t shards_;
  std::int64_t shard_ = -1;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 0;
};

}  // namespace shardline
