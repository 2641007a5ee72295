// How tests of other rooms count.
#pragma once

#include <memory>
#include <utility>

#include "counter/increment.h"
#include "exactly_once/commit_increment.h"
#include "unit/support/operation_driver.h"
#include "unit/support/simulated_server.h"

namespace shardline {

// As the counter's delivery has it.
inline Result<std::unique_ptr<Operation>> BeginIncrement(OperationContext& context,
                                                         std::unique_ptr<const Counter> counter,
                                                         const Amount& delta) {
  const Delivery delivery = counter->delivery();
  if (delivery == Delivery::kTransaction) {
    return TransactionIncrement::Start(context, std::move(counter), delta);
  }
  BatchRequest request{.now = SimulatedServer::ClockAt(Instant(std::chrono::seconds(1000)))};
  if (delivery == Delivery::kExactlyOnce) {
    request.marker = MarkerName(context.database, MakeAutoId(context.random));
  }
  request.increments.push_back({std::move(counter), delta});
  return CommitIncrement::Start(context, std::move(request));
}

enum class Counted { kYes, kNo, kPerhaps };

// What has become of an increment.
inline Counted EndOf(const Operation& operation) {
  if (operation.error()) {
    return operation.error()->code == Code::kOutcomeUnknown ? Counted::kPerhaps : Counted::kNo;
  }
  const auto* commit = dynamic_cast<const CommitIncrement*>(&operation);
  if (commit == nullptr) return Counted::kYes;
  switch (commit->outcome().kind) {
    case BatchOutcome::Kind::kCounted:
      return Counted::kYes;
    case BatchOutcome::Kind::kRefused:
      return Counted::kNo;
    case BatchOutcome::Kind::kUnknown:
      return Counted::kPerhaps;
    case BatchOutcome::Kind::kWaiting:
      break;
  }
  return commit->WasSent() ? Counted::kPerhaps : Counted::kNo;
}

}  // namespace shardline
