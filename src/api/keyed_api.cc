#include "api/keyed_api.h"

#include <utility>

#include "keyed/change_key.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;
using Goal = KeyRequest::Goal;

std::string ReadKeyId(Arguments& arguments) {
  Result<std::string> id = KeyId(arguments.Text("key"));
  if (id) return std::move(*id);
  arguments.Latch(id.TakeFailure());
  return {};
}

Start StartMember(JsonScanner& scanner, OperationContext& context, Goal goal) {
  Arguments arguments(scanner, kChecks<kKeyParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  KeyRequest request{.goal = goal, .id = ReadKeyId(arguments)};
  return Started(arguments,
                 [&] { return ChangeKey::Start(context, std::move(counter), std::move(request)); });
}

}  // namespace

Start StartKeyAdd(JsonScanner& scanner, OperationContext& context) {
  return StartMember(scanner, context, Goal::kAdd);
}

Start StartKeyRemove(JsonScanner& scanner, OperationContext& context) {
  return StartMember(scanner, context, Goal::kRemove);
}

Start StartKeyHas(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeyParameters>);
  const std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const std::string id = ReadKeyId(arguments);
  return Started(arguments,
                 [&]() -> Start { return std::make_unique<ReadKey>(context, *counter, id); });
}

Start StartKeyIncrement(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeyIncrementParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  KeyRequest request{.goal = Goal::kOnce, .id = ReadKeyId(arguments)};
  request.delta = ReadDelta(arguments);
  request.server_now = ReadServerNow(arguments);
  return Started(arguments,
                 [&] { return ChangeKey::Start(context, std::move(counter), std::move(request)); });
}

}  // namespace shardline
