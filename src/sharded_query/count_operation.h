#pragma once

#include <cstdint>
#include <memory>

#include "operation/operation.h"
#include "sharded_query/chunk_requests.h"

namespace shardline {

// The number of documents of a sharded query, up to its limit (scatter-gather). The server counts
// chunk by chunk, without reading the documents, for one read for each started 1,000 of a chunk.
class CountOperation final : public Operation {
 public:
  // Refuses a query whose chunks can find the same document (kInvalidArgument).
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<QueryPlan> plan);

  // {"count", "billed"}
  void WriteResult(JsonWriter& writer) const override;

 private:
  CountOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan);

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void SendRequests();
  void FinishCount();

  std::unique_ptr<QueryPlan> plan_;
  ChunkRequests requests_;
  std::int64_t count_ = 0;
};

}  // namespace shardline
