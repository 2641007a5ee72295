#include "api/exactly_once_api.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_members.h"
#include "base/reason.h"
#include "exactly_once/change_member.h"
#include "exactly_once/commit_increment.h"
#include "exactly_once/member.h"
#include "exactly_once/read_members.h"

namespace shardline {
namespace {

using Start = Result<std::unique_ptr<Operation>>;

Start StartChange(Arguments& arguments, OperationContext& context, bool is_member) {
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  const std::string id = ReadKeyId(arguments);
  MemberWish wish{is_member};
  if (is_member) wish.choice = arguments.Text("choice");
  std::vector<FieldPath> choices = ReadChoiceFields(arguments);
  bool is_offered = choices.empty() ? wish.choice.empty() : !is_member;
  for (const FieldPath& field : choices) is_offered |= field.segments().front() == wish.choice;
  if (arguments.ok() && !is_offered) arguments.Refuse("choice", "one of `choices`");
  return Started(arguments, [&] {
    return ChangeMember::Start(context, std::move(counter), std::move(wish), id,
                               std::move(choices));
  });
}

// The members of one set, key by key.
Result<std::vector<std::string>> NamesOfKeys(Arguments& arguments, const Counter& counter) {
  std::vector<std::string> names;
  JsonScanner keys = arguments.Scanner("keys");
  keys.BeginArray();
  while (keys.NextElement()) {
    SHARDLINE_TRY(const std::string id, KeyId(keys.String()));
    names.push_back(MemberName(counter, id));
  }
  if (!keys.ok()) return keys.failure("the keys");
  return names;
}

// One key's member of each set.
Result<std::vector<std::string>> NamesOfCounters(Arguments& arguments, const std::string& id,
                                                 const DatabaseName& database) {
  std::vector<std::string> names;
  SHARDLINE_TRY(const auto counters, ReadCounters(arguments, database));
  for (const auto& counter : counters) names.push_back(MemberName(*counter, id));
  return names;
}

// Reads `fields`, and for each of them its amount in `delta`, {"fields": {"like": {"integerValue":
// "1"}}}: 0 if it has none there. Empty if there are no fields.
std::vector<FieldAmount> ReadFieldAmounts(Arguments& arguments) {
  std::vector<FieldAmount> amounts;
  for (FieldPath& field : ReadFieldNames(arguments, "fields")) {
    amounts.push_back({std::move(field), Amount::Integer(0)});
  }
  if (amounts.empty()) return amounts;
  JsonScanner scanner = arguments.Scanner("delta");
  bool are_amounts = true;
  JsonMembers delta(scanner);
  while (delta.Next()) {
    if (!delta.Is("fields")) continue;
    JsonMembers members(scanner);
    while (members.Next()) {
      const auto named = std::find_if(amounts.begin(), amounts.end(), [&](const FieldAmount& each) {
        return members.Is(each.field.segments().front());
      });
      const std::optional<Amount> amount = Amount::Read(scanner);
      are_amounts =
          are_amounts && named != amounts.end() && amount && std::isfinite(amount->number());
      if (are_amounts) named->amount = *amount;
    }
  }
  if (!are_amounts || !scanner.ok()) {
    arguments.Refuse("delta", "amounts of `fields`: each an integer of 64 bits or a finite number");
  }
  return amounts;
}

}  // namespace

BatchRequest ReadBatchRequest(Arguments& arguments, const DatabaseName& database) {
  const std::string id = arguments.Text("id");
  Status valid = CheckId(id, "batch id");
  if (!valid) arguments.Latch(valid.TakeFailure());
  return {.marker = MarkerName(database, id),
          .now = ReadServerNow(arguments),
          .age = std::chrono::milliseconds(arguments.Integer("ageMs")),
          .sent_before = arguments.Boolean("sentBefore")};
}

std::string ReadKeyId(Arguments& arguments) {
  Result<std::string> id = KeyId(arguments.Text("key"));
  if (id) return std::move(*id);
  arguments.Latch(id.TakeFailure());
  return {};
}

Start StartCounterCommit(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kCounterCommitParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  std::vector<FieldAmount> fields = ReadFieldAmounts(arguments);
  const Amount delta = fields.empty() ? ReadDelta(arguments) : Amount::Integer(0);
  BatchRequest request = ReadBatchRequest(arguments, context.database);
  return Started(arguments, [&]() -> Start {
    if (counter->delivery() == Delivery::kTransaction) {
      return Conflict("delivery", "delta",
                      "With 'transaction', increments are sent by counter.increment.");
    }
    if (counter->delivery() == Delivery::kAtLeastOnce) request.marker.clear();
    request.increments.push_back({std::move(counter), delta, std::move(fields)});
    return CommitIncrement::Start(context, std::move(request));
  });
}

Start StartKeyAdd(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeyAddParameters>);
  return StartChange(arguments, context, true);
}

Start StartKeyRemove(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeyRemoveParameters>);
  return StartChange(arguments, context, false);
}

Start StartKeysHas(JsonScanner& scanner, OperationContext& context) {
  Arguments arguments(scanner, kChecks<kKeysHasParameters>);
  const bool has_keys = arguments.Has("keys");
  if (arguments.ok() && has_keys == arguments.Has("counters")) {
    arguments.Refuse("keys", "given with `counter`, or `counters` with `key`");
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  std::vector<std::string> names;
  if (has_keys) {
    const std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
    if (!arguments.ok()) return arguments.TakeFailure();
    SHARDLINE_TRY(names, NamesOfKeys(arguments, *counter));
  } else {
    const std::string id = ReadKeyId(arguments);
    if (!arguments.ok()) return arguments.TakeFailure();
    SHARDLINE_TRY(names, NamesOfCounters(arguments, id, context.database));
  }
  return std::make_unique<ReadMembers>(context, std::move(names));
}

}  // namespace shardline
