#include "firestore/value.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "base/number.h"

namespace shardline {
namespace {

using std::weak_ordering;

// Indexed by the variant's alternative: integers and doubles share a rank.
constexpr std::uint8_t kRank[] = {0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10};

weak_ordering Reverse(weak_ordering order) { return 0 <=> order; }

weak_ordering CompareBytes(std::string_view a, std::string_view b) {
  // char_traits<char> compares as unsigned char.
  return a.compare(b) <=> 0;
}

weak_ordering CompareNumeric(const Value& a, const Value& b) {
  const std::int64_t* a_integer = a.As<std::int64_t>();
  const std::int64_t* b_integer = b.As<std::int64_t>();
  if (a_integer && b_integer) return *a_integer <=> *b_integer;
  if (a_integer) return CompareNumbers(*a_integer, *b.As<double>());
  if (b_integer) return Reverse(CompareNumbers(*b_integer, *a.As<double>()));
  return CompareDoubles(*a.As<double>(), *b.As<double>());
}

template <class T, class Compare>
weak_ordering CompareLists(const std::vector<T>& a, const std::vector<T>& b, Compare compare) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i) {
    const weak_ordering order = compare(a[i], b[i]);
    if (order != 0) return order;
  }
  return a.size() <=> b.size();
}

weak_ordering CompareFields(const Field& a, const Field& b) {
  const weak_ordering order = CompareBytes(a.name, b.name);
  return order != 0 ? order : CompareValues(a.value, b.value);
}

// The number in an id of the form `__id<number>__`.
std::optional<std::int64_t> NumericId(std::string_view id) {
  if (id.size() < 7 || id.substr(0, 4) != "__id" || id.substr(id.size() - 2) != "__") {
    return std::nullopt;
  }
  return ParseInt64(id.substr(4, id.size() - 6));
}

weak_ordering CompareSegments(std::string_view a, std::string_view b) {
  const std::optional<std::int64_t> a_number = NumericId(a);
  const std::optional<std::int64_t> b_number = NumericId(b);
  if (a_number && b_number) return *a_number <=> *b_number;
  if (a_number || b_number) return a_number ? weak_ordering::less : weak_ordering::greater;
  return CompareBytes(a, b);
}

std::string_view TakeSegment(std::string_view& name) {
  const std::size_t slash = name.find('/');
  const std::string_view segment = name.substr(0, slash);
  name.remove_prefix(slash == std::string_view::npos ? name.size() : slash + 1);
  return segment;
}

}  // namespace

weak_ordering CompareDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(b) <=> std::isnan(a);
  if (a < b) return weak_ordering::less;
  return a > b ? weak_ordering::greater : weak_ordering::equivalent;
}

weak_ordering CompareNumbers(std::int64_t a, double b) {
  constexpr double kTwoTo63 = 0x1.0p63;
  if (std::isnan(b) || b < -kTwoTo63) return weak_ordering::greater;
  if (b >= kTwoTo63) return weak_ordering::less;
  // Now b's whole part is an int64, exactly; its fraction only breaks ties.
  const auto whole = static_cast<std::int64_t>(b);
  if (a != whole) return a <=> whole;
  return CompareDoubles(0, b - static_cast<double>(whole));
}

weak_ordering CompareNames(std::string_view a, std::string_view b) {
  while (!a.empty() && !b.empty()) {
    const weak_ordering order = CompareSegments(TakeSegment(a), TakeSegment(b));
    if (order != 0) return order;
  }
  return b.empty() <=> a.empty();
}

weak_ordering CompareValues(const Value& a, const Value& b) {
  const std::uint8_t rank = kRank[a.data.index()];
  if (rank != kRank[b.data.index()]) return rank <=> kRank[b.data.index()];
  switch (rank) {
    case 0:
      return weak_ordering::equivalent;
    case 1:
      return *a.As<bool>() <=> *b.As<bool>();
    case 2:
      return CompareNumeric(a, b);
    case 3:
      return *a.As<Timestamp>() <=> *b.As<Timestamp>();
    case 4:
      return CompareBytes(*a.As<std::string>(), *b.As<std::string>());
    case 5:
      return CompareBytes(a.As<Bytes>()->data, b.As<Bytes>()->data);
    case 6:
      return CompareNames(a.As<Reference>()->name, b.As<Reference>()->name);
    case 7: {
      const GeoPoint& x = *a.As<GeoPoint>();
      const GeoPoint& y = *b.As<GeoPoint>();
      const weak_ordering order = CompareDoubles(x.latitude, y.latitude);
      return order != 0 ? order : CompareDoubles(x.longitude, y.longitude);
    }
    case 8:
      return CompareLists(a.As<Array>()->elements, b.As<Array>()->elements, CompareValues);
    case 9: {
      // Vectors sort by dimension first.
      const std::vector<double>& x = a.As<Vector>()->elements;
      const std::vector<double>& y = b.As<Vector>()->elements;
      if (x.size() != y.size()) return x.size() <=> y.size();
      return CompareLists(x, y, CompareDoubles);
    }
    default:
      return CompareLists(a.As<Map>()->fields, b.As<Map>()->fields, CompareFields);
  }
}

const Value* Map::Find(std::string_view name) const {
  const auto at = std::lower_bound(fields.begin(), fields.end(), name,
                                   [](const Field& f, std::string_view n) { return f.name < n; });
  return at != fields.end() && at->name == name ? &at->value : nullptr;
}

void Map::Set(std::string name, Value value) {
  const auto at = std::lower_bound(fields.begin(), fields.end(), name,
                                   [](const Field& f, const std::string& n) { return f.name < n; });
  if (at != fields.end() && at->name == name) {
    at->value = std::move(value);
  } else {
    fields.insert(at, Field{std::move(name), std::move(value)});
  }
}

}  // namespace shardline
