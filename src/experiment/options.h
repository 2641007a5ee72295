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
};

// How totals are read.
enum class TotalWay : std::uint8_t {
  kSum,     // The server adds up.
  kShards,  // The client reads every shard, as the documented samples do.
  kShared,  // From a document that all readers share.
};

// How unique ids are made.
enum class IdMethod : std::uint8_t {
  kTransaction,  // A transaction on one document: right, and slow.
  kSum,          // Increment one of several shards, and take the sum of all: fast, and wrong.
  kBlocks,       // Take blocks from a sharded sequence (src/ids): right, and fast.
};

// How units are sold.
enum class StockWay : std::uint8_t {
  kStock,        // From a stock (src/stock): right, and fast.
  kTransaction,  // A transaction on one document: right, and slow.
  kNaive,        // Read the sum of the sold units, and increment: fast, and oversold.
};

// A load test, as a user asks for it. Its members are in the order in which they are understood.
struct Options {  // NOLINT(clang-analyzer-optin.performance.Padding)
  Kind kind = Kind::kCounter;
  // Users arrive until there are so many. Each does its work, thinks, and begins again; thinking
  // takes `think` on average, half to one and a half times.
  std::int64_t users = 1'000;
  double arrivals_per_second = 10;
  Duration think = std::chrono::seconds(1);
  // How long new work is begun.
  std::int64_t seconds = 120;

  // The number of shards of the counter, of the shard field's values, of the sequence of ids, or of
  // the stock.
  std::int64_t shards = 10;
  // kCounter: as counters take it. Not theirs by default: the documented samples' way.
  std::string delivery = "at-least-once";
  IdMethod method = IdMethod::kBlocks;
  std::int64_t block = 20;  // kBlocks: how many ids a client takes at once.
  // kInserts with shards: leave the automatic index of the timestamp in place.
  bool keep_timestamp_index = false;

  // kTotals: the first so many users increment.
  TotalWay source = TotalWay::kSum;
  std::int64_t writers = 0;
  std::int64_t max_age_ms = 1'000;  // kShared: how old a total may be.
  // kPages: a query as collection.query takes it, on a collection of so many documents, and how
  // many pages are read one after the other.
  std::string query = R"({"limit":10})";
  std::int64_t documents = 300;
  std::int64_t pages = 1;
  // kStock: so many units are sold, one at a time. A user who is refused stops.
  StockWay stock_way = StockWay::kStock;
  std::int64_t units = 500;
  // StockWay::kStock: each user holds one unit for so long, and then pays or leaves; 0: units are
  // taken for good.
  std::int64_t hold_ms = 0;
  std::int64_t paying_percent = 100;  // So many of the users who hold a unit pay.

  // The fates of single requests of the load.
  std::vector<Fate> fates;
  // Whether the report has a recording: of so many requests and pieces of work, with the texts of
  // requests, answers and results if `record_bodies`. See Recorder.
  bool record = false;
  std::int64_t record_requests = 100'000;
  bool record_bodies = false;

  std::uint64_t seed = 1;
  // For ReadSimulatorOptions and ParseConfig: the members' texts as they came; empty for none.
  std::string limits;
  std::string latency;
  std::string faults;
  std::string retry;

  // Reads
  //   {"preset": name, "kind": "counter" | "inserts" | "ids" | "totals" | "pages" |
  //    "stock", "users", "arrivalsPerSecond", "seconds", "thinkMs", "shards", "delivery",
  //    "method": "transaction" | "sum" | "blocks", "block", "keepTimestampIndex",
  //    "totals": {"source": "sum" | "shards" | "shared", "writers", "maxAgeMs"},
  //    "pages": {"query", "documents", "pages"},
  //    "stock": {"way": "stock" | "transaction" | "naive", "units", "holdMs", "payingPercent"},
  //    "fates": [{"request", "fate": "lost" | "cut" | "twice" | "late", "afterMs"}],
  //    "record": {"requests", "bodies"}, "seed", "limits", "latencyMs", "faults", "retry"}
  // or a preset's name alone. A given option overrides the preset.
  static Result<Options> Read(const PaddedText& json);

  // As Read() takes it, with everything filled in.
  std::string ToJson() const;

  // The simulator that the experiment needs.
  Result<simulator::SimulatorOptions> ForSimulator() const;
  // The context of each client, without its source of randomness.
  Result<OperationContext> ForClients() const;
};

// The named experiments: [{"name", "title", …as Options}].
std::string DescribePresets();

}  // namespace shardline::experiment
