// Open transactions of a database, and the locks of those that may write.
//
// Pessimistic, as Firestore's are by default and the emulator's always: what a transaction has
// read, no other client may write until it ends. A query has read more than it has found: another
// document that it would have found changes its answer. As on the emulator, it therefore
// holds all documents of all collections with that id, those to come included. Here no call waits,
// though: a call that meets a lock is refused at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/json_scanner.h"
#include "base/result.h"
#include "firestore/timestamp.h"

namespace shardline::simulator {

struct TransactionOptions {
  bool read_only = false;
  std::optional<Timestamp> read_time;  // Only with read_only.
  std::string retry_of;                // Only without: the token of an aborted one.
};

// Reads TransactionOptions; null is a read-write transaction.
TransactionOptions ReadTransactionOptions(JsonScanner& scanner);

struct Transaction {
  bool read_only = false;
  Timestamp read_time;  // The time that a read-only transaction sees.
  Timestamp begun;
  Timestamp last_used;
  // The documents that it read, existing or not.
  std::set<std::string, std::less<>> read_paths;
  // The ids of collections that were queried. The empty one stands for all.
  std::set<std::string, std::less<>> read_collections;

  bool HasRead(std::string_view path) const;
};

class Transactions {
 public:
  // Returns its token, which is bytes. `options.read_time` must have been checked; without it, a
  // read-only one reads as of `latest`, which may be ahead of the clock `now`.
  std::string Begin(const TransactionOptions& options, Timestamp now, Timestamp latest);
  // Refuses what is no token, and that of one that has ended.
  Result<Transaction*> Find(std::string_view token, Timestamp now);
  // True for a token that was given out once.
  bool WasBegun(std::string_view token) const;
  void End(std::string_view token);

  // True if an open transaction other than `own` (may be null) has read the document, or has
  // queried collections such as its own.
  bool IsLocked(std::string_view path, const Transaction* own, Timestamp now);

  void Clear() { open_.clear(); }
  // Counts every token up to this number as one that was given out and has ended.
  void StartAfter(std::uint64_t id) { last_id_ = std::max(last_id_, id); }

 private:
  // Where the clock has gone back, the age of a transaction counts from there.
  void Expire(Timestamp now);

  std::map<std::uint64_t, Transaction> open_;
  std::uint64_t last_id_ = 0;
};

}  // namespace shardline::simulator
