#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardline {

// The places of a distributed counter's documents and fields, as the user names them.
// Counter::Make() checks them. The presets are the layouts of the samples in Firestore's
// documentation (https://firebase.google.com/docs/firestore/solutions/counters), so that apps in
// other languages can share a counter with ours:
//
//   web         posts/p1 {num_shards}, posts/p1/shards/<i> {count}
//   mobile      posts/p1 {numShards}, posts/p1/shards/<i> {count}: Swift, Objective-C, Java, Kotlin
//   node        posts/p1/shards/<i> {count}: also Python's and C#'s
//   go          posts/p1/shards/<i> {Count}
//   php         samples/php/distributedCounters/<i> {Cnt}: the path is the collection itself
//   ruby        shards/<i> {count}: the same
//   collection  counterShards/<i> {count}: the same by another name
//
// or that of Firebase's firestore-counter extension
// (https://github.com/firebase/extensions/tree/next/firestore-counter), whose users choose the
// field:
//
//   extension   pages/p1 {visits}, pages/p1/_counter_shards_/<any id> {visits}
struct Layout {
  // The collection of shards below the counter's document; nullopt if the counter's path is itself
  // that collection.
  std::optional<std::string> shard_collection;
  std::string count_field;
  // The field of the counter's document that says how many shards there are; nullopt if nothing
  // does.
  std::optional<std::string> shard_count_field;
  // The counter's document holds a part of the count itself, in the count field, and so do partials
  // among the shards (answers.h): the extension's workers move counts from one to the other. The
  // preset's count field is empty, and to be filled in.
  bool is_extension = false;

  static Result<Layout> Preset(std::string_view name);
};

}  // namespace shardline
