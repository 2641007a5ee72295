// The paths of all documents of a counter (sharding: its count is the sum of its shards). No other
// file spells them.
//
// Three names identify a counter: its path P, its shards' collection S and its count field F. P is
// a document's path; in the layouts php-sample, ruby-sample and collection it is the path C of the
// shards' collection itself. All other documents of a counter are below the counter's *own
// document*, so counters that differ in one of the three names never share a key or a total.
//
// clang-format off
//
//   document       the samples, and extension            php-, ruby-sample, collection
//   -------------  ------------------------------------  ------------------------------
//   parent         P                                     -
//   shards         P/S/<i>                               C/<i>
//   own document   P/shardline/<S>.<F>                   C/shardline/shardline/<F>
//   members        <own document>/shardline_members/<key>   of a counted set
//   keys           <own document>/shardline_keys/<key>      of increments that count once
//   shared total   <own document>/shardline_totals/shared
//   published      <own document>/shardline_totals/published   (upkeep/publish_total.h), which
//                  also names the counter whose count was migrated into this one
//
// A counter with fields has the members, keys and totals of each of its fields, and one more own
// document for the note of its last publication, exactly_once/publish_choices.h: F is
// shardline_fields.<its fields, sorted, with dots between them>.
//
// clang-format on
//
// The markers of batches belong to no counter: shardline_markers/<batch> (exactly_once/marker.h).
//
// For posts/p1 in the layout web-sample the own document is posts/p1/shardline/shards.count. It is
// never written, and neither is C/shardline. A missing document is in no query, so no query takes a
// document below it for a shard.
//
// S and F are escaped so that they form an id, and so that no two counters get the same id. F is in
// its canonical form (FieldPath::text()), so that two spellings of one field are one counter. "%25"
// stands for `%`, and "%2F" for `/`. "%2E" stands for `.` in S, because the first dot ends S, and
// in an F without an S: then the id has no dot, and P may end in /shardline without harm. If the id
// would begin and end with two underscores, which Firestore reserves, "%5F" stands for the first
// one. KeyId() escapes keys, which may be any text, in the same way.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "firestore/field_path.h"
#include "firestore/resource_name.h"

namespace shardline {

inline constexpr std::string_view kMemberCollection = "shardline_members";
inline constexpr std::string_view kKeyCollection = "shardline_keys";
inline constexpr std::string_view kTotalsCollection = "shardline_totals";
inline constexpr std::string_view kMarkerCollection = "shardline_markers";
// No shard has this field.
inline constexpr std::string_view kFieldsPlace = "shardline_fields";
inline constexpr std::string_view kSharedTotalId = "shared";
inline constexpr std::string_view kPublishedId = "published";

// The path of the own document of the counter at `path`. `shard_collection` is nullopt if `path` is
// that collection. Requires checked names. kInvalidArgument if the id would be over 1,500 bytes.
Result<DocumentPath> OwnDocumentPath(std::string_view path,
                                     std::optional<std::string_view> shard_collection,
                                     const FieldPath& count_field);

// The id of a key's document: the key itself, with these characters escaped: `%`, `/`, the dots of
// "." and "..", and the first underscore of "__...__". No two keys get the same id.
// kInvalidArgument if the key is empty, is no valid UTF-8, or if the id would be over 1,500 bytes.
Result<std::string> KeyId(std::string_view key);

}  // namespace shardline
