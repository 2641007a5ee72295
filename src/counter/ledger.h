// The ledger: one document per client and counter that says which of the client's batches of
// increments was counted last. It is written in the same atomic commit as the increment itself,
// under a precondition that holds once only, so a batch that is sent any number of times is counted
// exactly once.
//
//   <the counter's own document>/shardline_ledger/<client id>
//     seq       integer    The number of the client's last batch, from 1 on, by one each time.
//     batch     string     Which batch that was: 20 letters and digits, drawn anew for each.
//     delta     number     What it added,
//     shard     string     and to which shard: security rules compare it with the shard's change.
//     expireAt  timestamp  30 days after the batch was made: for a TTL policy on the collection
//                          group shardline_ledger.
//
// places.h says which document is the counter's own.
//
// The client id is one that the client has drawn for itself; or, at the user's wish, one that the
// security rules know, such as the user's id: then the clients of one user share a ledger.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "counter/amount.h"
#include "firestore/timestamp.h"

namespace shardline {

inline constexpr std::int64_t kLedgerLifeMicros = std::int64_t{30} * 24 * 3600 * 1'000'000;

// What is to be written.
struct LedgerEntry {
  std::int64_t seq = 0;
  std::string batch;
  Amount delta = Amount::Integer(0);
  std::string shard;
  Timestamp expire_at;
};

// A write that replaces the ledger, on the condition that it was last written at `update_time`; or
// if that is empty, that it is not there.
std::string EncodeLedgerWrite(std::string_view name, const LedgerEntry& entry,
                              std::string_view update_time);

// A :batchGet of it.
std::string EncodeReadLedger(std::string_view name);

// What was read.
struct LedgerReading {
  std::string update_time;  // Empty: there is no ledger.
  std::int64_t seq = 0;
  std::string batch;
  Timestamp read_time;  // The server's clock.

  bool exists() const { return !update_time.empty(); }
};
Status DecodeLedger(const PaddedText& body, LedgerReading& reading);

// When an applied batch's ledger may be deleted, at the earliest.
Timestamp ExpiryOf(Timestamp staged_at);

}  // namespace shardline
