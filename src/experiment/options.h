#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "experiment/network.h"
#include "operation/operation.h"
#include "simulator/simulator.h"

namespace shardline::experiment {

enum class Kind : std::uint8_t {
  kCounter,  // All users increment one counter.
  kInserts,  // All users add documents with the time of day to one collection.
  kIds,      // All users ask for unique ids.
  kTotals,   // Some increment a counter, and the others read its total.
  kPages,    // All users read pages of a query on one sharded collection.
  kStock,    // All users take units until there are none.
  kRatings,  // All users rate one restaurant: each has one rating, in shards, and changes it.
  kRatingsByTransaction,  // The same, and the average is in one document. Each rating is added.
};

// How totals are read.
enum class TotalWay : std::uint8_t {
  kSum,     // The server adds up.
  kShards,  // The client reads every shard, as the documented samples do.
  kShared,  // From a document that all readers share.
};

// How unique ids are made.
enum class IdMethod : std::uint8_t {
  kTransaction,  // A transaction on one document: correct, and slow.
  kSum,          // An increment of one of several shards, and the sum of all: fast, and wrong.
  kBlocks,       // Blocks of a sharded sequence (src/ids): correct, and fast.
};

// How units are sold.
enum class StockWay : std::uint8_t {
  kStock,        // From a stock (src/stock): correct, and fast.
  kTransaction,  // A transaction on one document: correct, and slow.
  kNaive,        // A read of the number of sold units, and an increment: fast, and oversold.
};

// The options of a load test, in a didactic order.
struct Options {  // NOLINT(clang-analyzer-optin.performance.Padding)
  Kind kind = Kind::kCounter;
  // The number of users, who arrive one after the other. Each does a piece of work, thinks, and
  // begins again. Thinking takes 0.5 to 1.5 times `think`.
  std::int64_t users = 1'000;
  double arrivals_per_second = 10;
  Duration think = std::chrono::seconds(1);
  // How long users begin new work.
  std::int64_t seconds = 120;

  // The number of shards of the counter, of the sequence of ids, of the stock, or of the ratings,
  // or of values of the shard field.
  std::int64_t shards = 10;
  // kCounter: the counter's option. The default here is the way of the documented samples.
  std::string delivery = "at-least-once";
  IdMethod method = IdMethod::kBlocks;
  std::int64_t block = 20;  // kBlocks: the number of ids that a client takes at once.
  // kInserts with shards: keeps the automatic index of the timestamp.
  bool keep_timestamp_index = false;

  // kTotals: the first `writers` users increment.
  TotalWay source = TotalWay::kSum;
  std::int64_t writers = 0;
  std::int64_t max_age_ms = 1'000;  // kShared: the largest age of a total.
  // kPages: the arguments of collection.query, the number of documents in the collection, and the
  // number of pages that a user reads one after the other.
  std::string query = R"({"limit":10})";
  std::int64_t documents = 300;
  std::int64_t pages = 1;
  // kStock: the way to sell, and the number of units. A user takes one at a time, and stops after a
  // refusal.
  StockWay stock_way = StockWay::kStock;
  std::int64_t units = 500;
  // StockWay::kStock: the time for which each user holds one unit before paying or leaving; 0:
  // users take units for good.
  std::int64_t hold_ms = 0;
  std::int64_t paying_percent = 100;  // The share of the users with a hold who pay.

  // The fates of single requests of the load.
  std::vector<Fate> fates;
  // Whether the report has a recording, the bound of its requests and pieces of work, and whether
  // it has the texts of requests, answers and results. See Recorder.
  bool record = false;
  std::int64_t record_requests = 100'000;
  bool record_bodies = false;

  std::uint64_t seed = 1;
  // For ReadSimulatorOptions() and ParseConfig(): the members' JSON texts; empty for none.
  std::string limits;
  std::string latency;
  std::string faults;
  std::string retry;

  // Reads
  //   {"preset": name, "kind": "counter" | "inserts" | "ids" | "totals" | "pages" |
  //    "stock" | "ratings" | "ratingsByTransaction",
  //    "users", "arrivalsPerSecond", "seconds", "thinkMs", "shards", "delivery",
  //    "method": "transaction" | "sum" | "blocks", "block", "keepTimestampIndex",
  //    "totals": {"source": "sum" | "shards" | "shared", "writers", "maxAgeMs"},
  //    "pages": {"query", "documents", "pages"},
  //    "stock": {"way": "stock" | "transaction" | "naive", "units", "holdMs", "payingPercent"},
  //    "fates": [{"request", "fate": "lost" | "cut" | "twice" | "late", "afterMs"}],
  //    "record": {"requests", "bodies"}, "seed", "limits", "latencyMs", "faults", "retry"}
  // or a preset's name alone. A given option overrides the preset.
  static Result<Options> Read(const PaddedText& json);

  // The options in the form of Read(), with all defaults.
  std::string ToJson() const;

  // The simulator that the experiment needs.
  Result<simulator::SimulatorOptions> ForSimulator() const;
  // The context of each client, without its source of randomness.
  Result<OperationContext> ForClients() const;
};

// The named experiments: [{"name", "title", …as Options}].
std::string DescribePresets();

}  // namespace shardline::experiment
