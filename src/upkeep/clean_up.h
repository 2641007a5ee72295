#pragma once

#include <memory>
#include <utility>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/phase.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Deletes the ledgers of one counter that have expired, where a TTL policy is not to be had.
// Only ledgers: votes never expire, and what lies in the collection and is no ledger stays.
// A ledger goes if it has expired before `older_than` and by the server's own clock, so a client's
// clock cannot make it go too soon. Interrupted, it can be begun again by anyone: what has been
// deleted is deleted.
class CleanUpCounter final : public PhasedOperation {
 public:
  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than);

  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer) const override;

 private:
  std::unique_ptr<const Counter> counter_;
  const OwnDocuments* ledgers_ = nullptr;
};

}  // namespace shardline
