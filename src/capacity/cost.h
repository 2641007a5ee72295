#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// A cost model: JavaScript calls this to compute the cost of a load. Takes JSON, [options];
// web/library/workbench.js describes them and the result. The storage cost covers the markers and
// the documents of takes. The model leaves out network traffic, the reads of security rules, and
// the free daily quota.
//
// In the standard edition every document that is read, written or deleted counts, like in the
// library's `billed`. In the enterprise edition bytes count: a point read of a document is a unit
// for every 4 KiB, a scan one for every 4 KiB that it scans, a write one for every 1 KiB of the
// document and of each index entry. That edition has no automatic indexes.
//
// kInvalidArgument for an unknown option, and if the options give no price and the location's price
// is not known.
Result<std::string> Cost(const PaddedText& arguments);

}  // namespace shardline
