#include "api/counter_admin_api.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "api/counter_arguments.h"
#include "upkeep/clean_up.h"
#include "upkeep/delete.h"
#include "upkeep/migrate.h"
#include "upkeep/resize.h"
#include "upkeep/roll_up.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

using Parameter = CounterCall::Parameter;

constexpr std::int64_t kMaxMillis = 1'000'000'000'000;  // Thirty years.

constexpr Parameter kShards = {"shards",
                               [](CounterCall& call) { call.shards = call.arguments.Integer(); }};
constexpr Parameter kAtLeast = {
    "atLeast", [](CounterCall& call) { call.at_least = call.arguments.Boolean(); }};
constexpr Parameter kTo = {
    "to", [](CounterCall& call) { call.to = ReadCounter(call.arguments, call.context.database); }};
constexpr Parameter kMaxAge = {
    "maxAgeMs", [](CounterCall& call) {
      call.max_age_ms = call.arguments.Integer();
      if (call.max_age_ms < 0 || call.max_age_ms > kMaxMillis) {
        call.arguments.Refuse("a whole number of milliseconds, from 0 on");
      }
    }};
constexpr Parameter kOlderThan = {
    "olderThan", [](CounterCall& call) {
      call.older_than = Timestamp::Parse(call.arguments.Text());
      if (!call.older_than) {
        call.arguments.Refuse("a Date, a Timestamp or a number of milliseconds");
      }
    }};

constexpr Parameter kResizeParameters[] = {kShards, kAtLeast};
constexpr Parameter kMigrateParameters[] = {kTo, kShards};
constexpr Parameter kRollUpParameters[] = {kMaxAge};
constexpr Parameter kCleanUpParameters[] = {kOlderThan};

}  // namespace

Started StartCounterDelete(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, {}, "signal");
  return call.Started([&]() -> Started {
    return std::make_unique<DeleteCounter>(context, std::move(call.counter));
  });
}

Started StartCounterResize(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, kResizeParameters, "atLeast and signal");
  return call.Started([&] {
    return ResizeCounter::Start(context, std::move(call.counter), {call.shards, call.at_least});
  });
}

Started StartCounterMigrate(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, kMigrateParameters, "to and signal");
  if (!call.to) call.arguments.Refuse("to", "given");
  return call.Started([&] {
    return MigrateCounter::Start(context, std::move(call.counter), std::move(call.to), call.shards);
  });
}

Started StartCounterRollUp(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, kRollUpParameters, "maxAgeMs and signal");
  return call.Started([&]() -> Started {
    return std::make_unique<ReadRollUp>(context, std::move(call.counter),
                                        std::chrono::milliseconds(call.max_age_ms));
  });
}

Started StartCounterCleanUp(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, kCleanUpParameters, "olderThan and signal");
  return call.Started([&]() -> Started {
    const Timestamp older_than = call.older_than.value_or(Timestamp{Timestamp::kMaxMicros});
    return std::make_unique<CleanUpCounter>(context, std::move(call.counter), older_than);
  });
}

}  // namespace shardline
