#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Writes security rules (https://firebase.google.com/docs/firestore/security/get-started) under
// which browsers may increment distributed counters, and do nothing else to them. The options, as
// JSON:
//
// clang-format off
//
//   path           "posts/{post}": where the counters are. A name in braces stands for any id.
//   layout         As for a counter: a preset's name or an object. Default "web".
//   shards         The largest number of shards that a counter may have, 1 to 10,000. Default 10.
//   maxDelta       The most that one commit may add to a counter or take away from it. Default 1.
//                  A counter that gathers increments needs the same `maxDelta`.
//   fractions      Whether increments may have a fraction. Default: whether maxDelta has one.
//   access         Who may increment:
//                    "public"     (default) Everybody, with a ledger or without. A client's ledger
//                                 is found by its name alone, which is random and in no list.
//                                 Nothing connects the writes of an anonymous commit: it may change
//                                 each shard of a counter by maxDelta, and make 18 new ledgers.
//                    "signed-in"  Users. A change of a shard must be in that user's ledger, in the
//                                 same commit, so a commit adds at most maxDelta to a counter. The
//                                 counter needs `clientId: <the user's id>`.
//                    "one-vote"   Users, once each, for ever. The counter needs `voter: <the user's
//                                 id>`.
//                    "one-like"   Users, once each, and they may take it back: with add(), remove()
//                                 and has() of their own user id. maxDelta must be 1.
//   missingShards  "made" (default): an increment may make the shard that it goes to. In a layout
//                  with a shardCountField only where that field says that there is a counter.
//                  "refused": administrators alone make shards, with create().
//   batches        Whether the rules let the same users write the markers of batches, too. A batch
//                  writes no ledgers, so it may increment counters whose access is "public" only;
//                  its other writes need rules of their own. Default false.
//   admin          Who may create, resize and delete counters, clean up and write shared totals: an
//                  expression in the language of rules, such as
//                  "request.auth.token.admin == true". Default: nobody but servers.
//
// clang-format on
//
// Returns the text of firestore.rules. Refuses options that are none of these, and all of which the
// text would not compile.
Result<std::string> MakeCounterRules(const PaddedText& text);

}  // namespace shardline
