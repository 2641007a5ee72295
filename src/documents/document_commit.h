#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firestore/answers.h"
#include "firestore/field_path.h"
#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// The next step for a write that may have been applied. It depends on the document's fields now;
// null if the document is missing. Requires a write without transforms.
//
//   the write         the document       what follows
//   delete            is missing         kDone
//                     is there           kRepeat
//   set (no mask)     is as asked        kDone
//                     is something else  kRepeat
//                     is missing         kRepeat
//   update (a mask)   is as asked        kDone, as far as the mask goes
//                     is something else  kRepeat
//                     is missing         kMissing: there is nothing to update; unless
//                                        `may_create`: kRepeat
enum class AfterDoubt : std::uint8_t { kDone, kRepeat, kMissing };
AfterDoubt Decide(const Write& write, const Map* document, bool may_create);

// A user's own set, update or delete of one document.
//
// A sent request may always still arrive. Therefore the operation sends at most one request without
// a precondition on the update time. If its answer is lost, the operation reads the document. If
// the document is as asked, the write is done; otherwise the operation repeats it on the condition
// that the document is as it was read (optimistic concurrency). It never repeats a write with
// transforms, which could add up, or change the document once more: that ends with kOutcomeUnknown.
//
// Two dangers remain. The server may have applied the first request, and another client may have
// written before the document is read: then the repeated request overwrites that client's write. Or
// the first request arrives late, after the repeated one, and overwrites later writes of other
// clients.
//
// A merge that names the shard must not move an existing document. It reads the document first, and
// ends with kShardFieldChanged if the document has another shard. Its writes to a document with a
// shard leave that field alone.
class DocumentCommit final : public Operation {
 public:
  // A write, and the operation's result when it is applied, as JSON.
  struct Asked {
    Write write;
    std::string result;
  };
  DocumentCommit(OperationContext& context, Asked asked);
  // `asked` must require that the document exists. `if_missing`, the write for the other case, must
  // require that it does not.
  DocumentCommit(OperationContext& context, Asked asked, std::optional<Asked> if_missing);
  // A merge that names the shard. The three writes are for three cases: `asked` for a document that
  // has this shard, `if_unsharded` for one without a shard, and `if_missing` for a missing one.
  struct NamedShard {
    FieldPath field;
    std::string shard;  // As JSON.
    Write if_unsharded;
  };
  DocumentCommit(OperationContext& context, Asked asked, Asked if_missing, NamedShard named);

  void WriteResult(JsonWriter& writer) const override { writer.Raw(asked_.result); }

 private:
  // kLooking: the document's shard is being read, and no write that may have been applied was sent.
  // kGivingShard: the write for a document without a shard was sent, on the condition that the
  // document is as it was read. kUnguarded: the write was sent without a condition. kReading: the
  // outcome of the write is unknown. kGuarded: the write was sent again, on the condition that the
  // document is as it was read.
  enum class Step : std::uint8_t { kLooking, kGivingShard, kUnguarded, kReading, kGuarded };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  Result<Billed> OnDocument(const PaddedText& body);
  // Whether the document has another shard than the merge names, so that it must stay there.
  bool IsOfAnotherShard(const Map& document) const;
  void FinishWithAnotherShard();
  // Sends the write that fits the document.
  void OnLook(const DocumentAnswer& document, const Map& fields);
  void OnWritten(const DocumentAnswer& document, const Map& fields);
  void Commit(const Write& write, Effect effect);
  void Commit(Effect effect) { Commit(asked_.write, effect); }
  // Switches to the other write if the code says that the document exists, or does not, and there
  // is a write for that case. Returns whether it has switched.
  bool TakeOther(Code code);
  // Returns whether a merge goes on after this failure: it looks again, or takes the other write,
  // if the failure says that the document exists, or does not.
  bool GoOnAfter(const CallFailure& failure);
  void Look();
  // Reads the document after a pause, unless it has done so too often.
  void Read();
  void SendRead(int attempts_before);
  void FinishAsUnknown(std::string_view why);

  Asked asked_;
  std::optional<Asked> other_;
  std::optional<NamedShard> named_;
  const bool may_create_;  // Whether the user's write may create the document.
  // Whether asked_ is the write for a missing document.
  bool is_missing_ = false;
  Step step_ = Step::kUnguarded;
  bool is_in_doubt_ = false;  // Whether a write that has ended may have been applied.
  int reads_ = 0;
  int turns_ = 0;  // How often the other write was taken, or the document looked at again.
};

}  // namespace shardline
