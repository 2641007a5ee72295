#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// JavaScript calls this to add the library's indexes to firestore.indexes.json. Takes JSON, [text,
// options], with the options
//
//   collections  a list of sharded collections: see ReadShardedIndexes(). The options of a single
//                one may be beside the others.
//   indexes      composite indexes to add, as entries of the file.
//   counters     true for counters of the layout web-sample, options of counterIndexes(), or a list
//                of these.
//   ids          true if there are sequences of ids.
//   stocks       true if there are stocks.
//
// Returns {text, changes: [{kind: "removed" | "added" | "exempted", index, why}], commentsLost}.
// See Rewrite().
Result<std::string> RewriteIndexes(const PaddedText& arguments);

}  // namespace shardline
