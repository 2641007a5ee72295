#pragma once

#include <memory>
#include <optional>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Deletes the ledgers of one counter that have expired, where a TTL policy is not to be had.
// Only ledgers: votes never expire, and what lies in the collection and is no ledger stays.
// A ledger goes if it has expired before `older_than` and by the server's own clock, so a client's
// clock cannot make it go too soon. Interrupted, it can be begun again by anyone: what has been
// deleted is deleted.
class CleanUpCounter final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context,
                                          std::unique_ptr<const Counter> counter,
                                          Timestamp older_than);

  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than);

  Result<std::optional<Call>> NextCall() override { return ledgers_.NextCall(); }
  Result<Billed> HandleAnswer(const PaddedText& body) override {
    return ledgers_.HandleAnswer(body);
  }
  bool HandleFailure(const CallFailure& failure) override {
    return ledgers_.HandleFailure(failure);
  }
  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  OwnDocuments ledgers_;
};

}  // namespace shardline
