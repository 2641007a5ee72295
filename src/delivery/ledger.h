// The ledger: one document per client and counter that says which of the client's batches of
// increments were counted last. It is written in the same atomic commit as the increment itself,
// under a precondition that holds once only, so a batch that is sent any number of times is counted
// exactly once.
//
//   <the counter's own document>/shardline_ledger/<client id>   (see places.h)
//     seq       integer    The number of the client's last batch: 1 for the first, then one more
//                          each time.
//     batches   array      The ids of the last 20 batches, newest last. An id is 20 letters and
//                          digits, drawn anew for each batch. Every writer finds its own here.
//     delta     number     What the last batch added,
//     shard     string     and to which shard: security rules compare it with the shard's change.
//     expireAt  timestamp  30 to 60 days ahead: for a TTL policy on the collection group
//                          shardline_ledger. It stays the same for 30 days, and the days on which
//                          it changes differ from ledger to ledger: a field that rises with the
//                          clock would be a hot range of its index, at 500 writes a second.
//
// The client id is one that the client has drawn for itself; or, at the user's wish, one that the
// security rules know, such as the user's id: then the clients of one user share a ledger.
//
// A vote is the same in the collection shardline_votes, without expireAt: it never expires.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_scanner.h"
#include "base/json_writer.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "counter/places.h"
#include "firestore/amount.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

inline constexpr std::size_t kLedgerBatches = 20;
// Where others share the ledger, the ids of all batches of one queue begin with the same letters.
inline constexpr std::size_t kLineLength = 8;
inline constexpr std::int64_t kLedgerLifeMicros = std::int64_t{30} * 24 * 3600 * 1'000'000;

// A ledger as a client knows it. The next batch relies on it.
struct LedgerState {
  std::int64_t seq = 0;
  std::vector<std::string> batches = {};  // Newest last.
  std::string update_time = {};           // Empty: there is no ledger.

  bool exists() const { return !update_time.empty(); }
  bool Names(std::string_view batch) const;
  // How many batches of the same queue as this one it names that are not known: more than the queue
  // itself may have had counted, if a copy of it has gone on with the ledger (delivery_queue.h).
  std::int64_t CountOfLine(std::string_view batch, const LedgerState& known) const;
  // What the ledger says when the batch has been written to it, but for the update time.
  LedgerState After(std::string_view batch) const;
  // True if it lists every batch since `earlier`, so that what it does not name was not counted
  // since.
  bool CoversAllSince(const LedgerState& earlier) const;
  // False for a document that no writer of ledgers has left so.
  bool IsSound() const;

  bool operator==(const LedgerState&) const = default;

  // {"seq", "batches", "updateTime"}
  void Write(JsonWriter& writer) const;
  // What is malformed latches the scanner's error.
  static LedgerState Read(JsonScanner& scanner);
};

// What a batch writes, besides its id.
struct LedgerEntry {
  std::string_view batch;
  Amount delta;
  std::string_view shard;
  std::optional<Timestamp> expire_at;  // nullopt for a vote.
};

// A write of the ledger that follows `basis`, on the condition that it still is as `basis` says.
Write LedgerWrite(std::string name, const LedgerState& basis, const LedgerEntry& entry);

// What was read.
struct LedgerReading {
  LedgerState state;
  std::optional<Timestamp> expire_at;
  Timestamp read_time;  // The server's clock.
};
// The answer must be about the ledger of that full name.
Status DecodeLedger(const PaddedText& body, std::string_view name, LedgerReading& reading);

// What a ledger of this name that is written at `now` says in expireAt: at least 30 days and less
// than 60 days ahead. Never falls while `now` rises.
Timestamp ExpiryOf(std::string_view ledger_name, Timestamp now);

}  // namespace shardline
