#include "api/counter_arguments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shardline {
namespace {

// Reads a layout that is not a preset.
Layout ReadOwnLayout(Arguments& arguments) {
  Layout layout;
  Arguments members(arguments.Raw("layout"), kChecks<kLayoutParameters>, "layout.");
  if (members.ok()) {
    layout.shard_collection = members.OptionalText("shardCollection");
    layout.count_field = members.Text("countField");
    layout.shard_count_field = members.OptionalText("shardCountField");
    if (layout.count_field.empty()) members.Refuse("countField", "given");
    if (members.Has("parent") &&
        members.Boolean("parent") != layout.shard_count_field.has_value()) {
      members.Refuse("parent",
                     "true with a shardCountField, which stands in the parent document, and false "
                     "without one");
    }
  }
  if (!members.ok()) arguments.Latch(members.TakeFailure());
  return layout;
}

Layout ReadLayout(Arguments& arguments) {
  const std::string_view raw = arguments.Raw("layout");
  if (!raw.empty() && raw.front() == '{') return ReadOwnLayout(arguments);
  if (!raw.empty() && raw.front() != '"') arguments.Refuse("layout");
  Result<Layout> preset = Layout::Preset(arguments.Text("layout"));
  if (preset) return std::move(*preset);
  arguments.Latch(preset.TakeFailure());
  return {};
}

constexpr Delivery kDeliveries[] = {Delivery::kExactlyOnce, Delivery::kAtLeastOnce,
                                    Delivery::kTransaction};

Result<std::unique_ptr<const Counter>> MakeCounter(Arguments& arguments,
                                                   const DatabaseName& database) {
  if (!arguments.ok()) return arguments.TakeFailure();
  CounterOptions options;
  options.layout = ReadLayout(arguments);
  options.path = arguments.Text("path");
  std::string count_field = arguments.Text("countField");
  if (arguments.Has("shards")) options.shards = arguments.Integer("shards");
  options.delivery = kDeliveries[arguments.Word("delivery")];
  if (options.layout.is_extension) {
    options.layout.count_field = std::move(count_field);
  } else if (!count_field.empty()) {
    arguments.Refuse("countField", "left out: the layout says it, unless that is 'extension'");
  }
  if (!arguments.ok()) return arguments.TakeFailure();
  return Counter::Make(database, options);
}

}  // namespace

Result<std::unique_ptr<const Counter>> ReadCounter(JsonScanner& scanner,
                                                   const DatabaseName& database) {
  Arguments members(scanner, kChecks<kCounterParameters>);
  return MakeCounter(members, database);
}

std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, std::string_view name,
                                           const DatabaseName& database) {
  if (!arguments.ok()) return nullptr;
  JsonScanner text = arguments.Scanner(name);
  Result<std::unique_ptr<const Counter>> counter = ReadCounter(text, database);
  if (counter) return std::move(*counter);
  arguments.Latch(counter.TakeFailure());
  return nullptr;
}

std::unique_ptr<const Counter> ReadCounter(Arguments& arguments, const DatabaseName& database) {
  return ReadCounter(arguments, "counter", database);
}

Result<std::vector<std::unique_ptr<const Counter>>> ReadCounters(Arguments& arguments,
                                                                 const DatabaseName& database) {
  std::vector<std::unique_ptr<const Counter>> read;
  JsonScanner counters = arguments.Scanner("counters");
  counters.BeginArray();
  while (counters.NextElement()) {
    SHARDLINE_TRY(std::unique_ptr<const Counter> counter, ReadCounter(counters, database));
    read.push_back(std::move(counter));
  }
  if (!counters.ok()) return counters.failure("the counters");
  return read;
}

std::optional<Amount> ReadMaxDelta(Arguments& arguments) {
  if (!arguments.Has("maxDelta") || arguments.IsNull("maxDelta")) return std::nullopt;
  JsonScanner scanner = arguments.Scanner("maxDelta");
  std::optional<Amount> most = Amount::Read(scanner);
  if (!most || !scanner.ok() || !std::isfinite(most->number()) || most->number() <= 0) {
    arguments.Refuse("maxDelta");
  }
  return most;
}

Amount ReadDelta(Arguments& arguments) {
  JsonScanner scanner = arguments.Scanner("delta");
  const std::optional<Amount> delta = Amount::Read(scanner);
  if (delta && scanner.ok() && std::isfinite(delta->number())) return *delta;
  arguments.Refuse("delta");
  return Amount::Integer(0);
}

std::vector<FieldPath> ReadFieldNames(Arguments& arguments, const char* name) {
  std::vector<FieldPath> fields;
  if (!arguments.ok() || !arguments.Has(name)) return fields;
  JsonScanner names = arguments.Scanner(name);
  names.BeginArray();
  bool are_names = true;
  while (names.NextElement()) {
    Result<FieldPath> field = FieldPath::Parse(names.String());
    are_names = are_names && field && field->segments().size() == 1 && !field->IsDocumentName();
    if (are_names) fields.push_back(std::move(*field));
  }
  are_names = are_names && names.ok() && !fields.empty() && fields.size() <= kMaxFields;
  if (!are_names) arguments.Refuse(name, "1 to 20 names of fields, without dots");
  return fields;
}

Timestamp ReadServerNow(const Arguments& arguments) {
  constexpr std::int64_t kMost = Timestamp::kMaxMicros / 1000;
  return Timestamp{std::clamp(arguments.Integer("serverNow"), std::int64_t{0}, kMost) * 1000};
}

std::optional<FieldPath> ReadPublish(Arguments& arguments, const Counter* counter,
                                     const char* option) {
  const std::optional<std::string> text = arguments.OptionalText(option);
  if (!text || counter == nullptr) return std::nullopt;
  Result<FieldPath> field = FieldPath::Parse(*text);
  if (!field) {
    arguments.Latch(field.TakeFailure());
    return std::nullopt;
  }
  Status valid = counter->CheckPublishedField(*field, option);
  if (!valid) arguments.Latch(valid.TakeFailure());
  return std::move(*field);
}

}  // namespace shardline
