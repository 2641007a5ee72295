#include "base/json_members.h"

namespace shardline {

JsonMembers::JsonMembers(JsonScanner& scanner) : scanner_(scanner) { scanner.BeginObject(); }

bool JsonMembers::Next() {
  if (scanner_.position() == value_) scanner_.SkipValue();
  if (!scanner_.NextKey(raw_key_)) return false;
  scanner_.Peek();  // Past white space.
  value_ = scanner_.position();
  return true;
}

bool JsonMembers::Is(const char* name) const { return raw_key_ == name; }

}  // namespace shardline
