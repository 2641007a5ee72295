// The marker of a user's batch: a document that is created in the same atomic commit as all that
// the batch writes, on the condition that it is not there. So of all commits that carry the same
// marker, however often they are sent, by us or by a browser, and however late they arrive, one is
// applied.
//
//   shardline_batches/<id>   The id is 20 letters and digits, drawn anew for each batch.
//     applied   boolean    True: the batch was written with it. False: it was written alone, to
//                          *withdraw* the batch, which cannot be applied any more.
//     expireAt  timestamp  30 to 60 days ahead, for a TTL policy.
//
// A commit that was refused does not say that nothing was applied: browsers repeat requests by
// themselves, and the first of two may have been applied without an answer. Rules, too, may refuse
// the second one, as a marker that is there would be updated. So whatever a commit ends with, the
// marker is read, and says what has become of the batch:
//
//   it is there       it says so
//   it is missing     no commit has been applied, but one whose answer was lost may still arrive.
//   It
//                     is sent once more; or, where the server refuses the batch for good, the batch
//                     is withdrawn: after that no late request can be applied.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

enum class Marker : std::uint8_t { kMissing, kApplied, kWithdrawn };

// A marker as it was read.
struct MarkerReading {
  Marker marker = Marker::kMissing;
  std::string update_time = {};  // When the batch was applied, or withdrawn.
  Timestamp read_time = {};      // The server's clock.
};
// The answer must be about the document of that full name.
Status DecodeMarker(const PaddedText& body, std::string_view name, MarkerReading& reading);

// Requires that it is not there.
Write MarkerWrite(std::string name, bool applied, Timestamp expire_at);

// How the last request ended that was to write the marker.
enum class MarkerFate : std::uint8_t {
  kNone,          // None has been sent.
  kLost,          // A commit of the batch, without an answer that says what became of it.
  kRefused,       // A commit of the batch.
  kNotWithdrawn,  // A request to withdraw the batch was refused.
};

struct BatchFacts {
  MarkerFate last = MarkerFate::kNone;
  // The batch is not to be committed, but withdrawn.
  bool withdraws = false;
  // A commit may have been applied, or may still arrive.
  bool maybe_applied = false;
  // By the server's clock, the marker of such a commit may have expired.
  bool may_have_expired = false;
  // The commit was denied by security rules, and by the server's clock the marker should expire at
  // another time than the commit said.
  bool clock_was_wrong = false;
};

enum class BatchStep : std::uint8_t {
  kApplied,    // The batch was applied, once.
  kWithdrawn,  // It was not, and never will be.
  kRefused,    // It was not: what the server said stands.
  kCommit,     // It is sent, or sent again.
  kWithdraw,   // The marker is written alone.
  kUnknown,    // Nobody can tell.
};

// What comes next when the marker has been read. The first row that fits counts.
//
// clang-format off
//
//   the marker  goal      the last request    may be applied        next
//   ----------  --------  ------------------  --------------------  ----------
//   applied     any       any                 any                   kApplied
//   withdrawn   any       any                 any                   kWithdrawn
//   is missing  any       any                 yes, and may have     kUnknown
//                                             expired since
//               any       not withdrawn       any                   kUnknown
//               withdraw  any                 any                   kWithdraw
//               commit    none, or lost       any                   kCommit
//                         refused, and the    any                   kCommit
//                         clock was wrong
//                         refused             no                    kRefused
//                         refused             yes                   kWithdraw
//
// clang-format on
BatchStep Decide(const BatchFacts& facts, Marker marker);

}  // namespace shardline
