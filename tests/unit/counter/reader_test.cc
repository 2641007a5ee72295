#include "counter/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace shardline::counter_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json Read(const std::vector<std::string>& texts) {
  std::string arguments = "demo";
  arguments += kReaderSeparator;
  arguments += "(default)";
  for (const std::string& text : texts) (arguments += kReaderSeparator) += text;
  return json::parse(ReadRequest(arguments));
}

TEST(Reader, AsksForTheSumOfAllShards) {
  const json answer = Read({"posts/p1", "+mobile-sample", "", "", "", ""});
  EXPECT_EQ(answer["layout"], (json{{"shardCollection", "shards"},
                                    {"countField", "count"},
                                    {"shardCountField", "numShards"},
                                    {"parent", true}}));
  EXPECT_EQ(answer["path"],
            "/v1/projects/demo/databases/(default)/documents/posts/p1:runAggregationQuery");
  const json body = json::parse(answer["body"].get<std::string>())["structuredAggregationQuery"];
  EXPECT_EQ(body["structuredQuery"]["from"][0]["collectionId"], "shards");
  EXPECT_EQ(body["aggregations"][0]["sum"]["field"]["fieldPath"], "count");
}

TEST(Reader, TakesALayoutThatIsSpelledOut) {
  const json answer = Read({"posts/p1", "", "stats.likes", "+parts", "+n", "+likes"});
  EXPECT_EQ(answer["layout"], (json{{"shardCollection", "parts"},
                                    {"countField", "stats.likes"},
                                    {"shardCountField", "n"},
                                    {"parent", true}}));
  const json own = Read({"parts", "", "n", "", "", ""});
  EXPECT_EQ(own["layout"]["shardCollection"], nullptr);
  EXPECT_EQ(own["path"], "/v1/projects/demo/databases/(default)/documents:runAggregationQuery");
}

TEST(Reader, LeavesTheExtensionsTotalsToTheCore) {
  const json answer = Read({"pages/hello", "+extension", "visits", "", "", ""});
  EXPECT_EQ(answer["layout"]["countField"], "visits");
  EXPECT_FALSE(answer.contains("path"));
  EXPECT_EQ(Read({"pages/hello", "+extension", "", "", "", ""})["error"]["reason"],
            "argument-missing");
}

TEST(Reader, SaysWhatIsWrong) {
  const json odd = Read({"posts", "+web-sample", "", "", "", ""})["error"];
  EXPECT_EQ(odd["code"], "invalid-argument");
  EXPECT_EQ(odd["params"], (json{{"path", "posts"}}));
  EXPECT_EQ(Read({"posts/p1", "+", "", "", "", ""})["error"]["params"]["argument"], "layout");
  EXPECT_EQ(Read({"posts/p1", "+web-sample", "", "", "", "+num_shards"})["error"]["reason"],
            "arguments-conflict");
  EXPECT_EQ(Read({"posts/p1", "+web-sample", "", "", "", "+a..b"})["error"]["reason"],
            "field-not-allowed");
  EXPECT_THAT(json::parse(ReadRequest("demo"))["error"]["message"], HasSubstr("database"));
}

}  // namespace
}  // namespace shardline::counter_test
