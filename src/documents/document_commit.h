#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "firestore/value.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

// What to do about a write of which nobody knows whether it was applied, given the document as it
// is now: its fields, or null if it is missing. Requires a write without transforms.
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
// What has been sent may always still arrive, so at most one request that no update time guards is
// ever sent. If its answer is lost, the document is read: if it is what was asked, that was that;
// otherwise the write is repeated under the condition that the document is as it was read. A write
// with transforms, which would add up, or change the document once more, is not repeated: it ends
// with kOutcomeUnknown.
//
// What may still happen: the first request arrives late, after the repeated one and after what
// others wrote since, and writes over that.
class DocumentCommit final : public Operation {
 public:
  // What is written, and what the operation's result is then, as JSON.
  struct Asked {
    Write write;
    std::string result;
  };
  DocumentCommit(OperationContext& context, Asked asked);
  // `asked` must require that the document exists, and `if_missing`, which is written otherwise,
  // that it does not.
  DocumentCommit(OperationContext& context, Asked asked, std::optional<Asked> if_missing);

  void WriteResult(JsonWriter& writer) const override { writer.Raw(asked_.result); }

 private:
  // kUnguarded: the write has been sent as it is. kReading: its outcome is unknown. kGuarded: it
  // has been sent again, under the condition that the document is as it was read.
  enum class Step : std::uint8_t { kUnguarded, kReading, kGuarded };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  Result<Billed> OnDocument(const PaddedText& body);
  void Commit(Effect effect);
  // Whether the document turned out to be there, or not to be, and there is another write for that,
  // which is now the one that is asked for.
  bool TakeOther(Code code);
  // Reads the document after a pause, unless that has been done too often.
  void Read();
  void FinishAsUnknown(std::string_view why);

  Asked asked_;
  std::optional<Asked> other_;
  const bool may_create_;  // Whether the document may be missing for the write as it was asked for.
  // Whether asked_ is for a document that is not there.
  bool is_missing_ = false;
  Step step_ = Step::kUnguarded;
  int reads_ = 0;
  int turns_ = 0;  // How often the other write was taken.
};

}  // namespace shardline
