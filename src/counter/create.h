#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "firestore/field_path.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

enum class IfExists : std::uint8_t { kKeep, kError };

// A zero for each of a counter's fields, or without fields for its count field. Added to a shard,
// it makes a missing shard, and changes no count of a present one.
std::vector<FieldAmount> NothingFor(const Counter& counter, const std::vector<FieldPath>& fields);

// Makes a counter's missing documents in one atomic commit. Present documents keep their counts and
// their other fields. It is idempotent because of preconditions.
//
// A layout with a parent document: the counter exists when the parent says how many shards it has.
// Shards without such a parent (Node's sample makes them on the first increment) are taken over. A
// layout without: the counter exists when any of its shards does. Those missing are added (kKeep).
// A shard that has been made for another counter, which counts in another field, is not one of
// them; it stays as it is, and gets this counter's field as well.
// The extension's layout: the counter exists when its document has the count field, which is made
// with 0, and shards come with the increments.
//
// Every write has a precondition. Therefore a repeated commit does no harm, and one of several
// creators succeeds.
class CreateCounter final : public Operation {
 public:
  // `fields`: of a counter with fields. The count field is one of them.
  CreateCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                IfExists if_exists, std::vector<FieldPath> fields = {});

  // {"created": true, "shards": 10}. `created` is false as well if the answer to the commit was
  // lost and the counter then turned out to exist.
  void WriteResult(JsonWriter& writer) const override;

 private:
  struct ReadingParent {
    bool then_lists;  // A commit has been refused, perhaps for a shard.
  };
  struct Listing {};
  struct Committing {
    std::size_t writes;
    bool completes;  // The counter exists, and lacks shards.
  };
  using State = std::variant<ReadingParent, Listing, Committing>;

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;

  void ReadParent(bool then_lists);
  Result<Billed> OnParent(ReadingParent reading, const PaddedText& body);
  void ListShards();
  Result<Billed> OnPage(const PaddedText& body);
  void OnListed();
  void CommitMissing(bool completes);
  // A shard that is not there.
  Write NewShard(std::string name) const;
  Result<Billed> OnCommitted(Committing committing, const PaddedText& body);
  // A precondition of the commit did not hold.
  void OnRefused(Code code);
  void OnExists(std::int64_t shards);

  // A document of the counter's own tells whether it exists.
  bool has_parent() const { return counter_->has_parent() || counter_->is_extension(); }
  // How many of the shards count for this counter. One that has been made for another counter of
  // the same shards does not.
  std::int64_t ShardsThatCount() const;

  std::unique_ptr<const Counter> counter_;
  IfExists if_exists_;
  std::vector<FieldPath> fields_;
  State state_;
  // As last read; empty: the parent is not there.
  std::string parent_update_time_;
  // The shards that are there, once a commit has been refused, perhaps for one of them.
  ShardListing listing_;
  int refusals_ = 0;
  // The answer to a commit was lost.
  bool maybe_applied_ = false;
  bool created_ = false;
  // The number that the caller asks for; in the end, the number of present shards.
  std::int64_t shards_;
};

// Decides by the existing shards, if no document says whether the counter exists.
enum class CreateStep : std::uint8_t {
  kMake,      // The counter is not there.
  kComplete,  // It is, and lacks shards.
  kExists,    // It is, and stays as it is.
};
// `there` of `wanted` shards count for the counter. Requires that one is wanted.
CreateStep DecideCreate(std::int64_t there, std::int64_t wanted, IfExists if_exists);

}  // namespace shardline
