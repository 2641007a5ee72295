// findNearest and explainOptions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "client.h"
#include "simulator/dialect.h"

namespace shardline::simulator::nearest_test {
namespace {

using ::testing::ElementsAre;

Json VectorOf(const std::vector<double>& elements) {
  Json values = Json::array();
  for (const double element : elements) values.push_back(Double(element));
  return {{"mapValue",
           {{"fields",
             {{"__type__", String("__vector__")},
              {"value", {{"arrayValue", {{"values", values}}}}}}}}}};
}

Json Nearest(std::string_view measure, const Json& more = Json::object()) {
  Json nearest = {{"vectorField", {{"fieldPath", "m.v"}}},
                  {"queryVector", VectorOf({1, 0})},
                  {"distanceMeasure", std::string(measure)},
                  {"limit", 10}};
  nearest.update(more);
  return {{"from", From("q")}, {"findNearest", nearest}};
}

class NearestTest : public ::testing::Test {
 protected:
  NearestTest() {
    const std::pair<const char*, std::vector<double>> vectors[] = {
        {"a", {1, 0}}, {"b", {0, 1}}, {"c", {1, 1}}, {"d", {-1, 0}}, {"e", {10, 0}}, {"z", {0, 0}}};
    for (const auto& [id, elements] : vectors) Put(id, VectorOf(elements));
    Put("three", VectorOf({1, 2, 3}));
    Put("text", String("x"));
  }

  void Put(const std::string& id, const Json& value) {
    const Json fields = {{"m", {{"mapValue", {{"fields", {{"v", value}}}}}}}};
    EXPECT_EQ(client_.Commit({Update("q/" + id, fields)}).status, 200);
  }

  Client client_;
};

TEST_F(NearestTest, EachMeasureHasItsOrder) {
  EXPECT_THAT(client_.Find(Nearest("EUCLIDEAN")), ElementsAre("a", "c", "z", "b", "d", "e"));
  EXPECT_THAT(client_.Find(Nearest("COSINE")), ElementsAre("a", "e", "c", "b", "d", "z"));
  EXPECT_THAT(client_.Find(Nearest("DOT_PRODUCT")), ElementsAre("e", "a", "c", "b", "z", "d"));
}

TEST_F(NearestTest, AThresholdAndALimitEndIt) {
  const auto find = [&](std::string_view measure, double threshold) {
    return client_.Find(Nearest(measure, {{"distanceThreshold", threshold}, {"limit", 3}}));
  };
  EXPECT_THAT(find("EUCLIDEAN", 1), ElementsAre("a", "c", "z"));
  EXPECT_THAT(find("EUCLIDEAN", 0.5), ElementsAre("a"));
  EXPECT_THAT(find("COSINE", 2), ElementsAre("a", "e", "c"));
  EXPECT_THAT(find("DOT_PRODUCT", 1), ElementsAre("e", "a", "c"));
  EXPECT_THAT(find("DOT_PRODUCT", 2), ElementsAre("e"));
}

TEST_F(NearestTest, ShowsTheDistance) {
  const Json query =
      Nearest("EUCLIDEAN", {{"distanceThreshold", 1.5}, {"distanceResultField", "near.est"}});
  const Reply reply = client_.Post("runQuery", {{"structuredQuery", query}});
  std::vector<double> distances;
  for (const Json& element : reply.json) {
    distances.push_back(element["document"]["fields"]["near.est"]["doubleValue"]);
  }
  EXPECT_THAT(distances, ElementsAre(0, 1, 1, std::sqrt(2.0)));
}

TEST_F(NearestTest, BillsVectorsByTheHundred) {
  EXPECT_EQ(client_.Post("runQuery", {{"structuredQuery", Nearest("EUCLIDEAN", {{"limit", 2}})}})
                .answer.billed.reads,
            3);
}

TEST_F(NearestTest, RefusesWhatItCannotMean) {
  for (const Json& bad : {Json{{"limit", 0}}, Json{{"limit", 1001}}, Json{{"distanceMeasure", 0}},
                          Json{{"queryVector", Integer(1)}}, Json{{"distanceThreshold", "NaN"}},
                          Json{{"distanceResultField", "__x__"}}, Json{{"nonsense", 1}}}) {
    EXPECT_THAT(client_.Find(Nearest("COSINE", bad)), ElementsAre("INVALID_ARGUMENT")) << bad;
  }
  for (const Json& bad :
       {Json{{"limit", 1}}, Json{{"offset", 1}}, Json{{"endAt", {{"values", Json::array()}}}}}) {
    Json query = Nearest("COSINE");
    query.update(bad);
    EXPECT_THAT(client_.Find(query), ElementsAre("INVALID_ARGUMENT")) << bad;
  }
}

TEST_F(NearestTest, ExplainsWithAndWithoutRunning) {
  const Json query = {{"from", From("q")}, {"orderBy", {Order("m.v", "DESCENDING")}}, {"limit", 2}};
  const auto ask = [&](bool analyze) {
    const Json body = {{"structuredQuery", query}, {"explainOptions", {{"analyze", analyze}}}};
    return client_.Post("runQuery", body);
  };
  const Json plan = {
      {"indexesUsed",
       {{{"query_scope", "Collection"}, {"properties", "(m.v DESC, __name__ DESC)"}}}}};
  const Reply planned = ask(false);
  EXPECT_EQ(planned.json, Json::array({{{"explainMetrics", {{"planSummary", plan}}}}}));
  EXPECT_EQ(planned.answer.billed.reads, 0);
  const Reply analyzed = ask(true);
  ASSERT_EQ(analyzed.json.size(), 3U);
  const Json& metrics = analyzed.json[2]["explainMetrics"];
  EXPECT_EQ(metrics["planSummary"], plan);
  EXPECT_EQ(metrics["executionStats"]["resultsReturned"], "2");
  EXPECT_EQ(metrics["executionStats"]["readOperations"], "2");
}

// A plan alone is told in every dialect, and without a time.
TEST_F(NearestTest, APlanComesThroughEveryDialect) {
  const Json query = {{"from", From("q")}};
  for (const char* verb : {"runQuery", "runAggregationQuery"}) {
    Json body = {{"structuredQuery", query}, {"explainOptions", Json::object()}};
    if (std::string_view(verb) == "runAggregationQuery") {
      body.erase("structuredQuery");
      body["structuredAggregationQuery"] = {{"structuredQuery", query},
                                            {"aggregations", {{{"count", Json::object()}}}}};
    }
    const Answer answer = client_.Post(verb, body).answer;
    const std::string target = "/v1/" + kRoot + ":" + verb;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Voice voice(seed);
      const Answer said = voice.Say(Dialect::kProduction, {"POST", target}, answer);
      EXPECT_EQ(Json::parse(said.body), Json::parse(answer.body));
    }
  }
}

}  // namespace
}  // namespace shardline::simulator::nearest_test
