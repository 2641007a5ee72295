#pragma once

#include <cstddef>
#include <optional>
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

// How large a filter is in disjunctive normal form, where `in` and array-contains-any are
// disjunctions as well. Numbers far beyond Firestore's limits may be too small.
struct FilterSize {
  std::size_t disjunctions = 1;
  std::size_t terms = 1;          // Conditions on one field, in all disjunctions together.
  std::size_t array_filters = 0;  // The most in any one disjunction.
};

// The filters of a user's query, with what the rest of the query follows from. None of them is one
// that Firestore would refuse, or that would silently find nothing.
struct UserFilters {
  // All of which must hold. Those of and() stand here by themselves.
  std::vector<Filter> filters;
  // Those of filters that sort: all but ==, in and the array operators. Sorted, each once.
  std::vector<FieldPath> inequality_fields;
  // Of all filters together, but that a wide list counts as one value.
  FilterSize size = {.terms = 0};
  // A list that is asked for piece by piece, as Firestore takes no more than 30 disjunctions: the
  // longest that must hold. Its place in `filters`, and its values, each once and sorted.
  std::optional<std::size_t> wide;
  EncodedValues wide_values;
  bool has_not_in = false;
  // Whether a document may have several values of the wide list, and so be found by several pieces.
  bool wide_overlaps = false;

  // Reads a list of objects with kFilterParameters. Refuses filters on the shard field, which is
  // null if there is none.
  Status Read(JsonScanner& scanner, const FieldPath* shard_field);

 private:
  // An in or array-contains-any list that must hold: the place of its filter, and itself on the
  // wire, as a slice of the arguments.
  struct List {
    std::size_t filter;
    std::string_view wire;
  };
  // Filters that are joined, and the size of each.
  struct Joined {
    FilterOp op;
    std::vector<Filter> filters;
    std::vector<FilterSize> sizes;
  };

  // `depth`: 0 for filters that must all hold.
  Status ReadOne(JsonScanner& scanner, const FieldPath* shard_field, int depth, Joined& into);
  Status ReadComposite(JsonScanner scanner, const FieldPath* shard_field, int depth, FilterOp op,
                       Joined& into);
  // Sets the size, and the wide list, if there must be one.
  void SetSize(std::vector<FilterSize> sizes);
  Status CheckTogether() const;

  std::vector<List> lists_;
  bool has_disjunction_ = false;  // A list, or or().
  int negations_ = 0;
  int levels_ = 0;  // Of and() and or() around what is being read.
};

// The filters of each disjunction of the normal form, a list counting as one filter.
using Conjunction = std::vector<const Filter*>;
std::vector<Conjunction> Disjunctions(const std::vector<Filter>& filters);

// Sorts, and drops what is there twice. For a handful of paths.
void SortPaths(std::vector<FieldPath>& paths);

}  // namespace shardline
