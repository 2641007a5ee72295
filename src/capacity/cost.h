#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// JavaScript calls this to compute the cost of a load. Takes JSON, [options];
// web/library/workbench.js describes them and the result. It includes the storage of markers and of
// takes; it leaves out network traffic, the reads of security rules, and the free daily quota.
//
// In the standard edition every document that is read, written or deleted counts, as in the
// library's `billed`. In the enterprise edition bytes count: a point read of a document is a unit
// for every 4 KiB, a scan one for every 4 KiB of all that it scans, a write one for every 1 KiB of
// the document and of each index entry. It has no index but those that are made.
//
// kInvalidArgument for what is no option, and where no price is known and none is given.
Result<std::string> Cost(const PaddedText& arguments);

}  // namespace shardline
