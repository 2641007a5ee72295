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

// Deletes a counter: what it has counted, what its document says about it, and what the library has
// kept for it (members, keys, the shared total). Other fields stay wherever they
// stand, and so do other counters, also of the same shards; a document goes if nothing else stands
// in it. The number of shards stays as long as other counters need it: see DecideParent(). A set of
// choices loses its shards and members likewise; the published fields of its document stay.
//
// Interrupted, it can be begun again by anyone. Clients who know the number of shards may make
// shards again meanwhile. Their counts stay, and so do their members and keys: without them a key
// could be counted once more. A commit of it that arrives late, when the counter has been created
// again, is refused: each names the times at which the documents were last written.
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
  // The count goes first: in the extension's layout by a drain, in others by a removal. Then goes
  // everything else that the library has written there, kind by kind.
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
  // When the shards were read that were removed.
  std::optional<Timestamp> counted_until_;
  // By the parts that are over.
  std::int64_t deleted_ = 0;
};

}  // namespace shardline
