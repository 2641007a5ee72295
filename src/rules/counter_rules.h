#pragma once

#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "rules/rules_options.h"

namespace shardline {

// Writes security rules (https://firebase.google.com/docs/firestore/security/get-started) under
// which browsers may increment distributed counters, and do nothing else to them. The options, as
// JSON:
//
// clang-format off
//
//   path           "posts/{post}": where the counters are. A name in braces stands for any id.
//   layout         As for a counter: a preset's name or an object. Default "web-sample".
//   shards         The largest number of shards that a counter may have, 1 to 10,000. Default 10.
//   maxDelta       The most that one write may add to a shard or take away from it. Default 1.
//                  A counter that gathers increments needs the same `maxDelta`.
//   fractions      Whether increments may have a fraction. Default: whether maxDelta has one.
//   access         Who may increment:
//                    "public"     (default) Everyone.
//                    "signed-in"  Users.
//                    "one-like"   Users, once each, and they may take it back: with add(), remove()
//                                 and has() of their own user id. maxDelta must be 1.
//                    "one-vote"   Users, once each, for ever: with add() and has() of their own
//                                 user id. maxDelta must be 1.
//   missingShards  "made" (default): an increment may make the shard that it goes to. In a layout
//                  with a shardCountField only where that field says that there is a counter.
//                  "refused": administrators alone make shards, with create().
//   parent         Whether everybody may read the document that says how many shards there are:
//                    "readable"  (default) Clients ask it.
//                    "private"   Every client is told `shards`.
//   admin          Who may create, resize and delete counters, clean up and write shared totals: an
//                  expression in the language of rules, such as
//                  "request.auth.token.admin == true". Default: servers only.
//   fields         ["like", "love"]: the rules are those of counters with these fields. maxDelta
//                  bounds each of them. access is "public" or "signed-in".
//   ratings        {from: 1, to: 5}: the rules are those of ratings with these values, by users,
//                  who have one each. Only path, shards and admin may stand beside it.
//   reactions      ["like", "love"]: the same for reactions with these kinds.
//
// clang-format on
//
// A user who may increment may also create markers, the documents by which increments and batches
// count once (shardline_markers, at the root). Rules cannot tell what one commit adds in all: under
// "public" and "signed-in" it may change each shard by maxDelta, and who sends one commit can send
// ten. Nor can they refuse a marker that comes without an increment. Who must count only once needs
// "one-like" or "one-vote", where a shard changes only with the member document of its user.
//
// Returns the text of firestore.rules. Refuses options that are none of these, and all of which the
// text would not compile.
Result<std::string> MakeCounterRules(const PaddedText& text);

// The same from options that are read.
std::string WriteCounterRules(const RulesOptions& options);

// The part of it that stands between the braces of `match /databases/…/documents`: from
// BeginOfRules() to kEndOfRules, comments by which it is found again. `database` is the segment
// behind /databases in expressions: $(database).
std::string WriteCounterBlocks(const RulesOptions& options, std::string_view database);
std::string BeginOfRules(std::string_view path);
inline constexpr std::string_view kEndOfRules = "// [/shardline]";

}  // namespace shardline
