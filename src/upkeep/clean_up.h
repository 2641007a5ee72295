#pragma once

#include <memory>
#include <utility>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/phase.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Deletes the ledgers of one counter that have expired, and the keys of its increments, where a TTL
// policy is not to be had. Only these: votes never expire, members that were taken back are too few
// to read all members for, and what lies in the collections and is something else stays. A document
// goes if it has expired before `older_than` and by the server's own clock, so a client's
// clock cannot make it go too soon. Interrupted, it can be begun again by anyone: what has been
// deleted is deleted.
class CleanUpCounter final : public PhasedOperation {
 public:
  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than);

  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer) const override;

 private:
  std::unique_ptr<Phase> NextPhase() override;
  std::unique_ptr<Phase> CleanUp(OwnKind kind);

  std::unique_ptr<const Counter> counter_;
  Timestamp older_than_;
  const OwnDocuments* own_ = nullptr;
  bool has_keys_ = true;  // Which come last.
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
