#pragma once

#include <memory>
#include <utility>

#include "counter/counter.h"
#include "counter/total_reading.h"
#include "operation/operation.h"

namespace shardline {

// Reads a counter's total: see TotalReading.
class ReadTotal final : public Operation {
 public:
  ReadTotal(OperationContext& context, std::unique_ptr<const Counter> counter, TotalSource source)
      : Operation(context, Patience::kShort),
        counter_(std::move(counter)),
        reading_(executor(), *counter_) {
    reading_.Start(source);
  }

  // See TotalReading::Write().
  void WriteResult(JsonWriter& writer) const override { reading_.Write(writer, total_, billed()); }

 private:
  Result<Billed> OnAnswer(CallId id, PaddedText& body) override;
  void OnFailure(CallId id, const CallFailure& failure) override;
  void OnAllRead();

  std::unique_ptr<const Counter> counter_;
  TotalReading reading_;
  SumAndCount total_;
};

}  // namespace shardline
