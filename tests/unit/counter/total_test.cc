#include "counter/total.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/fixtures.h"
#include "unit/support/simulated_server.h"

namespace shardline::total_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::int64_t kMax = INT64_MAX;

json DoubleValue(const json& value) { return {{"doubleValue", value}}; }

Reply Summed(const json& sum, std::int64_t count,
             const std::string& read_time = "2026-01-01T00:00:05Z") {
  const json element = {
      {"result", {{"aggregateFields", {{"sum", sum}, {"count", IntegerValue(count)}}}}},
      {"readTime", read_time}};
  return Ok(json::array({element}));
}

class TotalTest : public ::testing::Test {
 protected:
  OperationDriver Read(TotalSource source = TotalSource::kSum,
                       std::unique_ptr<const Counter> counter = MakeCounter()) {
    return OperationDriver(std::make_unique<ReadTotal>(context_, std::move(counter), source));
  }

  OperationContext context_ = TestContext();
};

TEST_F(TotalTest, ServerAddsUpInOneRead) {
  OperationDriver driver = Read();
  driver.Script({Summed(IntegerValue(42), 10)}).Run();
  EXPECT_EQ(driver.result(), json({{"value", "42"},
                                   {"readTime", "2026-01-01T00:00:05Z"},
                                   {"shards", 10},
                                   {"source", "sum"},
                                   {"billed", {{"reads", 1}, {"writes", 0}, {"deletes", 0}}}}));
  ASSERT_EQ(driver.sent().size(), 1u);
  EXPECT_EQ(driver.sent()[0].path,
            "/v1/projects/demo/databases/(default)/documents/posts/p1:runAggregationQuery");
  EXPECT_EQ(driver.sent()[0].body, json::parse(R"({"structuredAggregationQuery": {
      "structuredQuery": {"from": [{"collectionId": "shards"}]},
      "aggregations": [{"alias": "sum", "sum": {"field": {"fieldPath": "count"}}},
                       {"alias": "count", "count": {}}]}})"));
}

TEST_F(TotalTest, EveryLayoutAsksItsOwnCollectionAndField) {
  struct Case {
    const char* preset;
    const char* path;
    const char* url;
    const char* collection;
    const char* field;
  };
  const Case cases[] = {
      {"mobile-sample", "posts/p1", "/posts/p1", "shards", "count"},
      {"node-sample", "posts/p1", "/posts/p1", "shards", "count"},
      {"go-sample", "posts/p1", "/posts/p1", "shards", "Count"},
      {"php-sample", "samples/php/distributedCounters", "/samples/php", "distributedCounters",
       "Cnt"},
      {"ruby-sample", "shards", "", "shards", "count"},
      {"collection", "counterShards", "", "counterShards", "count"},
  };
  for (const Case& c : cases) {
    OperationDriver driver = Read(TotalSource::kSum, MakeCounter(c.path, Preset(c.preset)));
    driver.Script({Summed(IntegerValue(1), 1)}).Run();
    EXPECT_EQ(driver.sent()[0].path, "/v1/projects/demo/databases/(default)/documents" +
                                         std::string(c.url) + ":runAggregationQuery");
    const json& query = driver.sent()[0].body["structuredAggregationQuery"];
    EXPECT_EQ(query["structuredQuery"]["from"][0]["collectionId"], c.collection);
    EXPECT_EQ(query["aggregations"][0]["sum"]["field"]["fieldPath"], c.field);
    OperationDriver lister = Read(TotalSource::kShards, MakeCounter(c.path, Preset(c.preset)));
    lister.Script({OkText(R"([{"readTime":"2026-01-01T00:00:03Z"}])")}).Run();
    EXPECT_EQ(lister.result()["value"], "0");
    EXPECT_EQ(lister.sent()[0].path,
              "/v1/projects/demo/databases/(default)/documents" + std::string(c.url) + ":runQuery");
    EXPECT_EQ(lister.sent()[0].body["structuredQuery"]["select"]["fields"][0]["fieldPath"],
              c.field);
  }
}

TEST_F(TotalTest, ValuesKeepTheirType) {
  const std::pair<json, json> cases[] = {
      {IntegerValue(0), "0"},
      {IntegerValue(kMax), "9223372036854775807"},
      {IntegerValue(INT64_MIN), "-9223372036854775808"},
      {DoubleValue(0.5), 0.5},
      {DoubleValue(3), 3},
      {DoubleValue("NaN"), "NaN"},
  };
  for (const auto& [sum, expected] : cases) {
    OperationDriver driver = Read();
    driver.Script({Summed(sum, 1)}).Run();
    EXPECT_EQ(driver.result()["value"], expected) << sum;
  }
}

TEST_F(TotalTest, OneReadForEveryThousandShards) {
  for (const auto& [count, reads] : {std::pair(0, 1), std::pair(1, 1), std::pair(1000, 1),
                                     std::pair(1001, 2), std::pair(10'000, 10)}) {
    OperationDriver driver = Read();
    driver.Script({Summed(IntegerValue(1), count)}).Run();
    EXPECT_EQ(driver.result()["billed"]["reads"], reads) << count;
  }
}

TEST_F(TotalTest, ListsWhereTheServerCannotAdd) {
  for (const Reply& refusal :
       {Refusal("UNIMPLEMENTED"), Refusal("FAILED_PRECONDITION", "The query requires an index."),
        Answer(404, "Not Found\n"), Answer(501, "<html></html>"), Refusal("NOT_FOUND")}) {
    OperationDriver driver = Read();
    driver
        .Script(
            {refusal, Listed("posts/p1/shards", {{"0", IntegerValue(3)}, {"1", IntegerValue(4)}})})
        .Run();
    EXPECT_EQ(driver.result(), json({{"value", "7"},
                                     {"readTime", "2026-01-01T00:00:03Z"},
                                     {"shards", 2},
                                     {"source", "shards"},
                                     {"billed", {{"reads", 2}, {"writes", 0}, {"deletes", 0}}},
                                     {"perShard", {{"0", "3"}, {"1", "4"}}}}));
    EXPECT_EQ(driver.sent()[1].body, json::parse(R"({"structuredQuery": {
        "select": {"fields": [{"fieldPath": "count"}]},
        "from": [{"collectionId": "shards"}],
        "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
        "limit": 300}})"));
  }
}

TEST_F(TotalTest, OtherRefusalsAreFinal) {
  for (const char* status : {"PERMISSION_DENIED", "INVALID_ARGUMENT", "UNAUTHENTICATED"}) {
    OperationDriver driver = Read();
    driver.Serve([&](const SentRequest&) { return Refusal(status); }).Run();
    EXPECT_EQ(driver.error().code, CodeFromServerStatus(status));
  }
  OperationDriver driver = Read(TotalSource::kShards);
  driver.Script({Refusal("FAILED_PRECONDITION")}).Run();
  EXPECT_EQ(driver.error().code, Code::kFailedPrecondition);
}

TEST_F(TotalTest, OverflownSumIsAddedUpHereExactly) {
  const std::vector<std::pair<std::string, json>> shards = {
      {"0", IntegerValue(kMax)}, {"1", IntegerValue(1)}, {"2", IntegerValue(-2)}};
  OperationDriver driver = Read();
  driver.Script({Summed(DoubleValue(9223372036854775807.0), 3), Listed("posts/p1/shards", shards)})
      .Run();
  EXPECT_EQ(driver.result()["value"], "9223372036854775806");
  EXPECT_EQ(driver.result()["source"], "shards");
  EXPECT_EQ(driver.result()["billed"]["reads"], 4);
}

TEST_F(TotalTest, TotalBeyondInt64IsAnErrorAndNeverWrapsAround) {
  for (const std::int64_t sign : {1, -1}) {
    OperationDriver driver = Read();
    driver
        .Script({Summed(DoubleValue(static_cast<double>(sign) * 0x1.0p63), 2),
                 Listed("posts/p1/shards",
                        {{"0", IntegerValue(sign * kMax)}, {"1", IntegerValue(sign * kMax)}})})
        .Run();
    EXPECT_EQ(driver.error().code, Code::kOutOfRange);
  }
}

TEST_F(TotalTest, LargeDoublesAreListedAndStayDoubles) {
  OperationDriver driver = Read();
  driver
      .Script({Summed(DoubleValue(1e300), 2),
               Listed("posts/p1/shards", {{"0", DoubleValue(1e300)}, {"1", IntegerValue(5)}})})
      .Run();
  EXPECT_EQ(driver.result()["value"], 1e300);
  OperationDriver infinite = Read();
  infinite
      .Script({Summed(DoubleValue("-Infinity"), 1),
               Listed("posts/p1/shards", {{"0", DoubleValue("-Infinity")}})})
      .Run();
  EXPECT_EQ(infinite.result()["value"], "-Infinity");
}

TEST_F(TotalTest, ListingSkipsWhatIsNoNumber) {
  OperationDriver driver = Read(TotalSource::kShards);
  driver
      .Script({Listed("posts/p1/shards", {{"0", IntegerValue(3)},
                                          {"1", nullptr},
                                          {"2", {{"stringValue", "4"}}},
                                          {"3", {{"nullValue", nullptr}}},
                                          {"4", DoubleValue(0.5)}})})
      .Run();
  const json result = driver.result();
  EXPECT_EQ(result["value"], 3.5);
  EXPECT_EQ(result["shards"], 4) << "those that have the field, as for the server's count";
  EXPECT_EQ(result["perShard"], json({{"0", "3"}, {"4", 0.5}}));
  EXPECT_EQ(result["billed"]["reads"], 5);
}

TEST_F(TotalTest, NothingThereIsZero) {
  OperationDriver driver = Read(TotalSource::kShards);
  driver.Script({Listed("posts/p1/shards", {})}).Run();
  EXPECT_EQ(driver.result()["value"], "0");
  EXPECT_EQ(driver.result()["shards"], 0);
  EXPECT_EQ(driver.result()["billed"]["reads"], 1) << "a query that finds nothing costs one read";
  EXPECT_EQ(driver.result()["perShard"], json::object());
}

TEST_F(TotalTest, PagesAreReadAsOfOneInstant) {
  for (const int shards : {299, 300, 301, 600, 750}) {
    SimulatedServer server;
    for (int i = 0; i < shards; ++i) {
      server.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(i)}});
    }
    OperationDriver driver = Read(TotalSource::kShards);
    driver.Serve(std::ref(server)).Run();
    const json result = driver.result();
    EXPECT_EQ(result["value"], std::to_string(shards * (shards - 1) / 2));
    EXPECT_EQ(result["shards"], shards);
    EXPECT_EQ(result["perShard"].size(), static_cast<std::size_t>(shards));
    EXPECT_EQ(result["billed"]["reads"], shards + (shards % 300 == 0 ? 1 : 0));
    EXPECT_EQ(driver.sent().size(), static_cast<std::size_t>(shards / 300 + 1));
    EXPECT_FALSE(driver.sent()[0].body.contains("readTime"));
    for (std::size_t page = 1; page < driver.sent().size(); ++page) {
      EXPECT_EQ(driver.sent()[page].body["readTime"], result["readTime"]);
    }
  }
}

TEST_F(TotalTest, NestedCountField) {
  const Layout layout = {.shard_collection = "parts", .count_field = "stats.n"};
  SimulatedServer server;
  const json stats = {{"mapValue", {{"fields", {{"n", IntegerValue(9)}}}}}};
  server.Put("a/b/parts/x", {{"stats", stats}});
  server.Put("a/b/parts/y", {{"stats", IntegerValue(5)}});
  for (const TotalSource source : {TotalSource::kSum, TotalSource::kShards}) {
    OperationDriver driver = Read(source, MakeCounter("a/b", layout));
    driver.Serve(std::ref(server)).Run();
    EXPECT_EQ(driver.result()["value"], "9");
    EXPECT_EQ(driver.result()["shards"], 1);
  }
}

TEST_F(TotalTest, IdsMayHoldAnything) {
  OperationDriver driver = Read(TotalSource::kShards);
  driver
      .Script({Listed("posts/p1/shards",
                      {{"a\"b\\c\n", IntegerValue(1)}, {"日本 %2F", IntegerValue(2)}})})
      .Run();
  EXPECT_EQ(driver.result()["perShard"], json({{"a\"b\\c\n", "1"}, {"日本 %2F", "2"}}));
}

TEST_F(TotalTest, FaultsAreSurvived) {
  const Reply good = Summed(IntegerValue(5), 2);
  const Reply truncated = OkText(good.body.substr(0, good.body.size() / 2));
  const Reply broken_stream =
      OkText(R"([{"error":{"code":503,"message":"Interrupted.","status":"UNAVAILABLE"}}])");
  for (const Reply& fault :
       {Cut(), Silence(), truncated, OkText(""), broken_stream, Refusal("ABORTED"),
        Refusal("RESOURCE_EXHAUSTED"), Refusal("UNAVAILABLE"), Refusal("INTERNAL"),
        Answer(500, "<html>500</html>"), OkText("[]"), Refusal("UNAUTHENTICATED")}) {
    OperationDriver driver = Read();
    driver.Script({fault, good}).Run();
    EXPECT_EQ(driver.result()["value"], "5") << fault.body;
    EXPECT_EQ(driver.result()["billed"]["reads"], 1);
    EXPECT_EQ(driver.sent().size(), 2u);
  }
}

TEST_F(TotalTest, FaultInTheMiddleOfAListing) {
  SimulatedServer server;
  for (int i = 0; i < 700; ++i) {
    server.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(1)}});
  }
  for (const std::size_t broken_page : {1u, 2u, 3u}) {
    OperationDriver driver = Read(TotalSource::kShards);
    std::size_t page = 0;
    driver.Serve([&](const SentRequest& request) {
      Reply reply = server(request);
      if (++page == broken_page) {
        // An error as the last element of the array: the stream failed on the way.
        reply.body.back() = ',';
        reply.body += R"({"error":{"code":500,"message":"Oops.","status":"INTERNAL"}}])";
      }
      return reply;
    });
    driver.Run();
    EXPECT_EQ(driver.result()["value"], "700") << "no page is counted twice or left out";
    EXPECT_EQ(driver.sent().size(), 4u);
  }
}

TEST_F(TotalTest, LoginPageEndsItAtOnce) {
  for (const TotalSource source : {TotalSource::kSum, TotalSource::kShards}) {
    OperationDriver driver = Read(source);
    driver.Script({OkText("<!DOCTYPE html><title>Wi-Fi</title>")}).Run();
    EXPECT_EQ(driver.error().code, Code::kUnavailable);
    EXPECT_THAT(driver.error().message, HasSubstr("web page"));
  }
}

TEST_F(TotalTest, BodiesThatAreNoAnswer) {
  for (
      const char* body :
      {R"([{"result":{"aggregateFields":{"sum":{"integerValue":"1"}}},"readTime":"2026-01-01T00:00:00Z"}])",
       R"([{"result":{"aggregateFields":{"count":{"integerValue":"1"}}},"readTime":"2026-01-01T00:00:00Z"}])",
       R"([{"result":{"aggregateFields":{"sum":{"nullValue":null},"count":{"integerValue":"1"}}},"readTime":"2026-01-01T00:00:00Z"}])",
       R"([{"result":{"aggregateFields":{"sum":{"integerValue":"1"},"count":{"integerValue":"1"}}}}])",
       R"([{"readTime":"2026-01-01T00:00:00Z"}])", "{}", "[{}]"}) {
    OperationDriver driver = Read();
    driver.Serve([&](const SentRequest&) { return OkText(body); }).Run();
    EXPECT_EQ(driver.error().code, Code::kInternal) << body;
  }
}

TEST_F(TotalTest, CancelDoesNotWarn) {
  OperationDriver driver = Read();
  driver.Send();
  driver.operation().Cancel();
  EXPECT_EQ(driver.error().code, Code::kCancelled);
  EXPECT_EQ(driver.error().message, "The operation was cancelled.");
}

TEST_F(TotalTest, RecordedAnswersAreUnderstood) {
  const Exchange exchange =
      LoadExchange("aggregation", "sum and count leave out documents without the field");
  OperationDriver driver = Read();
  driver.Script({OkText(exchange.body)}).Run();
  EXPECT_EQ(driver.result()["source"], "sum");
  for (const Exchange& malformed : LoadExchanges("malformed")) {
    // It stands in a field that nobody reads.
    if (malformed.name == "bare NaN") continue;
    OperationDriver lister = Read(TotalSource::kShards);
    lister.Serve([&](const SentRequest&) { return OkText(malformed.body); }).Run();
    const bool is_web_page = malformed.body.starts_with('<');
    EXPECT_EQ(lister.error().code, is_web_page ? Code::kUnavailable : Code::kInternal)
        << malformed.name;
  }
}

}  // namespace
}  // namespace shardline::total_test
