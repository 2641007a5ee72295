#pragma once

#include <cstdint>

#include "sharded_query/chunk_operation.h"

namespace shardline {

// How many documents a sharded query finds, up to its limit: counted by the server, chunk by chunk,
// without reading them. Billed one read for each started 1,000 of a chunk.
class CountOperation final : public ChunkOperation {
 public:
  // kInvalidArgument for a query that finds documents several times.
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<QueryPlan> plan);

  // {"count", "billed"}
  void WriteResult(JsonWriter& writer) const override;

 private:
  CountOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan);

  std::string MakeBody(std::size_t chunk) override;
  Result<Billed> OnChunkAnswer(std::size_t chunk, PaddedText& body) override;
  void Advance() override;

  std::size_t waiting_;
  std::int64_t count_ = 0;
};

}  // namespace shardline
