// Which composite indexes a query needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulator/database.h"
#include "simulator/query.h"

namespace shardline::simulator {

// A refusal's message: between the two stands the link that Firestore has, behind them the entry of
// firestore.indexes.json, which Firestore does not tell.
inline constexpr std::string_view kNeedsIndex =
    "The query requires an index. You can create it here: ";
inline constexpr std::string_view kNeededIndex = " The index: ";

// The indexes that are missing, each once: at most one for each alternative of the query. One of a
// single field belongs to `fieldOverrides`, where RewriteIndexes() puts it. Empty if the composite
// indexes that are declared, and those that Firestore keeps of single fields, do.
//
// The rule (https://firebase.google.com/docs/firestore/query-data/index-overview): equalities alone
// are merged from single-field indexes. Together with an order they need indexes that end in that
// order and begin with the fields of equalities; several such indexes may be merged. Which
// indexes Firestore keeps of a single field, the overrides say: by itself none for the queries on
// all collections of an id, and none of a field that is exempted. `declared` may be null.
std::vector<CompositeIndex> MissingIndexes(const Query& query, const IndexFile* declared);

// The indexes that serve a query alone, each once, one for each alternative at the most:
// "(exchange ASC, timestamp DESC, __name__ DESC)".
std::vector<std::string> IndexesUsed(const Query& query);

}  // namespace shardline::simulator
