#include "counter/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/support/status.h"

namespace shardline::layout_test {
namespace {

using ::testing::HasSubstr;

TEST(Layout, PresetsAreThoseOfTheSamples) {
  struct Case {
    const char* name;
    std::optional<std::string> shard_collection;
    const char* count_field;
    std::optional<std::string> shard_count_field;
  };
  const Case cases[] = {
      {"web-sample", "shards", "count", "num_shards"},
      {"mobile-sample", "shards", "count", "numShards"},
      {"node-sample", "shards", "count", std::nullopt},
      {"go-sample", "shards", "Count", std::nullopt},
      {"php-sample", std::nullopt, "Cnt", std::nullopt},
      {"ruby-sample", std::nullopt, "count", std::nullopt},
      {"collection", std::nullopt, "count", std::nullopt},
      {"extension", "_counter_shards_", "", std::nullopt},
  };
  for (const Case& expected : cases) {
    const Result<Layout> layout = Layout::Preset(expected.name);
    ASSERT_THAT(layout, IsOk()) << expected.name;
    EXPECT_EQ(layout->shard_collection, expected.shard_collection) << expected.name;
    EXPECT_EQ(layout->count_field, expected.count_field) << expected.name;
    EXPECT_EQ(layout->shard_count_field, expected.shard_count_field) << expected.name;
    EXPECT_EQ(layout->is_extension, expected.name == std::string("extension"));
  }
}

TEST(Layout, UnknownPresetsAreRefusedByName) {
  for (const char* name : {"", "web", "Web-sample", "android", "firestore-counter"}) {
    EXPECT_THAT(Layout::Preset(name), IsRefused(HasSubstr('\'' + std::string(name) +
                                                          "': it is one of web-sample, mobile")));
  }
  EXPECT_THAT(Layout::Preset(std::string(1000, 'x')), IsRefused(HasSubstr("xxx': it is one of")));
}

}  // namespace
}  // namespace shardline::layout_test
