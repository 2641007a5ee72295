#pragma once

#include <string>

#include "base/padded_text.h"
#include "base/result.h"

namespace shardline {

// Security rules (https://firebase.google.com/docs/firestore/security/get-started) under which
// browsers may increment distributed counters, and do nothing else to them. The options, as JSON:
//
//   path      "posts/{post}": where the counters are. {names} stand for any id.
//   layout    As for a counter: a preset's name or an object. Default "web".
//   shards    How many shards a counter may have at the most, 1 to 10,000. Default 10.
//   maxDelta  What one commit may add or take away at the most, a number. Default 1. With counters
//             that gather increments, it is also their `maxDelta`.
//   access    Who may increment:
//               "public"     (default) everybody. The ledger of a client is found by its name
//               alone,
//                            which is drawn by lot and which nobody can list.
//               "signed-in"  users. Every change of a shard must be entered in the ledger of that
//                            user, so counters need `clientId: <the user's id>`.
//               "one-vote"   users, once each: the ledger is the vote, and cannot be changed.
//   admin     Who may create, resize and delete counters: an expression in the language of rules,
//             such as "request.auth.token.admin == true". Default: nobody but servers.
//
// The result is the text of firestore.rules. Refuses options that are none of these.
Result<std::string> MakeCounterRules(const PaddedText& options);

}  // namespace shardline
