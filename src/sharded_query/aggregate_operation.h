#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "firestore/amount.h"
#include "operation/operation.h"
#include "sharded_query/chunk_requests.h"

namespace shardline {

// The number of numbers with this sum and average, at most `count`; nullopt if it does not follow,
// for example for a sum of 0.
std::optional<std::int64_t> NumbersBehind(double sum, double average, std::int64_t count);

// The sum or the average of a field over all documents of a sharded query (scatter-gather of
// partial sums). Like Firestore, it ignores values that are not numbers, and NaN makes the result
// NaN. The server adds up each chunk, for one read for each started 1,000 of its documents that
// have the field.
//
// A sum of integers is exact, and an integer; one that int64 does not hold becomes a double. For an
// average, each chunk returns its sum and its own average, which together give the number of its
// numbers. If they do not, the operation asks the chunk for that number.
class AggregateOperation final : public Operation {
 public:
  enum class Kind : bool { kSum, kAverage };

  // Refuses a query with a limit over several chunks (kInvalidArgument).
  static Result<std::unique_ptr<Operation>> Start(OperationContext& context,
                                                  std::unique_ptr<QueryPlan> plan, FieldPath field,
                                                  Kind kind);

  // {"value": an Amount as it writes itself, or null for an average of nothing, "billed"}
  void WriteResult(JsonWriter& writer) const override;

 private:
  AggregateOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan, FieldPath field,
                     Kind kind);

  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void SendRequests();
  std::string Body(std::size_t chunk) const;

  std::unique_ptr<QueryPlan> plan_;
  ChunkRequests requests_;
  FieldPath field_;
  Kind kind_;
  // Whether a chunk is being asked once more.
  std::vector<bool> counting_;
  Sum sum_;
  std::int64_t numbers_ = 0;
};

}  // namespace shardline
