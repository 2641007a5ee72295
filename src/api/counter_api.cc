#include "api/counter_api.h"

#include <cmath>
#include <optional>
#include <utility>

#include "api/arguments.h"
#include "counter/counter.h"
#include "counter/create.h"
#include "counter/increment.h"
#include "counter/total.h"

namespace shardline {
namespace {

using Started = Result<std::unique_ptr<Operation>>;

// Ends as soon as it has begun.
class CheckCounter final : public Operation {
 public:
  CheckCounter(OperationContext& context, std::unique_ptr<const Counter> counter)
      : Operation(context), counter_(std::move(counter)) {
    Finish();
  }

  void WriteResult(JsonWriter& writer) const override {
    writer.BeginObject().Key("layout");
    counter_->WriteLayout(writer);
    writer.EndObject();
  }

 private:
  Result<Billed> OnAnswer(CallId, PaddedText&) override { return Billed{}; }

  std::unique_ptr<const Counter> counter_;
};

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
    arguments.Latch(std::move(preset.error()));
  }
}

Delivery ReadDelivery(Arguments& arguments) {
  const std::string name = arguments.Text();
  if (name == "transaction") return Delivery::kTransaction;
  if (name == "exactly-once") {
    arguments.Latch({Code::kUnimplemented,
                     "The delivery 'exactly-once' is not there yet: use 'at-least-once', or "
                     "'transaction' where retries must not count twice."});
  } else if (name != "at-least-once") {
    arguments.Refuse("'at-least-once' or 'transaction'");
  }
  return Delivery::kAtLeastOnce;
}

// Null if the arguments have latched an error.
std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database) {
  CounterOptions options;
  options.layout = *Layout::Preset("web");
  bool has_path = false;
  arguments.Enter();
  while (arguments.Next()) {
    if (arguments.Is("path")) {
      options.path = arguments.Text();
      has_path = true;
    } else if (arguments.Is("layout")) {
      ReadLayout(arguments, options.layout);
    } else if (arguments.Is("shards")) {
      options.shards = arguments.Integer();
    } else if (arguments.Is("delivery")) {
      options.delivery = ReadDelivery(arguments);
    } else {
      arguments.RefuseUnknown("layout, shards and delivery");
    }
  }
  if (!has_path) arguments.Refuse("path", "a string");
  if (!arguments.ok()) return nullptr;
  Result<std::unique_ptr<const Counter>> counter = Counter::Make(database, options);
  if (counter) return std::move(*counter);
  arguments.Latch(std::move(counter.error()));
  return nullptr;
}

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
  if (!read.arguments.ok()) return Fail(read.arguments.error());
  return std::make_unique<CheckCounter>(context, std::move(read.counter));
}

Started StartCounterCreate(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "ifExists");
  const bool error = read.IsSecond("keep", "error");
  if (!read.arguments.ok()) return Fail(read.arguments.error());
  return std::make_unique<CreateCounter>(context, std::move(read.counter),
                                         error ? IfExists::kError : IfExists::kKeep);
}

Started StartCounterIncrement(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "delta");
  if (!read.delta || !std::isfinite(read.delta->number())) {
    read.arguments.Refuse("delta", "an integer of 64 bits or a finite number");
  }
  if (!read.arguments.ok()) return Fail(read.arguments.error());
  return Increment::Start(context, std::move(read.counter), *read.delta);
}

Started StartCounterTotal(JsonScanner& scanner, OperationContext& context) {
  CounterArguments read(scanner, context, "source");
  const bool shards = read.IsSecond("sum", "shards");
  if (!read.arguments.ok()) return Fail(read.arguments.error());
  return std::make_unique<ReadTotal>(context, std::move(read.counter),
                                     shards ? TotalSource::kShards : TotalSource::kSum);
}

}  // namespace shardline
