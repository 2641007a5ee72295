// The arguments that batch.commit refuses before anything is sent, and the writes that it makes of
// the others.

#include "api/batch_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "unit/counter/builders.h"
#include "unit/support/operation_driver.h"

namespace shardline::batch_api_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class BatchApiTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operation>> Start(const json& writes,
                                           const json& increments = json::array(),
                                           const std::string& id = "b1") {
    const json arguments = {{"id", id},
                            {"writes", writes},
                            {"increments", increments},
                            {"sentBefore", false},
                            {"serverNow", 1'800'000'000'000}};
    const PaddedText text(arguments.dump());
    JsonScanner scanner(text);
    return StartBatchCommit(scanner, context_);
  }
  // What is wrong with it.
  std::string Refusal(const json& writes, const json& increments = json::array(),
                      const std::string& id = "b1") {
    const auto started = Start(writes, increments, id);
    if (started) return "nothing";
    EXPECT_EQ(started.error().code, Code::kInvalidArgument);
    return started.error().message;
  }
  // The writes of the commit.
  json Sent(const json& writes, const json& increments = json::array()) {
    OperationDriver driver(Start(writes, increments));
    driver.Run();
    return Writes(driver.sent().at(0));
  }

  OperationContext context_ = TestContext();
};

json WriteOf(const std::string& kind, const std::string& path, const json& fields) {
  return {{"kind", kind},
          {"path", path},
          {"document", {{"fields", fields}, {"transforms", json::array()}}}};
}
json IncrementOf(const std::string& path, const json& delta, const json& max_delta = nullptr) {
  return {{"counter", {{"path", path}, {"shards", 3}}}, {"delta", delta}, {"maxDelta", max_delta}};
}

TEST_F(BatchApiTest, WritesInTheirOrder) {
  const json fields = {{"n", IntegerValue(1)}};
  const json writes = Sent({WriteOf("set", "a/1", fields),
                            WriteOf("merge", "a/2", fields),
                            WriteOf("create", "a/3", fields),
                            WriteOf("update", "a/4", fields),
                            {{"kind", "delete"}, {"path", "a/5"}}},
                           json::array({IncrementOf("posts/p1", IntegerValue(2))}));
  ASSERT_EQ(writes.size(), 7U);
  EXPECT_EQ(PathOf(writes[0]), "shardline_markers/b1");
  EXPECT_EQ(PathOf(writes[1]), "a/1");
  EXPECT_FALSE(writes[1].contains("currentDocument") || writes[1].contains("updateMask"));
  EXPECT_FALSE(writes[2].contains("currentDocument"));
  EXPECT_EQ(writes[2]["updateMask"]["fieldPaths"], json::array({"n"}));
  EXPECT_EQ(writes[3]["currentDocument"], json({{"exists", false}}));
  EXPECT_EQ(writes[4]["currentDocument"], json({{"exists", true}}));
  EXPECT_EQ(writes[5]["delete"], Name("a/5"));
  EXPECT_THAT(PathOf(writes[6]), HasSubstr("posts/p1/shards/"));
}

TEST_F(BatchApiTest, AShardedDocumentGetsItsShard) {
  json write = WriteOf("create", "stock/1", json::object());
  write["collection"] = {{"path", "stock"}, {"shards", {"x", "y"}}};
  write["document"]["shard"] = "y";
  EXPECT_EQ(Sent(json::array({write}))[1]["update"]["fields"]["shard"]["stringValue"], "y");
  write["document"]["shard"] = "z";
  EXPECT_THAT(Refusal(json::array({write})), HasSubstr("stock/1: Field \"shard\""));
}

TEST_F(BatchApiTest, AMergeWritesTheShardThatItNames) {
  json write = WriteOf("merge", "stock/1", {{"shard", {{"stringValue", "y"}}}});
  write["collection"] = {{"path", "stock"}, {"shards", {"x", "y"}}};
  const json sent = Sent(json::array({write}))[1];
  EXPECT_EQ(sent["update"]["fields"]["shard"]["stringValue"], "y");
  EXPECT_EQ(sent["updateMask"]["fieldPaths"], json::array({"shard"}));
}

TEST_F(BatchApiTest, IncrementsOfOneCounterGoTogether) {
  const json writes = Sent(json::array(), {IncrementOf("posts/p1", IntegerValue(2)),
                                           IncrementOf("posts/p2", IntegerValue(7)),
                                           IncrementOf("posts/p1", IntegerValue(3))});
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_EQ(writes[1]["updateTransforms"][0]["increment"], IntegerValue(5));
}

TEST_F(BatchApiTest, RefusesByName) {
  const json fields = {{"n", IntegerValue(1)}};
  EXPECT_THAT(Refusal({WriteOf("set", "a/1", fields), WriteOf("update", "a/1", fields)}),
              HasSubstr("a/1 is written twice"));
  EXPECT_THAT(Refusal(json::array({WriteOf("set", "a", fields)})), HasSubstr("a"));
  EXPECT_THAT(Refusal(json::array({WriteOf("put", "a/1", fields)})), HasSubstr("writes.kind"));
  EXPECT_THAT(Refusal(json::array({{{"kind", "set"}, {"path", "a/1"}}})),
              HasSubstr("writes.document"));
  EXPECT_THAT(Refusal(json::array({WriteOf("set", "a/1", {{"__n__", IntegerValue(1)}})})),
              HasSubstr("a/1: "));
  EXPECT_THAT(Refusal(json::array(), json::array(), "b/1"), HasSubstr("batch id"));
}

TEST_F(BatchApiTest, BoundsOfCounters) {
  const json two = IncrementOf("posts/p1", IntegerValue(2), IntegerValue(3));
  EXPECT_EQ(Refusal(json::array(), json::array({two})), "nothing");
  EXPECT_THAT(Refusal(json::array(), json::array({two, two})), HasSubstr("maxDelta"));
  const json most = IncrementOf("posts/p1", {{"integerValue", "9223372036854775807"}});
  EXPECT_THAT(Refusal(json::array(), json::array({most, most})), HasSubstr("64-bit"));
}

TEST_F(BatchApiTest, AnIncrementWithAKey) {
  const auto start = [&](const json& key) {
    const PaddedText text(json({{"counter", {{"path", "posts/p1"}, {"shards", 3}}},
                                {"key", key},
                                {"delta", IntegerValue(2)},
                                {"serverNow", 1'800'000'000'000}})
                              .dump());
    JsonScanner scanner(text);
    return StartKeyIncrement(scanner, context_);
  };
  OperationDriver driver(start("a/b"));
  driver.Run();
  EXPECT_EQ(PathOf(Writes(driver.sent().at(0))[0]),
            "posts/p1/shardline/shards.count/shardline_keys/a%2Fb");
  EXPECT_FALSE(start(""));
  EXPECT_FALSE(start(7));
}

}  // namespace
}  // namespace shardline::batch_api_test
