#include "capacity/shards_for.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "capacity/options.h"
#include "firestore/limits_and_prices.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

constexpr double kMostWrites = 1e7;

ordered_json Shards(double needed) {
  return {{"shards", static_cast<std::int64_t>(std::clamp(std::ceil(needed), 1.0, kMaxShards))},
          {"enough", needed <= kMaxShards}};
}

ordered_json ForCounter(double sustained, double burst) {
  ordered_json result =
      Shards(std::max(sustained / kDocumentWritesPerSecond, burst / kDocumentBurst));
  std::string why = "Each shard is a document, which takes about one write a second.";
  if (sustained < 1 && burst <= kDocumentBurst) {
    why += " At this rate one document would do.";
  }
  if (sustained > kRisingIndexWritesPerSecond) {
    why +=
        " Shards' counts rise side by side: exempt the count field from indexing "
        "(counterIndexes({ total: 'shards' })) and read with get({ source: 'shards' }).";
  }
  if (result["enough"] == false) why += " Let pages gather increments for longer (flushMs).";
  result["why"] = why;
  return result;
}

ordered_json ForCollection(double peak) {
  ordered_json result = Shards(peak / kRisingIndexWritesPerSecond);
  const bool too_early = peak <= kRisingIndexWritesPerSecond;
  result["tooEarly"] = too_early;
  result["why"] =
      too_early ? "Too early: up to 500 writes a second, a collection with a rising field needs no "
                  "shards. A sharded timestamp would only cost indexes and queries."
                : "Each shard value takes about 500 writes a second.";
  return result;
}

double RampUpMinutes(double peak) {
  if (peak <= kRampWritesPerSecond) return 0;
  constexpr double kSecondsPerMinute = 60;
  const double periods = std::log(peak / kRampWritesPerSecond) / std::log(kRampGrowth);
  return std::ceil(periods) * kRampPeriodSeconds / kSecondsPerMinute;
}

}  // namespace

Result<std::string> ShardsFor(const PaddedText& arguments) {
  SHARDLINE_TRY(CapacityOptions && options, CapacityOptions::Read(arguments));
  SHARDLINE_TRY(const double sustained, options.Number("writesPerSecond", 0, kMostWrites));
  if (sustained <= 0) return MustBe("writesPerSecond", "above 0");
  SHARDLINE_TRY(const double burst, options.Number("burst", 0, kMostWrites, sustained));
  SHARDLINE_CHECK(options.Finish());
  const double peak = std::max(sustained, burst);
  return ordered_json({{"counter", ForCounter(sustained, peak)},
                       {"collection", ForCollection(peak)},
                       {"rampUpMinutes", RampUpMinutes(peak)}})
      .dump();
}

}  // namespace shardline
