// Sums and averages, merged from those of the chunks.
#include "sharded_query/aggregate_operation.h"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/sharded_query/api_caller.h"

namespace shardline::aggregate_operation_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }
json Double(const json& value) { return {{"doubleValue", value}}; }

Reply Answered(const json& sum, int count, const json& average = nullptr) {
  json fields = {{"sum", sum}, {"count", Integer(count)}};
  fields["avg"] = average.is_null() ? json({{"nullValue", nullptr}}) : average;
  return Ok({{{"result", {{"aggregateFields", fields}}}, {"readTime", "2026-01-01T00:00:00Z"}}});
}
Reply Counted(int count) {
  return Ok({{{"result", {{"aggregateFields", {{"count", Integer(count)}}}}},
              {"readTime", "2026-01-01T00:00:00Z"}}});
}

// Over two chunks, unless said otherwise.
Outcome Aggregate(const char* kind, const std::vector<Reply>& replies,
                  const json& query = json::object(), int shards = 60) {
  return Ask(
      "collection.aggregate",
      {{"collection", Instruments(shards)}, {"query", query}, {"kind", kind}, {"field", "n.m"}},
      InTurn(replies));
}

TEST(NumbersBehind, FollowFromSumAndAverage) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  struct Row {
    double sum;
    double average;
    std::int64_t count;
    std::optional<std::int64_t> numbers;
  };
  const Row rows[] = {{6, 2, 3, 3},
                      {6, 2, 10, 3},
                      {6, 2, 2, {}},
                      {-1, -1.0 / 3, 5, 3},
                      {0, 0, 5, {}},
                      {1, 0, 5, {}},
                      {5, 2, 9, {}},
                      {-6, 2, 9, {}},
                      {1e-300, 1e-300, 3, {}},
                      {infinity, 1, 3, {}},
                      {1, infinity, 3, {}},
                      {infinity, infinity, 3, {}},
                      {nan, 1, 3, {}},
                      {1, nan, 3, {}},
                      {0.3, 0.1, 3, 3},
                      {1e300, 1e294, 2'000'000, 1'000'000}};
  for (const Row& row : rows) {
    EXPECT_EQ(NumbersBehind(row.sum, row.average, row.count), row.numbers)
        << row.sum << ' ' << row.average;
  }
  // Of many numbers, too.
  for (std::int64_t numbers = 1; numbers < 100'000'000; numbers = numbers * 7 + 1) {
    const double sum = 0.1 * static_cast<double>(numbers) / 3;
    EXPECT_EQ(NumbersBehind(sum, sum / static_cast<double>(numbers), 100'000'000), numbers);
  }
}

TEST(Sum, AddsUpTheChunks) {
  const std::pair<std::vector<Reply>, json> cases[] = {
      {{Answered(Integer(3), 2), Answered(Integer(-5), 1)}, "-2"},
      {{Answered(Integer(0), 0), Answered(Integer(0), 0)}, "0"},
      {{Answered(Integer(kMax), 1), Answered(Integer(-7), 1)}, std::to_string(kMax - 7)},
      // As Firestore does.
      {{Answered(Integer(kMax), 1), Answered(Integer(1), 1)}, 0x1p63},
      {{Answered(Integer(3), 2), Answered(Double(0.5), 1)}, 3.5},
      {{Answered(Integer(3), 2), Answered(Double("NaN"), 1)}, "NaN"},
      {{Answered(Double("Infinity"), 2), Answered(Double(1), 1)}, "Infinity"},
  };
  for (const auto& [replies, expected] : cases) {
    const Outcome outcome = Aggregate("sum", replies);
    ASSERT_TRUE(outcome.ok()) << outcome.message;
    EXPECT_EQ(outcome.result["value"], expected);
    EXPECT_THAT(outcome.sent, SizeIs(2));
  }
}

TEST(Sum, IsAskedOfTheQuerysDocuments) {
  const Outcome outcome =
      Aggregate("sum", {Answered(Integer(1), 1500)}, {{"filters", {Filter("a", "==")}}}, 3);
  const json& query = outcome.sent[0].body["structuredAggregationQuery"];
  EXPECT_EQ(query["aggregations"][0],
            json({{"alias", "sum"}, {"sum", {{"field", {{"fieldPath", "n.m"}}}}}}));
  EXPECT_THAT(query["aggregations"], SizeIs(2));
  EXPECT_EQ(query["structuredQuery"]["orderBy"][0]["field"]["fieldPath"], "timestamp");
  EXPECT_EQ(outcome.billed, (Billed{2, 0, 0}));
}

TEST(Average, IsThatOfAllNumbers) {
  const std::pair<std::vector<Reply>, json> cases[] = {
      {{Answered(Integer(6), 3, Double(2)), Answered(Integer(10), 1, Double(10))}, 4.0},
      // One of the five is no number.
      {{Answered(Integer(6), 4, Double(2)), Answered(Integer(10), 1, Double(10))}, 4.0},
      {{Answered(Integer(0), 3), Answered(Integer(10), 2, Double(5))}, 5.0},
      {{Answered(Integer(0), 3), Answered(Integer(0), 0)}, nullptr},
      {{Answered(Double("NaN"), 3, Double("NaN")), Answered(Integer(10), 1, Double(10))}, "NaN"},
  };
  for (const auto& [replies, expected] : cases) {
    const Outcome outcome = Aggregate("average", replies);
    ASSERT_TRUE(outcome.ok()) << outcome.message;
    EXPECT_EQ(outcome.result["value"], expected);
    EXPECT_THAT(outcome.sent, SizeIs(2));
  }
}

TEST(Average, CountsNumbersThatAddUpToNothing) {
  const Outcome outcome = Aggregate("average", {Answered(Integer(0), 5, Double(0)),
                                                Answered(Integer(12), 2, Double(6)), Counted(4)});
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.result["value"], 2.0);
  ASSERT_THAT(outcome.sent, SizeIs(3));
  const json& query = outcome.sent[2].body["structuredAggregationQuery"]["structuredQuery"];
  EXPECT_EQ(query["where"]["compositeFilter"]["filters"][1]["fieldFilter"],
            json({{"field", {{"fieldPath", "n.m"}}},
                  {"op", "GREATER_THAN_OR_EQUAL"},
                  {"value", Double("-Infinity")}}));
  EXPECT_THAT(query["orderBy"], SizeIs(1));
}

TEST(Aggregate, RefusesWhatItCannotKnow) {
  EXPECT_THAT(Aggregate("sum", {}, {{"limit", 5}}), IsInvalid(HasSubstr("limit")));
  EXPECT_TRUE(Aggregate("sum", {Answered(Integer(1), 1)}, {{"limit", 5}}, 3).ok());
  const json reference = {{"referenceValue", Name("instruments/a")}};
  const json at_document = {{"start", {{"values", {Number(1), reference}}, {"inclusive", true}}}};
  EXPECT_THAT(Aggregate("average", {}, at_document), IsInvalid(HasSubstr("startAt")));
  EXPECT_THAT(Aggregate("sum", {}, at_document), IsInvalid(HasSubstr("continueFrom()")));
  EXPECT_FALSE(Aggregate("sum", {Counted(3)}).ok());
  EXPECT_FALSE(Aggregate("sum", {Answered(Integer(1), -1)}).ok());
  EXPECT_FALSE(Aggregate("sum", {Refusal("PERMISSION_DENIED")}).ok());
}

}  // namespace
}  // namespace shardline::aggregate_operation_test
