#pragma once

#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "rules/rules_options.h"

namespace shardline {

// Code generation: writes security rules
// (https://firebase.google.com/docs/firestore/security/get-started) that allow browsers to
// increment distributed counters, and nothing else. The options, as JSON:
//
// clang-format off
//
//   path           "posts/{post}": the path of the counters. A name in braces matches any id.
//   layout         The counters' layout: a preset's name or an object. Default "web-sample".
//   shards         The largest number of shards that a counter may have, 1 to 10,000. Default 10.
//   maxDelta       The most that one write may add to a shard or take away from it. Default 1.
//                  A counter that coalesces increments needs the same `maxDelta`.
//   fractions      Whether increments may have a fraction. Default: whether maxDelta has one.
//   access         Who may increment:
//                    "public"     (default) Everyone.
//                    "signed-in"  Users.
//                    "one-like"   Users, once each, and they may take it back: with add(), remove()
//                                 and has() of their own user id. maxDelta must be 1.
//                    "one-vote"   Users, once each, for ever: with add() and has() of their own
//                                 user id. maxDelta must be 1.
//   missingShards  "made" (default): an increment may make the shard that it goes to. In a layout
//                  with a shardCountField it may do so only if that field has a number.
//                  "refused": administrators alone make shards, with create().
//   parent         Whether everybody may read the document with the number of shards:
//                    "readable"  (default) Clients read it.
//                    "private"   Every client passes `shards`.
//   admin          Who may create, resize and delete counters, clean up and write shared totals: an
//                  expression in the language of rules, such as
//                  "request.auth.token.admin == true". Default: servers only.
//   fields         ["like", "love"]: writes the rules of counters with these fields. maxDelta bounds
//                  each of them. access is "public" or "signed-in".
//   ratings        {from: 1, to: 5}: writes the rules of ratings with these values. Each user has
//                  one rating. The other options may only be path, shards and admin.
//   reactions      ["like", "love"]: the same for reactions with these kinds.
//
// clang-format on
//
// A user who may increment may also create markers, the documents by which increments and batches
// count once (shardline_markers, at the root). Rules cannot see the sum that one commit adds: under
// "public" and "signed-in" it may change each shard by maxDelta, and a client can send any number
// of commits. Rules cannot refuse a marker without an increment either. If each user must count
// only once, use "one-like" or "one-vote": then a shard changes only together with the member
// document of the user.
//
// Returns the text of firestore.rules. Refuses unknown options, and values with which the text
// would not compile.
Result<std::string> MakeCounterRules(const PaddedText& text);

// The same from options that were read.
std::string WriteCounterRules(const RulesOptions& options);

// The part of the text between the braces of `match /databases/…/documents`. It begins and ends
// with the comments BeginOfRules() and kEndOfRules, by which later calls find it. `database` is the
// segment behind /databases in expressions: $(database).
std::string WriteCounterBlocks(const RulesOptions& options, std::string_view database);
std::string BeginOfRules(std::string_view path);
inline constexpr std::string_view kEndOfRules = "// [/shardline]";

}  // namespace shardline
