#include "api/counter_api.h"

#include <cmath>
#include <optional>
#include <utility>

#include "api/counter_arguments.h"
#include "api/ready_operation.h"
#include "counter/counter.h"
#include "counter/create.h"
#include "counter/increment.h"
#include "counter/total.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

using Parameter = CounterCall::Parameter;

constexpr Parameter kDelta = {
    "delta", [](CounterCall& call) { call.delta = Amount::Read(call.arguments.scanner()); }};

// Of the two words that the option may have, the first of which is the default: whether it is the
// second.
void ReadWord(CounterCall& call, const char* first, const char* second) {
  call.choice = call.arguments.Text();
  if (call.choice == first || call.choice == second) return;
  std::string what(first);
  what += " or ";
  what += second;
  call.arguments.Refuse(what.c_str());
}
constexpr Parameter kIfExists = {"ifExists",
                                 [](CounterCall& call) { ReadWord(call, "keep", "error"); }};
constexpr Parameter kSource = {"source",
                               [](CounterCall& call) { ReadWord(call, "sum", "shards"); }};

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

Started StartCounterCreate(JsonScanner& scanner, OperationContext& context) {
  CounterCall read(scanner, context, {&kIfExists, 1}, "ifExists and signal");
  const bool error = read.choice == "error";
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<CreateCounter>(context, std::move(read.counter),
                                         error ? IfExists::kError : IfExists::kKeep);
}

Started StartCounterIncrement(JsonScanner& scanner, OperationContext& context) {
  CounterCall read(scanner, context, {&kDelta, 1}, "signal");
  if (!read.delta || !std::isfinite(read.delta->number())) {
    read.arguments.Refuse("delta", "an integer of 64 bits or a finite number");
  }
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  if (read.counter->delivery() == Delivery::kExactlyOnce) {
    return InvalidArgument("With 'exactly-once', increments are sent by counter.deliver.");
  }
  return Increment::Start(context, std::move(read.counter), *read.delta);
}

Started StartCounterTotal(JsonScanner& scanner, OperationContext& context) {
  CounterCall read(scanner, context, {&kSource, 1}, "source and signal");
  const bool shards = read.choice == "shards";
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<ReadTotal>(context, std::move(read.counter),
                                     shards ? TotalSource::kShards : TotalSource::kSum);
}

}  // namespace shardline
