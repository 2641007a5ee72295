#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "operation/procedure.h"
#include "upkeep/fold.h"

namespace shardline {

// The fate of the number of shards in the counter's document.
enum class ParentFate : std::uint8_t {
  kStays,      // There is none, or it is another counter's as well.
  kIsRemoved,  // Other fields stand in the document.
  kIsDeleted,  // Nothing else stands in it.
};
// `counts_for_others`: some shard holds another number than the counter's. Such a field may be
// another counter of the same shards, and theirs is the number of shards, too.
ParentFate DecideParent(const CountedDocument& parent, bool counts_for_others);

// Which documents of the shards' collection go.
enum class ShardFields : std::uint8_t {
  // Those with the counter's field lose it, and are deleted if nothing else stands in them.
  kCount,
  // Those of a set of choices have a field for each choice, and are deleted as a whole.
  kChoices,
};

// Takes a counter's fields out of its shards and its document. Each document is deleted if nothing
// else stands in it. Not for the extension's layout: see Drain.
//
// The parent comes first, so that clients who ask it find no counter any more. Clients who know the
// number of shards may make shards again meanwhile. Every write is on the condition that the
// document was last written when it was read, so one that arrives late does nothing; what others
// have written to in between is read again. Therefore everything that is left at the end has been
// counted after read_time(). kAborted if other clients never stop.
class ShardRemoval {
 public:
  // The counter and the context must outlive it.
  ShardRemoval(const Counter& counter, OperationContext& context, ShardFields fields);

  // As those of Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  // When the shards were read that it has removed, as the server wrote it. Valid at the end.
  const std::string& read_time() const { return listing_.read_time(); }
  // How many documents have been deleted.
  std::int64_t deleted() const { return fold_.deleted() + (parent_deleted_ ? 1 : 0); }

 private:
  struct Listing {};
  struct ReadingParent {
    // A commit that was to delete the parent has got no answer: this reading tells.
    bool may_be_deleted = false;
  };
  struct ClearingParent {
    FieldRemoval removal;
  };
  struct Emptying {};
  using State = std::variant<Listing, ReadingParent, ClearingParent, Emptying>;

  void AddShard(const CountedDocument& shard);
  void Collect();
  Result<std::optional<Call>> ReadParent() const;
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();
  Result<Billed> OnParent(ReadingParent reading, const PaddedText& body);
  Result<Billed> OnCleared(const ClearingParent& clearing, const PaddedText& body);

  const Counter& counter_;
  OperationContext& context_;
  ShardFields fields_;
  State state_;
  ShardListing listing_;
  bool counts_for_others_ = false;
  bool parent_deleted_ = false;
  int refusals_ = 0;
  int listings_ = 1;
  Fold fold_;
};

}  // namespace shardline
