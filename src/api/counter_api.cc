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

// What an operation takes: a counter and one option more.
struct CounterArguments {
  // Reads all of them; `option` is the name of the other one.
  CounterArguments(JsonScanner& scanner, const OperationContext& context, const char* option)
      : option_name(option), arguments(scanner) {
    arguments.Enter();
    while (arguments.Next()) {
      if (arguments.Is("counter")) {
        counter = ReadCounter(arguments, context.database);
      } else if (!arguments.Is(option)) {
        arguments.RefuseUnknown(option);
      } else if (arguments.Is("delta")) {
        delta = Amount::Read(scanner);
      } else {
        choice = arguments.Text();
      }
    }
    if (!counter) arguments.Refuse("counter", "given");
  }

  // True if the other option is `second`, false if it is `first` or absent.
  bool IsSecond(const char* first, const char* second) {
    if (!choice || *choice == first) return false;
    if (*choice == second) return true;
    std::string what(first);
    what += " or ";
    what += second;
    arguments.Refuse(option_name, what.c_str());
    return true;
  }

  const char* option_name;
  Arguments arguments;
  std::unique_ptr<const Counter> counter;
  std::optional<Amount> delta;
  std::optional<std::string> choice;
};

}  // namespace

Started StartCounterCheck(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  JsonWriter writer;
  writer.BeginObject().Key("layout");
  read.counter->WriteLayout(writer);
  writer.EndObject();
  return std::make_unique<ReadyOperation>(context, writer.Take());
}

Started StartCounterCreate(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "ifExists");
  const bool error = read.IsSecond("keep", "error");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<CreateCounter>(context, std::move(read.counter),
                                         error ? IfExists::kError : IfExists::kKeep);
}

Started StartCounterIncrement(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "delta");
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
  CounterArguments read(scanner, context, "source");
  const bool shards = read.IsSecond("sum", "shards");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<ReadTotal>(context, std::move(read.counter),
                                     shards ? TotalSource::kShards : TotalSource::kSum);
}

}  // namespace shardline
