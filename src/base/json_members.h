#pragma once

#include <string_view>

#include "base/json_scanner.h"

namespace shardline {

// Iterates over the members of an object, and skips a value that the caller has not read.
//
//   JsonMembers members(scanner);
//   while (members.Next()) {
//     if (members.Is("name")) name = scanner.String();
//   }
//
// Errors latch in the scanner, and then there are no more members.
class JsonMembers {
 public:
  // Enters the object that comes next in the scanner. Next() leaves the object when it returns
  // false. The scanner must outlive this.
  explicit JsonMembers(JsonScanner& scanner);

  bool Next();
  // Whether this is the name of the member, its escapes resolved: to any reader of JSON, "\u0061"
  // is the same name as "a".
  bool Is(std::string_view name) const;
  std::string_view raw_key() const { return raw_key_; }

 private:
  JsonScanner& scanner_;
  std::string_view raw_key_;
  bool has_escapes_ = false;
  const char* value_ = nullptr;  // Where the member's value begins.
};

}  // namespace shardline
