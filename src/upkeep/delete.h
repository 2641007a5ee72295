#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>

#include "counter/counter.h"
#include "operation/procedure.h"
#include "upkeep/drain.h"
#include "upkeep/own_documents.h"
#include "upkeep/shard_removal.h"

namespace shardline {

// Deletes a counter: its count, its fields in the counter's document, and the library's own
// documents for it (members, keys, the shared total). All other fields stay, and so do other
// counters, also those in the same shards. It deletes a document that has no other field. The
// number of shards stays as long as other counters need it: see DecideParent(). The same deletes a
// set of choices with its shards and members; the published fields of its document stay.
//
// Any client can begin an interrupted deletion again. Clients who know the number of shards may
// make shards again meanwhile. Their counts stay, and so do their members and keys: without them a
// key could be counted once more. Each commit names the times at which the documents were last
// written (optimistic concurrency), so the server refuses a late commit after the counter has been
// created again.
class DeleteCounter final : public Procedure {
 public:
  static std::unique_ptr<Operation> Start(OperationContext& context,
                                          std::unique_ptr<const Counter> counter,
                                          ShardFields fields = ShardFields::kCount);

  DeleteCounter(OperationContext& context, std::unique_ptr<const Counter> counter,
                ShardFields fields);

  Result<std::optional<Call>> NextCall() override;
  Result<Billed> HandleAnswer(const PaddedText& body) override;
  bool HandleFailure(const CallFailure& failure) override;
  // {"deleted": 12}: how many documents have been deleted.
  void WriteResult(JsonWriter& writer, const Billed& billed) const override;

 private:
  // The first part deletes the count: a drain in the extension's layout, a removal in others. The
  // next parts delete the library's own documents, kind by kind.
  using Part = std::variant<Drain, ShardRemoval, OwnDocuments>;

  // Calls a function with the part that is going on.
  template <class Function>
  auto WithPart(Function function);
  static Part FirstPart(OperationContext& context, const Counter& counter, ShardFields fields);
  // False: there is none.
  bool BeginNextPart();

  OperationContext& context_;
  std::unique_ptr<const Counter> counter_;
  Part part_;
  std::size_t kinds_begun_ = 0;
  // The read time of the removed shards.
  std::optional<Timestamp> counted_until_;
  // By the parts that are over.
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
