// A stock: a number of units that clients take until it is zero, and never below. It is spread over
// shards so that many clients can take at once.
//
//   events/e1/stock_shards/<i>   {left, by}
//   events/e1/stock_takes/<key>  {units, shard, change, before, heldUntil?, expireAt?}
//   events/e1/stock_adds/<key>   {units, change, expireAt}
//
// A shard has `left` units. A take has `units` of them: 0 when all have been put back. Each commit
// moves units between two documents, so the sum of all shards and takes stays the same; create()
// and add() alone make units.
//
// The techniques are sharding, optimistic concurrency and an idempotency key. A commit takes from a
// shard on the condition that the shard is as it was read (its update time). Therefore `left` stays
// at zero or above without any rule, and the server refuses a commit that arrives late or twice.
// The take's document is its own marker: a take is made on the condition that it is not there, and
// changed on the condition that it is as it was read.
//
// `by` names the document that the last commit moved units from or to: "take:<key>" or "shard:<i>".
// `shard` names the take's shard. Security rules compare the two changes. `change` is the id of the
// last change, and `before` that of the change before it: a client finds its own change by them.
// A take with `heldUntil` is a hold. Once that time has passed, any client may give the units back.
// A take without units has `expireAt`, for a TTL policy.
//
// Measured against a blind decrease: the same two writes without the reading and without the
// condition on the shard, under a rule that refuses `left` below zero. In the model of limits 5,000
// clients ask for 500 units on 50 shards, 200 a second (tests/unit/stock/rush_test.cc):
//
//                           this take   blind
//   all units are gone in       9.2 s    5.7 s
//   longest answer              7.2 s    3.3 s
//   requests                   14,917   14,173
//   commits with conflicts        142        0
//   commits that rules deny         0    4,586
//   reads                      15,688   10,187
//   writes                      1,004    1,000
//   reads with two of rules
//     for each commit          16,972   20,359
//
// A blind decrease is faster, and is not used. Only the rule would keep `left` from falling below
// zero: a server's commit passes it, and so does each commit under rules that are wrong. A client
// could not tell an empty shard from rules that refuse it. And Firestore bills the reads of rules
// for denied commits, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/answers.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"
#include "operation/operation.h"

namespace shardline {

inline constexpr std::string_view kStockShards = "stock_shards";
inline constexpr std::string_view kStockTakes = "stock_takes";
inline constexpr std::string_view kStockAdds = "stock_adds";
inline constexpr std::int64_t kMaxStockShards = 10'000;
inline constexpr std::int64_t kDefaultStockShards = 10;
// The largest integer that a number of JavaScript holds exactly.
inline constexpr std::int64_t kMaxStockUnits = 9'007'199'254'740'991;
// By one take.
inline constexpr std::int64_t kMaxUnitsTaken = 1'000;

// Field names without dots are field paths.
FieldPath StockField(std::string_view name);

// The places of one stock.
class Stock {
 public:
  // kInvalidArgument if `path` is not a document's. `shards` must be from 1 to kMaxStockShards.
  static Result<Stock> Make(const DatabaseName& database, std::string_view path,
                            std::int64_t shards);

  const std::string& path() const { return path_.text(); }
  // As the user has said it. There may be more or fewer.
  std::int64_t shards() const { return shards_; }
  CollectionPath Collection(std::string_view id) const { return path_.Collection(id); }
  // Whether it is the full name of a document in that collection.
  bool Has(std::string_view collection, std::string_view name) const;
  // Full names. Require checked ids.
  std::string ShardName(std::string_view id) const { return NameIn(kStockShards, id); }
  std::string ShardName(std::int64_t shard) const;
  std::string TakeName(std::string_view key) const { return NameIn(kStockTakes, key); }
  std::string AddName(std::string_view key) const { return NameIn(kStockAdds, key); }

  Failure NotFound() const;

 private:
  Stock(const DatabaseName& database, DocumentPath path, std::int64_t shards)
      : database_(database), path_(std::move(path)), shards_(shards) {}
  std::string NameIn(std::string_view collection, std::string_view id) const;

  DatabaseName database_;
  DocumentPath path_;
  std::int64_t shards_;
};

// A shard as it was read.
struct StockShard {
  std::string name = {};
  std::string update_time = {};  // Empty: it is not there.
  std::int64_t left = 0;         // From 0 to kMaxStockUnits, whatever the field holds.

  std::string_view id() const;
};

// A take as it was read.
struct StockTake {
  std::string name = {};
  std::string update_time = {};  // Empty: it is not there.
  std::int64_t units = 0;        // From 0 to kMaxStockUnits, whatever the field holds.
  std::string shard = {};        // The id of its shard, which is a number; "0" for anything else.
  std::string change = {};
  std::string before = {};
  std::optional<Timestamp> held_until = {};

  std::string_view key() const;
  bool IsExpired(Timestamp now) const { return held_until && *held_until <= now; }
};

// An answer to a :batchGet or a :runQuery about a stock.
struct StockReading {
  std::vector<StockShard> shards = {};
  std::vector<StockTake> takes = {};
  Timestamp read_time = {};  // The server's clock.
};
// Documents of other collections of the stock are refused.
Status DecodeStock(const PaddedText& body, const Stock& stock, StreamedAnswer::Asked asked,
                   StockReading& reading);
// The same for a :batchGet of just these full names. A document that is not there is in the
// reading, too.
Status DecodeStockDocuments(const PaddedText& body, const Stock& stock,
                            const std::vector<std::string>& names, StockReading& reading);

// Adds `delta` to a shard.
Write ShardWrite(std::string name, std::int64_t delta, std::string by, Precondition precondition);
// A shard that must be there, whatever it holds: for units that come back.
Write ReturnWrite(std::string name, std::int64_t units, std::string by);
std::string ByTake(std::string_view key);
std::string ByShard(std::string_view id);

// The new state of a take.
struct TakeChange {
  std::int64_t units;
  std::string_view shard;
  std::string_view change;
  std::optional<Timestamp> held_until = {};
};
// Follows `basis`, on the condition that the document still is as `basis` says. `now`: the server's
// clock, by which a take without units expires.
Write TakeWrite(const StockTake& basis, const TakeChange& change, Timestamp now);

// Whether reading the documents again explains how a commit was refused.
bool IsAboutStock(Code code);
// The value of Call::attempts_before for a call that follows `refusals` refused commits. The first
// refusals cause no pause, because each comes from a change that another client has made.
int PauseAfter(int refusals, bool was_aborted, const RetryPolicy& retry);

}  // namespace shardline
