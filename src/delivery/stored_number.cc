#include "delivery/stored_number.h"

#include <algorithm>
#include <optional>

#include "base/number.h"

namespace shardline {

std::int64_t ReadStored(JsonScanner& scanner, std::int64_t least) {
  const std::optional<std::int64_t> value = ParseInt64(scanner.RawNumber());
  if (value && *value >= least && *value <= kMostStored) return *value;
  scanner.Reject("a number is out of range");
  return least;
}

Timestamp ReadStoredTime(JsonScanner& scanner) {
  const std::int64_t micros = ReadStored(scanner, -kMostStored) * kMicrosPerMilli;
  return {std::clamp(micros, std::int64_t{0}, Timestamp::kMaxMicros)};
}

}  // namespace shardline
