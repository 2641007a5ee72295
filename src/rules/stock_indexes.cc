#include "rules/stock_indexes.h"

#include <string>
#include <string_view>
#include <utility>

namespace shardline {
namespace {

// Their ids, as stock/stock.h has them.
constexpr std::string_view kShardsOfStock = "stock_shards";
constexpr std::string_view kTakesOfStock = "stock_takes";
constexpr std::string_view kAddsOfStock = "stock_adds";

WantedExemption ExemptField(std::string_view collection, std::string_view field, std::string why) {
  return {std::string(collection), *FieldPath::Parse(field), false, std::move(why)};
}

WantedExemption ExpireField(std::string_view collection, const std::string& documents) {
  WantedExemption exemption =
      ExemptField(collection, "expireAt",
                  "A TTL policy deletes " + documents +
                      ". The times rise, so an index of them would be a hot range.");
  exemption.ttl = true;
  return exemption;
}

}  // namespace

std::vector<WantedExemption> StockExemptions() {
  constexpr const char* kOfTakes = "No query asks for it, and each take would write its index.";
  std::vector<WantedExemption> exemptions = {ExemptField(kShardsOfStock, "by", kOfTakes),
                                             ExpireField(kTakesOfStock, "takes without units")};
  for (const char* field : {"before", "change", "shard", "units"}) {
    exemptions.push_back(ExemptField(kTakesOfStock, field, kOfTakes));
  }
  exemptions.push_back(ExpireField(kAddsOfStock, "keys of added units that have served"));
  for (const char* field : {"change", "units"}) {
    exemptions.push_back(ExemptField(kAddsOfStock, field, "No query asks for it."));
  }
  return exemptions;
}

}  // namespace shardline
