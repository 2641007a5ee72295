#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "indexes/rewrite.h"

namespace shardline {

// Writes the entries of firestore.indexes.json for the fields that distributed counters write
// (https://firebase.google.com/docs/reference/firestore/indexes). Firestore indexes every field
// without an exemption, and each index makes writes slower. The options, as JSON:
//
//   layout  The layout of the counters. Default "web-sample".
//   path    As for MakeCounterRules(); required with total "shards" if it is the collection of the
//           shards. Ids in braces match any id.
//   total   How totals are read: "sum" (default) by the server, which needs the index of the count
//           field; or "shards", document by document (`get({ source: 'shards' })`), which needs
//           no index. Counts of many shards rise side by side, so their index takes about 500
//           writes a second: a counter that takes more than that reads its shards.
//   fields  As for MakeCounterRules(): adds the composite indexes by which the server adds up the
//           fields, four in one request.
//   ratings, reactions  As for MakeCounterRules(): one of them, and nothing else. Adds the
//           composite index by which the server adds up all the fields in one request.
//
// Returns the text of a firestore.indexes.json with these entries. Its `fieldOverrides` have a TTL
// policy on the markers' `expireAt` without an index, which would be a hot range of its own; the
// same for members and keys; and exemptions for all other fields that no query of the library needs
// an index of.
Result<std::string> MakeCounterIndexes(const PaddedText& text);

// The same entries, each with a reason, for a file with other entries. `members` is the content of
// the text above.
struct CounterIndexes {
  std::vector<WantedExemption> exemptions;
  std::vector<CompositeIndex> composites;
};
Result<CounterIndexes> ReadCounterIndexes(const nlohmann::json& members);
// Adds such an index to a plan.
void AddComposite(RewritePlan& plan, const CompositeIndex& index);

}  // namespace shardline
