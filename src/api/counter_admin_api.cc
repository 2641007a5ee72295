#include "api/counter_admin_api.h"

#include <chrono>
#include <cstdint>
#include <utility>

#include "api/counter_arguments.h"
#include "counter/delete.h"
#include "counter/migrate.h"
#include "counter/resize.h"
#include "counter/roll_up.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

// What an operation takes: a counter, and perhaps a number and another counter.
struct AdminArguments {
  AdminArguments(JsonScanner& scanner, const OperationContext& context, const char* option,
                 bool takes_to = false)
      : arguments(scanner) {
    arguments.Enter();
    while (arguments.Next()) {
      if (arguments.Is("counter")) {
        counter = ReadCounter(arguments, context.database);
      } else if (arguments.Is(option)) {
        number = arguments.Integer();
      } else if (takes_to && arguments.Is("to")) {
        to = ReadCounter(arguments, context.database);
      } else {
        arguments.RefuseUnknown(option);
      }
    }
    if (!counter) arguments.Refuse("counter", "given");
  }

  Arguments arguments;
  std::unique_ptr<const Counter> counter;
  std::unique_ptr<const Counter> to;
  std::int64_t number = 0;
};

}  // namespace

Started StartCounterDelete(JsonScanner& scanner, OperationContext& context) {
  AdminArguments read(scanner, context, "signal");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<DeleteCounter>(context, std::move(read.counter));
}

Started StartCounterResize(JsonScanner& scanner, OperationContext& context) {
  AdminArguments read(scanner, context, "shards");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return ResizeCounter::Start(context, std::move(read.counter), read.number);
}

Started StartCounterMigrate(JsonScanner& scanner, OperationContext& context) {
  AdminArguments read(scanner, context, "shards", true);
  if (!read.to) read.arguments.Refuse("to", "given");
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return MigrateCounter::Start(context, std::move(read.counter), std::move(read.to), read.number);
}

Started StartCounterRollUp(JsonScanner& scanner, OperationContext& context) {
  constexpr std::int64_t kMaxMillis = 1'000'000'000'000;  // Thirty years.
  AdminArguments read(scanner, context, "maxAgeMs");
  if (read.number < 0 || read.number > kMaxMillis) {
    read.arguments.Refuse("maxAgeMs", "a whole number of milliseconds, from 0 on");
  }
  if (!read.arguments.ok()) return read.arguments.TakeFailure();
  return std::make_unique<ReadRollUp>(context, std::move(read.counter),
                                      std::chrono::milliseconds(read.number));
}

}  // namespace shardline
