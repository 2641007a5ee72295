#pragma once

#include <memory>
#include <optional>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Garbage collection for a database without a TTL policy: deletes the expired keys of one counter's
// increments, or the members of a counted set that were taken back and have expired.
// clean_up_markers.h deletes the markers of batches. It reads all keys, or all members; other
// documents of the collection stay. It deletes a document that has expired before `older_than` and
// by the server's own clock, so a client's clock cannot make it delete too soon. Any client can
// begin an interrupted clean-up again.
class CleanUpCounter final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context,
                                          std::unique_ptr<const Counter> counter,
                                          Timestamp older_than, OwnKind kind = OwnKind::kKeys);

  // `kind` is kKeys or kMembers.
  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than, OwnKind kind);

  Result<std::optional<Call>> NextCall() override { return kept_.NextCall(); }
  Result<Billed> HandleAnswer(const PaddedText& body) override { return kept_.HandleAnswer(body); }
  bool HandleFailure(const CallFailure& failure) override { return kept_.HandleFailure(failure); }
  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  OwnDocuments kept_;
};

}  // namespace shardline
