#pragma once

#include <memory>
#include <optional>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Deletes the keys of one counter's increments that have expired, where a TTL policy is not to be
// had; of batches' markers see clean_up_markers.h. Members that were taken back are too few to read
// all members for, and what lies in the collection and is something else stays. A document goes if
// it has expired before `older_than` and by the server's own clock, so a client's clock cannot make
// it go too soon. Interrupted, it can be begun again by anyone: what has been deleted is deleted.
class CleanUpCounter final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context,
                                          std::unique_ptr<const Counter> counter,
                                          Timestamp older_than);

  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than);

  Result<std::optional<Call>> NextCall() override { return keys_.NextCall(); }
  Result<Billed> HandleAnswer(const PaddedText& body) override { return keys_.HandleAnswer(body); }
  bool HandleFailure(const CallFailure& failure) override { return keys_.HandleFailure(failure); }
  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  OwnDocuments keys_;
};

}  // namespace shardline
