#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "counter/counter.h"
#include "counter/shard_listing.h"
#include "operation/operation.h"

namespace shardline {

// Moves what some documents have counted into shards that stay, a few in each commit: the commit
// adds their sum to a shard and empties each of them, on the condition that it was last written
// when it was read. So each is moved once or not at all, however often the commit arrives, and
// whoever else is folding; what changes meanwhile is read again.
class FoldOperation : public Operation {
 protected:
  explicit FoldOperation(OperationContext& context) : Operation(context) {}

  // Reads what is to be moved, calls AddSurplus() for each, and goes on with FoldMore().
  virtual void Collect() = 0;
  // The counter to move it to; null: it is thrown away.
  virtual const Counter* target() const = 0;
  virtual std::int64_t target_shards() const = 0;
  // A write that stands in front of each commit, or nothing: a condition for moving at all.
  virtual std::string Guard() const { return {}; }
  // Whether a document is emptied by deleting it.
  virtual bool Deletes(const CountedDocument&) const { return true; }
  // The write that empties one that is not deleted.
  virtual std::string Emptying(const CountedDocument&) const { return {}; }

  // Each document is moved once only: as long as others make them anew, there would be no end.
  // It must have an amount.
  void AddSurplus(const CountedDocument& document);
  std::int64_t folded() const { return static_cast<std::int64_t>(folded_.size()); }
  // From now on, each may be moved once more.
  void ForgetFolded() { folded_.clear(); }
  // Goes on with the next commit, or with OnAllFolded() when nothing is left.
  void FoldMore();
  virtual void OnAllFolded() { Finish(); }
  // Of a commit of FoldMore().
  Result<Billed> OnFolded(const PaddedText& body);
  void OnFoldFailure(const CallFailure& failure);
  // After a refusal. False, with the operation at its end, if it is hopeless.
  bool MayTryAgain(const CallFailure& failure);

 private:
  static constexpr std::size_t kMaxBatch = 100;

  std::vector<CountedDocument> surplus_;
  std::size_t batch_ = kMaxBatch;
  std::size_t sent_ = 0;
  std::size_t writes_sent_ = 0;
  std::int64_t deletes_sent_ = 0;
  std::vector<std::string> folded_;  // Names, sorted.
  int refusals_ = 0;
};

// True for what a precondition that does not hold is answered with.
bool IsRefusal(Code code);

}  // namespace shardline
