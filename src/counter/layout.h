#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace shardline {

// Where a distributed counter keeps what, as a user says it; Counter::Make() checks it. The presets
// are the layouts of the samples in Firestore's documentation
// (https://firebase.google.com/docs/firestore/solutions/counters), so that apps in other languages
// can share a counter with ours:
//
//   web         posts/p1 {num_shards}, posts/p1/shards/<i> {count}
//   mobile      posts/p1 {numShards}, posts/p1/shards/<i> {count}    Swift, Objective-C, Java,
//   Kotlin node        posts/p1/shards/<i> {count}                          also Python's and C#'s
//   go          posts/p1/shards/<i> {Count}
//   php         samples/php/distributedCounters/<i> {Cnt}            the path is the collection
//   itself ruby        shards/<i> {count}                                   likewise collection
//   counterShards/<i> {count}                            the same by another name
struct Layout {
  // The collection of shards below the counter's document; nullopt if the counter's path is itself
  // that collection.
  std::optional<std::string> shard_collection;
  std::string count_field;
  // The field of the counter's document that says how many shards there are; nullopt if nothing
  // does.
  std::optional<std::string> shard_count_field;

  static Result<Layout> Preset(std::string_view name);
};

}  // namespace shardline
