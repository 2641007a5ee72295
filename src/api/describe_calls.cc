#include "api/describe_calls.h"

#include <cstddef>
#include <limits>
#include <string_view>

#include "api/tables.h"
#include "base/json_writer.h"

namespace shardline {
namespace {

// Indexed by ParameterType.
constexpr std::string_view kTypes[] = {"text",   "integer", "number", "boolean", "word",
                                       "object", "list",    "value",  "signal",  "function"};

void WriteWords(JsonWriter& writer, std::string_view words) {
  writer.Key("words").BeginArray();
  for (std::size_t end = 0; end != std::string_view::npos;) {
    end = words.find('|');
    writer.String(words.substr(0, end));
    words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  }
  writer.EndArray();
}

void WriteDefault(JsonWriter& writer, const Parameter& parameter) {
  writer.Key("default");
  const std::string_view words = parameter.allowed ? parameter.allowed : "";
  const bool in_range =
      parameter.least <= parameter.fallback && parameter.fallback <= parameter.most;
  using Limits = std::numeric_limits<std::int64_t>;
  const bool has_number = in_range && parameter.fallback != Limits::min();
  const bool has_own = parameter.type == ParameterType::kBoolean ||
                       parameter.type == ParameterType::kWord || parameter.fallback_text;
  if (parameter.required || !(has_own || has_number)) {
    writer.Raw("null");
  } else if (parameter.type == ParameterType::kBoolean) {
    writer.Boolean(false);
  } else if (parameter.type == ParameterType::kWord) {
    writer.String(words.substr(0, words.find('|')));
  } else if (parameter.fallback_text) {
    writer.String(parameter.fallback_text);
  } else {
    writer.Int(parameter.fallback);
  }
}

// Parameters may have members.
// NOLINTNEXTLINE(misc-no-recursion)
void WriteParameters(JsonWriter& writer, std::span<const Parameter> parameters) {
  writer.BeginArray();
  for (const Parameter& parameter : parameters) {
    const Parameter one[] = {parameter};
    writer.BeginObject().Key("name").String(parameter.name);
    writer.Key("type").String(kTypes[static_cast<std::size_t>(parameter.type)]);
    writer.Key("required").Boolean(parameter.required);
    writer.Key("internal").Boolean(parameter.internal);
    writer.Key("range").String(Allowed(ChecksOf(one)[0]));
    using Limits = std::numeric_limits<std::int64_t>;
    if (parameter.least != Limits::min()) writer.Key("least").Int(parameter.least);
    if (parameter.most != Limits::max()) writer.Key("most").Int(parameter.most);
    if (parameter.type == ParameterType::kWord) WriteWords(writer, parameter.allowed);
    WriteDefault(writer, parameter);
    writer.Key("description").String(parameter.description);
    if (!parameter.members.empty()) WriteParameters(writer.Key("members"), parameter.members.all());
    writer.EndObject();
  }
  writer.EndArray();
}

void WriteCalls(JsonWriter& writer, std::string_view module, std::span<const ApiCall> calls) {
  for (const ApiCall& call : calls) {
    writer.BeginObject().Key("name").String(call.name).Key("module").String(module);
    writer.Key("description").String(call.description);
    WriteParameters(writer.Key("arguments"), call.parameters);
    writer.EndObject();
  }
}

}  // namespace

std::string DescribeCalls() {
  JsonWriter writer;
  writer.BeginArray();
  for (const ModuleCalls& module : kModuleCalls) WriteCalls(writer, module.name, module.calls);
  return writer.EndArray().Take();
}

}  // namespace shardline
