// What becomes of a batch whose fate is in doubt: plain functions of what is known. The tables
// below are what the delivery exactly-once rests on; deliver_increment.h does as they say.
//
// A commit writes the shard and the ledger together, on the condition that the ledger is as the
// batch relies on (its *basis*). An update time never comes back, so once the ledger has moved on
// from the basis, no commit that relied on it can be applied any more, however late it arrives.
#pragma once

#include <cstdint>

#include "delivery/ledger.h"

namespace shardline {

// How the last commit ended; or that this life of the batch has sent none.
enum class CommitFate : std::uint8_t {
  kNone,
  kLost,      // No answer that says what became of it.
  kConflict,  // A precondition did not hold. The browser may have sent the commit twice.
  kDenied,    // By security rules, which are asked before preconditions.
  kRefused,   // For any other reason, and for good.
};

// What is known when the ledger has been read.
struct DeliveryFacts {
  CommitFate last = CommitFate::kNone;
  // A commit that relied on the basis may have been applied, or may still arrive.
  bool maybe_counted = false;
  // How many conflicts in a row have left the ledger as it was.
  int idle_conflicts = 0;
  // By the server's clock, the ledger should expire at another time than the last commit said.
  bool clock_was_wrong = false;
  // By the server's clock, a ledger that named the batch may have expired since. What the database
  // remembers does not reach back so far.
  bool may_have_expired = false;
  // How many shards there are could not be learnt, so nothing can be committed: then the last
  // commit counts as refused.
  bool no_shards = false;
  // That was because there is no counter.
  bool no_counter = false;
  // The client id was chosen, so others may write the ledger.
  bool shared = false;
};

enum class NextStep : std::uint8_t {
  kApplied,  // It was counted.
  kCommit,   // It was not: the same once more, on the ledger as read.
  kSearch,   // The ledger is gone: ask what the database remembers (batch_history.h).
  // Nothing that this life has sent was counted. Whoever stores the batch knows whether another
  // life may have sent it, or another copy of the storage what it holds.
  kRestart,
  kRefused,  // It was not, and never will be.
  kUnknown,  // Nobody can tell any more.
};

// A proxy may garble an answer or two; three conflicts over nothing are the server's last word.
inline constexpr int kMaxIdleConflicts = 3;

// What comes next when the ledger has been read.
//
// A commit that was refused does not prove that the batch was not counted: browsers repeat requests
// by themselves, and the first of the two may have been applied, without an answer. As long as
// there is a ledger, it tells. The first batch relies on there being none, so it is searched for
// wherever there may have been one meanwhile.
//
// clang-format off
//
//   the ledger as read       the last commit          may be counted  next
//   -----------------------  -----------------------  --------------  ------------------------------
//   names the batch          any                      any             kApplied
//
//   is the basis             none, or lost            any             kCommit
//                            conflict                 any             kCommit; the third time as
//                                                                     if refused
//                            denied, clock was wrong  any             kCommit, by the server's clock
//                            denied, or refused       no              kRefused
//                            denied, or refused       yes             kUnknown: it may still arrive
//
//   was touched only: it     any, without shards      any             kRefused
//   names the same batches   any                      any             kCommit
//
//   has moved on, and lists  any, without shards      any             kRefused where others share the
//   all batches since                                                 ledger, otherwise kRestart
//                            any                      any             kCommit where others share the
//                                                                     ledger, otherwise kRestart;
//                                                                     kRestart also where it names
//                                                                     a batch of a copy (ledger.h)
//
//   may have been begun      none                     no              kRestart
//   anew since there was     none                     yes             kUnknown
//   none                     any other                any             kUnknown
//
//   has moved on further,    none                     no              kRestart
//   or was begun anew        none                     yes             kUnknown
//                            any other                any             kUnknown: the browser may have
//                                                                     sent it twice
//
//   is not there, or is      any, without a counter   any             kRefused
//   no ledger                any but none, and it may  any            kUnknown
//                            have expired
//     no ledger yet          any                      yes             kSearch
//                            conflict                 no              kSearch: there was one
//                            any other                no              as "is the basis"
//     there was one          none                     no              kCommit
//                            any other                any             kSearch
//
// clang-format on
NextStep Decide(const DeliveryFacts& facts, std::string_view batch, const LedgerState& basis,
                const LedgerState& ledger);

// What a search has found out.
enum class SearchResult : std::uint8_t { kCounted, kNotCounted, kNotFoundOut };

// clang-format off
//
//   the search      the basis is    next
//   --------------  --------------  ------------------------------------------------------------
//   counted         any             kApplied
//   not counted     no ledger yet   as "is the basis" above
//                   a ledger        kCommit
//   not found out   no ledger yet   as if not counted: commits get lost, and hardly anybody deletes
//                                   ledgers by hand
//                   a ledger        kUnknown
//
// clang-format on
NextStep DecideGone(SearchResult search, const DeliveryFacts& facts, bool had_ledger);

}  // namespace shardline
