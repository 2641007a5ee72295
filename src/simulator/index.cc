#include "simulator/index.h"

#include <algorithm>
#include <utility>

#include "simulator/fields.h"
#include "simulator/store.h"
#include "simulator/wire.h"

namespace shardline::simulator {
namespace {

int Sign(std::weak_ordering order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); }

}  // namespace

std::string IndexShape::Key() const {
  std::string key;
  for (const FieldPath& field : equal) key += field.text() + '=';
  for (const OrderBy& order : orders) key += order.field.text() + (order.descending ? '>' : '<');
  return key;
}

const Value* SortValue(const Content& content, const FieldPath& field) {
  return FindField(content.fields, field);
}

int CompareInOrder(const std::vector<OrderBy>& orders, const Content& a, std::string_view a_path,
                   const Content& b, std::string_view b_path) {
  for (const OrderBy& order : orders) {
    const int compared =
        order.field.IsDocumentName()
            ? Sign(CompareNames(a_path, b_path))
            : Sign(CompareValues(*SortValue(a, order.field), *SortValue(b, order.field)));
    if (compared != 0) return order.descending ? -compared : compared;
  }
  return 0;
}

bool Index::Less::operator()(const Document* a, const Document* b) const {
  const Content& x = *a->current();
  const Content& y = *b->current();
  for (const FieldPath& field : shape_->equal) {
    const int compared = Sign(CompareValues(*SortValue(x, field), *SortValue(y, field)));
    if (compared != 0) return compared < 0;
  }
  return CompareInOrder(shape_->orders, x, a->path(), y, b->path()) < 0;
}

int Index::Less::Compare(const Document* document, const IndexBound& bound) const {
  const Content& content = *document->current();
  const std::size_t equal = shape_->equal.size();
  for (std::size_t i = 0; i < bound.values.size(); ++i) {
    int compared = 0;
    if (i < equal) {
      compared = Sign(CompareValues(*SortValue(content, shape_->equal[i]), bound.values[i]));
    } else {
      const OrderBy& order = shape_->orders[i - equal];
      compared = order.field.IsDocumentName()
                     ? Sign(CompareNames(document->path(), bound.values[i].As<Reference>()->name))
                     : Sign(CompareValues(*SortValue(content, order.field), bound.values[i]));
      if (order.descending) compared = -compared;
    }
    if (compared != 0) return compared;
  }
  return bound.after ? -1 : 1;
}

bool Index::Less::operator()(const Document* document, const IndexBound& bound) const {
  return Compare(document, bound) < 0;
}

bool Index::Less::operator()(const IndexBound& bound, const Document* document) const {
  return Compare(document, bound) > 0;
}

Index::Index(IndexShape shape)
    : shape_(std::make_unique<const IndexShape>(std::move(shape))),
      entries_(std::make_unique<Entries>(Less(shape_.get()))) {}

bool Index::Holds(const Content* content) const {
  if (!content) return false;
  for (const FieldPath& field : shape_->equal) {
    if (!SortValue(*content, field)) return false;
  }
  for (const OrderBy& order : shape_->orders) {
    if (!order.field.IsDocumentName() && !SortValue(*content, order.field)) return false;
  }
  return true;
}

void Index::Build(const std::vector<const Document*>& documents) {
  // Looking up the fields once, instead of for every comparison.
  struct Keyed {
    const Document* document;
    std::vector<const Value*> values;
  };
  std::vector<Keyed> entries;
  for (const Document* document : documents) {
    const Content* content = document->current().get();
    if (!Holds(content)) continue;
    Keyed keyed{document, {}};
    for (const FieldPath& field : shape_->equal) keyed.values.push_back(SortValue(*content, field));
    for (const OrderBy& order : shape_->orders) {
      if (!order.field.IsDocumentName()) keyed.values.push_back(SortValue(*content, order.field));
    }
    entries.push_back(std::move(keyed));
  }
  const std::size_t equal = shape_->equal.size();
  std::sort(entries.begin(), entries.end(), [&](const Keyed& a, const Keyed& b) {
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      const int compared = Sign(CompareValues(*a.values[i], *b.values[i]));
      if (compared == 0) continue;
      return i >= equal && shape_->orders[i - equal].descending ? compared > 0 : compared < 0;
    }
    const int compared = Sign(CompareNames(a.document->path(), b.document->path()));
    return shape_->orders.back().descending ? compared > 0 : compared < 0;
  });
  for (const Keyed& keyed : entries) entries_->insert(entries_->end(), keyed.document);
}

void Index::Add(const Document* document) {
  if (Holds(document->current().get())) entries_->insert(document);
}

void Index::Remove(const Document* document) {
  if (Holds(document->current().get())) entries_->erase(document);
}

bool Index::SameEntry(const Content* before, const Content* after) const {
  const bool held = Holds(before);
  if (held != Holds(after)) return false;
  if (!held) return true;
  const auto same = [&](const FieldPath& field) {
    return CompareValues(*SortValue(*before, field), *SortValue(*after, field)) == 0;
  };
  for (const FieldPath& field : shape_->equal) {
    if (!same(field)) return false;
  }
  for (const OrderBy& order : shape_->orders) {
    if (!order.field.IsDocumentName() && !same(order.field)) return false;
  }
  return true;
}

}  // namespace shardline::simulator
