#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// Removes a counter's field from one document: the amount to carry over, and the write.
struct FieldRemoval {
  // The amount that goes into a shard that stays; nullopt for nothing.
  std::optional<Amount> amount;
  // Takes the field away, on the condition that the document was last written when it was read.
  Write write;

  const std::string& name() const { return write.name; }
  bool deletes() const { return write.kind == Write::Kind::kDelete; }
};

// Plans the removal of the field from a document that has been read whole. The write deletes the
// document if it has no other field and `may_delete` is true. Otherwise it removes the field, and
// the maps around it that have no other field.
FieldRemoval TakeField(const CountedDocument& document, const FieldPath& field,
                       bool may_delete = true);

// Asks for all of a document, to be read with DecodeCount(). `read_time` is empty or as the server
// wrote it.
Call ReadDocument(const Counter& counter, const std::string& name, std::string_view read_time = {});

// The last known state of a shard that stays.
struct TargetShard {
  std::int64_t number = 0;
  // nullopt if there is no such shard yet, or if it holds no number.
  std::optional<Amount> amount;
  std::string update_time;  // Empty: there is no such document.
};
// The shards 0 to `shards` - 1 of a counter, as a listing found them.
std::vector<TargetShard> TargetShards(const Counter& counter, std::int64_t shards,
                                      const ShardListing& listing);

// The shard that a sum goes to. The server reports no error when an increment stops at an end of
// int64, or when an integer loses digits because it meets a double. Therefore the choice is the
// first of these that exists:
//
//   1. an integer into a shard of integers, or a double into one of doubles
//   2. an integer into a shard of integers, if the result is near an end of int64: guarded
//   3. an integer and a double, if a double holds the integer exactly
//   4. an integer and a double
//
// Never a shard of integers if the result would be beyond int64.
struct TargetChoice {
  std::size_t index = 0;
  // The shard must not have changed since it was read.
  bool is_guarded = false;
};
// nullopt: no shard can take it. Among shards that are as good, one at random.
std::optional<TargetChoice> ChooseTarget(const std::vector<TargetShard>& shards, const Amount& sum,
                                         Random& random);

// Shards that one commit of a resize or of a drain empties.
inline constexpr std::size_t kMaxInFold = 100;

// Moves the counts of some documents into shards that stay, or throws them away, a few documents in
// each commit. A commit adds their sum to a shard and takes the field out of each of them, on the
// condition that each document is as it was read. Because of these preconditions (optimistic
// concurrency), each document is moved once or not at all, however often and however late the
// commit arrives, and however many clients fold. If a document has changed meanwhile, the server
// refuses the commit, and the caller reads the documents again.
class Fold {
 public:
  // A commit takes `max_batch` documents at the most. After `max_refusals` refusals in a row there
  // is no further commit.
  Fold(std::size_t max_batch, int max_refusals)
      : max_batch_(max_batch), max_refusals_(max_refusals), batch_(max_batch) {}

  // Does nothing for a document that has been moved already: the fold would never end if other
  // clients made the document again and again.
  void Add(FieldRemoval removal);
  // Sets the counter that the sums go to, after all Add() calls. Null: the sums are thrown away.
  void SetTarget(const Counter* target, std::vector<TargetShard> shards);
  bool empty() const { return removals_.empty(); }
  // The number of moved documents, and the number of deleted ones among them. After a lost answer,
  // the documents that were then missing count, too.
  std::int64_t folded() const { return static_cast<std::int64_t>(folded_.size()); }
  std::int64_t deleted() const { return deleted_; }
  // From now on Add() also takes documents that have been moved before.
  void ForgetFolded() { folded_.clear(); }

  // The next commit. `guard` is an optional write of the commit, whose precondition permits the
  // move. Requires that there is something to move. kOutOfRange if no shard can hold the rest,
  // kAborted after `max_refusals`.
  Result<Call> NextCommit(const DatabaseName& database, const std::optional<Write>& guard,
                          Random& random);
  Result<Billed> HandleAnswer(const PaddedText& body);
  // A precondition of the commit did not hold: the caller must collect everything again.
  void HandleRefusal(const CallFailure& failure);

 private:
  // The number of documents in the next commit, and their sum. Doubles go by themselves, so that
  // the integers keep all their digits.
  std::size_t NextBatch(std::optional<Amount>& sum) const;
  void NoteFolded(const std::string& name, bool deletes);

  std::size_t max_batch_;
  int max_refusals_;
  const Counter* target_ = nullptr;
  std::vector<TargetShard> shards_;
  std::vector<FieldRemoval> removals_;
  std::size_t batch_;
  int refusals_ = 0;
  // The commit under way.
  std::size_t sent_ = 0;
  std::size_t writes_sent_ = 0;
  std::optional<std::size_t> target_sent_;  // Which of shards_ it adds to.
  std::optional<Amount> target_amount_;     // The amount of the target after the commit.
  // The removals of a commit whose answer was lost.
  std::vector<FieldRemoval> doubtful_;
  std::vector<std::string> folded_;  // Names, sorted.
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
