#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json_scanner.h"
#include "base/parameter.h"
#include "base/result.h"

namespace shardline {

// The arguments of a call, a JSON object, checked against the call's table. It refuses an unknown
// name with the list of known ones. Every other error names the argument, the allowed values, and
// the value that came.
//
//   Arguments arguments(scanner, kChecks<kTotalParameters>);
//   const bool shards = arguments.Word("source") == 1;
//   if (!arguments.ok()) return arguments.TakeFailure();
//
// The first error stays, and every later read may be empty. A caller therefore reads everything and
// asks ok() once, at the end. The table must have each argument that a caller reads by name.
class Arguments {
 public:
  // Reads the object that comes next in `scanner`, and moves the scanner past it. The text must
  // outlive this. Errors put `inside` in front of names: "layout.".
  Arguments(JsonScanner& scanner, std::span<const ParameterCheck> parameters,
            const char* inside = "");
  // The same for an object inside another one, as a slice of its text.
  Arguments(std::string_view object, std::span<const ParameterCheck> parameters,
            const char* inside = "");

  // Whether the caller gave the argument; null counts as given.
  bool Has(std::string_view name) const { return !Raw(name).empty(); }
  bool IsNull(std::string_view name) const { return Raw(name) == "null"; }
  // The argument's JSON text; empty if it was left out.
  std::string_view Raw(std::string_view name) const;
  // A scanner in front of the value, or of an empty text.
  JsonScanner Scanner(std::string_view name) const { return JsonScanner::Within(Raw(name)); }

  // An argument that was left out has the default of its table, or is empty. Null counts as left
  // out.
  std::string Text(std::string_view name);
  // Returns nullopt if the argument was left out or is null.
  std::optional<std::string> OptionalText(std::string_view name);
  std::int64_t Integer(std::string_view name) const;
  double Number(std::string_view name) const;
  bool Boolean(std::string_view name) const { return Raw(name) == "true"; }
  // The index of the word among the allowed ones, from 0.
  std::size_t Word(std::string_view name) const;

  // "`shards` must be an integer from 1 to 10,000; got 0."
  void Refuse(std::string_view name);
  // Refuses an argument that conflicts with others: "`to` must be <what>."
  void Refuse(std::string_view name, const char* what);
  void Latch(Failure failure);

  bool ok() const { return !failure_; }
  // The first error; requires !ok().
  Failure TakeFailure();

 private:
  static constexpr std::size_t kMostParameters = 21;

  void Read(JsonScanner& scanner);
  std::size_t Find(std::string_view name) const;
  bool IsAllowed(const ParameterCheck& parameter, JsonScanner::Kind kind,
                 std::string_view value) const;
  void RefuseUnknown(std::string_view name);
  std::string FullName(std::string_view name) const;

  std::span<const ParameterCheck> parameters_;
  const char* inside_;
  std::array<std::string_view, kMostParameters> values_;
  Failure failure_;
};

}  // namespace shardline
