#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/arguments.h"
#include "firestore/query.h"

namespace shardline {

inline constexpr Parameter kFilterParameters[] = {
    {.name = "field",
     .type = ParameterType::kText,
     .description = "A field path with dots: price.currency."},
    {.name = "op",
     .type = ParameterType::kWord,
     .required = true,
     .allowed = kFilterOpWords,
     .description = "How the field compares with the value; or how other filters are joined."},
    {.name = "value",
     .type = ParameterType::kValue,
     .allowed = "a value",
     .description = "As it stands on the wire."},
    {.name = "filters",
     .type = ParameterType::kList,
     .description = "Of and() and or(): the filters that they join, each like this one."},
};

// The size of a filter in disjunctive normal form, in which `in` and array-contains-any are
// disjunctions as well. Numbers far beyond Firestore's limits may be too small.
struct FilterSize {
  std::size_t disjunctions = 1;
  std::size_t terms = 1;  // Conditions on one field, in all disjunctions together.
  // The most filters in any one disjunction; a list is one filter.
  std::size_t filters = 1;
  std::size_t array_filters = 0;
};

// The filters of a user's query, and the facts about them that the rest of the query depends on.
// Read() refuses filters that Firestore would refuse, or that would silently find nothing.
struct UserFilters {
  // All of them must hold. The filters of an outer and() are here one by one.
  std::vector<Filter> filters;
  // The fields of filters that sort: all operators except ==, in and the array operators. Sorted,
  // each once.
  std::vector<FieldPath> inequality_fields;
  // The size of each filter, and of all together.
  std::vector<FilterSize> sizes;
  FilterSize size = {.terms = 0, .filters = 0};
  bool has_not_in = false;

  // Reads a list of objects with kFilterParameters. Refuses filters on the shard field; null if
  // there is no shard field.
  Status Read(JsonScanner& scanner, const FieldPath* shard_field);

 private:
  // The filters of one and() or or(), and the size of each.
  struct Joined {
    FilterOp op;
    std::vector<Filter> filters;
    std::vector<FilterSize> sizes;
  };

  Status ReadOne(JsonScanner& scanner, const FieldPath* shard_field, Joined& into);
  Status ReadComposite(JsonScanner scanner, const FieldPath* shard_field, FilterOp op,
                       Joined& into);
  Status CheckTogether() const;

  bool has_disjunction_ = false;  // A list, or or().
  int negations_ = 0;
  int levels_ = 0;  // The levels of and() and or() around the current filter.
};

// Whether an encoded value is a string, which the SDKs take for a document's id in a filter on the
// document's name.
bool IsText(std::string_view wire);

// The filters of each disjunction of the normal form, a list counting as one filter.
using Conjunction = std::vector<const Filter*>;
std::vector<Conjunction> Disjunctions(const std::vector<Filter>& filters);

// Sorts, and drops duplicates. For a handful of paths.
void SortPaths(std::vector<FieldPath>& paths);

}  // namespace shardline
