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

// Takes the count of a counter in the firestore-counter extension's layout out of its documents
// (shards, partials, and the counter's own document), all read as of one instant. The count goes
// into the shards of another counter, or is thrown away. Each write requires that its document is
// as it was read (optimistic concurrency).
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
// Clients and workers of the extension may go on meanwhile: the drain leaves a document that they
// have written since, and reads it again. A worker may add to the counter's document an amount that
// it has read from a partial before. In the same step it takes the amount away from the partial,
// which is negative afterwards if the drain has emptied it. Therefore the drain goes through the
// documents until it finds nothing, or kMaxPasses times.
class Drain {
 public:
  // The count goes into `target`, which has `target_shards` shards; null: it is thrown away.
  // Requires that `counter` is of the extension's layout. Both counters must outlive the drain.
  Drain(const Counter& counter, const Counter* target, std::int64_t target_shards, int max_refusals,
        Random& random);

  // The same as in Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  // The time of the last reading, in the server's spelling. Valid at the end.
  const std::string& read_time() const { return listing_.read_time(); }
  // The number of emptied documents, and the number of deleted ones among them.
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
  // A text that identifies the counter in its database.
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
  // A write of the first commit: it records that the target takes this counter's count.
  std::optional<Write> claim_;
  // The counter whose count the target has taken instead.
  std::string other_origin_;
};

}  // namespace shardline
