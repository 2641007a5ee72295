// Counts: added up over the chunks, on the server.

#include <string>

#include "unit/sharded_query/api_caller.h"

namespace shardline::count_operation_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Reply Counted(const json& count, const std::string& time = "2026-01-01T00:00:00Z") {
  return Ok({{{"result", {{"aggregateFields", {{"count", count}}}}}, {"readTime", time}}});
}
Reply Counted(int count) { return Counted(json{{"integerValue", std::to_string(count)}}); }

Outcome Count(const json& shards, const Server& server, const json& query = json::object()) {
  return Ask("collection.count", {{"collection", Instruments(shards)}, {"query", query}}, server);
}

TEST(Count, AddsTheChunksUp) {
  const Outcome outcome = Count(90, InTurn({Counted(1), Counted(0), Counted(2'001)}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.result, json::parse(R"({"count": 2002,
                                            "billed": {"reads": 5, "writes": 0, "deletes": 0}})"));
  EXPECT_EQ(outcome.billed.reads, 5);  // One for each started 1,000, at least one.
  ASSERT_THAT(outcome.sent, SizeIs(3));
  EXPECT_EQ(outcome.sent[0].verb(), "runAggregationQuery");
  const json& body = outcome.sent[0].body["structuredAggregationQuery"];
  EXPECT_EQ(body["aggregations"], json::parse(R"([{"alias": "count", "count": {}}])"));
  EXPECT_EQ(body["structuredQuery"]["where"]["fieldFilter"]["op"], "IN");
  EXPECT_FALSE(body["structuredQuery"].contains("limit"));
}

TEST(Count, ALimitHoldsForAllChunksTogether) {
  const Outcome outcome = Count(60, InTurn({Counted(7), Counted(9)}), {{"limit", 10}});
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.result["count"], 10);
  for (const SentRequest& request : outcome.sent) {
    EXPECT_EQ(request.body["structuredAggregationQuery"]["structuredQuery"]["limit"], 10);
  }
  EXPECT_EQ(Count(60, InTurn({Counted(3), Counted(4)}), {{"limit", 10}}).result["count"], 7);
}

TEST(Count, ASnapshotCountsAtOneInstant) {
  const Outcome outcome = Count(90, InTurn({Counted(1)}), {{"consistentRead", true}});
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  ASSERT_THAT(outcome.sent, SizeIs(3));
  EXPECT_FALSE(outcome.sent[0].body.contains("readTime"));
  EXPECT_EQ(outcome.sent[1].body["readTime"], "2026-01-01T00:00:00Z");
  EXPECT_EQ(outcome.sent[2].body["readTime"], "2026-01-01T00:00:00Z");
}

TEST(Count, LostAnswersAreAskedForAgain) {
  const Outcome outcome =
      Count(60, InTurn({Cut(), Refusal("UNAVAILABLE"), OkText("[{\"res"), Counted(4)}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.result["count"], 8);
  EXPECT_EQ(outcome.billed.reads, 2);
}

TEST(Count, BadAnswersAreErrors) {
  for (const Reply& bad :
       {OkText("[]"), OkText("{}"), OkText("<html>"), OkText("[{\"readTime\":\"x\"}]"),
        Counted(json{{"doubleValue", 1.5}}), Counted(json{{"nullValue", nullptr}}),
        OkText(R"([{"result":{"aggregateFields":{"other":{"integerValue":"1"}}}}])"),
        OkText(R"([{"error":{"code":400,"message":"No.","status":"INVALID_ARGUMENT"}}])")}) {
    EXPECT_FALSE(Count(3, InTurn({bad})).ok()) << bad.body;
  }
  EXPECT_THAT(Count(90, InTurn({Counted(1), Refusal("PERMISSION_DENIED", "No.")})),
              FailsWith("permission-denied", HasSubstr("No.")));
}

TEST(Count, NumbersThatNoQueryFindsAreErrors) {
  const auto counted = [](const char* text) { return Counted(json{{"integerValue", text}}); };
  for (const Reply& bad :
       {counted("9223372036854775807"), counted("9007199254740992"), counted("6007199254740992")}) {
    EXPECT_THAT(Count(90, InTurn({bad})), FailsWith("internal", HasSubstr("finds so many")));
  }
  EXPECT_THAT(Count(90, InTurn({counted("-1")})),
              FailsWith("internal", HasSubstr("the count or the read time is missing or no such")));
  EXPECT_THAT(Count(90, InTurn({Counted(11)}), {{"limit", 10}}),
              FailsWith("internal", HasSubstr("finds so many")));
  EXPECT_EQ(Count(3, InTurn({counted("9007199254740991")})).result["count"], 9007199254740991);
}

TEST(Count, ReadsEveryDialect) {
  const char* dialects[] = {
      R"([{"readTime":"2026-01-01T00:00:01Z"},{"result":{"aggregateFields":{"count":{"integerValue":"7"}}},"readTime":"2026-01-01T00:00:02Z"}])",
      R"([{"transaction":"x"}
,
{"readTime": "2026-01-01T00:00:02Z", "news": {}, "result": {"more": 1, "aggregateFields": {
  "count": {"integerValue": "7"}}}}
])",
      R"([{"result":{"aggregateFields":{"count":{"integerValue":7}}},"readTime":"2026-01-01T00:00:01Z"},{"readTime":"2026-01-01T00:00:02Z","explainMetrics":{}}])"};
  for (const char* answer : dialects) {
    const Outcome outcome = Count(60, InTurn({OkText(answer)}), {{"consistentRead", true}});
    ASSERT_TRUE(outcome.ok()) << outcome.message;
    EXPECT_EQ(outcome.result["count"], 14);
    EXPECT_EQ(outcome.sent[1].body["readTime"], "2026-01-01T00:00:02Z") << answer;
  }
}

TEST(Count, AnErrorBehindProgressIsTheServersError) {
  EXPECT_THAT(
      Count(
          3,
          InTurn({OkText(
              R"([{"readTime":"2026-01-01T00:00:01Z"},{"error":{"code":403,"message":"No.","status":"PERMISSION_DENIED"}}])")})),
      FailsWith("permission-denied", HasSubstr("No.")));
}

TEST(Count, RefusesWhatQueriesRefuse) {
  EXPECT_THAT(
      AskNobody("collection.count", {{"collection", Instruments()}, {"query", {{"limit", 0}}}}),
      IsInvalid(HasSubstr("limit")));
}

}  // namespace
}  // namespace shardline::count_operation_test
