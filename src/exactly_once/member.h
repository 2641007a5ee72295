// The document of a member of a counted set says whether its key is a member. The commit that
// changes the shard also writes this document, on the condition that it is as it was read
// (optimistic concurrency). An update time never comes back. Therefore one of all requests that
// rely on the same state is applied, however often they are sent and however late they arrive: the
// document is its own marker (an idempotency key).
//
//   <the counter's own document>/shardline_members/<key>   (see counter/places.h)
//     delta     number     The amount of the last change: 1, or -1 when the key was taken back,
//     shard     string     and its shard: security rules compare it with the shard's change.
//     change    string     The id of the last change: 20 letters and digits, drawn for each, by
//                          which everyone finds their own.
//     before    string     The id of the change before it; empty for the first.
//     choice    string     In a set of choices: the member's choice. A field of each shard has the
//                          same name, and counts the members with that choice.
//     expireAt  timestamp  30 to 60 days ahead, for a TTL policy. Members that count have none.
//
// The document of a member that was taken back stays until it expires, so that the server refuses a
// late request to add it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "counter/counter.h"
#include "firestore/answers.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

// The full name of a member's document. `id`: see KeyId().
std::string MemberName(const Counter& counter, std::string_view id);

// True if the document says that its key is a member.
bool IsMember(const DocumentAnswer& document);
// The choice of a member; empty if it has none.
std::string ChoiceOf(const DocumentAnswer& document);

// The state of a member's document that was read.
struct MemberState {
  std::string update_time = {};  // Empty: it is not there.
  bool is_member = false;
  std::string choice = {};  // Empty for no member, and in a set without choices.
  std::string change = {};
  std::string before = {};
  Timestamp read_time = {};  // The server's clock.
};
// The answer must be about the document with that full name.
Status DecodeMember(const PaddedText& body, std::string_view name, MemberState& state);

// The writes of a change.
struct MemberChange {
  std::string_view id;
  std::int64_t delta;  // 1 or -1.
  std::string_view shard;
  std::optional<Timestamp> expire_at;  // nullopt: never.
  std::string_view choice = {};        // Empty: none.
};
// A write that follows `basis`, on the condition that the document still is as `basis` says.
Write MemberWrite(std::string name, const MemberState& basis, const MemberChange& change);

// The state of a key that a user asks for.
struct MemberWish {
  bool is_member;
  std::string choice = {};  // Empty for no member, and in a set without choices.
};

// The next step of a change when the member's document has been read.
//
//   the key is as asked for   the last change    then
//   ------------------------  -----------------  ------------------------------------------------
//   yes                       is this one        kChanged: an earlier request was applied
//                             is another         kUnchanged
//   no                        followed this one  kChanged: it was applied, and another client has
//                                                undone it since
//                             anything else      kCommit, on what was read
//
// The state cannot tell one case: this change was applied, and other clients have changed the key
// twice or more since, or the document has expired. Then the key is as asked for in the end, and
// kUnchanged, or the change is made once more.
enum class MemberStep : std::uint8_t { kChanged, kUnchanged, kCommit };
MemberStep DecideMember(const MemberState& state, const MemberWish& wish, std::string_view change);
// Whether the key is as asked for.
bool IsAsWished(const MemberState& state, const MemberWish& wish);

}  // namespace shardline
