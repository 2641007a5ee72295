// Where everything of a counter stands. This header is the only place that says so.
//
// A counter is three names: its path P, its shards' collection S and its count field F. P is a
// document's path; in the layouts php-sample, ruby-sample and collection it is the path C of the
// shards' collection itself. All that the library keeps for a counter lies below the counter's *own
// document*, so counters that differ in any of the three names never share a key or a total.
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
// clang-format on
//
// The markers of batches belong to no counter: shardline_markers/<batch> (exactly_once/marker.h).
//
// For posts/p1 in the layout web-sample the own document is posts/p1/shardline/shards.count. It is
// never written, and neither is C/shardline: a document that is missing is in no query, so nothing
// that lies below it is taken for a shard.
//
// S, and F in its canonical form (FieldPath::text(), so that two spellings of one field are one
// counter), are escaped so that they can be an id, and so that no two counters get the same one:
// "%25" stands for `%`, "%2F" for `/`. "%2E" stands for `.` in S, where the first dot ends it, and
// in F where it stands alone: then the id has no dot, and P may end in /shardline without harm.
// Where the id would begin and end with two underscores, which Firestore reserves, "%5F" stands for
// the first. Keys, which may be any text, are escaped in the same way: see KeyId().
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
