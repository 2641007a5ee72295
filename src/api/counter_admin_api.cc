#include "api/counter_admin_api.h"

#include <cmath>
#include <cstdint>
#include <utility>

#include "api/counter_arguments.h"
#include "api/ready_operation.h"
#include "base/number.h"
#include "counter/contention.h"
#include "counter/create.h"
#include "counter/increment.h"
#include "upkeep/clean_up.h"
#include "upkeep/delete.h"
#include "upkeep/migrate.h"
#include "upkeep/resize.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

using Parameter = CounterCall::Parameter;

constexpr Parameter kDelta = {
    "delta", [](CounterCall& call) { call.delta = Amount::Read(call.arguments.scanner()); }};
constexpr Parameter kIfExists = {"ifExists",
                                 [](CounterCall& call) { call.ReadWord("keep", "error"); }};
constexpr Parameter kShards = {"shards",
                               [](CounterCall& call) { call.shards = call.arguments.Integer(); }};
constexpr Parameter kAtLeast = {
    "atLeast", [](CounterCall& call) { call.at_least = call.arguments.Boolean(); }};
constexpr Parameter kTo = {
    "to", [](CounterCall& call) { call.to = ReadCounter(call.arguments, call.context.database); }};
constexpr Parameter kOlderThan = {
    "olderThan", [](CounterCall& call) {
      call.older_than = Timestamp::Parse(call.arguments.Text());
      if (!call.older_than) {
        call.arguments.Refuse("a Date, a Timestamp or a number of milliseconds");
      }
    }};

constexpr Parameter kResizeParameters[] = {kShards, kAtLeast};
constexpr Parameter kMigrateParameters[] = {kTo, kShards};
constexpr Parameter kCleanUpParameters[] = {kOlderThan};

}  // namespace

Started StartCounterCreate(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, {&kIfExists, 1}, "ifExists and signal");
  return call.Started([&]() -> Started {
    const bool error = call.choice == "error";
    return std::make_unique<CreateCounter>(context, std::move(call.counter),
                                           error ? IfExists::kError : IfExists::kKeep);
  });
}

Started StartCounterIncrement(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, {&kDelta, 1}, "signal");
  if (!call.delta || !std::isfinite(call.delta->number())) {
    call.arguments.Refuse("delta", "an integer of 64 bits or a finite number");
  }
  return call.Started([&]() -> Started {
    if (call.counter->delivery() == Delivery::kExactlyOnce) {
      return InvalidArgument("With 'exactly-once', increments are sent by counter.deliver.");
    }
    return Increment::Start(context, std::move(call.counter), *call.delta);
  });
}

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

Started StartCounterCleanUp(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, kCleanUpParameters, "olderThan and signal");
  return call.Started([&]() -> Started {
    const Timestamp older_than = call.older_than.value_or(Timestamp{Timestamp::kMaxMicros});
    return std::make_unique<CleanUpCounter>(context, std::move(call.counter), older_than);
  });
}

Started StartContention(JsonScanner& scanner, OperationContext& context) {
  Contention contention;
  Arguments arguments(scanner);
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("shards")) {
      contention.shards = arguments.Integer();
    } else if (arguments.Is("attempts")) {
      contention.attempts = arguments.Integer();
    } else if (arguments.Is("aborted")) {
      contention.aborted = arguments.Integer();
    } else if (arguments.Is("perSecond")) {
      contention.commits_per_second = ParseDouble(arguments.scanner().RawNumber()).value_or(0);
    } else {
      arguments.RefuseUnknown("shards, attempts, aborted and perSecond");
    }
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  JsonWriter writer;
  writer.BeginObject().Key("suggestedShards").Int(SuggestShards(contention)).EndObject();
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

}  // namespace shardline
