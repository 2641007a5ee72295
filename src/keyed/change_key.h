#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "counter/commit_counts.h"
#include "counter/counter.h"
#include "counter/shard_choice.h"
#include "keyed/key_document.h"
#include "operation/operation.h"

namespace shardline {

// What is asked for.
struct KeyRequest {
  enum class Goal : std::uint8_t {
    kAdd,     // The key is a member: the counter goes up by 1 if it was none.
    kRemove,  // The key is no member: the counter goes down by 1 if it was one.
    kOnce,    // The counter goes up by `delta`, unless this key has counted before.
  };
  Goal goal = Goal::kAdd;
  std::string id = {};                // Of the key's document; see KeyId().
  Amount delta = Amount::Integer(1);  // Finite; for kAdd and kRemove 1.
  // The server's clock, if it is known.
  std::optional<Timestamp> server_now = {};
};

// Adds to a counter for a key, or takes that back, so that each key counts once: whatever device
// asks, however often, and whatever is lost, late or sent twice. See key_document.h.
//
// A key that is added goes out at once, as if it were new; when that is refused, and for all else,
// its document is read first. While requests get lost, the operation sends and reads again. When it
// gives up, with kOutcomeUnknown, the same may be asked again: a key counts once.
class ChangeKey final : public Operation {
 public:
  // kInvalidArgument if neither the user nor the layout says how many shards there are.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<const Counter> counter,
                                                  KeyRequest request);
  // Use Start().
  ChangeKey(OperationContext& context, std::unique_ptr<const Counter> counter, KeyRequest request);

  // {"changed": true, "shards": 10}, and CommitCounts: `changed` says whether it was this operation
  // that changed the key.
  void WriteResult(JsonWriter& writer) const override;

 private:
  enum class Step : std::uint8_t { kCountingShards, kReading, kCommitting };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnRetry(CallId id, const CallFailure& failure, Call& call) override;

  KeyKind kind() const {
    return request_.goal == KeyRequest::Goal::kOnce ? KeyKind::kOnce : KeyKind::kMember;
  }
  const Amount& delta() const { return request_.delta; }
  bool should_count() const { return request_.goal != KeyRequest::Goal::kRemove; }
  void OnShardCount(Failure&& no_counter);
  void OnShardsKnown();
  void Commit();
  Call MakeCommit();
  Result<Billed> OnCommitted(const PaddedText& body);
  void Read();
  Result<Billed> OnKey(const PaddedText& body);
  void End(bool changed);
  // The end: what was refused last, or that nobody knows.
  void Give(Error error);

  std::unique_ptr<const Counter> counter_;
  ShardChoice choice_;
  KeyRequest request_;
  std::string name_;
  std::string change_;
  Step step_ = Step::kCountingShards;
  // What the next commit relies on.
  KeyState basis_;
  // A commit may have been applied that relied on `basis_`.
  bool maybe_applied_ = false;
  // What the last commit said in expireAt.
  std::optional<Timestamp> expiry_;
  // What the last commit was refused for.
  std::optional<Error> refusal_;
  int reads_ = 0;
  CommitCounts commits_;
  bool changed_ = false;
};

// Whether a key is a member. {"counts": true}
class ReadKey final : public Operation {
 public:
  ReadKey(OperationContext& context, const Counter& counter, const std::string& id);

  void WriteResult(JsonWriter& writer) const override;

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;

  std::string name_;
  KeyState state_;
};

}  // namespace shardline
