// The document of a key: it says whether the key counts, and is written in the same atomic commit
// as the shard's increment, on the condition that it is as it was read. An update time never comes
// back, so of all requests that rely on the same state, however often they are sent and however
// late they arrive, one is applied.
//
//   <the counter's own document>/shardline_members/<key>   a member of a counted set
//   <the counter's own document>/shardline_keys/<key>      an increment that counts once
//                                                          (see counter/places.h)
//     delta     number     What the last change added: of a member 1, and -1 when it was taken
//                          back,
//     shard     string     and to which shard: security rules compare it with the shard's change.
//     change    string     The id of the last change: 20 letters and digits, drawn anew for each,
//                          by which everyone finds their own.
//     before    string     The id of the change before it; empty for the first.
//     expireAt  timestamp  30 to 60 days ahead, for a TTL policy. Members that count have none.
//
// The document of a member that was taken back stays until it expires, so that a request to add it
// that arrives late finds out that it is late.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/padded_text.h"
#include "base/result.h"
#include "firestore/amount.h"
#include "firestore/timestamp.h"
#include "firestore/write.h"

namespace shardline {

enum class KeyKind : std::uint8_t { kMember, kOnce };

// A key's document as it was read.
struct KeyState {
  std::string update_time = {};  // Empty: it is not there.
  bool counts = false;           // A key that counts once does when its document is there.
  std::string change = {};
  std::string before = {};
  Timestamp read_time = {};  // The server's clock.
};
// The answer must be about the document of that full name.
Status DecodeKey(const PaddedText& body, std::string_view name, KeyKind kind, KeyState& state);

// What a change writes.
struct KeyChange {
  std::string_view id;
  Amount delta;
  std::string_view shard;
  std::optional<Timestamp> expire_at;  // nullopt: never.
};
// A write that follows `basis`, on the condition that the document still is as `basis` says.
Write KeyWrite(std::string name, const KeyState& basis, const KeyChange& change);

// What becomes of a change when the key's document has been read.
//
//   the key is as asked for   the last change    then
//   ------------------------  -----------------  ------------------------------------------------
//   yes                       is this one        kChanged: an earlier request was applied
//                             is another         kUnchanged
//   no                        followed this one  kChanged: it was applied, and others have undone
//                                                it since
//                             anything else      kCommit, on what was read
//
// What is not told apart: this change was applied, and others have changed the key twice or more
// since, or the document has expired. Then the key is as asked for in the end, and kUnchanged, or
// the change is made once more.
enum class KeyStep : std::uint8_t { kChanged, kUnchanged, kCommit };
KeyStep DecideKey(const KeyState& state, bool should_count, std::string_view change);

}  // namespace shardline
