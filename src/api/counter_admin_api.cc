#include "api/counter_admin_api.h"

#include <utility>

#include "api/counter_arguments.h"
#include "counter/delete.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

struct AdminArguments {
  AdminArguments(JsonScanner& scanner, const OperationContext& context) : arguments(scanner) {
    arguments.Enter();
    while (arguments.Next()) {
      if (arguments.Is("counter")) {
        counter = ReadCounter(arguments, context.database);
      } else {
        arguments.RefuseUnknown("signal");
      }
    }
    if (!counter) arguments.Refuse("counter", "given");
  }

  Arguments arguments;
  std::unique_ptr<const Counter> counter;
};

}  // namespace

Started StartCounterDelete(JsonScanner& scanner, OperationContext& context) {
  AdminArguments read(scanner, context);
  if (!read.arguments.ok()) return Fail(read.arguments.error());
  return std::make_unique<DeleteCounter>(context, std::move(read.counter));
}

}  // namespace shardline
