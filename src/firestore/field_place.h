#pragma once

#include <cstddef>
#include <string_view>

#include "firestore/encoded_value.h"
#include "firestore/field_path.h"

namespace shardline {

// The place of a field in an object of values on the wire, whether the field is there or not.
class FieldPlace {
 public:
  // Follows the names of the path behind the first `depth` through `fields`. `field` and `fields`
  // must outlive the place; `fields` must be a slice of a PaddedText that passes CheckFields().
  static FieldPlace Find(std::string_view fields, const FieldPath& field, std::size_t depth = 0);

  bool is_found() const { return !value_.empty() && !map_.empty(); }
  // Whether the place is empty. False if a value on the way is not a map.
  bool is_free() const { return value_.empty(); }
  // The field's value, as a slice of the fields. Requires is_found().
  std::string_view value() const;
  // The fields with the value inserted, which may make them too large or too deep. Requires
  // is_free().
  EncodedFields Insert(const EncodedValue& value) const;

 private:
  FieldPlace(std::string_view fields, const FieldPath& field) : fields_(fields), field_(field) {}

  std::string_view fields_;
  const FieldPath& field_;
  std::string_view value_;  // Empty if there is none.
  std::string_view map_;    // The innermost map on the way; empty if something else is in the way.
  std::size_t depth_ = 0;   // The number of the path's name that belongs in that map.
};

// The fields of a map, as a slice of the value; empty if the value is not a map, and if the map is
// empty. Requires a slice of a PaddedText that passes CheckValue().
std::string_view MapFields(std::string_view value);

}  // namespace shardline
