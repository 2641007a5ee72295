#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "counter/counter.h"
#include "counter/drain.h"
#include "counter/shard_listing.h"

namespace shardline {

// Deletes a counter: its shards, ledgers and roll-up, and what the parent document says about it.
// The parent goes too if it says nothing else; other fields, and documents that are not ours, stay.
//
// The parent comes first, so that clients who ask it find no counter any more. Interrupted, it can
// be begun again by anyone. Clients who know the number of shards may make shards anew meanwhile.
//
// In the layout of the firestore-counter extension, the parent stays without the count field, and
// so do shards that other counters are in.
class DeleteCounter final : public DrainOperation {
 public:
  DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter);

  // {"deleted": 12}: how many documents this operation has deleted, or tried to.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t {
    kReadingParent,
    kClearingParent,
    kDraining,
    kListing,
    kDeleting
  };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  const Counter* target() const override { return nullptr; }
  std::int64_t target_shards() const override { return 0; }
  void OnDrained() override;

  void SendReadParent();
  Result<Billed> OnParent(const PaddedText& body);
  void SendPage();
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();
  void ListLedgers();
  void DeleteMore();

  Step step_ = Step::kListing;
  int refusals_ = 0;
  bool deletes_parent_ = false;
  ShardListing listing_;
  bool lists_ledgers_ = false;
  // Full names of what is to be deleted, from the last one on; those of the commit under way are
  // gone from it.
  std::vector<std::string> names_;
  std::size_t sent_ = 0;
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
