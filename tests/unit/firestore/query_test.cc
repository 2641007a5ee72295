#include "firestore/query.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/support/fixtures.h"
#include "unit/support/values.h"

namespace shardline::query_test {
namespace {

using nlohmann::json;
using testing::Optional;

FieldPath Path(std::string_view text) { return FieldPath::Parse(text).value(); }
Query Over(std::string_view collection) { return {CollectionPath::Parse(collection).value()}; }

json Encoded(const Query& query, std::string_view read_time = {}) {
  return json::parse(EncodeRunQuery(query, read_time));
}

// The filter of a query that has this one.
json EncodedFilter(FilterOp op, std::string_view value) {
  Query query = Over("c");
  query.filters.push_back({Path("f"), op, WireValue(value)});
  return Encoded(query).at("structuredQuery").at("where");
}

json Recorded(const std::string& fixture, const std::string& name) {
  return LoadExchange(fixture, name).request;
}

TEST(EncodeRunQuery, IsTheShardedQueryThatWasRecorded) {
  Query query = Over("instruments");
  query.filters = {
      {Path("shard"), FilterOp::kIn,
       WireValue(R"({"arrayValue":{"values":[{"stringValue":"x"},{"stringValue":"y"}]}})")}};
  query.orders = {{Path("timestamp"), Direction::kDescending},
                  {FieldPath::DocumentName(), Direction::kDescending}};
  query.limit = 3;
  EXPECT_EQ(Encoded(query), Recorded("run_query", "sharded query"));
}

TEST(EncodeRunQuery, IsTheQueryAfterACursorThatWasRecorded) {
  Query query = Over("instruments");
  query.orders = {{Path("timestamp"), Direction::kDescending},
                  {FieldPath::DocumentName(), Direction::kDescending}};
  query.start = Position{
      WireValues(
          {R"({"timestampValue":"2024-01-01T00:00:02.250Z"})",
           R"({"referenceValue":"projects/demo/databases/(default)/documents/instruments/c"})"}),
      false};
  EXPECT_EQ(Encoded(query), Recorded("run_query", "after a cursor"));
}

TEST(EncodeRunQuery, IsTheSelectionsThatWereRecorded) {
  Query query = Over("instruments");
  query.select = {Path("price.currency")};
  query.limit = 2;
  EXPECT_EQ(Encoded(query), Recorded("run_query", "select"));
  query.select = {FieldPath::DocumentName()};
  query.limit = 1;
  EXPECT_EQ(Encoded(query), Recorded("run_query", "select nothing but names"));
}

TEST(EncodeRunQuery, NamesOnlyTheCollectionWhenThereIsNothingElse) {
  EXPECT_EQ(EncodeRunQuery(Over("posts/p1/shards"), ""),
            R"({"structuredQuery":{"from":[{"collectionId":"shards"}]}})");
}

TEST(EncodeRunQuery, JoinsFiltersWithAnd) {
  Query query = Over("c");
  query.filters = {{Path("a"), FilterOp::kEqual, WireValue(R"({"integerValue":"1"})")},
                   {Path("`b c`"), FilterOp::kLess, WireValue(R"({"integerValue":"2"})")}};
  EXPECT_EQ(Encoded(query).at("structuredQuery").at("where"), json::parse(R"({
    "compositeFilter": {"op": "AND", "filters": [
      {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}},
      {"fieldFilter": {"field": {"fieldPath": "`b c`"}, "op": "LESS_THAN",
                       "value": {"integerValue": "2"}}}]}})"));
}

TEST(EncodeRunQuery, PutsBothPositions) {
  Query query = Over("c");
  query.start = Position{WireValues({R"({"integerValue":"1"})"}), true};
  query.end = Position{WireValues({R"({"integerValue":"2"})", R"({"nullValue":null})"}), false};
  const json encoded = Encoded(query).at("structuredQuery");
  EXPECT_EQ(encoded.at("startAt"),
            json::parse(R"({"values":[{"integerValue":"1"}],"before":true})"));
  EXPECT_EQ(encoded.at("endAt"),
            json::parse(R"({"values":[{"integerValue":"2"},{"nullValue":null}],"before":false})"));
}

TEST(EncodeRunQuery, StandsAtADocument) {
  Query query = Over("c");
  query.start = Position::AtDocument("a/\"b", false);
  EXPECT_EQ(Encoded(query).at("structuredQuery").at("startAt"),
            json::parse(R"({"values":[{"referenceValue":"a/\"b"}],"before":false})"));
}

TEST(EncodeRunQuery, WritesOrdersWithTheirDirections) {
  Query query = Over("c");
  query.orders = {{Path("a")}, {Path("b.c"), Direction::kDescending}};
  EXPECT_EQ(Encoded(query).at("structuredQuery").at("orderBy"), json::parse(R"([
    {"field": {"fieldPath": "a"}, "direction": "ASCENDING"},
    {"field": {"fieldPath": "b.c"}, "direction": "DESCENDING"}])"));
}

TEST(EncodeRunQuery, ReadsAtATime) {
  const json encoded = Encoded(Over("c"), "2024-01-01T00:00:00.123456Z");
  EXPECT_EQ(encoded.at("readTime"), "2024-01-01T00:00:00.123456Z");
  EXPECT_FALSE(Encoded(Over("c")).contains("readTime"));
}

TEST(EncodeRunQuery, KeepsALimitOfZero) {
  Query query = Over("c");
  query.limit = 0;
  EXPECT_EQ(Encoded(query).at("structuredQuery").at("limit"), 0);
}

TEST(EncodeRunQuery, WritesEqualityWithNullAndNanAsUnaryFilters) {
  const auto unary = [](const char* op) {
    return json{{"unaryFilter", {{"field", {{"fieldPath", "f"}}}, {"op", op}}}};
  };
  constexpr const char* kNull = R"({"nullValue":null})";
  constexpr const char* kNan = R"({"doubleValue":"NaN"})";
  EXPECT_EQ(EncodedFilter(FilterOp::kEqual, kNull), unary("IS_NULL"));
  EXPECT_EQ(EncodedFilter(FilterOp::kNotEqual, kNull), unary("IS_NOT_NULL"));
  EXPECT_EQ(EncodedFilter(FilterOp::kEqual, kNan), unary("IS_NAN"));
  EXPECT_EQ(EncodedFilter(FilterOp::kNotEqual, kNan), unary("IS_NOT_NAN"));
}

TEST(EncodeRunQuery, KeepsOtherFiltersWithNullAsTheyAre) {
  const json filter = EncodedFilter(FilterOp::kArrayContains, R"({"nullValue":null})");
  EXPECT_EQ(filter.at("fieldFilter").at("op"), "ARRAY_CONTAINS");
}

TEST(FilterOp, IsWrittenAsFirebaseDoesAndSentAsFirestoreWantsIt) {
  const std::vector<std::tuple<std::string, FilterOp, std::string>> ops = {
      {"==", FilterOp::kEqual, "EQUAL"},
      {"!=", FilterOp::kNotEqual, "NOT_EQUAL"},
      {"<", FilterOp::kLess, "LESS_THAN"},
      {"<=", FilterOp::kLessOrEqual, "LESS_THAN_OR_EQUAL"},
      {">", FilterOp::kGreater, "GREATER_THAN"},
      {">=", FilterOp::kGreaterOrEqual, "GREATER_THAN_OR_EQUAL"},
      {"in", FilterOp::kIn, "IN"},
      {"not-in", FilterOp::kNotIn, "NOT_IN"},
      {"array-contains", FilterOp::kArrayContains, "ARRAY_CONTAINS"},
      {"array-contains-any", FilterOp::kArrayContainsAny, "ARRAY_CONTAINS_ANY"},
  };
  std::string words;
  std::size_t number = 0;
  for (const auto& [word, op, wire] : ops) {
    EXPECT_EQ(static_cast<std::size_t>(op), number++);
    words += words.empty() ? word : '|' + word;
    EXPECT_EQ(EncodedFilter(op, R"({"integerValue":"1"})").at("fieldFilter").at("op"), wire);
  }
  EXPECT_EQ(words + "|and|or", kFilterOpWords);
  const Filter one{Path("a"), FilterOp::kEqual, WireValue(R"({"integerValue":"1"})")};
  const auto joined = [&](FilterOp op) {
    Query query{.collection = *CollectionPath::Parse("things")};
    query.filters.push_back({FieldPath::DocumentName(), op, {}, {one, one}});
    const json where = json::parse(EncodeRunQuery(query, ""))["structuredQuery"]["where"];
    EXPECT_EQ(where["compositeFilter"]["filters"].size(), 2U);
    return where["compositeFilter"]["op"];
  };
  EXPECT_EQ(joined(FilterOp::kAnd), "AND");
  EXPECT_EQ(joined(FilterOp::kOr), "OR");
}

TEST(IsInequality, IsTrueForWhatSortsByItsField) {
  for (const FilterOp op : {FilterOp::kNotEqual, FilterOp::kLess, FilterOp::kLessOrEqual,
                            FilterOp::kGreater, FilterOp::kGreaterOrEqual, FilterOp::kNotIn}) {
    EXPECT_TRUE(IsInequality(op));
  }
  for (const FilterOp op : {FilterOp::kEqual, FilterOp::kIn, FilterOp::kArrayContains,
                            FilterOp::kArrayContainsAny, FilterOp::kAnd, FilterOp::kOr}) {
    EXPECT_FALSE(IsInequality(op));
  }
}

TEST(EncodeRunAggregation, IsTheSumAndCountThatWereRecorded) {
  const FieldPath count = Path("count");
  const Exchange sum_and_count =
      LoadExchange("aggregation", "sum and count leave out documents without the field");
  const std::string collection = sum_and_count.request.at("structuredAggregationQuery")
                                     .at("structuredQuery")
                                     .at("from")
                                     .at(0)
                                     .at("collectionId");
  EXPECT_EQ(json::parse(EncodeRunAggregation(Over(collection), &count, "")), sum_and_count.request);
}

TEST(EncodeRunAggregation, CarriesTheWholeQueryAndTheReadTime) {
  Query query = Over("c");
  query.filters = {{Path("a"), FilterOp::kGreater, WireValue(R"({"integerValue":"1"})")}};
  query.limit = 7;
  const json encoded = json::parse(EncodeRunAggregation(query, nullptr, "2024-01-01T00:00:00Z"));
  EXPECT_EQ(encoded.at("structuredAggregationQuery").at("aggregations"),
            json::parse(R"([{"alias":"count","count":{}}])"));
  EXPECT_EQ(encoded.at("readTime"), "2024-01-01T00:00:00Z");
  EXPECT_EQ(encoded.at("structuredAggregationQuery").at("structuredQuery"),
            Encoded(query).at("structuredQuery"));
}

TEST(EncodeBatchGet, IsTheRequestThatWasRecorded) {
  const json recorded = Recorded("batch_get", "found and missing");
  EXPECT_EQ(json::parse(EncodeBatchGet(recorded.at("documents"))), recorded);
}

TEST(EncodeBatchGet, ReadsOneFieldAtATime) {
  const FieldPath field = Path("a.b");
  EXPECT_EQ(
      EncodeBatchGet({"n"}, &field, "2024-01-01T00:00:00Z"),
      R"({"documents":["n"],"mask":{"fieldPaths":["a.b"]},"readTime":"2024-01-01T00:00:00Z"})");
}

TEST(EncodeBatchGet, EscapesNames) {
  EXPECT_EQ(EncodeBatchGet({"a\"b", "é"}), R"({"documents":["a\"b","é"]})");
  EXPECT_EQ(EncodeBatchGet({}), R"({"documents":[]})");
}

}  // namespace
}  // namespace shardline::query_test
