#pragma once

#include <cstdint>
#include <memory>

#include "operation/operation.h"
#include "sharded_query/chunk_requests.h"

namespace shardline {

// How many documents a sharded query finds, up to its limit: counted by the server, chunk by chunk,
// without reading them. Billed one read for each started 1,000 of a chunk.
class CountOperation final : public Operation {
 public:
  // kInvalidArgument for a query that finds documents several times.
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
