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
  kStays,      // There is no number, or another counter needs it, too.
  kIsRemoved,  // The document has other fields.
  kIsDeleted,  // The document has no other field.
};
// `counts_for_others`: a shard has another field with a number. That field may be another counter
// in the same shards, which then needs the number of shards, too.
ParentFate DecideParent(const CountedDocument& parent, bool counts_for_others);

// The documents of the shards' collection that a removal deletes.
enum class ShardFields : std::uint8_t {
  // A document with the counter's field loses it, and is deleted if it has no other field.
  kCount,
  // A document of a set of choices has a field for each choice, and is deleted as a whole.
  kChoices,
};

// Takes a counter's fields out of its shards and its document, and deletes each document that has
// no other field. Not for the extension's layout: see Drain.
//
// The parent comes first, so that clients who read it find no counter any more. Clients who know
// the number of shards may make shards again meanwhile. Every write requires that its document is
// as it was read (optimistic concurrency), so a late write changes nothing, and a document that
// another client has written is read again. Therefore every count that is left at the end is newer
// than read_time(). kAborted if other clients never stop.
class ShardRemoval {
 public:
  // The counter and the context must outlive it.
  ShardRemoval(const Counter& counter, OperationContext& context, ShardFields fields);

  // The same as in Procedure.
  Result<std::optional<Call>> NextCall();
  Result<Billed> HandleAnswer(const PaddedText& body);
  bool HandleFailure(const CallFailure& failure);

  // The read time of the removed shards, in the server's spelling. Valid at the end.
  const std::string& read_time() const { return listing_.read_time(); }
  // The number of deleted documents.
  std::int64_t deleted() const { return fold_.deleted() + (parent_deleted_ ? 1 : 0); }

 private:
  struct Listing {};
  struct ReadingParent {
    // A commit that deletes the parent has got no answer: this reading tells whether it was
    // applied.
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
