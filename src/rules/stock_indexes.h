#pragma once

#include <vector>

#include "indexes/rewrite.h"

namespace shardline {

// The entries of firestore.indexes.json about the fields that stocks write: TTL policies on the
// `expireAt` of takes and of added units, which are not indexed, and exemptions of all fields that
// no query of the library asks for. Two indexes stay, because queries need them: that of `left`, by
// which clients find shards with units and the server adds them up; and that of `heldUntil`, by
// which clients find holds that have ended.
std::vector<WantedExemption> StockExemptions();

}  // namespace shardline
