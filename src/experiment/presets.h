// The named experiments.
#pragma once

#include <string_view>

namespace shardline::experiment {

struct Preset {
  std::string_view name;
  std::string_view title;
  std::string_view options;
};

// The first three are the load test that a team has published: 1,000 users, ten more each second.
inline constexpr Preset kPresets[] = {
    {"singleDocument", "One counter in one document, read and written in transactions",
     R"({"kind":"counter","shards":1,"delivery":"transaction"})"},
    {"tenShards", "The same counter in 10 shards", R"({"kind":"counter","shards":10})"},
    {"fiftyShards", "The same counter in 50 shards", R"({"kind":"counter","shards":50})"},
    {"fiftyShardsExactlyOnce", "50 shards, and no increment counted twice whatever gets lost",
     R"({"kind":"counter","shards":50,"delivery":"exactly-once"})"},
    {"sequentialInserts", "New documents with the time of day, which is indexed",
     R"({"kind":"inserts","shards":1,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"shardedInserts", "The same with three shard values in front of the time in the index",
     R"({"kind":"inserts","shards":3,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"shardedInsertsOldIndex", "Three shard values, and the index of the time alone left in place",
     R"({"kind":"inserts","shards":3,"keepTimestampIndex":true,"users":2000,"arrivalsPerSecond":50,"seconds":60})"},
    {"idsByTransaction", "Unique ids from a transaction on one document",
     R"({"kind":"ids","method":"transaction","shards":1})"},
    {"idsBySum", "Ids from the sum of 50 shards: they are not unique",
     R"({"kind":"ids","method":"sum","shards":50})"},
    {"idsByBlocks", "Unique ids in blocks of 50, from a sequence of 50 shards",
     R"({"kind":"ids","method":"blocks","shards":50,"block":50})"},
    {"stock", "500 units for 5,000 users, from a stock of 50 shards",
     R"({"kind":"stock","shards":50,"users":5000,"arrivalsPerSecond":200,"seconds":60})"},
    {"stockByTransaction", "The same units in one document, taken in transactions",
     R"({"kind":"stock","shards":1,"users":5000,"arrivalsPerSecond":200,"seconds":60,"stock":{"way":"transaction"}})"},
    {"stockByReading", "The same units, taken after a look at the number sold: it sells too many",
     R"({"kind":"stock","shards":50,"users":5000,"arrivalsPerSecond":200,"seconds":60,"stock":{"way":"naive"}})"},
    {"ratings", "Stars of 3,000 users within a minute, one rating for each, in 200 shards",
     R"({"kind":"ratings","shards":200,"users":3000,"arrivalsPerSecond":50,"thinkMs":60000,"seconds":60})"},
    {"ratingsByTransaction", "The same stars, and the average in one document, by transactions",
     R"({"kind":"ratingsByTransaction","shards":1,"users":3000,"arrivalsPerSecond":50,"thinkMs":60000,"seconds":60})"},
};

}  // namespace shardline::experiment
