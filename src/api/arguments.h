#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_scanner.h"
#include "base/result.h"

namespace shardline {

// Reads the JSON that JavaScript passes in, member by member, and checks the type of each. The
// first thing that is not as it should be latches an error that names the option; from then on
// there are no more members, and all values are empty, so callers ask ok() once, at the end.
//
//   arguments.Enter();
//   while (arguments.Next()) {
//     if (arguments.Is("shards")) shards = arguments.Integer(); else
//     arguments.RefuseUnknown("shards");
//   }
class Arguments {
 public:
  // `scanner` must outlive it, and stand in front of an object.
  explicit Arguments(JsonScanner& scanner) : scanner_(scanner) {}

  // Enters the object that comes next. Next() then goes through its members, and leaves it at its
  // end.
  void Enter();
  bool Next();
  bool Is(const char* option) const;

  // The value of this member, which must be read in one of these ways or entered.
  std::string Text();
  std::optional<std::string> TextOrNull();
  std::int64_t Integer();
  bool Boolean();
  bool IsText() { return scanner_.Peek() == JsonScanner::Kind::kString; }
  JsonScanner& scanner() { return scanner_; }

  // This member must be `what`: "an integer".
  void Refuse(const char* what);
  // The option of that name must be `what`.
  void Refuse(const char* option, const char* what);
  // There is no option of this name, only those that `known` lists: "layout, shards and delivery".
  void RefuseUnknown(const char* known);
  void Latch(Failure failure);

  bool ok() const { return !failure_ && scanner_.ok(); }
  // What is wrong; requires !ok().
  Failure TakeFailure();

 private:
  void RefuseOption(std::string_view option, const char* what);

  JsonScanner& scanner_;
  std::string_view option_;
  Failure failure_;
};

}  // namespace shardline
