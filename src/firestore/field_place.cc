#include "firestore/field_place.h"

#include <cassert>
#include <string>
#include <utility>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "firestore/value_codec.h"

namespace shardline {

std::string_view MapFields(std::string_view value) {
  JsonScanner scanner = JsonScanner::Within(value);
  std::string_view key;
  if (!scanner.BeginObject() || !scanner.NextKey(key) || WireKindOf(key) != WireKind::kMap ||
      !scanner.BeginObject() || !scanner.NextKey(key)) {
    return {};
  }
  return scanner.SkipValue();
}

FieldPlace FieldPlace::Find(std::string_view fields, const FieldPath& field, std::size_t depth) {
  const std::vector<std::string>& names = field.segments();
  assert(depth < names.size());
  FieldPlace place(fields, field);
  place.map_ = fields;
  for (place.depth_ = depth;; ++place.depth_) {
    place.value_ = {};
    JsonScanner scanner = JsonScanner::Within(place.map_);
    std::string_view key;
    scanner.BeginObject();
    while (place.value_.empty() && scanner.NextKey(key)) {
      const std::string_view here = scanner.SkipValue();
      if (RawEquals(key, names[place.depth_])) place.value_ = here;
    }
    if (place.value_.empty() || place.depth_ + 1 == names.size()) return place;
    place.map_ = MapFields(place.value_);
    if (place.map_.empty()) return place;
  }
}

std::string_view FieldPlace::value() const {
  assert(is_found());
  return value_;
}

EncodedFields FieldPlace::Insert(const EncodedValue& value) const {
  assert(is_free());
  const std::vector<std::string>& names = field_.segments();
  JsonWriter member;
  member.Key(names[depth_]);
  for (std::size_t i = depth_ + 1; i < names.size(); ++i) {
    member.BeginObject().Key("mapValue").BeginObject().Key("fields").BeginObject().Key(names[i]);
  }
  member.Raw(value.json());
  for (std::size_t i = depth_ + 1; i < names.size(); ++i) {
    member.EndObject().EndObject().EndObject();
  }
  JsonScanner scanner = JsonScanner::Within(map_);
  std::string_view key;
  const bool has_others = scanner.BeginObject() && scanner.NextKey(key);
  const auto at = static_cast<std::size_t>(map_.data() + 1 - fields_.data());
  std::string text(fields_);
  text.insert(at, member.text() + (has_others ? "," : ""));
  return EncodedFields(std::move(text));
}

}  // namespace shardline
