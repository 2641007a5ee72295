// Firestore's published limits and prices, each once, with its source. They were read on 2026-11-22
// in copies of Google's pages, which may be older. Prices change: use these for estimates, and your
// own bill for decisions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace shardline {

// ---- Limits ----

// The sustained rate of one document: the classic planning figure. The documentation names no
// number any more.
// https://firebase.google.com/docs/firestore/best-practices#updates_to_a_single_document
inline constexpr double kDocumentWritesPerSecond = 1;
// The writes that one document takes at once after a rest. Not published: an assumption.
inline constexpr double kDocumentBurst = 5;
// The sustained rate of a collection with a rising indexed field, whose new entries all go to one
// end of an index. https://firebase.google.com/docs/firestore/solutions/shard-timestamp
inline constexpr double kRisingIndexWritesPerSecond = 500;
// The 500/50/5 rule: the first rate of a collection, and its growth.
// https://firebase.google.com/docs/firestore/best-practices#ramping_up_traffic
inline constexpr double kRampWritesPerSecond = 500;
inline constexpr double kRampGrowth = 1.5;
inline constexpr double kRampPeriodSeconds = 300;
// Bounds a query in disjunctive normal form; and its filters, orders and parent together.
// https://firebase.google.com/docs/firestore/quotas#limits
inline constexpr std::size_t kMaxDisjunctions = 30;
inline constexpr std::size_t kMaxTerms = 100;
// Bounds one index. https://firebase.google.com/docs/firestore/quotas#indexes
inline constexpr std::size_t kMaxIndexFields = 100;
// Bounds the entries of one document in all indexes.
// https://firebase.google.com/docs/firestore/quotas#indexes
inline constexpr std::int64_t kMaxIndexEntries = 40'000;

// ---- What is billed ----

// Standard edition: an aggregation costs one read for each started kEntriesPerRead index entries.
// https://firebase.google.com/docs/firestore/pricing#aggregation_queries
inline constexpr std::int64_t kEntriesPerRead = 1'000;
// At least one.
constexpr std::int64_t AggregationReads(std::int64_t entries) {
  return entries <= 0 ? 1 : (entries - 1) / kEntriesPerRead + 1;
}
// Enterprise edition: reads and writes are billed in units of this many bytes. A scanned index
// entry counts as at least kLeastScannedBytes.
// https://firebase.google.com/docs/firestore/enterprise/pricing-examples
inline constexpr std::int64_t kReadUnitBytes = 4'096;
inline constexpr std::int64_t kWriteUnitBytes = 1'024;
inline constexpr std::int64_t kLeastScannedBytes = 32;

inline constexpr std::string_view kPricesAsOf = "2026-11-22";

// Dollars for a million.
struct StandardPrices {
  std::string_view location;
  double read;
  double write;
  double remove;
  std::string_view source;
};
inline constexpr StandardPrices kStandardPrices[] = {
    {"us-central1", 0.30, 0.90, 0.10,
     "https://firebase.google.com/docs/firestore/pipelines/pricing"},
    {"nam5", 0.60, 1.80, 0.20, "https://firebase.google.com/docs/firestore/pricing"},
};
// Null if the prices of the location are not known.
constexpr const StandardPrices* FindStandardPrices(std::string_view location) {
  for (const StandardPrices& each : kStandardPrices) {
    if (each.location == location) return &each;
  }
  return nullptr;
}

// Dollars for a million units. There is no figure for nam5 in the pages that were read.
struct EnterprisePrices {
  std::string_view location;
  double read_unit;
  double write_unit;
  std::string_view source;
};
inline constexpr EnterprisePrices kEnterprisePrices[] = {
    {"us-central1", 0.05, 0.26, "https://firebase.google.com/docs/firestore/pipelines/pricing"},
};

// Dollars for one GiB that is stored for a month: the price of nam5, from the page's example of a
// bill. Other locations of the United States do not cost more.
// https://firebase.google.com/docs/firestore/pricing
inline constexpr double kStoredGibPerMonth = 0.18;

// Free of charge each day, for one database of a project. TTL deletes are never free.
// https://cloud.google.com/firestore/pricing, https://cloud.google.com/firestore/enterprise/pricing
inline constexpr std::int64_t kFreeReadsPerDay = 50'000;
inline constexpr std::int64_t kFreeWritesPerDay = 20'000;
inline constexpr std::int64_t kFreeDeletesPerDay = 20'000;
inline constexpr std::int64_t kFreeReadUnitsPerDay = 50'000;
inline constexpr std::int64_t kFreeWriteUnitsPerDay = 40'000;

}  // namespace shardline
