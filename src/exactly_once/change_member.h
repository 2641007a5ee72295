#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "counter/commit_counts.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "exactly_once/member.h"
#include "operation/operation.h"

namespace shardline {

// Makes a key a member of a counted set, or takes it back. The counter goes up or down by 1 once
// for each change, also if several devices ask, and if requests are lost, late or sent twice. Each
// commit requires that the member is as it was read (optimistic concurrency). See member.h.
//
// In a set of choices each member has one of them. A change takes 1 from the field of the choice
// that the key had, and adds 1 to the field of the new one, in one shard. It gives each shard all
// the fields, because the server adds up only documents that have all of them.
//
// To add a key, the operation first sends the commit for a new one. If the server refuses that, and
// to take a key back, it reads the key's document first. While requests get lost, the operation
// sends and reads again. After it has given up, the caller may ask again: a key counts once.
class ChangeMember final : public Operation {
 public:
  // `id`: see KeyId(). `choices`: the fields of a shard, one for each choice; empty for a set
  // without choices. kInvalidArgument if neither the user nor the layout says how many shards there
  // are.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  MemberWish wish, std::string_view id,
                                                  std::vector<FieldPath> choices = {});
  // Use Start().
  ChangeMember(OperationContext& context, std::unique_ptr<const Counter> counter, MemberWish wish,
               std::string_view id, std::vector<FieldPath> choices);

  // {"changed": true, "commitTime": "…", "shards": 10}, and CommitCounts: `changed` is true if this
  // operation changed the key. `commitTime`, if it is known, is the time since when the key has the
  // state that was asked for. In a set of choices, an operation that changed the key adds
  // {"before": "love"}: the choice that the key had, or "" if it had no choice.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t { kCountingShards, kReading, kCommitting };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  bool adds() const { return wish_.is_member; }
  Amount delta() const { return Amount::Integer(adds() ? 1 : -1); }
  void OnShardCount(Failure&& no_counter);
  void OnShardsKnown();
  void Commit();
  Call MakeCommit();
  Write ShardWrite() const;
  Result<Billed> OnCommitted(const PaddedText& body);
  void Read();
  Result<Billed> OnMember(const PaddedText& body);
  void End(bool changed, std::string commit_time);
  // Ends the operation with this error, or with kOutcomeUnknown if the server may have applied a
  // commit.
  void Give(Error error);

  // Constant after construction.
  std::unique_ptr<const Counter> counter_;
  MemberWish wish_;
  std::vector<FieldPath> choices_;
  std::string name_;    // The member document's name.
  std::string change_;  // The id of this change.

  Step step_ = Step::kCountingShards;
  ShardChoice choice_;
  // The state that the next commit relies on (optimistic concurrency).
  MemberState basis_;
  // The server may have applied a commit that relied on `basis_`.
  bool maybe_applied_ = false;
  // The reason why the server refused the last commit.
  std::optional<Error> refusal_;
  int reads_ = 0;

  CommitCounts commits_;
  bool changed_ = false;
  // The choice that the last commit takes the key from.
  std::string choice_before_;
  std::string commit_time_;
};

}  // namespace shardline
