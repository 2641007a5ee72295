// The totals of a counter with fields.

#include "counter/read_field_totals.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::read_field_totals_test {
namespace {

using nlohmann::json;

const std::vector<std::string> kKinds = {"like", "love", "laugh"};

class ReadFieldTotalsTest : public ::testing::Test {
 protected:
  // A shard with these amounts, of the first fields.
  void PutShard(int shard, const std::vector<std::int64_t>& amounts,
                const std::vector<std::string>& fields = kKinds) {
    json values = json::object();
    for (std::size_t i = 0; i < amounts.size(); ++i) values[fields[i]] = IntegerValue(amounts[i]);
    server_.Put("posts/p1/shards/" + std::to_string(shard), values);
  }
  std::unique_ptr<OperationDriver> Read(std::optional<std::int64_t> shards,
                                        const std::vector<std::string>& names = kKinds,
                                        TotalSource source = TotalSource::kSum,
                                        const char* preset = "web-sample") {
    std::vector<FieldPath> fields;
    for (const std::string& name : names) fields.push_back(FieldPath::Parse(name).value());
    const char* const path = std::string(preset) == "collection" ? "posts/p1/shards" : "posts/p1";
    std::unique_ptr<Operation> operation =
        std::make_unique<ReadFieldTotals>(context_, MakeCounter(path, Preset(preset), shards),
                                          CountedFields{std::move(fields)}, source);
    auto driver = std::make_unique<OperationDriver>(std::move(operation));
    driver->Serve(std::ref(server_));
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ReadFieldTotalsTest, TheServerAddsUp) {
  PutShard(0, {1, 2, 0});
  PutShard(1, {-4, 5, 0});
  const auto driver = Read(2);
  const json result = driver->Run().result();
  EXPECT_EQ(result["totals"], json({"-3", "7", "0"}));
  EXPECT_EQ(result["source"], "sum");
  EXPECT_EQ(result["added"], 2);
  EXPECT_EQ(result["billed"], json({{"reads", 2}, {"writes", 0}, {"deletes", 0}}));
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery");
}

TEST_F(ReadFieldTotalsTest, NothingIsThere) {
  EXPECT_EQ(Read(std::nullopt)->Run().result()["totals"], json({"0", "0", "0"}));
  EXPECT_EQ(Read(10)->Run().result()["totals"], json({"0", "0", "0"}));
}

// Firestore adds up only documents that have all the fields.
TEST_F(ReadFieldTotalsTest, AShardThatLacksAField) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(2)}});
  PutShard(0, {1, 2, 3});
  PutShard(1, {10, 20});
  // The app may know too few shards: others have given the counter more, or fewer.
  for (const std::optional<std::int64_t> shards : {std::optional<std::int64_t>(2), {1}, {}}) {
    const auto driver = Read(shards);
    const json result = driver->Run().result();
    EXPECT_EQ(result["totals"], json({"11", "22", "3"}));
    EXPECT_EQ(result["source"], "shards");
    EXPECT_EQ(result["added"], 2);
  }
}

// As many shards have all fields as the counter's document says, and others do not.
TEST_F(ReadFieldTotalsTest, AShardBeyondTheirNumberLacksAField) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(1)}});
  PutShard(0, {1, 2, 3});
  PutShard(7, {10, 20});
  EXPECT_EQ(Read(std::nullopt)->Run().result()["totals"], json({"11", "22", "3"}));
}

TEST_F(ReadFieldTotalsTest, AShardComesBetweenTheRequests) {
  PutShard(0, {1, 2, 3});
  const auto driver = Read(1);
  driver->Serve([&](const SentRequest& sent) {
    Reply reply = server_(sent);
    if (driver->sent().size() == 1) PutShard(1, {10});
    return reply;
  });
  EXPECT_EQ(driver->Run().result()["totals"], json({"1", "2", "3"}));
  EXPECT_EQ(driver->result()["source"], "sum");
}

TEST_F(ReadFieldTotalsTest, WithoutACountersDocument) {
  PutShard(0, {1, 2, 3});
  PutShard(1, {10, 20});
  const auto driver = Read(std::nullopt, kKinds, TotalSource::kSum, "collection");
  EXPECT_EQ(driver->Run().result()["totals"], json({"11", "22", "3"}));
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery runQuery");
}

TEST_F(ReadFieldTotalsTest, FourFieldsInEachRequestAsOfOneInstant) {
  const std::vector<std::string> six = {"a", "b", "c", "d", "e", "f"};
  PutShard(0, {1, 2, 3, 4, 5, 6}, six);
  const auto driver = Read(1, six);
  driver->Serve([&](const SentRequest& sent) {
    Reply reply = server_(sent);
    // Another client counts between the two.
    if (driver->sent().size() == 1) PutShard(0, {9, 9, 9, 9, 9, 9}, six);
    return reply;
  });
  EXPECT_EQ(driver->Run().result()["totals"], json({"1", "2", "3", "4", "5", "6"}));
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery runAggregationQuery");
  EXPECT_EQ(driver->operation().billed(), (Billed{.reads = 3}));
}

TEST_F(ReadFieldTotalsTest, AFieldOfALaterRequestIsMissing) {
  const std::vector<std::string> five = {"a", "b", "c", "d", "e"};
  PutShard(0, {1, 2, 3, 4}, five);
  const auto driver = Read(1, five);
  EXPECT_EQ(driver->Run().result()["totals"], json({"1", "2", "3", "4", "0"}));
  EXPECT_EQ(driver->verbs(), "runAggregationQuery runAggregationQuery runQuery");
}

TEST_F(ReadFieldTotalsTest, WithoutAnIndex) {
  PutShard(0, {0, 1, 0});
  for (const char* status : {"FAILED_PRECONDITION", "UNIMPLEMENTED", "NOT_FOUND"}) {
    const auto driver = Read(1);
    driver->Script({Refusal(status)});
    EXPECT_EQ(driver->Run().result()["totals"], json({"0", "1", "0"})) << status;
    EXPECT_EQ(driver->result()["source"], "shards");
  }
  const auto denied = Read(1);
  denied->Script({Refusal("PERMISSION_DENIED")});
  EXPECT_EQ(denied->Run().error().code, Code::kPermissionDenied);
}

// The server's sum becomes a double then.
TEST_F(ReadFieldTotalsTest, ASumBeyondTheIntegersOnTheWay) {
  const json large = {{"doubleValue", 9.3e18}};
  const json sums = {{"c0", large}, {"count", IntegerValue(1)}};
  const json element = {{"result", {{"aggregateFields", sums}}},
                        {"readTime", "2026-01-01T00:00:05Z"}};
  PutShard(0, {INT64_MAX});
  const auto driver = Read(1, {"like"});
  driver->Script({Ok(json::array({element}))});
  EXPECT_EQ(driver->Run().result()["totals"], json({"9223372036854775807"}));
  PutShard(1, {1});
  const auto full = Read(1, {"like"}, TotalSource::kShards);
  EXPECT_EQ(full->Run().error().code, Code::kOutOfRange);
}

TEST_F(ReadFieldTotalsTest, ManyShardsInPages) {
  json writes = json::array();
  for (int i = 0; i < 700; ++i) {
    writes.push_back({{"update",
                       {{"name", Name("posts/p1/shards/" + std::to_string(i))},
                        {"fields", {{"like", IntegerValue(i % 2)}, {"love", IntegerValue(-1)}}}}}});
  }
  for (int first = 0; first < 700; first += 350) {
    server_.Commit(json(writes.begin() + first, writes.begin() + first + 350));
  }
  // Another counter of these shards has one more.
  server_.Put("posts/p1/shards/700", {{"count", IntegerValue(5)}});
  const auto driver = Read(700, kKinds, TotalSource::kShards);
  EXPECT_EQ(driver->Run().result()["totals"], json({"350", "-700", "0"}));
  EXPECT_EQ(driver->result()["added"], 700);
  EXPECT_EQ(driver->verbs(), "runQuery runQuery runQuery");
}

}  // namespace
}  // namespace shardline::read_field_totals_test
