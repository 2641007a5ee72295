// Which composite index a query needs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "simulator/database.h"
#include "simulator/query.h"

namespace shardline::simulator {

// Describes the index that is missing, as firestore.indexes.json would declare it; nullopt if the
// indexes that are declared, and the automatic ones of single fields, do.
//
// The rule (https://firebase.google.com/docs/firestore/query-data/index-overview): equalities alone
// are merged from single-field indexes. Together with an order they need indexes that end in that
// order and begin with the fields of equalities; several such indexes may be merged.
std::optional<std::string> MissingIndex(const Query& query,
                                        const std::vector<CompositeIndex>& declared);

}  // namespace shardline::simulator
