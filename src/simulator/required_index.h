// Query planning: finds the composite indexes that a query needs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "simulator/database.h"
#include "simulator/query.h"

namespace shardline::simulator {

// A refusal's message: between the two parts is the link, like in Firestore's message. Behind them
// is the entry of firestore.indexes.json, which Firestore's message lacks.
inline constexpr std::string_view kNeedsIndex =
    "The query requires an index. You can create it here: ";
inline constexpr std::string_view kNeededIndex = " The index: ";

// The missing indexes, each once: at most one for each alternative of the query. A single-field
// index belongs to `fieldOverrides`, and RewriteIndexes() puts it there. Empty if the declared
// composite indexes and the single-field indexes suffice.
//
// The rule (https://firebase.google.com/docs/firestore/query-data/index-overview): equalities alone
// are merged from single-field indexes. Together with an order they need indexes that end in that
// order and begin with the fields of equalities; several such indexes may be merged. The overrides
// decide the single-field indexes. Without an override there is no such index for queries on all
// collections of an id, and an exempted field has no index. `declared` may be null.
std::vector<CompositeIndex> MissingIndexes(const Query& query, const IndexFile* declared);

// The indexes that serve a query alone, each once, at most one for each alternative: "(exchange
// ASC, timestamp DESC, __name__ DESC)".
std::vector<std::string> IndexesUsed(const Query& query);

}  // namespace shardline::simulator
