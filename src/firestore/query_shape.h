#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "firestore/field_path.h"

namespace shardline {

// How an index holds a field.
enum class IndexMode : std::uint8_t {
  kAscending,
  kDescending,
  kContains,  // An entry for each element of an array.
  kVector,
  kOther,  // A mode that the library does not know.
};

// True for a mode that sorts.
constexpr bool IsDirected(IndexMode mode) {
  return mode == IndexMode::kAscending || mode == IndexMode::kDescending;
}

struct IndexField {
  FieldPath path;
  IndexMode mode = IndexMode::kAscending;

  bool operator==(const IndexField&) const = default;
};

// The index that a query needs: the fields that its filters fix to one value, in any order and
// direction, and behind them the order of its results. Firestore reads no index backwards: "To run
// the same queries but with a descending sort order, you need an additional index"
// (https://firebase.google.com/docs/firestore/query-data/index-overview). The document's name ends
// every order and every index, in the direction of the field before it unless the query or the
// index says otherwise.
//
// A query with alternatives (`in`, `or`) has a shape for each of them. Those of `in` are all alike.
class QueryShape {
 public:
  // Keeps the path's address: the path must live as long as the shape.
  struct Field {
    const FieldPath* path;
    IndexMode mode;
  };

  // Adds a field that is fixed to one value, or by its elements. Requires that there is no order
  // yet.
  void AddFixed(const FieldPath& field, IndexMode mode) {
    Add(field, mode);
    fixed_ = size_;
  }
  // Adds the next field of the order. A fixed field has none.
  void AddOrder(const FieldPath& field, bool descending) {
    Add(field, descending ? IndexMode::kDescending : IndexMode::kAscending);
    name_descending_ = descending;
  }

  // The fields of the one index that serves the query alone, each once.
  std::span<const Field> fields() const { return {fields_.data(), size_}; }
  std::vector<IndexField> IndexFields() const;
  // The number of fixed fields, which come first.
  std::size_t fixed_size() const { return fixed_; }
  // The direction of the document's name.
  bool name_descending() const { return name_descending_; }

  // False if the single-field indexes suffice, provided that Firestore keeps them.
  bool NeedsComposite() const;
  // True if an index of these fields (without `__name__`, which has this direction) can serve the
  // query, alone or merged with others: it ends in the query's order, and the query fixes all the
  // fields before that.
  bool CanUse(const std::vector<IndexField>& index, bool name_descending) const;
  // True if the index serves the query alone.
  bool IsServedBy(const std::vector<IndexField>& index, bool name_descending) const;

 private:
  void Add(const FieldPath& field, IndexMode mode);
  std::size_t order_size() const { return size_ - fixed_; }
  bool IsFixed(const IndexField& field) const;

  // Firestore takes 100 fields in an index, and 100 filters and orders in a query
  // (https://firebase.google.com/docs/firestore/quotas). A vector would be a larger download.
  std::array<Field, 128> fields_{};
  std::size_t size_ = 0;
  std::size_t fixed_ = 0;  // The number of fixed fields; the others are the order.
  bool name_descending_ = false;
};

// The direction that `__name__` has behind these fields of an index if the index names no direction
// (https://github.com/googleapis/googleapis/blob/master/google/firestore/admin/v1/index.proto).
inline bool UsualNameDescending(std::span<const IndexField> fields) {
  return !fields.empty() && fields.back().mode == IndexMode::kDescending;
}

}  // namespace shardline
