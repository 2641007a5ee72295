// Fields of documents by their paths.
#pragma once

#include <cmath>
#include <vector>

#include "firestore/field_path.h"
#include "firestore/value.h"

namespace shardline::simulator {

inline bool IsNan(const Value& value) {
  const double* number = value.As<double>();
  return number && std::isnan(*number);
}

// True if both are the same down to the type of number, so that a write changes nothing.
bool Identical(const Value& a, const Value& b);
bool Identical(const Map& a, const Map& b);

// The value at a path, or null. Not for `__name__`.
const Value* FindField(const Map& fields, const FieldPath& path);
// Puts a value at a path. A value on the way that is not a map becomes one.
void SetField(Map& fields, const FieldPath& path, Value value);
void RemoveField(Map& fields, const FieldPath& path);
// The fields that the paths select, without maps that have no selected field.
Map Project(const Map& fields, const std::vector<FieldPath>& mask);

}  // namespace shardline::simulator
