#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "counter/counter.h"
#include "counter/fold.h"

namespace shardline {

// Takes all that a counter of the firestore-counter extension's layout has counted out of its
// documents: shards, partials, and the counter's own document, all read as of one instant.
//
// Other counters' fields stay, and so does the counter's document, which is the user's. Of a
// partial that counts for others as well, what is ours is taken away by adding its negative, as the
// extension's workers do it.
//
// Clients and workers of the extension may go on meanwhile: what they write after it was read is
// left as it is, and read again. That includes workers that add to the counter's document what they
// have read from a partial some time ago, for they always take it away from the partial in the same
// step; where that was emptied before, it is negative then. So the documents are gone through until
// nothing is found, or kMaxPasses times.
class DrainOperation : public FoldOperation {
 protected:
  // Requires the extension's layout, unless Collect() is not called.
  DrainOperation(OperationContext& context, std::unique_ptr<const Counter> counter)
      : FoldOperation(context), counter_(std::move(counter)), listing_(*counter_) {}

  const Counter& counter() const { return *counter_; }

  void Collect() override;
  // What follows Collect(), until OnDrained().
  Result<Billed> OnDrainAnswer(const PaddedText& body);
  void OnDrainFailure(const CallFailure& failure);
  virtual void OnDrained() { Finish(); }

  // How many documents have been emptied.
  std::int64_t drained() const { return drained_; }
  // Nothing was found the last time.
  bool is_empty() const { return is_empty_; }

 private:
  enum class Step : std::uint8_t { kListing, kReadingDocument, kFolding };
  static constexpr int kMaxPasses = 10;

  void OnAllFolded() final;
  Result<Billed> OnPage(const PaddedText& body);
  Result<Billed> OnDocument(const PaddedText& body);
  void AddDocument(const CountedDocument& document);
  bool Deletes(const CountedDocument& document) const final { return !document.has_others; }
  std::string Emptying(const CountedDocument& document) const final;

  std::unique_ptr<const Counter> counter_;
  ShardListing listing_;
  Step step_ = Step::kListing;
  int passes_ = 0;
  std::int64_t drained_ = 0;
  bool is_empty_ = false;
};

}  // namespace shardline
