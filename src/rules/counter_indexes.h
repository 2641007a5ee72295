#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "indexes/rewrite.h"

namespace shardline {

// Writes what firestore.indexes.json should say about the fields that distributed counters write
// (https://firebase.google.com/docs/reference/firestore/indexes). Firestore indexes every field
// unless told otherwise, and an index is one more thing to write. The options, as JSON:
//
//   layout  As for a counter. Default "web-sample".
//   path    As for MakeCounterRules(); needed with total "shards" where it is the collection of the
//           shards. Ids in braces stand for any.
//   total   How totals are read: "sum" (default) by the server, which needs the index of the count
//           field; or "shards", document by document (`get({ source: 'shards' })`), which needs
//           none. Counts of many shards rise side by side, so their index takes about 500 writes a
//           second: a counter that takes more than that reads its shards.
//   fields  As for MakeCounterRules(): adds the composite indexes by which the server adds up the
//           fields, four in one request.
//   ratings, reactions  As for MakeCounterRules(): one of them, and nothing else. Adds the
//   composite
//           index by which the server adds up all the fields in one request.
//
// Returns the text of a firestore.indexes.json that has that, and these `fieldOverrides`: a TTL
// policy on the markers' `expireAt`, which is not indexed, because it would be a hot range of its
// own; the same for members and keys; and exemptions for everything else that no query of the
// library needs an index of.
Result<std::string> MakeCounterIndexes(const PaddedText& text);

// The same, each with a reason, for a file that says more. `members` is what the text above holds.
struct CounterIndexes {
  std::vector<WantedExemption> exemptions;
  std::optional<CompositeIndex> choices;
  std::vector<CompositeIndex> fields = {};
};
Result<CounterIndexes> ReadCounterIndexes(const nlohmann::json& members);
// Adds such an index to a plan.
void AddComposite(RewritePlan& plan, const CompositeIndex& index);

}  // namespace shardline
