#include "sharded_query/fetch_size.h"

#include <algorithm>
#include <cmath>

namespace shardline {
namespace {

// The share of the documents, plus `deviations` standard deviations, and one to see the next
// document.
std::int64_t WithMargin(double documents, double share, double deviations) {
  const double mean = documents * share;
  const double margin = deviations * std::sqrt(mean * std::max(1 - share, 0.0));
  return static_cast<std::int64_t>(std::ceil(mean + margin)) + 1;
}

}  // namespace

std::int64_t FirstFetch(std::int64_t lacking, double share, std::int64_t chunks) {
  const double deviations = 0.6 + 0.3 * std::log2(static_cast<double>(chunks));
  return std::min(WithMargin(static_cast<double>(lacking), share, deviations), lacking);
}

std::int64_t RefillFetch(const Dry& dry) {
  double share = dry.share;
  if (dry.taken > 0) {
    share = std::max(share, static_cast<double>(dry.given) / static_cast<double>(dry.taken));
  }
  const std::int64_t need = WithMargin(static_cast<double>(dry.lacking), share, 1);
  return std::min(std::max(need, 2 * dry.refill), dry.lacking);
}

std::int64_t Piece(std::int64_t asked) {
  constexpr std::int64_t kFirst = 300;
  constexpr std::int64_t kLargest = 1'200;
  return std::clamp(2 * asked, kFirst, kLargest);
}

}  // namespace shardline
