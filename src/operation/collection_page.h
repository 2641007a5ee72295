// Keyset pagination: reads a collection page by page, in the order of its documents' names.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "operation/executor.h"

namespace shardline {

// A page of a listing must hold at most `limit` documents of one collection, in the order of their
// names, behind `after` and before `before` (empty for no bound). A page that holds anything else
// is the server's fault. Without the check, a page that comes again would make an endless loop.
struct PageBounds {
  std::string_view collection;  // The full name.
  std::string_view after;
  std::string_view before;
  std::size_t limit;

  // Checks the next document, and puts its name into `after`.
  Status Take(std::string_view name);
};

// The request for a page: the first `limit` documents of a collection, in the order of their names.
struct PageQuery {
  const CollectionPath& collection;
  // The one field to read; null for all fields.
  const FieldPath* field = nullptr;
  int limit;
  // Only the documents behind and before these full names; empty for no bound.
  std::string_view after = {};
  std::string_view before = {};
  // Empty, or in the server's spelling.
  std::string_view read_time = {};
};
Call ReadPage(const DatabaseName& database, const PageQuery& page);

}  // namespace shardline
