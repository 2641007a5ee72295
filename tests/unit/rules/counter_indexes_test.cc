#include "rules/counter_indexes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/support/text.h"

namespace shardline::counter_indexes_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json Overrides(const json& options) {
  const Result<std::string> text = MakeCounterIndexes(Text(options.dump()));
  EXPECT_TRUE(text) << options << ": " << text.error().message;
  const json file = json::parse(text.value_or("{}"));
  EXPECT_EQ(file["indexes"], json::array());
  return file["fieldOverrides"];
}

// The override of a field, or null.
json Of(const json& overrides, const std::string& collection, const std::string& field) {
  for (const json& each : overrides) {
    if (each["collectionGroup"] == collection && each["fieldPath"] == field) return each;
  }
  return nullptr;
}

TEST(CounterIndexes, MarkersExpireAndAreNotIndexed) {
  const json overrides = Overrides(json::object());
  EXPECT_EQ(overrides[0], (json{{"collectionGroup", "shardline_markers"},
                                {"fieldPath", "expireAt"},
                                {"ttl", true},
                                {"indexes", json::array()}}));
  EXPECT_EQ(Of(overrides, "shardline_markers", "applied")["indexes"], json::array());
  for (const char* collection : {"shardline_members", "shardline_keys"}) {
    EXPECT_EQ(Of(overrides, collection, "expireAt")["ttl"], true) << collection;
    EXPECT_EQ(Of(overrides, collection, "change")["indexes"], json::array()) << collection;
  }
  // sum() needs it.
  EXPECT_TRUE(Of(overrides, "shards", "count").is_null());
}

TEST(CounterIndexes, NothingElseIsSaidByDefault) {
  EXPECT_EQ(Overrides(json::object()).size(), 12U);
}

TEST(CounterIndexes, CountsThatAreReadByDocumentsAreNotIndexed) {
  EXPECT_EQ(Of(Overrides({{"total", "shards"}}), "shards", "count")["indexes"], json::array());
  EXPECT_FALSE(
      Of(Overrides({{"total", "shards"}, {"layout", "go-sample"}}), "shards", "Count").is_null());
  EXPECT_FALSE(
      Of(Overrides({{"total", "shards"}, {"layout", "php-sample"}, {"path", "a/{b}/likes"}}),
         "likes", "Cnt")
          .is_null());
}

TEST(CounterIndexes, TheServerAddsUpRatingsAndReactions) {
  const auto indexes = [](const json& options) {
    const Result<std::string> text = MakeCounterIndexes(Text(options.dump()));
    EXPECT_TRUE(text) << options << ": " << (text ? "" : text.error().message);
    return json::parse(text.value_or("{}"))["indexes"];
  };
  const json ascending = {{"fieldPath", "r4"}, {"order", "ASCENDING"}};
  const json stars = indexes({{"ratings", {{"from", 1}, {"to", 5}}}});
  ASSERT_EQ(stars.size(), 1U);
  EXPECT_EQ(stars[0]["collectionGroup"], "shardline_ratings");
  EXPECT_EQ(stars[0]["queryScope"], "COLLECTION");
  EXPECT_EQ(stars[0]["fields"].size(), 5U);
  EXPECT_EQ(stars[0]["fields"][3], ascending);
  EXPECT_EQ(indexes({{"reactions", {"like", "love", "laugh", "sad"}}})[0]["fields"].size(), 4U);
  // One field has an index of its own.
  EXPECT_EQ(indexes({{"reactions", {"a", "b", "c", "d", "e"}}}).size(), 1U);
  EXPECT_EQ(indexes({{"reactions", {"like"}}}), json::array());
  const json ten = indexes({{"ratings", {{"from", 1}, {"to", 10}}}});
  ASSERT_EQ(ten.size(), 2U);
  EXPECT_EQ(ten[1]["fields"].size(), 5U);
}

TEST(CounterIndexes, TheServerAddsUpFourFieldsInOneRequest) {
  const auto file = [](const json& options) {
    const Result<std::string> text = MakeCounterIndexes(Text(options.dump()));
    EXPECT_TRUE(text) << options << ": " << (text ? "" : text.error().message);
    return json::parse(text.value_or("{}"));
  };
  const json three = file({{"fields", {"like", "love", "laugh"}}})["indexes"];
  ASSERT_EQ(three.size(), 1U);
  EXPECT_EQ(three[0]["collectionGroup"], "shards");
  EXPECT_EQ(three[0]["fields"].size(), 3U);
  const json six = file({{"fields", {"a", "b", "c", "d", "e", "f"}}})["indexes"];
  ASSERT_EQ(six.size(), 2U);
  EXPECT_EQ(six[0]["fields"].size() + six[1]["fields"].size(), 6U);
  // The last one has an index of its own.
  EXPECT_EQ(file({{"fields", {"a", "b", "c", "d", "e"}}})["indexes"].size(), 1U);
  const json other = {{"fields", {"a", "b"}}, {"layout", "collection"}, {"path", "x/{y}/claps"}};
  EXPECT_EQ(file(other)["indexes"][0]["collectionGroup"], "claps");
  const json listed = {{"fields", {"like", "love"}}, {"total", "shards"}};
  EXPECT_EQ(file(listed)["indexes"], json::array());
  EXPECT_EQ(Of(Overrides(listed), "shards", "love")["indexes"], json::array());
}

TEST(CounterIndexes, BadOptionsAreRefusedByName) {
  const auto message = [](const json& options) {
    const Result<std::string> text = MakeCounterIndexes(Text(options.dump()));
    EXPECT_FALSE(text) << options;
    return text ? std::string() : text.error().message;
  };
  EXPECT_THAT(message({{"total", "all"}}), HasSubstr("total"));
  EXPECT_THAT(message({{"layout", "extension"}}), HasSubstr("layout"));
  EXPECT_THAT(message({{"layout", "php-sample"}, {"total", "shards"}}), HasSubstr("path"));
  EXPECT_THAT(message({{"layout", "php-sample"}, {"total", "shards"}, {"path", "{any}"}}),
              HasSubstr("path"));
  EXPECT_THAT(message({{"path", 1}}), HasSubstr("path"));
  EXPECT_THAT(message({{"ratings", 5}}), HasSubstr("ratings"));
  EXPECT_THAT(message({{"fields", 5}}), HasSubstr("fields"));
  EXPECT_THAT(message({{"fields", {"a", "b"}}, {"layout", "php-sample"}}), HasSubstr("path"));
  EXPECT_THAT(message({{"reactions", {"like"}}, {"total", "sum"}}), HasSubstr("reactions"));
  EXPECT_THAT(message({{"shards", 1}}), HasSubstr("shards"));
  EXPECT_THAT(message(json()), HasSubstr("options"));
}

}  // namespace
}  // namespace shardline::counter_indexes_test
