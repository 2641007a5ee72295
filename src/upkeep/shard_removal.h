#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "operation/phase.h"
#include "upkeep/fold.h"

namespace shardline {

// What becomes of the number of shards in the counter's document.
enum class ParentFate : std::uint8_t {
  kStays,      // There is none, or it is another counter's as well.
  kIsRemoved,  // Other fields stand in the document.
  kIsDeleted,  // Nothing else stands in it.
};
// `counts_for_others`: some shard holds another number than the counter's. Such a field may be
// another counter of the same shards, and theirs is the number of shards, too.
ParentFate DecideParent(const CountedDocument& parent, bool counts_for_others);

// Takes a counter's fields out of its shards and its document. Each document is deleted if nothing
// else stands in it. Not for the extension's layout: see Drain.
//
// The parent comes first, so that clients who ask it find no counter any more. Clients who know the
// number of shards may make shards anew meanwhile. Every write is on the condition that the
// document was last written when it was read, so one that arrives late does nothing; what others
// have written to in between is read again.
class ShardRemoval final : public Phase {
 public:
  // The counter and the context must outlive it.
  ShardRemoval(const Counter& counter, OperationContext& context);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;

  // When the shards were read that it has removed, as the server wrote it. Valid at the end.
  const std::string& read_time() const { return listing_.read_time(); }
  // How many documents have been deleted.
  std::int64_t deleted() const { return fold_.deleted() + (parent_deleted_ ? 1 : 0); }

 private:
  enum class Step : std::uint8_t { kListing, kReadingParent, kClearingParent, kEmptying };

  void Collect();
  void OnListed();
  Result<Billed> OnParent(const PaddedText& body);

  const Counter& counter_;
  OperationContext& context_;
  Step step_ = Step::kListing;
  ShardListing listing_;
  bool counts_for_others_ = false;
  // The write of kClearingParent.
  std::optional<Write> clearing_;
  bool deletes_parent_ = false;
  bool parent_deleted_ = false;
  // It has been sent, no answer has come, and the next reading tells what became of it.
  bool parent_in_doubt_ = false;
  int refusals_ = 0;
  Fold fold_;
};

}  // namespace shardline
