// Goes through a collection page by page, in the order of its documents' names.
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
// is the server's fault; were it taken, a page that comes again would have no end.
struct PageBounds {
  std::string_view collection;  // The full name.
  std::string_view after;
  std::string_view before;
  std::size_t limit;

  // Checks the next document, of which the name goes into `after`.
  Status Take(std::string_view name);
};

// The request for a page: the first `limit` documents of a collection, in the order of their names.
struct PageQuery {
  const CollectionPath& collection;
  // The field that is read of them; null for all.
  const FieldPath* field = nullptr;
  int limit;
  // Only the documents behind and before these full names; empty for no bound.
  std::string_view after = {};
  std::string_view before = {};
  // Empty or as the server wrote it.
  std::string_view read_time = {};
};
Call ReadPage(const DatabaseName& database, const PageQuery& page);

}  // namespace shardline
