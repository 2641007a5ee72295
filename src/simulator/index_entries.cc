#include "simulator/index_entries.h"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "simulator/fields.h"

namespace shardline::simulator {
namespace {

std::int64_t EntriesOf(const Value& value, std::span<const SingleIndex> indexes) {
  const Array* const array = value.As<Array>();
  // The elements of an array, or the value.
  return std::count_if(indexes.begin(), indexes.end(),
                       [&](const SingleIndex& index) {
                         return (index.mode == IndexMode::kContains) == (array != nullptr);
                       }) *
         (array ? std::ssize(array->elements) : 1);
}

class SingleFields {
 public:
  SingleFields(std::string_view collection_group, const IndexFile* indexes)
      : collection_group_(collection_group), indexes_(indexes) {}

  // NOLINTNEXTLINE(misc-no-recursion): values are at most 20 levels deep.
  std::int64_t Count(const Map& map) {
    std::int64_t entries = 0;
    for (const Field& field : map.fields) {
      names_.push_back(field.name);
      if (const Map* const inner = field.value.As<Map>()) {
        entries += Count(*inner);
      } else {
        entries +=
            EntriesOf(field.value, indexes_ ? indexes_->SingleIndexes(collection_group_, names_)
                                            : std::span<const SingleIndex>(kAutomaticIndexes));
      }
      names_.pop_back();
    }
    return entries;
  }

 private:
  std::string_view collection_group_;
  const IndexFile* indexes_;
  std::vector<std::string> names_;
};

// One for each element of the array that it may have, if the document has all of its fields.
std::int64_t EntriesIn(const CompositeIndex& index, const Map& document) {
  std::int64_t entries = 1;
  for (const IndexField& field : index.fields) {
    const Value* const value = FindField(document, field.path);
    if (!value) return 0;
    if (field.mode != IndexMode::kContains) continue;
    const Array* const array = value->As<Array>();
    entries *= array ? std::ssize(array->elements) : 0;
  }
  return entries;
}

}  // namespace

std::int64_t CountIndexEntries(std::string_view collection_group, const Map& document,
                               const IndexFile* indexes) {
  std::int64_t entries = SingleFields(collection_group, indexes).Count(document);
  if (!indexes) return entries;
  for (const CompositeIndex& index : indexes->composites()) {
    if (index.collection_group == collection_group) entries += EntriesIn(index, document);
  }
  return entries;
}

}  // namespace shardline::simulator
