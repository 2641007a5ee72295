#include "api/counter_api.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include "api/counter_arguments.h"
#include "api/ready_operation.h"
#include "counter/counter.h"
#include "counter/total.h"
#include "upkeep/roll_up.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

using Parameter = CounterCall::Parameter;

constexpr std::int64_t kMaxMillis = 1'000'000'000'000;  // Thirty years.

constexpr Parameter kSource = {"source", [](CounterCall& call) { call.ReadWord("sum", "shards"); }};

constexpr Parameter kMaxAge = {
    "maxAgeMs", [](CounterCall& call) {
      call.max_age_ms = call.arguments.Integer();
      if (call.max_age_ms < 0 || call.max_age_ms > kMaxMillis) {
        call.arguments.Refuse("a whole number of milliseconds, from 0 on");
      }
    }};

// How a page counts is the queue's affair (delivery_api.h); here it is only checked.
constexpr Parameter kCounting[] = {
    {"clientId", [](CounterCall& call) { ReadClientId(call.arguments); }},
    {"maxDelta", [](CounterCall& call) { ReadMaxDelta(call.arguments); }},
};

}  // namespace

Started StartCounterCheck(JsonScanner& scanner, OperationContext& context) {
  CounterCall read(scanner, context, kCounting, "clientId and maxDelta");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  JsonWriter writer;
  writer.BeginObject().Key("layout");
  read.counter->WriteLayout(writer);
  writer.EndObject();
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

Started StartCounterTotal(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, {&kSource, 1}, "source and signal");
  return call.Started([&]() -> Started {
    const bool shards = call.choice == "shards";
    return std::make_unique<ReadTotal>(context, std::move(call.counter),
                                       shards ? TotalSource::kShards : TotalSource::kSum);
  });
}

Started StartCounterRollUp(JsonScanner& scanner, OperationContext& context) {
  CounterCall call(scanner, context, {&kMaxAge, 1}, "maxAgeMs and signal");
  return call.Started([&]() -> Started {
    return std::make_unique<ReadRollUp>(context, std::move(call.counter),
                                        std::chrono::milliseconds(call.max_age_ms));
  });
}

}  // namespace shardline
