// Numbers in stored text, which may be anybody's. One that is out of range latches the scanner's
// error, and counts as the least.
#pragma once

#include <cstdint>

#include "base/json_scanner.h"
#include "firestore/timestamp.h"

namespace shardline {

// JavaScript and JSON tell integers up to this apart.
inline constexpr std::int64_t kMostStored = (std::int64_t{1} << 53) - 1;
inline constexpr std::int64_t kMicrosPerMilli = 1000;

std::int64_t ReadStored(JsonScanner& scanner, std::int64_t least);
// From milliseconds; none is before 1970, or later than any timestamp.
Timestamp ReadStoredTime(JsonScanner& scanner);

}  // namespace shardline
