#include "counter/shard_choice.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/reason.h"
#include "unit/counter/builders.h"

namespace shardline::shard_choice_test {
namespace {

using nlohmann::json;

PaddedText Body(const Reply& reply) { return PaddedText(reply.body); }

// What the counter's document says of how many shards there are.
TEST(ShardChoice, KnowsTheShardsOrWhyThereIsNoCounter) {
  struct Row {
    const char* layout;
    json fields;  // Null: there is no document.
    std::int64_t shards;
    const Reason* reason;
  };
  const Row rows[] = {
      {"web-sample", {{"num_shards", IntegerValue(7)}}, 7, nullptr},
      {"web-sample", {{"num_shards", {{"doubleValue", 7}}}}, 7, nullptr},
      {"web-sample", {{"num_shards", IntegerValue(10'000)}}, 10'000, nullptr},
      {"web-sample", {{"num_shards", IntegerValue(10'001)}}, kDefaultShards, nullptr},
      {"web-sample", {{"num_shards", IntegerValue(0)}}, kDefaultShards, nullptr},
      {"web-sample", {{"num_shards", {{"doubleValue", 1.5}}}}, kDefaultShards, nullptr},
      {"web-sample", {{"num_shards", {{"stringValue", "7"}}}}, kDefaultShards, nullptr},
      {"web-sample", {{"title", {{"stringValue", "x"}}}}, 0, &kCounterNotFound},
      {"web-sample", nullptr, 0, &kCounterNotFound},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.layout + (" " + row.fields.dump()));
    const auto counter = MakeCounter("posts/p1", Preset(row.layout));
    ShardChoice choice(*counter);
    ASSERT_EQ(choice.shards(), 0);
    const Reply reply =
        row.fields.is_null() ? MissingDocument("posts/p1") : FoundDocument("posts/p1", row.fields);
    Failure no_counter;
    const Result<Billed> billed = choice.HandleAnswer(Body(reply), no_counter);
    ASSERT_TRUE(billed);
    EXPECT_EQ(billed->reads, 1);
    EXPECT_EQ(choice.shards(), row.shards);
    ASSERT_EQ(bool(no_counter), row.reason != nullptr);
    if (row.reason) EXPECT_EQ(no_counter.error().reason, row.reason->name);
  }
}

TEST(ShardChoice, AnAnswerThatCannotBeReadChangesNothing) {
  const auto counter = MakeCounter();
  ShardChoice choice(*counter);
  Failure no_counter;
  EXPECT_FALSE(choice.HandleAnswer(PaddedText(std::string_view("[{}]")), no_counter));
  EXPECT_FALSE(no_counter);
  EXPECT_EQ(choice.shards(), 0);
  const Reply two = FoundDocument("posts/p1", {{"num_shards", IntegerValue(2)}});
  EXPECT_TRUE(choice.HandleAnswer(Body(two), no_counter));
  EXPECT_EQ(choice.shards(), 2);
}

TEST(ShardChoice, PicksAnotherShardEachTime) {
  const auto counter = MakeCounter("posts/p1", Preset("web-sample"), 2);
  ShardChoice choice(*counter);
  Random random(1);
  choice.Pick(random);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t before = choice.shard();
    choice.Pick(random);
    EXPECT_EQ(choice.shard(), 1 - before);
  }
}

}  // namespace
}  // namespace shardline::shard_choice_test
