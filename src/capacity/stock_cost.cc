#include "capacity/stock_cost.h"

#include <string>

#include "base/reason.h"

namespace shardline {
namespace {

// A take (stock/stock.h) as Firestore counts its size: its name, 17 + 13 + 21 and 16 bytes;
// `units`, 6 + 8; `shard`, 6 + 2; `change` and `before`, 7 + 21 each; `heldUntil` or `expireAt`, 10
// + 8; and
// 32. Its fields are exempt from indexing, except `heldUntil`.
constexpr double kTakeBytes = 195;

constexpr double kMostTakes = 1e15;
constexpr double kMostMonths = 1'200;
constexpr double kUsualMonths = 12;

// The numbers of a month.
struct Takes {
  double all = 0;
  double refused = 0;
  double held = 0;
  double confirmed = 0;
  double put_back = 0;
  double months = 0;      // For which a take is kept.
  bool has_keys = false;  // Whether the app chooses the keys.

  double lapsed() const { return held - confirmed; }
};

Result<Takes> ReadTakes(CapacityOptions& options) {
  Takes takes;
  SHARDLINE_TRY(takes.all, options.Number("perMonth", 0, kMostTakes));
  SHARDLINE_TRY(takes.refused, options.Number("refused", 0, kMostTakes, 0));
  SHARDLINE_TRY(takes.held, options.Number("held", 0, kMostTakes, 0));
  SHARDLINE_TRY(takes.confirmed, options.Number("confirmed", 0, kMostTakes, takes.held));
  SHARDLINE_TRY(takes.put_back, options.Number("putBack", 0, kMostTakes, 0));
  SHARDLINE_TRY(takes.months, options.Number("months", 0, kMostMonths, kUsualMonths));
  SHARDLINE_TRY(const std::string& key, options.Word("key", {"drawn", "own"}));
  takes.has_keys = key == "own";
  if (takes.held > takes.all) return MustBe("takes.held", "at most takes.perMonth");
  if (takes.confirmed > takes.held) return MustBe("takes.confirmed", "at most takes.held");
  if (takes.put_back > takes.all - takes.lapsed()) {
    return MustBe("takes.putBack",
                  "at most takes.perMonth, without the holds that are not confirmed");
  }
  return takes;
}

}  // namespace

Result<std::vector<CostLine>> StockLines(CapacityOptions& options, bool enterprise) {
  SHARDLINE_TRY(const Takes& takes, ReadTakes(options));
  // An entry of an index, which each write of a shard changes; a hold's is made and removed.
  const double entry = enterprise ? 1 : 0;
  // The read of the take's document, unless the library draws its key; a refusal reads it twice.
  const double document = takes.has_keys ? 1 : 0;
  const double returned = takes.lapsed() + takes.put_back;
  const CostLine lines[] = {
      {"takes", takes.all, {1 + document, 2 + entry}},
      {"refusals", takes.refused, {3 + 2 * document, 0}},
      {"confirmations", takes.confirmed, {1, 1 + 2 * entry}},
      {"lapsedHolds", takes.lapsed(), {3 + document, 2 + 3 * entry}},
      {"putBacks", takes.put_back, {1, 2 + entry}},
      {"keptTakes",
       takes.all - returned,
       {0, 0, 0, StoredGib(kTakeBytes, takes.months * kDaysPerMonth)}},
      {"returnedTakes", returned, {0, 0, 1, StoredGib(kTakeBytes, kExpiringDays)}},
  };
  std::vector<CostLine> used;
  for (const CostLine& line : lines) {
    if (line.count > 0 || used.empty()) used.push_back(line);
  }
  return used;
}

}  // namespace shardline
