// Open transactions of a database, and the locks of those that may write.
//
// Pessimistic locking, Firestore's default and the emulator's only mode: until a transaction ends,
// no other client may write a document that it has read. A new document can change the answer of a
// query. Like on the emulator, a query therefore locks all documents of all collections with its
// id, also future ones. But no call waits here: a call that meets a lock is refused at once.
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
  std::string retry_of;                // Only for read-write: the token of an aborted one.
};

// Reads TransactionOptions; null is a read-write transaction.
TransactionOptions ReadTransactionOptions(JsonScanner& scanner);

struct Transaction {
  bool read_only = false;
  Timestamp read_time;  // The time that a read-only transaction sees.
  Timestamp begun;
  Timestamp last_used;
  // The documents that it has read, existing or not.
  std::set<std::string, std::less<>> read_paths;
  // The ids of the collections that it has queried. An empty id means all collections.
  std::set<std::string, std::less<>> read_collections;

  bool HasRead(std::string_view path) const;
};

class Transactions {
 public:
  // Returns the transaction's token, which is bytes. The caller has checked `options.read_time`.
  // Without it, a read-only transaction reads as of `latest`, which may be ahead of the clock
  // `now`.
  std::string Begin(const TransactionOptions& options, Timestamp now, Timestamp latest);
  // Refuses bytes that are not a token, and the token of a transaction that has ended.
  Result<Transaction*> Find(std::string_view token, Timestamp now);
  // True for a token that Begin() has returned once.
  bool WasBegun(std::string_view token) const;
  void End(std::string_view token);

  // True if an open transaction other than `own` (may be null) has read the document, or has
  // queried collections with its collection's id.
  bool IsLocked(std::string_view path, const Transaction* own, Timestamp now);

  void Clear() { open_.clear(); }
  // Treats every token up to this number as one of an ended transaction.
  void StartAfter(std::uint64_t id) { last_id_ = std::max(last_id_, id); }

 private:
  // If the clock has gone back, the age of a transaction counts from the new time.
  void Expire(Timestamp now);

  std::map<std::uint64_t, Transaction> open_;
  std::uint64_t last_id_ = 0;
};

}  // namespace shardline::simulator
