#include "capacity/cost.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/reason.h"
#include "capacity/options.h"
#include "capacity/stock_cost.h"
#include "capacity/use.h"
#include "firestore/limits_and_prices.h"

namespace shardline {
namespace {

using nlohmann::ordered_json;

constexpr double kMillion = 1e6;
constexpr double kMost = 1e15;
constexpr double kMostBytes = 1'048'576;  // A document's limit: 1 MiB.

// A marker (exactly_once/marker.h) as Firestore counts its size: its name, 17 + 1 and 20 + 1 and 16
// bytes; `applied`, 8 + 1; `expireAt`, 9 + 8; and 32. Its fields are exempt from indexing.
// https://firebase.google.com/docs/firestore/storage-size
constexpr double kMarkerBytes = 113;

double Units(double bytes, std::int64_t unit) {
  return std::max(1.0, std::ceil(bytes / static_cast<double>(unit)));
}

class Estimate {
 public:
  static Result<std::string> Make(CapacityOptions options) {
    Estimate estimate;
    SHARDLINE_CHECK(estimate.ReadPrices(options));
    SHARDLINE_CHECK(estimate.Add(options, "increments", &Estimate::Increments));
    if (estimate.markers_ > 0) estimate.Put("markers", MarkersItem(estimate.markers_));
    SHARDLINE_CHECK(estimate.Add(options, "totals", &Estimate::Totals));
    SHARDLINE_CHECK(estimate.Add(options, "choices", &Estimate::Choices));
    SHARDLINE_CHECK(estimate.Add(options, "summaries", &Estimate::Totals));
    SHARDLINE_CHECK(estimate.Add(options, "watches", &Estimate::Watches));
    SHARDLINE_CHECK(estimate.Add(options, "listens", &Estimate::Listens));
    SHARDLINE_CHECK(estimate.AddStocks(options));
    SHARDLINE_CHECK(estimate.Add(options, "inserts", &Estimate::Inserts));
    SHARDLINE_CHECK(estimate.Add(options, "queries", &Estimate::Queries));
    SHARDLINE_CHECK(estimate.Add(options, "backfill", &Estimate::Backfill));
    SHARDLINE_CHECK(options.Finish());
    return estimate.Write();
  }

 private:
  // The number in a month, and the reads and writes of each.
  struct Item {
    double count;
    Use each;
    std::optional<double> reads_at_worst;
  };

  Status ReadPrices(CapacityOptions& options) {
    SHARDLINE_TRY(edition_, options.Word("edition", {"standard", "enterprise"}));
    enterprise_ = edition_ == "enterprise";
    SHARDLINE_TRY(location_, options.Text("location", "us-central1"));
    std::optional<Use> known;
    if (enterprise_) {
      for (const EnterprisePrices& each : kEnterprisePrices) {
        if (each.location != location_) continue;
        // A delete is billed as a write.
        known = {each.read_unit, each.write_unit, each.write_unit};
        source_ = each.source;
      }
    } else if (const StandardPrices* prices = FindStandardPrices(location_)) {
      known = {prices->read, prices->write, prices->remove};
      source_ = prices->source;
    }
    SHARDLINE_TRY(std::optional<CapacityOptions> && given, options.Group("prices"));
    if (given) return ReadGivenPrices(*given, known);
    if (!known) {
      return RefuseArgument(kArgumentNotAllowed, "location", "a location whose prices are known",
                            "No prices are known for ")
             << location_.substr(0, 100) << " in the " << edition_
             << " edition: pass `prices`, such as {reads: 0.3, writes: 0.9, deletes: 0.1} in "
                "dollars for a million, from "
                "https://cloud.google.com/firestore/pricing.";
    }
    prices_ = *known;
    prices_.stored_gib = kStoredGibPerMonth;
    return {};
  }

  Status ReadGivenPrices(CapacityOptions& given, const std::optional<Use>& known) {
    const auto usual = [&](double Use::*member) {
      return known ? std::optional<double>((*known).*member) : std::nullopt;
    };
    SHARDLINE_TRY(prices_.reads, given.Number("reads", 0, kMillion, usual(&Use::reads)));
    SHARDLINE_TRY(prices_.writes, given.Number("writes", 0, kMillion, usual(&Use::writes)));
    prices_.deletes = prices_.writes;
    if (!enterprise_) {
      SHARDLINE_TRY(prices_.deletes, given.Number("deletes", 0, kMillion, usual(&Use::deletes)));
    }
    SHARDLINE_TRY(prices_.stored_gib, given.Number("storage", 0, kMillion, kStoredGibPerMonth));
    source_ = "given";
    return given.Finish();
  }

  Status Add(CapacityOptions& options, const char* name,
             Result<Item> (Estimate::*read)(CapacityOptions&)) {
    SHARDLINE_TRY(std::optional<CapacityOptions> && group, options.Group(name));
    if (!group) return {};
    SHARDLINE_TRY(const Item& item, (this->*read)(*group));
    SHARDLINE_CHECK(group->Finish());
    Put(name, item);
    return {};
  }

  Status AddStocks(CapacityOptions& options) {
    SHARDLINE_TRY(std::optional<CapacityOptions> && group, options.Group("takes"));
    if (!group) return {};
    SHARDLINE_TRY(const std::vector<CostLine>& lines, StockLines(*group, enterprise_));
    SHARDLINE_CHECK(group->Finish());
    for (const CostLine& line : lines) Put(line.name, Item{line.count, line.each, std::nullopt});
    return {};
  }

  void Put(const char* name, const Item& item) {
    const Use month = item.each * item.count;
    total_ += month;
    ordered_json entry = Describe(month);
    entry["dollarsPerMillion"] = Dollars(item.each * kMillion);
    if (item.reads_at_worst) entry["readsAtWorst"] = *item.reads_at_worst * item.count;
    items_[name] = std::move(entry);
  }

  // The cost of a marker after its write: its storage, and its delete by the TTL policy.
  static Item MarkersItem(double count) {
    return Item{count, {0, 0, 1, StoredGib(kMarkerBytes, kExpiringDays)}, std::nullopt};
  }

  // One write for the shard and one for the marker; a read in place of it in a transaction.
  Result<Item> Increments(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost));
    SHARDLINE_TRY(const std::string& delivery,
                  options.Word("delivery", {"exactly-once", "at-least-once", "transaction"}));
    SHARDLINE_TRY(const double gathered, options.Number("perCommit", 1, kMillion, 1));
    if (delivery == "transaction") {
      if (gathered != 1) return MustBe("increments.perCommit", "1 in transactions");
      return Item{count, {1, 1, 0}, std::nullopt};
    }
    const bool has_markers = delivery == "exactly-once";
    if (has_markers) markers_ = count / gathered;
    return Item{count, {0, (has_markers ? 2 : 1) / gathered, 0}, std::nullopt};
  }

  // The reads of one total.
  Result<double> ReadsOfTotal(CapacityOptions& options) {
    SHARDLINE_TRY(const double shards, options.Number("shards", 1, kMaxShards, 10));
    SHARDLINE_TRY(const std::string& source, options.Word("source", {"sum", "shards"}));
    SHARDLINE_TRY(const double bytes, options.Number("shardBytes", 0, kMostBytes, 128));
    if (enterprise_) return Scan(shards, bytes);
    return source == "sum" ? std::ceil(shards / static_cast<double>(kEntriesPerRead)) : shards;
  }

  Result<Item> Totals(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost));
    SHARDLINE_TRY(const double reads, ReadsOfTotal(options));
    return Item{count, {reads, 0, 0}, std::nullopt};
  }

  // Ratings and reactions: a write for the member and one for the shard. A read finds a
  // member who has a choice already.
  Result<Item> Choices(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost));
    SHARDLINE_TRY(const double changed, options.Number("changed", 0, 1, 0));
    return Item{count, {changed, 2, 0}, std::nullopt};
  }

  Result<Item> Watches(CapacityOptions& options) {
    constexpr double kMostMs = 134'217'727;  // 2^27 - 1, the limit of watch().
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost, 1));
    SHARDLINE_TRY(const double hours, options.Number("hours", 0, kHoursPerMonth, kHoursPerMonth));
    SHARDLINE_TRY(const double changing, options.Number("changing", 0, 1, 1));
    SHARDLINE_TRY(const double interval, options.Number("intervalMs", 1, kMostMs, 1'000));
    SHARDLINE_TRY(const double reads, ReadsOfTotal(options));
    const double intervals = hours * 3'600'000 / interval;
    const double readings =
        WholeCount(intervals * changing) + ReadingsAtRest(intervals * (1 - changing));
    return Item{count, {readings * reads, 0, 0}, std::nullopt};
  }

  // How many of 0, 1, 2 … are below `end`. A product may be a little more than it is.
  static double WholeCount(double end) { return std::ceil(end * (1 - 1e-12)); }

  // A watch reads once an interval while the total changes. While it does not, each pause is half
  // as long again as the last one, up to sixteen intervals: the figures of web/library/watch.js.
  // Returns the number of readings in `intervals` intervals, with the reading at their beginning.
  static double ReadingsAtRest(double intervals) {
    constexpr double kGrowth = 1.5;
    constexpr double kLongest = 16;
    double readings = 0;
    double at = 0;
    for (double pause = 1; pause < kLongest && at < intervals; pause *= kGrowth) {
      ++readings;
      at += pause;
    }
    return at < intervals ? readings + WholeCount((intervals - at) / kLongest) : readings;
  }

  // A watch that listens: its first reading, then each shard once, and each change of a shard.
  Result<Item> Listens(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost, 1));
    SHARDLINE_TRY(const double changes, options.Number("changes", 0, kMost, 0));
    SHARDLINE_TRY(const double shards, options.Number("shards", 1, kMaxShards, 10));
    SHARDLINE_TRY(const double bytes, options.Number("shardBytes", 0, kMostBytes, 128));
    const double first = enterprise_ ? Scan(shards, bytes) : 1;
    const double shard = enterprise_ ? Units(bytes, kReadUnitBytes) : 1;
    return Item{count, {first + shard * (shards + changes), 0, 0}, std::nullopt};
  }

  Result<Item> Inserts(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost));
    SHARDLINE_TRY(const double bytes, options.Number("documentBytes", 0, kMostBytes, 1'024));
    SHARDLINE_TRY(const double indexes, options.Number("indexes", 0, kMaxShards, 0));
    SHARDLINE_TRY(const double entry, options.Number("entryBytes", 0, kMostBytes, 128));
    double writes = 1;
    if (enterprise_) {
      writes = Units(bytes, kWriteUnitBytes) + indexes * Units(entry, kWriteUnitBytes);
    }
    return Item{count, {0, writes, 0}, std::nullopt};
  }

  // Once: each document is read, and each that gets a shard is written.
  Result<Item> Backfill(CapacityOptions& options) {
    SHARDLINE_TRY(const double documents, options.Number("documents", 0, kMost));
    SHARDLINE_TRY(const double written, options.Number("written", 0, kMost, documents));
    SHARDLINE_TRY(const double bytes, options.Number("documentBytes", 0, kMostBytes, 1'024));
    SHARDLINE_TRY(const double indexes, options.Number("indexes", 0, kMaxShards, 0));
    SHARDLINE_TRY(const double entry, options.Number("entryBytes", 0, kMostBytes, 128));
    if (written > documents) {
      return MustBe("backfill.written", "at most backfill.documents");
    }
    const double share = documents > 0 ? written / documents : 0;
    Use each{1, share, 0};
    if (enterprise_) {
      const double writes = Units(bytes, kWriteUnitBytes) + indexes * Units(entry, kWriteUnitBytes);
      each = {Units(bytes, kReadUnitBytes), share * writes, 0};
    }
    return Item{documents, each, std::nullopt};
  }

  // Chunk reads of shares are about as many as the returned documents; the others are a whole page
  // of each chunk.
  Result<Item> Queries(CapacityOptions& options) {
    SHARDLINE_TRY(const double count, options.Number("perMonth", 0, kMost));
    SHARDLINE_TRY(const double limit, options.Number("limit", 1, kMost));
    SHARDLINE_TRY(const double chunks, options.Number("chunks", 1, kMaxShards, 1));
    SHARDLINE_TRY(const std::string& reads, options.Word("chunkReads", {"share", "whole-page"}));
    SHARDLINE_TRY(const double bytes, options.Number("documentBytes", 0, kMostBytes, 1'024));
    SHARDLINE_TRY(const double entry, options.Number("entryBytes", 0, kMostBytes, 128));
    const auto reads_of = [&](double documents) {
      if (!enterprise_) return std::max(documents, chunks);  // An empty answer is one read.
      return chunks * Scan(documents / chunks, entry) + documents * Units(bytes, kReadUnitBytes);
    };
    const double most = limit * chunks;
    return Item{count, {reads_of(reads == "whole-page" ? most : limit), 0, 0}, reads_of(most)};
  }

  // The units for scanning documents or entries of an index.
  static double Scan(double count, double bytes) {
    return Units(count * std::max(bytes, static_cast<double>(kLeastScannedBytes)), kReadUnitBytes);
  }

  double Dollars(const Use& use) const {
    return (use.reads * prices_.reads + use.writes * prices_.writes +
            use.deletes * prices_.deletes) /
               kMillion +
           use.stored_gib * prices_.stored_gib;
  }

  ordered_json Describe(const Use& use) const {
    ordered_json entry = {{"reads", use.reads}, {"writes", use.writes}};
    if (use.deletes > 0) entry["deletes"] = use.deletes;
    if (use.stored_gib > 0) entry["storedGiB"] = use.stored_gib;
    entry["dollars"] = Dollars(use);
    return entry;
  }

  std::string Write() const {
    ordered_json prices = {{"reads", prices_.reads}, {"writes", prices_.writes}};
    if (!enterprise_) prices["deletes"] = prices_.deletes;
    prices["storage"] = prices_.stored_gib;
    prices["source"] = source_;
    prices["asOf"] = source_ == "given" ? ordered_json() : ordered_json(kPricesAsOf);
    const auto reads = enterprise_ ? kFreeReadUnitsPerDay : kFreeReadsPerDay;
    const auto writes = enterprise_ ? kFreeWriteUnitsPerDay : kFreeWritesPerDay;
    return ordered_json({{"edition", edition_},
                         {"location", location_},
                         {"unit", enterprise_ ? "units" : "documents"},
                         {"items", items_},
                         {"perMonth", Describe(total_)},
                         {"prices", prices},
                         {"freePerDay", {{"reads", reads}, {"writes", writes}}}})
        .dump();
  }

  std::string edition_;
  bool enterprise_ = false;
  std::string location_;
  Use prices_;  // Dollars for a million, and for a GiB in a month.
  std::string source_;
  ordered_json items_ = ordered_json::object();
  Use total_;
  double markers_ = 0;  // The markers of a month.
};

}  // namespace

Result<std::string> Cost(const PaddedText& arguments) {
  SHARDLINE_TRY(CapacityOptions && options, CapacityOptions::Read(arguments));
  return Estimate::Make(std::move(options));
}

}  // namespace shardline
