#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// What JavaScript calls to learn what a load costs. Takes JSON, [options]; web/library/workbench.js
// describes them and the result. Of storage it has the markers' only; network and what security
// rules read are not in it, and nothing is taken off for what is free each day.
//
// In the standard edition every document that is read, written or deleted counts, as in the
// library's `billed`. In the enterprise edition bytes count: a point read of a document is a unit
// for every 4 KiB, a scan one for every 4 KiB of all that it scans, a write one for every 1 KiB of
// the document and of each index entry. It has no index but those that are made.
//
// kInvalidArgument for what is no option, and where no price is known and none is given.
Result<std::string> Cost(const PaddedText& arguments);

}  // namespace shardline
