#include "firestore/query_shape.h"

#include <algorithm>
#include <cassert>

namespace shardline {
void QueryShape::Add(const FieldPath& field, IndexMode mode) {
  if (field.IsDocumentName()) return;
  // A field may be there both as it is and by its elements.
  for (const Field& each : fields()) {
    const bool both_alike = (each.mode == IndexMode::kContains) == (mode == IndexMode::kContains);
    if (both_alike && *each.path == field) return;
  }
  assert(size_ < fields_.size());
  if (size_ < fields_.size()) fields_[size_++] = {&field, mode};
}

std::vector<IndexField> QueryShape::IndexFields() const {
  std::vector<IndexField> fields;
  for (const Field& field : this->fields()) fields.push_back({*field.path, field.mode});
  return fields;
}

bool QueryShape::NeedsComposite() const {
  if (order_size() != 1) return order_size() > 1;
  const bool is_descending = fields_[fixed_].mode == IndexMode::kDescending;
  return fixed_ > 0 || name_descending_ != is_descending;
}

bool QueryShape::IsFixed(const IndexField& field) const {
  // An equality takes a field of either direction.
  return std::any_of(
      fields_.begin(), fields_.begin() + static_cast<std::ptrdiff_t>(fixed_),
      [&](const Field& each) {
        return *each.path == field.path &&
               (each.mode == field.mode || (IsDirected(each.mode) && IsDirected(field.mode)));
      });
}

bool QueryShape::CanUse(const std::vector<IndexField>& index, bool name_descending) const {
  if (index.size() < order_size()) return false;
  // Without an order of its own, a query takes names as they come.
  const bool is_ordered = order_size() > 0 || name_descending_;
  if (is_ordered && name_descending != name_descending_) return false;
  const std::size_t before = index.size() - order_size();
  for (std::size_t i = 0; i < order_size(); ++i) {
    const IndexField& field = index[before + i];
    const Field& order = fields_[fixed_ + i];
    if (!(field.path == *order.path) || field.mode != order.mode) return false;
  }
  return std::all_of(index.begin(), index.begin() + static_cast<std::ptrdiff_t>(before),
                     [&](const IndexField& field) { return IsFixed(field); });
}

bool QueryShape::IsServedBy(const std::vector<IndexField>& index, bool name_descending) const {
  return index.size() == size_ && CanUse(index, name_descending);
}

}  // namespace shardline
