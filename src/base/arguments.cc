#include "base/arguments.h"

#include <cassert>
#include <cmath>
#include <utility>

#include "base/number.h"
#include "base/reason.h"
#include "base/utf8.h"

namespace shardline {
namespace {

using Kind = JsonScanner::Kind;

// A message shows this much of a user's input.
constexpr std::size_t kMostShown = 100;

std::string_view TakeWord(std::string_view& words) {
  const std::size_t end = words.find('|');
  const std::string_view word = words.substr(0, end);
  words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
  return word;
}

// The index of a raw string, with its quotes, among words; their number if it is not there.
std::size_t IndexOfWord(std::string_view words, std::string_view raw) {
  std::size_t index = 0;
  for (; !words.empty(); ++index) {
    const std::string_view word = TakeWord(words);
    if (raw.size() == word.size() + 2 && raw.substr(1, word.size()) == word) break;
  }
  return index;
}

// With a comma in front of every three digits.
void AppendGrouped(std::string& out, std::int64_t value) {
  Int64Buffer buffer;
  const std::string_view digits = FormatInt64(value, buffer);
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t left = digits.size() - i;
    if (i > 0 && left % 3 == 0 && digits[i - 1] != '-') out += ',';
    out += digits[i];
  }
}

// "a, b and c"; nothing yet, if `is_first`.
void AppendItem(std::string& list, std::string_view item, bool is_last, const char* last) {
  if (!list.empty()) list += is_last ? last : ", ";
  list += item;
}

}  // namespace

std::string Allowed(const ParameterCheck& parameter) {
  std::string text;
  switch (parameter.type) {
    case ParameterType::kText:
      return "a string";
    case ParameterType::kBoolean:
      return "true or false";
    case ParameterType::kObject:
      return "an object";
    case ParameterType::kList:
      return "a list";
    case ParameterType::kSignal:
      return "an AbortSignal";
    case ParameterType::kFunction:
      return "a function";
    case ParameterType::kValue:
      return parameter.allowed;
    case ParameterType::kWord:
      for (std::string_view words = parameter.allowed; !words.empty();) {
        std::string quoted = "'";
        quoted += TakeWord(words);
        AppendItem(text, quoted += '\'', words.empty(), " or ");
      }
      return text;
    case ParameterType::kInteger:
    case ParameterType::kNumber:
      break;
  }
  using Limits = std::numeric_limits<std::int64_t>;
  text = parameter.type == ParameterType::kInteger ? "an integer" : "a number";
  if (parameter.least == Limits::min()) return text;
  AppendGrouped(text += " from ", parameter.least);
  if (parameter.most == Limits::max()) return text += " on";
  AppendGrouped(text += " to ", parameter.most);
  return text;
}

Arguments::Arguments(JsonScanner& scanner, std::span<const ParameterCheck> parameters,
                     const char* inside)
    : parameters_(parameters), inside_(inside) {
  Read(scanner);
}

Arguments::Arguments(std::string_view object, std::span<const ParameterCheck> parameters,
                     const char* inside)
    : parameters_(parameters), inside_(inside) {
  JsonScanner scanner = JsonScanner::Within(object);
  Read(scanner);
}

void Arguments::Read(JsonScanner& scanner) {
  assert(parameters_.size() <= kMostParameters);
  std::string_view name;
  if (scanner.BeginObject()) {
    while (scanner.NextKey(name)) {
      const std::size_t index = Find(name);
      const Kind kind = scanner.Peek();
      const std::string_view value = scanner.SkipValue();
      if (!scanner.ok()) break;
      if (index == parameters_.size()) return RefuseUnknown(name);
      values_[index] = value;
      if (!IsAllowed(parameters_[index], kind, value)) return Refuse(name);
    }
  }
  if (!scanner.ok()) return Latch(scanner.failure("the arguments"));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (parameters_[i].required && values_[i].empty()) return Refuse(parameters_[i].name);
  }
}

std::size_t Arguments::Find(std::string_view name) const {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const ParameterType type = parameters_[i].type;
    if (type == ParameterType::kSignal || type == ParameterType::kFunction) continue;
    if (name == parameters_[i].name) return i;
  }
  return parameters_.size();
}

bool Arguments::IsAllowed(const ParameterCheck& parameter, Kind kind,
                          std::string_view value) const {
  if (kind == Kind::kNull && parameter.nullable) return true;
  switch (parameter.type) {
    case ParameterType::kText:
      return kind == Kind::kString;
    case ParameterType::kInteger: {
      const std::optional<std::int64_t> integer = ParseInt64(value);
      return integer && *integer >= parameter.least && *integer <= parameter.most;
    }
    case ParameterType::kNumber: {
      const double number = ParseDouble(value).value_or(NAN);
      return std::isfinite(number) && number >= static_cast<double>(parameter.least) &&
             number <= static_cast<double>(parameter.most);
    }
    case ParameterType::kBoolean:
      return kind == Kind::kBoolean;
    case ParameterType::kWord:
      // The word behind the last one ends the list, too.
      return kind == Kind::kString &&
             IndexOfWord(parameter.allowed, value) < IndexOfWord(parameter.allowed, "");
    case ParameterType::kObject:
      return kind == Kind::kObject;
    case ParameterType::kList:
      return kind == Kind::kArray;
    case ParameterType::kValue:
    case ParameterType::kSignal:
    case ParameterType::kFunction:
      break;
  }
  return true;
}

std::string_view Arguments::Raw(std::string_view name) const {
  const std::size_t index = Find(name);
  assert(index < parameters_.size());
  return values_[index];
}

std::string Arguments::Text(std::string_view name) {
  std::optional<std::string> text = OptionalText(name);
  if (text) return std::move(*text);
  const char* fallback = parameters_[Find(name)].fallback_text;
  return fallback == nullptr ? std::string() : std::string(fallback);
}

std::optional<std::string> Arguments::OptionalText(std::string_view name) {
  const std::string_view raw = Raw(name);
  if (raw.empty() || raw.front() != '"') return std::nullopt;
  JsonScanner scanner = JsonScanner::Within(raw);
  std::string text = scanner.String();
  if (!scanner.ok()) Refuse(name, "well-formed Unicode text");
  return text;
}

std::int64_t Arguments::Integer(std::string_view name) const {
  return ParseInt64(Raw(name)).value_or(parameters_[Find(name)].fallback);
}

double Arguments::Number(std::string_view name) const {
  const auto fallback = static_cast<double>(parameters_[Find(name)].fallback);
  return ParseDouble(Raw(name)).value_or(fallback);
}

std::size_t Arguments::Word(std::string_view name) const {
  const std::string_view raw = Raw(name);
  return raw.empty() ? 0 : IndexOfWord(parameters_[Find(name)].allowed, raw);
}

std::string Arguments::FullName(std::string_view name) const {
  return std::string(inside_).append(name);
}

void Arguments::Refuse(std::string_view name) {
  const std::size_t index = Find(name);
  const std::string_view value = values_[index];
  const std::string allowed = Allowed(parameters_[index]);
  const std::string full = FullName(name);
  if (value.empty()) {
    return Latch(RefuseArgument(kArgumentMissing, full.c_str(), allowed.c_str(), "`")
                 << full << "` must be given: " << allowed << ".");
  }
  const std::string_view shown = Utf8Prefix(value, kMostShown);
  Latch(OptionMustBe(full.c_str(), allowed.c_str())
        << "; got " << shown << (shown.size() < value.size() ? "…." : "."));
}

void Arguments::Refuse(std::string_view name, const char* what) {
  Latch(OptionMustBe(FullName(name).c_str(), what) << ".");
}

void Arguments::RefuseUnknown(std::string_view name) {
  std::string known;
  const ParameterCheck* last = nullptr;
  for (const ParameterCheck& parameter : parameters_) {
    if (!parameter.internal) last = &parameter;
  }
  for (const ParameterCheck& parameter : parameters_) {
    if (!parameter.internal) AppendItem(known, parameter.name, &parameter == last, " and ");
  }
  Failure failure = Fail(kArgumentUnknown, "There is no option `")
                    << Param{"argument", FullName(Utf8Prefix(name, kMostShown))} << "` here"
                    << (known.empty() ? "" : ", only ") << Param{"known", known};
  Latch(std::move(failure) << ".");
}

void Arguments::Latch(Failure failure) {
  if (!failure_) failure_ = std::move(failure);
}

Failure Arguments::TakeFailure() { return std::move(failure_); }

}  // namespace shardline
