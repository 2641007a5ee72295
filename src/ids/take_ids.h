#pragma once

#include <cstdint>
#include <optional>

#include "ids/sequence.h"
#include "operation/operation.h"

namespace shardline {

// Takes a block of ids from one random shard, by one commit. When an answer is lost, another block
// is taken: the first is gone for good, and no id is given away twice.
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

  void SendReadParent();
  Result<Billed> OnParent(const PaddedText& body);
  Call TakeFromAnyShard();
  Result<Billed> OnTaken(const PaddedText& body);

  Sequence sequence_;
  std::int64_t count_;
  bool reading_ = false;
  bool has_read_ = false;
  std::int64_t shards_;
  std::int64_t shard_ = -1;
  std::int64_t first_ = 0;
  std::int64_t stride_ = 0;
};

}  // namespace shardline
