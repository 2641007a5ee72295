#include "base/json_members.h"

namespace shardline {

JsonMembers::JsonMembers(JsonScanner& scanner) : scanner_(scanner) { scanner.BeginObject(); }

bool JsonMembers::Next() {
  if (scanner_.position() == value_) scanner_.SkipValue();
  if (!scanner_.NextKey(raw_key_)) return false;
  has_escapes_ = scanner_.has_escapes();
  scanner_.Peek();  // Past white space.
  value_ = scanner_.position();
  return true;
}

bool JsonMembers::Is(std::string_view name) const {
  return has_escapes_ ? RawEquals(raw_key_, name) : raw_key_ == name;
}

}  // namespace shardline
