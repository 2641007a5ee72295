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

// The next step for a write that may have been applied, by the document as it is now: its fields,
// or null if it is missing. Requires a write without transforms.
//
//   the write         the document       what follows
//   delete            is missing         kDone
//                     is there           kRepeat
//   set (no mask)     is what was asked  kDone
//                     is something else  kRepeat
//                     is missing         kRepeat
//   update (a mask)   is what was asked  kDone, as far as the mask goes
//                     is something else  kRepeat
//                     is missing         kMissing: there is nothing to update; unless
//                                        `may_create`: kRepeat
enum class AfterDoubt : std::uint8_t { kDone, kRepeat, kMissing };
AfterDoubt Decide(const Write& write, const Map* document, bool may_create);

// A user's own set, update or delete of one document.
//
// A sent request may always still arrive, so at most one request that no update time guards is ever
// sent. If its answer is lost, the document is read: if it is what was asked, that was that;
// otherwise the write is repeated under the condition that the document is as it was read. A write
// with transforms, which would add up, or change the document once more, is not repeated: it ends
// with kOutcomeUnknown.
//
// One danger remains: the server applied the first request, and another client wrote before the
// document is read; then the repeated request writes over that. Or the first request arrives late,
// after the repeated one and after what other clients wrote since, and writes over that.
//
// A merge that names the shard must not move a document that is there. It begins with reading the
// document, and ends with kShardFieldChanged if that has another shard; whatever it then writes to
// one that has a shard leaves that field alone.
class DocumentCommit final : public Operation {
 public:
  // A write, and the operation's result when it is applied, as JSON.
  struct Asked {
    Write write;
    std::string result;
  };
  DocumentCommit(OperationContext& context, Asked asked);
  // `asked` must require that the document exists, and `if_missing`, which is written otherwise,
  // that it does not.
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
  // kLooking: nothing that may have been applied has been sent; the document's shard is read.
  // kGivingShard: the write for a document without one has been sent, under the condition that the
  // document is as it was read. kUnguarded: the write has been sent as it is. kReading: its outcome
  // is unknown. kGuarded: it has been sent again, under the condition that the document is as it
  // was read.
  enum class Step : std::uint8_t { kLooking, kGivingShard, kUnguarded, kReading, kGuarded };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  Result<Billed> OnDocument(const PaddedText& body);
  // Whether the document must not be moved to the shard that the merge names.
  bool IsOfAnotherShard(const Map& document) const;
  void FinishWithAnotherShard();
  // Sends which of the writes it takes for the document as it is.
  void OnLook(const DocumentAnswer& document, const Map& fields);
  void OnWritten(const DocumentAnswer& document, const Map& fields);
  void Commit(const Write& write, Effect effect);
  void Commit(Effect effect) { Commit(asked_.write, effect); }
  // Whether the document turned out to be there, or not to be, and there is another write for that,
  // which is now the one that is asked for.
  bool TakeOther(Code code);
  // Whether that there is such a document, or none, which another write needs, makes a merge look
  // again, or take that write.
  bool GoOnAfter(const CallFailure& failure);
  void Look();
  // Reads the document after a pause, unless that has been done too often.
  void Read();
  void SendRead(int attempts_before);
  void FinishAsUnknown(std::string_view why);

  Asked asked_;
  std::optional<Asked> other_;
  std::optional<NamedShard> named_;
  const bool may_create_;  // Whether the document may be missing for the write as it was asked for.
  // Whether asked_ is for a document that is not there.
  bool is_missing_ = false;
  Step step_ = Step::kUnguarded;
  bool is_in_doubt_ = false;  // Whether a write that has ended may have been applied.
  int reads_ = 0;
  int turns_ = 0;  // How often the other write was taken, or the document looked at again.
};

}  // namespace shardline
