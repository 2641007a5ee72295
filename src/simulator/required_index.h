// Which composite index a query needs.
#pragma once

#include <optional>
#include <string>

#include "simulator/database.h"
#include "simulator/query.h"

namespace shardline::simulator {

// Describes the index that is missing, as firestore.indexes.json would declare it; nullopt if the
// composite indexes that are declared, and those that Firestore keeps of single fields, do.
//
// The rule (https://firebase.google.com/docs/firestore/query-data/index-overview): equalities alone
// are merged from single-field indexes. Together with an order they need indexes that end in that
// order and begin with the fields of equalities; several such indexes may be merged. Of a field
// that is exempted from indexing Firestore keeps no index. `declared` may be null.
std::optional<std::string> MissingIndex(const Query& query, const IndexFile* declared);

}  // namespace shardline::simulator
