#pragma once

#include <cstddef>
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
  // Of the disjunctive normal form: the product of the lengths of in and array-contains-any lists.
  std::size_t disjunctions = 1;
  bool has_not_in = false;

  // Reads a list of objects with kFilterParameters. Refuses filters on the shard field.
  Status Read(JsonScanner& scanner, const FieldPath& shard_field);

 private:
  Status ReadOne(JsonScanner& scanner, const FieldPath& shard_field);
  Status CheckTogether() const;
};

// Sorts, and drops what is there twice. For a handful of paths.
void SortPaths(std::vector<FieldPath>& paths);

}  // namespace shardline
