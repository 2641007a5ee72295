#include "api/choices_api.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "counter/read_field_totals.h"
#include "exactly_once/publish_choices.h"

namespace shardline {
namespace {

CountedFields ReadCountedChoices(Arguments& arguments) {
  CountedFields choices{ReadChoiceFields(arguments), arguments.Boolean("isComplete")};
  if (arguments.ok() && choices.fields.empty()) arguments.Refuse("choices");
  return choices;
}

// Reads the argument `name`, the path of a field. nullopt if it was left out.
std::optional<FieldPath> ReadPublishedField(Arguments& arguments, const char* name) {
  const std::optional<std::string> text = arguments.OptionalText(name);
  if (!text || !arguments.ok()) return std::nullopt;
  Result<FieldPath> field = FieldPath::Parse(*text);
  if (field && !field->IsDocumentName()) return std::move(*field);
  arguments.Refuse(name, "the path of a field, such as votes or stats.votes");
  return std::nullopt;
}

bool Overlap(const std::optional<FieldPath>& one, const std::optional<FieldPath>& other) {
  return one && other && (one->IsPrefixOf(*other) || other->IsPrefixOf(*one));
}

// Reads the arguments `average`, `count`, `counts`, `field` and `from`. `counter` may be null if
// `arguments` has latched an error.
ChoiceFields ReadChoiceTargets(Arguments& arguments, const Counter* counter) {
  ChoiceFields fields{.count = ReadPublishedField(arguments, "count"),
                      .average = ReadPublishedField(arguments, "average"),
                      .from = arguments.Integer("from"),
                      .counts = ReadPublishedField(arguments, "counts")};
  if (!fields.counts) fields.counts = ReadPublish(arguments, counter, "field");
  if (!arguments.ok()) return fields;
  if (!fields.count && !fields.average && !fields.counts) arguments.Refuse("count", "given");
  if (Overlap(fields.count, fields.average) || Overlap(fields.count, fields.counts) ||
      Overlap(fields.average, fields.counts)) {
    arguments.Refuse("count", "a field of its own, neither inside nor around the others");
  }
  return fields;
}

}  // namespace

Result<std::unique_ptr<Operation>> StartChoicesSummary(JsonScanner& scanner,
                                                       OperationContext& context) {
  Arguments arguments(scanner, kChecks<kChoicesSummaryParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  CountedFields choices = ReadCountedChoices(arguments);
  return Started(arguments, [&]() -> Result<std::unique_ptr<Operation>> {
    const bool shards = arguments.Word("source") == 1;
    return std::make_unique<ReadFieldTotals>(context, std::move(counter), std::move(choices),
                                             shards ? TotalSource::kShards : TotalSource::kSum);
  });
}

Result<std::unique_ptr<Operation>> StartChoicesPublish(JsonScanner& scanner,
                                                       OperationContext& context) {
  Arguments arguments(scanner, kChecks<kChoicesPublishParameters>);
  std::unique_ptr<const Counter> counter = ReadCounter(arguments, context.database);
  CountedFields choices = ReadCountedChoices(arguments);
  ChoiceFields fields = ReadChoiceTargets(arguments, counter.get());
  return Started(arguments, [&]() -> Result<std::unique_ptr<Operation>> {
    const auto every = std::chrono::milliseconds(arguments.Integer("everyMs"));
    return std::make_unique<PublishChoices>(context, std::move(counter), std::move(choices),
                                            std::move(fields), every);
  });
}

}  // namespace shardline
