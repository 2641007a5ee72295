#include "simulator/fields.h"

#include <cmath>

namespace shardline::simulator {
namespace {

bool IdenticalNumbers(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

const Value* FindAt(const Map& fields, const std::vector<std::string>& names, std::size_t at) {
  const Value* value = fields.Find(names[at]);
  if (!value || at + 1 == names.size()) return value;
  const Map* map = value->As<Map>();
  return map ? FindAt(*map, names, at + 1) : nullptr;
}

Map* MapIn(Map& fields, const std::string& name) {
  return const_cast<Map*>(fields.Find(name) ? fields.Find(name)->As<Map>() : nullptr);
}

}  // namespace

bool Identical(const Value& a, const Value& b) {
  if (a.data.index() != b.data.index()) return false;
  if (const auto* map = a.As<Map>()) return Identical(*map, *b.As<Map>());
  if (const auto* number = a.As<double>()) return IdenticalNumbers(*number, *b.As<double>());
  if (const auto* array = a.As<Array>()) {
    const std::vector<Value>& other = b.As<Array>()->elements;
    if (array->elements.size() != other.size()) return false;
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!Identical(array->elements[i], other[i])) return false;
    }
    return true;
  }
  return CompareValues(a, b) == 0;
}

bool Identical(const Map& a, const Map& b) {
  if (a.fields.size() != b.fields.size()) return false;
  for (std::size_t i = 0; i < a.fields.size(); ++i) {
    if (a.fields[i].name != b.fields[i].name) return false;
    if (!Identical(a.fields[i].value, b.fields[i].value)) return false;
  }
  return true;
}

const Value* FindField(const Map& fields, const FieldPath& path) {
  return FindAt(fields, path.segments(), 0);
}

void SetField(Map& fields, const FieldPath& path, Value value) {
  const std::vector<std::string>& names = path.segments();
  Map* map = &fields;
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    if (!MapIn(*map, names[i])) map->Set(names[i], Value{Map{}});
    map = MapIn(*map, names[i]);
  }
  map->Set(names.back(), std::move(value));
}

void RemoveField(Map& fields, const FieldPath& path) {
  const std::vector<std::string>& names = path.segments();
  Map* map = &fields;
  for (std::size_t i = 0; i + 1 < names.size(); ++i) {
    map = MapIn(*map, names[i]);
    if (!map) return;
  }
  for (auto at = map->fields.begin(); at != map->fields.end(); ++at) {
    if (at->name != names.back()) continue;
    map->fields.erase(at);
    return;
  }
}

Map Project(const Map& fields, const std::vector<FieldPath>& mask) {
  Map selected;
  for (const FieldPath& path : mask) {
    if (path.IsDocumentName()) continue;
    if (const Value* value = FindField(fields, path)) SetField(selected, path, *value);
  }
  return selected;
}

}  // namespace shardline::simulator
