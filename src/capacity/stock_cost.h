#pragma once

#include <vector>

#include "base/result.h"
#include "capacity/options.h"
#include "capacity/use.h"

namespace shardline {

// A line of an estimate: how often in a month, and the use of each.
struct CostLine {
  const char* name;
  double count;
  Use each;
};

// Reads the group `takes` of the options (web/library/workbench.js) into the lines of stocks:
// takes, refusals, confirmations, holds whose time has passed, units that are put back, and the
// documents of takes, kept or not. The lines leave out the looks at the shards when few units are
// left, and the units that move between shards.
//
// In the enterprise edition they include the entries of two indexes: of the units in each shard,
// and of the time at which a hold ends.
Result<std::vector<CostLine>> StockLines(CapacityOptions& options, bool enterprise);

}  // namespace shardline
