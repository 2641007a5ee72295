#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "operation/operation.h"
#include "sharded_query/query_plan.h"

namespace shardline {

// An operation that asks all chunks of a plan, a limited number of them at a time.
class ChunkOperation : public Operation {
 protected:
  // `verb` is the method that chunks are asked by, such as ":runQuery".
  ChunkOperation(OperationContext& context, std::unique_ptr<QueryPlan> plan, std::string_view verb)
      : Operation(context),
        plan_(std::move(plan)),
        path_(plan_->collection().QueryUrlPath(database(), verb)),
        read_time_(plan_->read_time()) {}

  const QueryPlan& plan() const { return *plan_; }
  QueryPlan& plan() { return *plan_; }
  // The instant that requests name; empty for none.
  const std::string& read_time() const { return read_time_; }
  std::int64_t requests() const { return requests_; }

  // To be asked as soon as it is its turn. A chunk must have been answered before it is asked
  // again.
  void Ask(std::size_t chunk) { queue_.push_back(chunk); }
  // Sends what may be sent. To be called whenever something may have changed.
  void SendQueued();

  // The body of the request that asks a chunk, made when it is about to be sent.
  virtual std::string MakeBody(std::size_t chunk) = 0;
  // As OnAnswer. Where all are asked at one instant, the first answer must call
  // SetReadTime().
  virtual Result<Billed> OnChunkAnswer(std::size_t chunk, PaddedText& body) = 0;
  // Called behind each OnChunkAnswer that was one.
  virtual void Advance() = 0;

  // Refuses a plan that cannot be aggregated chunk by chunk.
  static Status CheckAggregated(const QueryPlan& plan);
  // Of aggregations. Refuses what a chunk cannot have counted, beside `others` of other chunks.
  Status CheckCount(std::int64_t count, std::int64_t others) const;
  static Billed AggregationBill(std::int64_t count);

  void SetReadTime(std::string_view read_time) { read_time_ = read_time; }

 private:
  struct UnderWay {
    CallId call;
    std::size_t chunk;
  };

  Result<Billed> OnAnswer(CallId id, PaddedText& body) final;

  std::unique_ptr<QueryPlan> plan_;
  std::string path_;
  std::string read_time_;
  std::vector<std::size_t> queue_;  // From queue_start_ on.
  std::size_t queue_start_ = 0;
  std::vector<UnderWay> under_way_;
  std::int64_t requests_ = 0;
};

}  // namespace shardline
