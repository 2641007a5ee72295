#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "counter/counter.h"
#include "counter/fold.h"

namespace shardline {

// Gives a counter another number of shards, while others go on incrementing.
//
// More: the new shards and the parent's number appear in one commit. Fewer: the parent's number
// goes down first, then what the surplus shards hold is moved into those that stay. Clients who
// know the old number may write to a surplus shard again, which makes it anew: it is counted like
// any other, for totals add up whatever is in the collection, and the next resize() moves it.
//
// Interrupted, it can be resumed by anyone, by asking for the same number again. Where no document
// holds the number of shards, the clients must be told it themselves. In the extension's layout,
// where shards may have any id, the number is each client's own matter, and nothing is to be done.
class ResizeCounter final : public FoldOperation {
 public:
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  std::int64_t shards);

  // {"shards": 10, "folded": 3}: how many documents were moved and deleted.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t { kReadingParent, kCommitting, kListing, kFolding };

  ResizeCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                std::int64_t shards);

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  const Counter* target() const override { return counter_.get(); }
  std::int64_t target_shards() const override { return shards_; }
  std::string Guard() const override;
  void Collect() override;

  void ReadParent();
  Result<Billed> OnParent(const PaddedText& body);
  void CommitShards(std::int64_t before);
  void List();
  Result<Billed> OnPage(const PaddedText& body);

  std::unique_ptr<const Counter> counter_;
  std::int64_t shards_;
  Step step_ = Step::kReadingParent;
  std::string parent_update_time_;
  // The parent said the number once; from then on, another one is somebody else's resize().
  bool settled_ = false;
  std::size_t writes_sent_ = 0;
  ShardListing listing_;
};

}  // namespace shardline
