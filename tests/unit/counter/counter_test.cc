#include "counter/counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/status.h"

namespace shardline::counter_test {
namespace {

using nlohmann::json;
using ::testing::Eq;
using ::testing::HasSubstr;

Result<std::unique_ptr<const Counter>> Make(const std::string& path, const char* preset,
                                            std::optional<std::int64_t> shards = std::nullopt) {
  return Counter::Make(TestContext().database, {path, Preset(preset), shards});
}

TEST(Counter, ShardsStandWhereTheLayoutSays) {
  EXPECT_EQ(MakeCounter("posts/p1")->ShardName(7), Name("posts/p1/shards/7"));
  EXPECT_EQ(MakeCounter("posts/p1")->ParentName(), Name("posts/p1"));
  EXPECT_EQ(MakeCounter("a/b/c/d", Preset("go-sample"))->ShardName(0), Name("a/b/c/d/shards/0"));
  EXPECT_EQ(MakeCounter("samples/php/distributedCounters", Preset("php-sample"))->ShardName(9),
            Name("samples/php/distributedCounters/9"));
  EXPECT_EQ(MakeCounter("shards", Preset("ruby-sample"))->ShardName(1), Name("shards/1"));
  EXPECT_EQ(MakeCounter("counterShards", Preset("collection"))->ShardName(10),
            Name("counterShards/10"));
}

TEST(Counter, PathsMustSuitTheLayout) {
  for (const char* preset : {"web-sample", "mobile-sample", "node-sample", "go-sample"}) {
    EXPECT_THAT(Make("posts/p1", preset), IsOk());
    EXPECT_THAT(Make("posts", preset), IsRefused(HasSubstr("names a collection")));
    EXPECT_THAT(Make("posts/p1/shards", preset), IsRefused(HasSubstr("names a collection")));
  }
  for (const char* preset : {"php-sample", "ruby-sample", "collection"}) {
    EXPECT_THAT(Make("shards", preset), IsOk());
    EXPECT_THAT(Make("posts/p1", preset), IsRefused(HasSubstr("names a document")));
  }
  for (const char* path :
       {"", "/", "posts/", "/posts/p1", "posts//p1", "posts/..", "posts/__p__"}) {
    EXPECT_THAT(Make(path, "web-sample"), IsRefused(HasSubstr("path"))) << path;
  }
}

TEST(Counter, ShardsAreOneToTenThousand) {
  for (const std::int64_t shards : {1, 2, 10'000})
    EXPECT_THAT(Make("a/b", "web-sample", shards), IsOk());
  for (const std::int64_t shards :
       {INT64_MIN, std::int64_t{-1}, std::int64_t{0}, std::int64_t{10'001}, INT64_MAX}) {
    EXPECT_THAT(Make("a/b", "web-sample", shards), IsRefused(HasSubstr("from 1 to 10,000")))
        << shards;
  }
}

Result<std::unique_ptr<const Counter>> MakeWith(const Layout& layout, const char* path = "a/b") {
  return Counter::Make(TestContext().database, {.path = path, .layout = layout});
}

TEST(Counter, ContradictingLayoutsAreRefused) {
  EXPECT_THAT(MakeWith({.shard_collection = "s", .count_field = "n", .shard_count_field = "m"}),
              IsOk());
  EXPECT_THAT(MakeWith({.count_field = "n", .shard_count_field = "m"}, "a"),
              IsRefused(HasSubstr("without a shardCollection")));
}

TEST(Counter, BadNamesInLayoutsAreRefused) {
  for (const std::string& id : {std::string(), std::string("."), std::string(".."),
                                std::string("a/b"), std::string("__x__"), std::string(1501, 'a')}) {
    EXPECT_THAT(MakeWith({.shard_collection = id, .count_field = "n"}),
                IsRefused(HasSubstr("layout's shardCollection")))
        << id;
  }
  for (const char* path : {"", ".", "a.", ".a", "a..b", "`a", "__x__", "__name__"}) {
    EXPECT_THAT(MakeWith({.shard_collection = "s", .count_field = path}),
                IsRefused(HasSubstr("field")))
        << path;
    EXPECT_THAT(MakeWith({.shard_collection = "s", .count_field = "n", .shard_count_field = path}),
                IsRefused(HasSubstr("field")))
        << path;
  }
}

TEST(Counter, SpellsItsLayoutOut) {
  const auto written = [](const Counter& counter) {
    JsonWriter writer;
    counter.WriteLayout(writer);
    return json::parse(writer.text());
  };
  EXPECT_EQ(written(*MakeCounter()), json({{"shardCollection", "shards"},
                                           {"countField", "count"},
                                           {"shardCountField", "num_shards"},
                                           {"parent", true}}));
  EXPECT_EQ(written(*MakeCounter("a/b/c", Preset("php-sample"))),
            json({{"shardCollection", nullptr},
                  {"countField", "Cnt"},
                  {"shardCountField", nullptr},
                  {"parent", false}}));
  EXPECT_EQ(written(*MakeCounter("a/b", {.shard_collection = "parts",
                                         .count_field = "stats.`n`",
                                         .shard_count_field = "stats.shard count"})),
            json({{"shardCollection", "parts"},
                  {"countField", "stats.n"},
                  {"shardCountField", "stats.`shard count`"},
                  {"parent", true}}));
}

TEST(Counter, ReadsNoMoreThanItNeeds) {
  const auto counter = MakeCounter(
      "posts/p1",
      {.shard_collection = "s", .count_field = "stats.`a b`", .shard_count_field = "meta.shards"});
  EXPECT_EQ(json::parse(counter->ReadParent().body),
            json({{"documents", {Name("posts/p1")}}, {"mask", {{"fieldPaths", {"meta.shards"}}}}}));
  EXPECT_EQ(
      json::parse(counter->ReadShard(3).body),
      json({{"documents", {Name("posts/p1/s/3")}}, {"mask", {{"fieldPaths", {"stats.`a b`"}}}}}));
  EXPECT_EQ(counter->ReadShard(3).path, "/v1/projects/demo/databases/(default)/documents:batchGet");
  EXPECT_EQ(counter->ReadShard(3).effect, Effect::kRead);
}

TEST(Counter, ShardCountComesFromTheParent) {
  const auto counter = MakeCounter();
  const auto read = [&](std::optional<Amount> amount) {
    return counter->ShardsFromParent({.has_field = true, .amount = amount});
  };
  EXPECT_THAT(read(Amount::Integer(20)), IsOkAnd(Eq(20)));
  EXPECT_THAT(read(Amount::Double(20)), IsOkAnd(Eq(20)));
  EXPECT_THAT(counter->ShardsFromParent({}), IsOkAnd(Eq(0)));
  for (const std::optional<Amount>& amount :
       {std::optional<Amount>(), std::optional(Amount::Integer(0)),
        std::optional(Amount::Integer(-1)), std::optional(Amount::Integer(10'001)),
        std::optional(Amount::Integer(INT64_MAX)), std::optional(Amount::Double(2.5)),
        std::optional(Amount::Double(0)), std::optional(Amount::Double(1e300)),
        std::optional(Amount::Double(std::nan("")))}) {
    EXPECT_THAT(read(amount), Fails(Code::kFailedPrecondition, HasSubstr("num_shards of posts/p1")))
        << (amount ? amount->Encode().json() : "null");
  }
}

}  // namespace
}  // namespace shardline::counter_test
