// `findNearest`: like Google's emulator, it compares every vector (an exact search).

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "simulator/fields.h"
#include "simulator/query_runner.h"

namespace shardline::simulator {
namespace {

double DotProduct(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double Distance(Nearest::Measure measure, const std::vector<double>& a,
                const std::vector<double>& b) {
  if (measure == Nearest::Measure::kDotProduct) return DotProduct(a, b);
  if (measure == Nearest::Measure::kCosine) {
    return 1 - DotProduct(a, b) / (std::sqrt(DotProduct(a, a)) * std::sqrt(DotProduct(b, b)));
  }
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

// NaN is the largest of numbers.
bool IsLess(double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); }

// The vector of a document that can be compared, or null.
const Vector* VectorOf(const Nearest& nearest, const Content& content) {
  const Value* value =
      nearest.field.IsDocumentName() ? nullptr : FindField(content.fields, nearest.field);
  const Vector* vector = value ? value->As<Vector>() : nullptr;
  return vector && vector->elements.size() == nearest.to.elements.size() ? vector : nullptr;
}

ContentPtr WithDistance(const Content& content, const std::string& field, double distance) {
  Content with = content;
  with.fields.Set(field, Value{distance + 0.0});
  return std::make_shared<const Content>(std::move(with));
}

}  // namespace

void KeepNearest(const Nearest& nearest, QueryRows& found) {
  const bool largest_first = nearest.measure == Nearest::Measure::kDotProduct;
  std::vector<std::pair<double, Row>> near;
  for (Row& row : found.rows) {
    const Vector* vector = VectorOf(nearest, *row.content);
    if (!vector) continue;
    ++found.vectors;
    const double distance = Distance(nearest.measure, nearest.to.elements, vector->elements);
    const double threshold = nearest.threshold.value_or(distance);
    const bool within = largest_first ? distance >= threshold : distance <= threshold;
    if (within || !nearest.threshold) near.emplace_back(distance, std::move(row));
  }
  std::stable_sort(near.begin(), near.end(), [&](const auto& a, const auto& b) {
    return largest_first ? IsLess(b.first, a.first) : IsLess(a.first, b.first);
  });
  near.resize(std::min(near.size(), static_cast<std::size_t>(nearest.limit)), {0, Row{}});
  found.rows.clear();
  for (auto& [distance, row] : near) {
    if (!nearest.result_field.empty()) {
      row.content = WithDistance(*row.content, nearest.result_field, distance);
    }
    found.rows.push_back(std::move(row));
  }
}

}  // namespace shardline::simulator
