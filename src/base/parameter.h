// The arguments of each call, in one table (a schema), which checks them and words the error
// messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <string>

namespace shardline {

enum class ParameterType : std::uint8_t {
  kText,
  kInteger,   // A whole number of JSON, from `least` to `most`.
  kNumber,    // A finite number, from `least` to `most`.
  kBoolean,   // Left out, it is false.
  kWord,      // One of `allowed`, with | between them. Left out, it is the first.
  kObject,    // Its members are `members`.
  kList,      // Its elements, if they are objects, have `members`.
  kValue,     // A value as `allowed` describes it; its reader checks it.
  kSignal,    // An AbortSignal, which is JavaScript's own affair and never comes here.
  kFunction,  // The same.
};

// The part of a Parameter that a module links: the checks of an argument, and the words of the
// errors.
struct ParameterCheck {
  const char* name;
  const char* allowed;
  const char* fallback_text;
  std::int64_t least;
  std::int64_t most;
  std::int64_t fallback;
  ParameterType type;
  bool required;
  bool nullable;
  bool internal;
};

struct Parameter;

// A table of parameters, as a member of Parameter itself: a std::span would need the complete type
// there.
class ParameterTable {
 public:
  constexpr ParameterTable() = default;
  // Implicit, so that `.members` takes a plain array.
  template <class Array>
  constexpr ParameterTable(const Array& table)  // NOLINT(google-explicit-constructor)
      : first_(table), size_(std::size(table)) {}

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::span<const Parameter> all() const;

 private:
  const Parameter* first_ = nullptr;
  std::size_t size_ = 0;
};

// One argument of a call, or one member of an argument that is an object.
struct Parameter {
  const char* name;
  ParameterType type;
  bool required = false;
  // Null is allowed, and mostly means that no value is given.
  bool nullable = false;
  // The library itself passes it, so the error about an unknown option does not list it.
  bool internal = false;
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  // The default of an integer. A value outside the range means that there is no default.
  std::int64_t fallback = std::numeric_limits<std::int64_t>::min();
  // The default of a text or value; null if it has no default.
  const char* fallback_text = nullptr;
  // See kWord and kValue. Errors put it behind "must be".
  const char* allowed = nullptr;
  ParameterTable members = {};
  // A sentence or two for users.
  const char* description = "";
};

constexpr std::span<const Parameter> ParameterTable::all() const { return {first_, size_}; }

// The table without its documentation, so that modules do not carry the sentences.
template <std::size_t N>
constexpr std::array<ParameterCheck, N> ChecksOf(const Parameter (&parameters)[N]) {
  std::array<ParameterCheck, N> checks{};
  for (std::size_t i = 0; i < N; ++i) {
    const Parameter& p = parameters[i];
    checks[i] = {p.name,     p.allowed, p.fallback_text, p.least,    p.most,
                 p.fallback, p.type,    p.required,      p.nullable, p.internal};
  }
  return checks;
}
template <const auto& kParameters>
inline constexpr auto kChecks = ChecksOf(kParameters);

// The permitted values of an argument, in words: "an integer from 1 to 10,000".
std::string Allowed(const ParameterCheck& parameter);

// For calls that take a while.
inline constexpr Parameter kSignalParameter = {
    .name = "signal",
    .type = ParameterType::kSignal,
    .description = "Ends the call early: it rejects with `cancelled`."};

}  // namespace shardline
