#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "firestore/write.h"
#include "operation/procedure.h"
#include "upkeep/fold.h"

namespace shardline {

// Takes all that a counter of the firestore-counter extension's layout has counted out of its
// documents: shards, partials, and the counter's own document, all read as of one instant. It goes
// into the shards of another counter, or is thrown away.
//
// A counter takes the count of one other counter only: two counts in one place cannot be taken
// apart again. The first commit says which, in the document of the published total
// (total_document.h).
//
// Other counters' fields stay, and so does the counter's document, which is the user's. A total
// that `target` has published (publish_total.h) into the extension's field stays as well. A partial
// can count for other counters as well: its part of this counter goes by adding the negative, as
// the extension's workers do it.
//
// Clients and workers of the extension may go on meanwhile: what they write after it was read is
// left as it is, and read again. That includes workers that add to the counter's document what they
// have read from a partial some time ago, for they always take it away from the partial in the same
// step; where that was emptied before, it is negative then. Therefore the drain goes through the
// documents until it finds nothing, or kMaxPasses times.
class Drain {
 public:
  // `target` is where the count goes, and has so many shards; null: it is thrown away. Requires
  // that `counter` is of the extension's layout. All of them must outlive the drain.
  Drain(const Counter& counter, const Counter* target, std::int64_t target_shards, int max_refusals,
        Random& random);

  // As those of Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  // When the documents were read last, as the server wrote it. Valid at the end.
  const std::string& read_time() const { return listing_.read_time(); }
  // How many documents have been emptied, and how many of them were deleted.
  std::int64_t drained() const { return drained_ + fold_.folded(); }
  std::int64_t deleted() const { return fold_.deleted(); }
  // Nothing was found the last time.
  bool is_empty() const { return is_empty_; }

 private:
  enum class Step : std::uint8_t {
    kListingTarget,
    kListing,
    kReadingPublished,
    kReadingDocument,
    kFolding,
    kDone,
  };
  static constexpr int kMaxPasses = 10;

  // Reads everything again.
  void Collect();
  // Whether the target may have published its total into the counter's document.
  bool shares_document() const;
  void OnAllFolded();
  // The counter, in words that fit no other one of the database.
  std::string origin() const;
  Result<Billed> OnPublished(const PaddedText& body);
  Result<Billed> OnDocument(const PaddedText& body);
  void AddDocument(const CountedDocument& document, bool may_delete);

  const Counter& counter_;
  const Counter* target_;
  std::int64_t target_shards_;
  Random& random_;
  ShardListing listing_;
  std::optional<ShardListing> target_listing_;
  Fold fold_;
  Step step_ = Step::kListing;
  int passes_ = 0;
  std::int64_t drained_ = 0;
  bool is_empty_ = false;
  // The counter's document holds the target's total.
  bool is_published_ = false;
  // Goes with the first commit: says that the target takes this counter's count.
  std::optional<Write> claim_;
  // The counter whose count the target has taken instead.
  std::string other_origin_;
};

}  // namespace shardline
