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

// The arguments of a call, a JSON object, checked against the call's table. Unknown names are
// refused with the list of known ones; every other error names the argument, says what is allowed,
// and what came.
//
//   Arguments arguments(scanner, kChecks<kTotalParameters>);
//   const bool shards = arguments.Word("source") == 1;
//   if (!arguments.ok()) return arguments.TakeFailure();
//
// The first error stays; all that is read after it may be empty, so callers read everything and ask
// ok() once, at the end. The table must have each argument that is read by name.
class Arguments {
 public:
  // Reads the object that `scanner` stands in front of, and goes past it. The text must outlive
  // this. `inside` stands in front of names in errors: "layout.".
  Arguments(JsonScanner& scanner, std::span<const ParameterCheck> parameters,
            const char* inside = "");
  // The same for an object that stands in another one, as a slice of its text.
  Arguments(std::string_view object, std::span<const ParameterCheck> parameters,
            const char* inside = "");

  // Whether it was given; null counts.
  bool Has(std::string_view name) const { return !Raw(name).empty(); }
  bool IsNull(std::string_view name) const { return Raw(name) == "null"; }
  // As it stands in the JSON; empty if it was left out.
  std::string_view Raw(std::string_view name) const;
  // In front of the value, or of an empty text.
  JsonScanner Scanner(std::string_view name) const { return JsonScanner::Within(Raw(name)); }

  // An argument that was left out has the default of its table, or is empty. Null counts as left
  // out.
  std::string Text(std::string_view name);
  // nullopt if it was left out or is null.
  std::optional<std::string> OptionalText(std::string_view name);
  std::int64_t Integer(std::string_view name) const;
  double Number(std::string_view name) const;
  bool Boolean(std::string_view name) const { return Raw(name) == "true"; }
  // Which of the words it is, from 0 on.
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
