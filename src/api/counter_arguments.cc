#include "api/counter_arguments.h"

#include <cmath>
#include <optional>
#include <utility>

namespace shardline {
namespace {

// Reads a layout that is not a preset.
Layout ReadOwnLayout(Arguments& arguments) {
  Layout layout;
  bool has_collection = false;
  std::optional<bool> parent;
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("shardCollection")) {
      layout.shard_collection = arguments.TextOrNull();
      has_collection = true;
    } else if (arguments.Is("countField")) {
      layout.count_field = arguments.Text();
    } else if (arguments.Is("shardCountField")) {
      layout.shard_count_field = arguments.TextOrNull();
    } else if (arguments.Is("parent")) {
      parent = arguments.Boolean();
    } else {
      arguments.RefuseUnknown("shardCollection, countField, shardCountField and parent");
    }
  }
  if (!has_collection) {
    arguments.Refuse("layout.shardCollection",
                     "given; null means that the path is itself the collection of shards");
  }
  if (layout.count_field.empty()) arguments.Refuse("layout.countField", "given");
  if (parent && *parent != layout.shard_count_field.has_value()) {
    arguments.Refuse("layout.parent",
                     "true with a shardCountField, which stands in the parent document, and false "
                     "without one");
  }
  return layout;
}

void ReadLayout(Arguments& arguments, Layout& layout) {
  if (!arguments.IsText()) {
    layout = ReadOwnLayout(arguments);
    return;
  }
  Result<Layout> preset = Layout::Preset(arguments.Text());
  if (preset) {
    layout = std::move(*preset);
  } else {
    arguments.Latch(preset.TakeFailure());
  }
}

Delivery ReadDelivery(Arguments& arguments) {
  const std::string name = arguments.Text();
  if (name == "transaction") return Delivery::kTransaction;
  if (name == "at-least-once") return Delivery::kAtLeastOnce;
  if (name != "exactly-once") {
    arguments.Refuse("'exactly-once', 'at-least-once' or 'transaction'");
  }
  return Delivery::kExactlyOnce;
}

}  // namespace

std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database) {
  CounterOptions options;
  options.layout = *Layout::Preset("web");
  bool has_path = false;
  std::string count_field;
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("path")) {
      options.path = arguments.Text();
      has_path = true;
    } else if (arguments.Is("layout")) {
      ReadLayout(arguments, options.layout);
    } else if (arguments.Is("countField")) {
      count_field = arguments.Text();
    } else if (arguments.Is("shards")) {
      options.shards = arguments.Integer();
    } else if (arguments.Is("delivery")) {
      options.delivery = ReadDelivery(arguments);
    } else if (arguments.Is("voter")) {
      // Who it is, the batches say.
      const Status valid = CheckId(arguments.Text(), "option `voter`");
      if (!valid) arguments.Latch(Fail(valid.error()));
      options.votes = true;
    } else {
      arguments.RefuseUnknown("layout, countField, shards, delivery and voter");
    }
  }
  if (!has_path) arguments.Refuse("path", "a string");
  if (options.layout.is_extension) {
    options.layout.count_field = std::move(count_field);
  } else if (!count_field.empty()) {
    arguments.Refuse("countField", "left out: the layout says it, unless that is 'extension'");
  }
  if (!arguments.ok()) return nullptr;
  Result<std::unique_ptr<const Counter>> counter = Counter::Make(database, options);
  if (counter) return std::move(*counter);
  arguments.Latch(counter.TakeFailure());
  return nullptr;
}

std::optional<std::string> ReadClientId(Arguments& arguments) {
  std::optional<std::string> id = arguments.TextOrNull();
  if (!id) return id;
  const Status valid = CheckId(*id, "option `clientId`");
  if (!valid) arguments.Latch(Fail(valid.error()));
  return id;
}

std::optional<Amount> ReadMaxDelta(Arguments& arguments) {
  JsonScanner& scanner = arguments.scanner();
  if (scanner.Peek() == JsonScanner::Kind::kNull) {
    scanner.Null();
    return std::nullopt;
  }
  std::optional<Amount> most = Amount::Read(scanner);
  if (!most || !std::isfinite(most->number()) || most->number() <= 0) {
    arguments.Refuse("maxDelta", "a positive number");
  }
  return most;
}

CounterCall::CounterCall(JsonScanner& scanner, const OperationContext& operation_context,
                         std::span<const Parameter> parameters, const char* options)
    : arguments(scanner), context(operation_context) {
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("counter")) {
      counter = ReadCounter(arguments, context.database);
      continue;
    }
    const Parameter* known = nullptr;
    for (const Parameter& parameter : parameters) {
      if (arguments.Is(parameter.name)) known = &parameter;
    }
    if (known == nullptr) {
      arguments.RefuseUnknown(options);
    } else {
      known->read(*this);
    }
  }
  if (!counter) arguments.Refuse("counter", "given");
}

void CounterCall::ReadWord(const char* first, const char* second) {
  choice = arguments.Text();
  if (choice == first || choice == second) return;
  std::string what(first);
  what += " or ";
  what += second;
  arguments.Refuse(what.c_str());
}

}  // namespace shardline
