// The marker of a batch: an idempotency key. A batch is the content of one commit. Its marker is a
// document that the commit creates, on the condition that it is not there. Therefore one of all
// commits with this marker is applied, from any sender, however often and however late they arrive.
//
//   shardline_markers/<id>   The id is 20 letters and digits, drawn at random for this batch alone.
//     applied   boolean    True: the batch was applied with it. False: it was written alone, to
//                          *withdraw* the batch, which cannot be applied any more.
//     expireAt  timestamp  30 to 60 days ahead, for a TTL policy.
//
//   <the counter's own document>/shardline_keys/<key>
//                            The marker of increment(n, { key }): all clients that count with
//                            this key know its name. It is never withdrawn, because the same key
//                            may be asked for again. It has one field more:
//     change    string     20 letters and digits, drawn for each call, by which a call finds its
//                          own.
//
// Commits with the same marker affect each other only through the marker, which is there or not. No
// batch relies on another one.
//
// One case is out of reach. If rules refuse both a commit and its withdrawal, the batch ends as
// refused without a marker. A copy of the commit that arrives after the rules have changed is then
// applied. counterRules() allows the withdrawal to every user who may count.
//
// A sender that finds no counter has sent nothing, and reads no marker: it reports the batch as
// refused, even if a copy of its storage has sent the batch while there was a counter.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/instant.h"
#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/resource_name.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

// How long a batch may be sent after it was made. Its marker lives for two days longer, so that
// clocks may differ, and requests may be late.
inline constexpr Duration kBatchLife = std::chrono::hours(28 * 24);

// The state of a marker that was read. Hidden: the server refuses to read it.
enum class Marker : std::uint8_t { kMissing, kApplied, kWithdrawn, kHidden };

struct MarkerReading {
  Marker marker = Marker::kMissing;
  std::string change = {};
  std::string update_time = {};  // When the batch was applied, or withdrawn.
  Timestamp read_time = {};      // The server's clock.
};
// The answer must be about the document with that full name.
Status DecodeMarker(const PaddedText& body, std::string_view name, MarkerReading& reading);

// The full name of a batch's marker.
std::string MarkerName(const DatabaseName& database, std::string_view id);
// Requires that the marker is not there. `change`: see above; empty for none.
Write MarkerWrite(std::string name, bool applied, Timestamp expire_at,
                  std::string_view change = {});
// The time at which a marker of this name that is written at `now` expires: at least 30 days and
// less than 60 days ahead. The days are spread by the name, because times that rise with the clock
// would be a hot range of an index.
Timestamp ExpiryOf(std::string_view name, Timestamp now);

// The end of the last request that writes the marker.
enum class MarkerFate : std::uint8_t {
  kNone,          // No request was refused: the batch is too old.
  kRefused,       // A commit of the batch was refused.
  kNotWithdrawn,  // The withdrawal was refused.
  kTaken,         // The withdrawal was refused because the marker is there.
};

struct BatchFacts {
  MarkerFate last = MarkerFate::kNone;
  // The marker may be written alone.
  bool can_withdraw = true;
  // An answer to a commit was lost, or another client may have sent one: it may have been applied,
  // or may still arrive.
  bool may_arrive = false;
  // The batch is older than kBatchLife: its marker may have expired.
  bool is_too_old = false;
  // Security rules have denied the request, and its marker's expireAt does not fit the server's
  // clock.
  bool clock_was_wrong = false;
};

enum class BatchStep : std::uint8_t {
  kCounted,   // The batch was applied, once.
  kRefused,   // It was not applied, and never will be.
  kCommit,    // Send the batch.
  kWithdraw,  // Write the marker alone.
  kUnknown,   // The marker cannot tell any more.
};

// The next step when the marker has been read (a decision table). The sender reads the marker after
// every refusal, because a refused commit does not prove that nothing was applied: browsers repeat
// requests by themselves, and the first of two may have been applied without an answer. A commit
// whose answer was lost needs no reading: it is sent again, unless the batch is too old. The first
// row that fits counts:
//
// clang-format off
//
//   the marker  the last request          other facts               next
//   ----------  ------------------------  ------------------------  ---------
//   applied     any                       any                       kCounted
//   withdrawn   any                       any                       kRefused
//   missing or  any                       too old                   kUnknown
//   hidden      withdrawal: it was there  any                       kUnknown
//               commit refused            the clock was wrong       kCommit
//               withdrawal refused        the clock was wrong       kWithdraw
//               commit refused            can be withdrawn          kWithdraw
//               refused                   a commit may arrive       kUnknown
//               refused                   any                       kRefused
//
// clang-format on
BatchStep Decide(const BatchFacts& facts, Marker marker);

}  // namespace shardline
