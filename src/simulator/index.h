// A sorted index over the documents of a collection, in the order of a query.
#pragma once

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "firestore/field_path.h"
#include "firestore/value.h"

namespace shardline::simulator {

class Document;
struct Content;

struct OrderBy {
  FieldPath field;
  bool descending = false;
};

// The order of an index: first the fields that a query fixes to one value, then the query's order.
// The last order is always `__name__`.
struct IndexShape {
  std::vector<FieldPath> equal;
  std::vector<OrderBy> orders;

  std::string Key() const;
};

// The value of a field for sorting, or null. For `__name__` see ComparePaths.
const Value* SortValue(const Content& content, const FieldPath& field);

// The order of a query's results. Both documents must have all the fields.
int CompareInOrder(const std::vector<OrderBy>& orders, const Content& a, std::string_view a_path,
                   const Content& b, std::string_view b_path);

// A place between entries: just before or just after the entries that begin with these values.
struct IndexBound {
  // Values for `equal`, then for the first of `orders`. The value of `__name__` is a Reference with
  // a path inside the database.
  std::vector<Value> values;
  bool after = false;
};

class Index {
 public:
  class Less {
   public:
    using is_transparent = void;

    explicit Less(const IndexShape* shape) : shape_(shape) {}
    bool operator()(const Document* a, const Document* b) const;
    bool operator()(const Document* document, const IndexBound& bound) const;
    bool operator()(const IndexBound& bound, const Document* document) const;

   private:
    int Compare(const Document* document, const IndexBound& bound) const;

    const IndexShape* shape_;
  };
  using Entries = std::set<const Document*, Less>;

  explicit Index(IndexShape shape);

  // Documents that lack one of the fields get no entry. A document must not change while it has an
  // entry.
  void Build(const std::vector<const Document*>& documents);
  void Add(const Document* document);
  void Remove(const Document* document);

  // True if a change from one content to the other (null: no document) does not move the entry.
  bool SameEntry(const Content* before, const Content* after) const;

  const Entries& entries() const { return *entries_; }

 private:
  bool Holds(const Content* content) const;

  // On the heap, because the entries' order points to it.
  std::unique_ptr<const IndexShape> shape_;
  std::unique_ptr<Entries> entries_;
};

}  // namespace shardline::simulator
