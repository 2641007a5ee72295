#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "counter/counter.h"
#include "firestore/timestamp.h"
#include "operation/procedure.h"
#include "upkeep/own_documents.h"

namespace shardline {

// Deletes the ledgers of one counter that have expired, and the keys of its increments, where a TTL
// policy is not to be had. Only these: votes never expire, members that were taken back are too few
// to read all members for, and what lies in the collections and is something else stays. A document
// goes if it has expired before `older_than` and by the server's own clock, so a client's
// clock cannot make it go too soon. Interrupted, it can be begun again by anyone: what has been
// deleted is deleted.
class CleanUpCounter final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context,
                                          std::unique_ptr<const Counter> counter,
                                          Timestamp older_than);

  CleanUpCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                 Timestamp older_than);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override { return own_->HandleAnswer(body); }
  bool HandleFailure(const CallFailure& failure) override { return own_->HandleFailure(failure); }
  // {"deleted": 12, "billed": {…}}
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  void Begin(OwnKind kind) { own_.emplace(*counter_, context_, kind, older_than_); }

  OperationContext& context_;
  std::unique_ptr<const Counter> counter_;
  Timestamp older_than_;
  // The ledgers, and then the keys. Never empty.
  std::optional<OwnDocuments> own_;
  // Of those that are over.
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
