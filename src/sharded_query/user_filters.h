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
     .required = true,
     .description = "A field path with dots: price.currency."},
    {.name = "op",
     .type = ParameterType::kWord,
     .required = true,
     .allowed = kFilterOpWords,
     .description = "How the field compares with the value."},
    {.name = "value",
     .type = ParameterType::kValue,
     .required = true,
     .allowed = "a value",
     .description = "As it stands on the wire."},
};

// The filters of a user's query, with what the rest of the query follows from. None of them is one
// that Firestore would refuse, or that would silently find nothing.
struct UserFilters {
  std::vector<Filter> filters;
  // Those of filters that sort: all but ==, in and the array operators. Sorted, each once.
  std::vector<FieldPath> inequality_fields;
  // Of the disjunctive normal form: the product of the lengths of in and array-contains-any lists,
  // but for a wide one.
  std::size_t disjunctions = 1;
  // A list that is asked for piece by piece, as Firestore takes no more than 30 combinations of
  // values: the longest. Its place in `filters`, and its values on the wire, each once and sorted.
  std::optional<std::size_t> wide;
  std::vector<std::string> wide_values;
  bool has_not_in = false;
  // Whether a document may have several values of the wide list, and so be found by several pieces.
  bool wide_overlaps() const { return wide && filters[*wide].op == FilterOp::kArrayContainsAny; }

  // Reads a list of objects with kFilterParameters. Refuses filters on the shard field.
  Status Read(JsonScanner& scanner, const FieldPath& shard_field);

 private:
  // An in or array-contains-any list: the place of its filter, how many values it has, and itself
  // on the wire, as a slice of the arguments.
  struct List {
    std::size_t filter;
    std::size_t size;
    std::string_view wire;
  };
  std::vector<List> lists_;

  Status ReadOne(JsonScanner& scanner, const FieldPath& shard_field);
  // Finds the wide list, if there must be one.
  void SetWide();
  Status CheckTogether() const;
};

// Sorts, and drops what is there twice. For a handful of paths.
void SortPaths(std::vector<FieldPath>& paths);

}  // namespace shardline
