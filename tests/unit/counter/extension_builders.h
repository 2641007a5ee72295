// A counter of the firestore-counter extension's layout, and the documents around it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline {

inline const char* const kPath = "pages/p1";
inline const std::string kShards = "pages/p1/_counter_shards_/";

inline std::unique_ptr<const Counter> MakeExtension(
    const std::string& field = "visits", std::optional<std::int64_t> shards = std::nullopt,
    Delivery delivery = kDefaultDelivery) {
  return MakeCounter(kPath, ExtensionLayout(field), shards, delivery);
}

// Two shards and two partials, one of either for likes, too: 12 visits and 9 likes.
inline void PutShardsAndPartials(SimulatedServer& server) {
  server.Put(kShards + "a", {{"visits", IntegerValue(1)}});
  server.Put(kShards + "b", {{"visits", IntegerValue(2)}, {"likes", IntegerValue(3)}});
  server.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({{{"visits", IntegerValue(4)}}})}});
  server.Put(
      kShards + "\t\t\t\tb",
      {{"_updates_", Updates({{{"visits", IntegerValue(5)}}, {{"likes", IntegerValue(6)}}})}});
}

}  // namespace shardline
