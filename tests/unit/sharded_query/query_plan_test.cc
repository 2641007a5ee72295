// The chunks that queries are cut into, and the query of each chunk.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "unit/sharded_query/api_caller.h"
#include "unit/support/run_size.h"

namespace shardline::query_plan_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// That many equalities on different fields.
json Equalities(int count, json filters = json::array()) {
  if (filters.is_object()) filters = ListOfOne(filters);
  for (int i = 0; i < count; ++i) filters.push_back(Filter("f" + std::to_string(i), "=="));
  return filters;
}

Outcome Plan(const json& shards, const json& query, const std::string& path = "instruments") {
  return AskNobody("collection.plan",
                   {{"collection", {{"path", path}, {"shards", shards}}}, {"query", query}});
}

// The sizes of the chunks; empty if the query is refused.
std::vector<std::size_t> Chunks(int shards, const json& filters,
                                const std::string& path = "instruments") {
  const Outcome plan = Plan(shards, {{"filters", filters}}, path);
  std::vector<std::size_t> sizes;
  if (!plan.ok()) {
    EXPECT_THAT(plan, IsInvalid(HasSubstr("too large")));
    return sizes;
  }
  int next = 0;
  for (const json& chunk : plan.result["chunks"]) {
    sizes.push_back(chunk.size());
    for (const json& shard : chunk) EXPECT_EQ(shard, std::to_string(next++));
  }
  EXPECT_EQ(next, shards);
  EXPECT_EQ(plan.result["requests"], sizes.size());
  return sizes;
}

// The structured query of each chunk.
std::vector<json> Asked(const json& collection, const json& query) {
  const Outcome page = Ask("collection.query", {{"collection", collection}, {"query", query}},
                           InTurn({OkText(R"([{"readTime":"2026-01-01T00:00:00Z"}])")}));
  EXPECT_TRUE(page.ok()) << page.message;
  std::vector<json> queries;
  for (const SentRequest& request : page.sent) {
    queries.push_back(request.body["structuredQuery"]);
  }
  return queries;
}

std::vector<std::string> OrderOf(const json& query) {
  std::vector<std::string> order;
  for (const json& one : query["orderBy"]) {
    order.push_back(one["field"]["fieldPath"].get<std::string>() +
                    (one["direction"] == "ASCENDING" ? "+" : "-"));
  }
  return order;
}

json List(const json& filters) { return filters.is_array() ? filters : ListOfOne(filters); }
json Any(const json& filters) { return {{"op", "or"}, {"filters", List(filters)}}; }
json All(const json& filters) { return {{"op", "and"}, {"filters", List(filters)}}; }

// How many requests it takes; 0 if the query is refused.
int Pieces(int shards, const json& filters) {
  const Outcome plan = Plan(shards, {{"filters", filters}});
  if (plan.ok()) return plan.result["requests"];
  EXPECT_THAT(plan, IsInvalid(HasSubstr("too large")));
  return 0;
}

// A list that is too long for Firestore is asked for in pieces, of all shards' values together.
TEST(QueryPlan, CutsWideLists) {
  const auto requests = [](const json& shards, int values, const json& more = json::array()) {
    json filters = ListOfOne(Filter("a", "in", Numbers(values)));
    for (const json& filter : more) filters.push_back(filter);
    const Outcome plan = Plan(shards, {{"filters", filters}});
    EXPECT_TRUE(plan.ok()) << plan.message;
    return plan.result["requests"];
  };
  EXPECT_EQ(requests(1, 30), 1);
  EXPECT_EQ(requests(1, 31), 2);
  EXPECT_EQ(requests(1, 100), 4);
  EXPECT_EQ(requests(3, 100), 10);    // 3 shards × 10 values each.
  EXPECT_EQ(requests(60, 100), 200);  // 3 × 10, as good as 30 × 1.
  EXPECT_EQ(requests(7, 31), 8);      // 7 × 4, better than 1 × 30.
  // 2 × 4, as there may be 100 terms.
  EXPECT_EQ(requests(2, 100, {Filter("b", "in", Numbers(3)), Filter("c", "==")}), 25);
  EXPECT_THAT(Plan(json(10'000), {{"filters", {Filter("a", "in", Numbers(100))}}}),
              IsInvalid(HasSubstr("10,000 requests")));
  // Values that are equal are one.
  json twice = Numbers(31);
  twice["arrayValue"]["values"].push_back({{"doubleValue", 7.0}});
  twice["arrayValue"]["values"].push_back(Number(7));
  std::set<std::string> seen;
  std::size_t total = 0;
  for (const json& query :
       Asked(Instruments({"x", "y"}), {{"filters", {Filter("a", "in", twice)}}})) {
    const json& list = query["where"]["compositeFilter"]["filters"][1]["fieldFilter"]["value"];
    for (const json& value : list["arrayValue"]["values"]) seen.insert(value.dump());
    total += list["arrayValue"]["values"].size();
  }
  EXPECT_EQ(total, 31U) << "each value once";
  EXPECT_EQ(seen.size(), 31U);
}

// Whatever is too much for one query: several lists, lists in or(), and or() by itself.
TEST(QueryPlan, CutsAllThatIsTooMuch) {
  const json a = Filter("a", "in", Numbers(31));
  const json b = Filter("b", "in", Numbers(31));
  const json tags = Filter("tags", "array-contains-any", Numbers(40));
  const json one = Filter("c", "==");
  json forty = json::array();
  json fields = json::array();
  for (int i = 0; i < 40; ++i) {
    forty.push_back(Filter("a", "==", Number(i)));
    fields.push_back(Filter("f" + std::to_string(i), "=="));
  }
  EXPECT_EQ(Pieces(1, {a, b}), 40);  // 8 × 5 pieces, of 4 × 7 values at the most.
  EXPECT_EQ(Pieces(3, ListOfOne(Any(forty))), 4);
  EXPECT_EQ(Pieces(3, ListOfOne(Any(fields))), 4);
  EXPECT_EQ(Pieces(1, ListOfOne(Any({one, a}))), 2);
  EXPECT_EQ(Pieces(1, ListOfOne(Any({All({one, a}), All({one, b})}))), 4);
  EXPECT_EQ(Pieces(1, {a, tags}), 44);
  // What one request may have stays whole.
  const auto pieces = Asked(Instruments({7}), {{"filters", {Any({one, Filter("d", "==")}), a}}});
  EXPECT_EQ(pieces.size(), 3U);
  for (const json& piece : pieces) {
    EXPECT_EQ(piece["where"]["compositeFilter"]["filters"][1]["compositeFilter"]["op"], "OR");
  }
}

// How many conditions of this kind a filter on the wire has.
std::size_t Count(const json& filter, const char* op) {
  if (!filter.contains("compositeFilter")) return filter["fieldFilter"]["op"] == op ? 1 : 0;
  std::size_t count = 0;
  for (const json& each : filter["compositeFilter"]["filters"]) count += Count(each, op);
  return count;
}

// Firestore takes one of them in a query, and counts those that alternatives repeat.
TEST(QueryPlan, NoPieceHasTwoNegations) {
  const json other = Filter("price", "!=");
  json fields = json::array();
  for (int i = 0; i < 40; ++i) fields.push_back(Filter("f" + std::to_string(i), "=="));
  const json six(fields.begin(), fields.begin() + 6);
  json six_others(fields.begin() + 6, fields.begin() + 11);
  six_others.push_back(other);
  const json long_list = Filter("a", "in", Numbers(31));
  const struct {
    json filters;
    std::size_t pieces;
  } kCases[] = {
      // As many as without it.
      {{Any(fields), other}, 4},
      // 3 of 10 combinations without it, and each of the 6 with it by itself.
      {{Any(six), Any(six_others)}, 9},
      {ListOfOne(Any({All({long_list, other}), Any(fields)})), 8},
  };
  for (const auto& [filters, pieces] : kCases) {
    const auto asked = Asked(Instruments({"x", "y", "z"}), {{"filters", filters}});
    EXPECT_EQ(asked.size(), pieces) << filters;
    for (const json& query : asked) EXPECT_LE(Count(query["where"], "NOT_EQUAL"), 1U);
  }
}

// How many combinations a filter on the wire has.
std::size_t CombinationsOf(const json& filter) {
  if (filter.contains("compositeFilter")) {
    const json& composite = filter["compositeFilter"];
    const bool is_or = composite["op"] == "OR";
    std::size_t all = is_or ? 0 : 1;
    for (const json& each : composite["filters"]) {
      all = is_or ? all + CombinationsOf(each) : all * CombinationsOf(each);
    }
    return all;
  }
  const json& value = filter["fieldFilter"]["value"];
  return value.contains("arrayValue") ? value["arrayValue"]["values"].size() : 1;
}

// Together they ask for each pair of values once: no two are alike, and none is too large.
TEST(QueryPlan, PiecesOfTwoListsAreDisjoint) {
  const json filters = {Filter("a", "in", Numbers(33)), Filter("b", "in", Numbers(44))};
  std::set<std::string> pieces;
  std::size_t total = 0;
  for (const json& query : Asked(Instruments({"x", "y", "z"}), {{"filters", filters}})) {
    const std::size_t combinations = CombinationsOf(query["where"]);
    EXPECT_LE(combinations, 30U);
    total += combinations;
    EXPECT_TRUE(pieces.insert(query["where"].dump()).second);
  }
  EXPECT_EQ(total, 3U * 33 * 44);
}

TEST(QueryPlan, IsOfTheCollectionThatItIsAskedForWhicheverCameBefore) {
  ApiCaller caller([](const SentRequest&) { return Refusal("PERMISSION_DENIED"); });
  const auto plan = [&](const json& shards, const std::string& shard_field) {
    const json collection = {
        {"path", "instruments"}, {"shards", shards}, {"shardField", shard_field}};
    const json named = {{"collection", collection}, {"query", json::object()}};
    return caller.Ask("collection.plan", Arguments(named).dump());
  };
  for (int round = 0; round < 2; ++round) {
    for (const json& shards : {json{"x", "y"}, json{"y", "x"}, json{"x", 7}, json{"x"}}) {
      for (const std::string field : {"shard", "part"}) {
        const Outcome outcome = plan(shards, field);
        ASSERT_TRUE(outcome.ok()) << outcome.message;
        EXPECT_EQ(outcome.result["chunks"], json::array({shards}));
        EXPECT_EQ(outcome.result["index"][0]["field"], field);
      }
    }
    // What is refused is not kept.
    for (int again = 0; again < 2; ++again) {
      EXPECT_THAT(plan({"x", "x"}, "shard"), IsInvalid(HasSubstr("distinct")));
      EXPECT_THAT(plan({"x"}, "timestamp.part"), IsInvalid(HasSubstr("neither inside the other")));
    }
  }
}

TEST(QueryPlan, ThirtyShardsFitIntoAChunk) {
  const json none = json::array();
  EXPECT_THAT(Chunks(1, none), ElementsAre(1));
  EXPECT_THAT(Chunks(3, none), ElementsAre(3));
  EXPECT_THAT(Chunks(30, none), ElementsAre(30));
  EXPECT_THAT(Chunks(31, none), ElementsAre(16, 15));
  EXPECT_THAT(Chunks(61, none), ElementsAre(21, 20, 20));
  EXPECT_EQ(Chunks(10'000, none).size(), 334u);
}

TEST(QueryPlan, ListsDivideThem) {
  EXPECT_THAT(Chunks(30, {Filter("a", "in", Numbers(1))}), ElementsAre(30));
  EXPECT_THAT(Chunks(15, {Filter("a", "in", Numbers(2))}), ElementsAre(15));
  EXPECT_THAT(Chunks(16, {Filter("a", "in", Numbers(2))}), ElementsAre(8, 8));
  EXPECT_THAT(Chunks(6, {Filter("a", "array-contains-any", Numbers(5))}), ElementsAre(6));
  EXPECT_THAT(Chunks(7, {Filter("a", "array-contains-any", Numbers(5))}), ElementsAre(4, 3));
  EXPECT_THAT(Chunks(2, {Filter("a", "in", Numbers(15))}), ElementsAre(2));
  EXPECT_THAT(Chunks(2, {Filter("a", "in", Numbers(16))}), ElementsAre(1, 1));
  EXPECT_THAT(Chunks(3, {Filter("a", "in", Numbers(30))}), ElementsAre(1, 1, 1));
  EXPECT_THAT(
      Chunks(2, {Filter("a", "in", Numbers(5)), Filter("b", "array-contains-any", Numbers(6))}),
      ElementsAre(1, 1));
  EXPECT_THAT(Chunks(5, {Filter("a", "in", Numbers(2)), Filter("b", "in", Numbers(3))}),
              ElementsAre(5));
}

TEST(QueryPlan, NotInTakesEveryShardByItself) {
  EXPECT_THAT(Chunks(4, {Filter("a", "not-in", Numbers(10))}), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(Chunks(4, {Filter("a", "!=")}), ElementsAre(4));
}

// 100 terms: (filters + the shard's) for every disjunction, orders, the parent.
TEST(QueryPlan, TermsBoundThem) {
  EXPECT_THAT(Chunks(30, Equalities(2)), ElementsAre(30));
  EXPECT_THAT(Chunks(24, Equalities(3)), ElementsAre(24));
  EXPECT_THAT(Chunks(25, Equalities(3)), ElementsAre(13, 12));
  EXPECT_THAT(Chunks(2, Equalities(48)), ElementsAre(2));
  EXPECT_THAT(Chunks(2, Equalities(49)), ElementsAre(1, 1));
  EXPECT_THAT(Chunks(2, Equalities(97)), ElementsAre(1, 1));
  EXPECT_THAT(Chunks(1, Equalities(98)), ElementsAre());
  EXPECT_THAT(Chunks(1, Equalities(96), "a/b/instruments"), ElementsAre(1));
  EXPECT_THAT(Chunks(1, Equalities(97), "a/b/instruments"), ElementsAre());
  EXPECT_THAT(Chunks(1, Equalities(96, {Filter("a", ">")})), ElementsAre());
  EXPECT_THAT(Chunks(1, Equalities(95, {Filter("a", ">")})), ElementsAre(1));
  EXPECT_THAT(Chunks(1, Equalities(96, {Filter("timestamp", ">")})), ElementsAre(1));
  EXPECT_THAT(Chunks(2, Equalities(1, {Filter("a", "in", Numbers(30))})), ElementsAre(1, 1));
  // 24 combinations of four conditions: of the list, 12 values with both shards.
  EXPECT_THAT(Pieces(2, Equalities(2, {Filter("a", "in", Numbers(30))})), 3);
  EXPECT_THAT(Pieces(2, Equalities(97, {Filter("a", "in", Numbers(30))})), 0);
}

// The same rules once more, for many sizes.
TEST(QueryPlan, ChunksAreEvenAndAsLargeAsAllowed) {
  for (int shards = 1; shards < 70; shards += InRun(17, 6)) {
    for (int values = 1; values <= 30; values += 4) {
      for (int equalities = 0; equalities < 40; equalities += 13) {
        const json filters = Equalities(equalities, {Filter("l", "in", Numbers(values))});
        const int largest = std::min(30 / values, 98 / (values * (equalities + 2)));
        if (largest == 0) {
          // At the best, every request is full.
          const int most = std::min(30, 98 / (equalities + 2));
          EXPECT_GE(Pieces(shards, filters), (shards * values + most - 1) / most);
          continue;
        }
        const std::vector<std::size_t> sizes = Chunks(shards, filters);
        EXPECT_EQ(sizes.size(), static_cast<std::size_t>((shards + largest - 1) / largest));
        EXPECT_LE(sizes.front() - sizes.back(), 1u);
        EXPECT_LE(sizes.front(), static_cast<std::size_t>(largest));
      }
    }
  }
}

TEST(QueryPlan, OneShardIsAskedByEqualitySeveralByIn) {
  EXPECT_EQ(Asked(Instruments({7}), json::object())[0], json::parse(R"({
      "from": [{"collectionId": "instruments"}],
      "where": {"fieldFilter": {"field": {"fieldPath": "shard"}, "op": "EQUAL",
                                "value": {"integerValue": "7"}}},
      "orderBy": [{"field": {"fieldPath": "timestamp"}, "direction": "ASCENDING"},
                  {"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
      "limit": 300})"));
  const json query = Asked(Instruments({"x", 7, "\"é\\"}), json::object())[0];
  EXPECT_EQ(query["where"], json::parse(R"({"fieldFilter": {
      "field": {"fieldPath": "shard"}, "op": "IN", "value": {"arrayValue": {"values": [
          {"stringValue": "x"}, {"integerValue": "7"}, {"stringValue": "\"é\\"}]}}}})"));
}

TEST(QueryPlan, FiltersStandBesideTheShards) {
  const json null_value = {{"nullValue", nullptr}};
  const json nan = {{"doubleValue", "NaN"}};
  const json query =
      Asked(Instruments({"x"}), {{"filters",
                                  {Filter("a", "=="), Filter("b.`c-d`", "array-contains"),
                                   Filter("e", "==", null_value), Filter("f", "!=", nan)}}})[0];
  const json& filters = query["where"]["compositeFilter"]["filters"];
  EXPECT_EQ(query["where"]["compositeFilter"]["op"], "AND");
  ASSERT_EQ(filters.size(), 5u);
  EXPECT_EQ(filters[1], json::parse(R"({"fieldFilter": {"field": {"fieldPath": "a"},
      "op": "EQUAL", "value": {"integerValue": "1"}}})"));
  EXPECT_EQ(filters[2]["fieldFilter"]["field"]["fieldPath"], "b.`c-d`");
  EXPECT_EQ(filters[2]["fieldFilter"]["op"], "ARRAY_CONTAINS");
  EXPECT_EQ(filters[3], json::parse(R"({"unaryFilter": {"field": {"fieldPath": "e"},
      "op": "IS_NULL"}})"));
  EXPECT_EQ(filters[4]["unaryFilter"]["op"], "IS_NOT_NAN");
}

TEST(QueryPlan, TheOrderIsWhatFirestoreWouldUse) {
  const json filters = {Filter("n-1", "<"),
                        Filter("n.z", ">"),
                        Filter("b", "!="),
                        Filter("B", ">="),
                        Filter("timestamp", ">"),
                        Filter("n.z", "<="),
                        Filter("eq", "=="),
                        Filter("list", "in", Numbers(2)),
                        Filter("arr", "array-contains")};
  EXPECT_THAT(OrderOf(Asked(Instruments(), {{"filters", filters}})[0]),
              ElementsAre("timestamp+", "B+", "b+", "n.z+", "`n-1`+", "__name__+"));
  EXPECT_THAT(OrderOf(Asked(Instruments(), {{"filters", {Filter("b", "not-in", Numbers(2))}},
                                            {"orders", InDirection("desc")}})[0]),
              ElementsAre("timestamp-", "b-", "__name__-"));
  json collection = Instruments();
  collection["orderField"] = "b";
  collection["shardField"] = "meta.`the shard`";
  const json other = Asked(collection, {{"filters", {Filter("b", ">")}}})[0];
  EXPECT_THAT(OrderOf(other), ElementsAre("b+", "__name__+"));
  EXPECT_EQ(other["where"]["compositeFilter"]["filters"][0]["fieldFilter"]["field"]["fieldPath"],
            "meta.`the shard`");
}

TEST(QueryPlan, PositionsAreCursors) {
  const json timestamp = {{"timestampValue", "2026-01-01T00:00:00Z"}};
  const json reference = {{"referenceValue", Name("instruments/a")}};
  for (const bool inclusive : {true, false}) {
    const json query = Asked(
        Instruments(), {{"start", {{"values", {timestamp}}, {"inclusive", inclusive}}},
                        {"end", {{"values", {timestamp, reference}}, {"inclusive", inclusive}}},
                        {"limit", 4}})[0];
    EXPECT_EQ(query["startAt"], json({{"values", {timestamp}}, {"before", inclusive}}));
    EXPECT_EQ(query["endAt"], json({{"values", {timestamp, reference}}, {"before", !inclusive}}));
  }
}

TEST(QueryPlan, SubcollectionsAreAskedOfTheirParent) {
  const Outcome page = Ask(
      "collection.query",
      {{"collection", {{"path", "a/b c/instruments"}, {"shards", 1}}}, {"query", {{"limit", 1}}}},
      InTurn({OkText(R"([{"readTime":"2026-01-01T00:00:00Z"}])")}));
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.sent[0].path, "/v1/projects/demo/databases/(default)/documents/a/b%20c:runQuery");
  EXPECT_EQ(page.result["prefix"], Name("a/b c/instruments/"));
}

TEST(QueryPlan, DescribesReadsAndIndex) {
  const Outcome plan = Plan(
      {"x", "y", 7}, {{"filters",
                       {Filter("z", "=="), Filter("tags", "array-contains"), Filter("b.c", ">"),
                        Filter("a", "in", Numbers(16)), Filter("b.c", "==")}},
                      {"orders", InDirection("desc")},
                      {"limit", 40}});
  EXPECT_EQ(plan.result, json::parse(R"({
      "chunks": [["x"], ["y"], [7]], "requests": 3, "worstCaseReads": 120,
      "orders": ["timestamp", "b.c", "__name__"],
      "index": [{"field": "shard", "order": "ASCENDING"},
                {"field": "z", "order": "ASCENDING"},
                {"field": "tags", "arrayConfig": "CONTAINS"},
                {"field": "a", "order": "ASCENDING"},
                {"field": "b.c", "order": "ASCENDING"},
                {"field": "timestamp", "order": "DESCENDING"}],
      "indexes": [{"fields": [{"field": "shard", "order": "ASCENDING"},
                              {"field": "z", "order": "ASCENDING"},
                              {"field": "tags", "arrayConfig": "CONTAINS"},
                              {"field": "a", "order": "ASCENDING"},
                              {"field": "b.c", "order": "ASCENDING"},
                              {"field": "timestamp", "order": "DESCENDING"}], "fixed": 5}]})"))
      << plan.message;
  const Outcome least = Plan({"x"}, json::object());
  EXPECT_EQ(least.result, json::parse(R"({
      "chunks": [["x"]], "requests": 1, "worstCaseReads": null,
      "orders": ["timestamp", "__name__"],
      "index": [{"field": "shard", "order": "ASCENDING"},
                {"field": "timestamp", "order": "ASCENDING"}],
      "indexes": [{"fields": [{"field": "shard", "order": "ASCENDING"},
                              {"field": "timestamp", "order": "ASCENDING"}], "fixed": 1}]})"));
}

TEST(QueryPlan, ReadsHaveNoBoundIfSeveralFieldsHaveInequalities) {
  const auto worst = [](const json& filters) {
    return Plan({"x"}, {{"filters", filters}, {"limit", 5}}).result["worstCaseReads"];
  };
  EXPECT_EQ(worst({Filter("a", ">"), Filter("a", "<"), Filter("b", "==")}), 5);
  // Firestore bills the index entries that it scans for these.
  EXPECT_EQ(worst({Filter("a", ">"), Filter("b", "!=")}), nullptr);
}

// Of each index the names of its fields.
std::vector<std::string> Indexes(const json& query) {
  const Outcome plan = Plan({"x", "y"}, query);
  EXPECT_TRUE(plan.ok()) << plan.message;
  std::vector<std::string> indexes;
  for (const json& index : plan.result["indexes"]) {
    std::string& names = indexes.emplace_back();
    for (const json& field : index["fields"]) {
      names += field["field"].get<std::string>();
      names += field.contains("arrayConfig") ? "@ " : field["order"] == "ASCENDING" ? "+ " : "- ";
    }
  }
  return indexes;
}

TEST(QueryPlan, SendsWhatOrJoinsAsItIs) {
  const json a = Filter("a", "==");
  const json b = Filter("b", "in", Numbers(2));
  const json c = Filter("c", "<", Number(3));
  const json d = Filter("d", "==", {{"nullValue", nullptr}});
  // and() in and() makes no difference, nor does a filter joined with nothing.
  const json query = {{"filters", json::array({All({a}), Any({b, All({c, All({Any({d}), a})})})})}};
  const std::vector<json> chunks = Asked(Instruments({"x", "y"}), query);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0]["where"], json::parse(R"({"compositeFilter": {"op": "AND", "filters": [
      {"fieldFilter": {"field": {"fieldPath": "shard"}, "op": "IN", "value":
        {"arrayValue": {"values": [{"stringValue": "x"}, {"stringValue": "y"}]}}}},
      {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL", "value": {"integerValue": "1"}}},
      {"compositeFilter": {"op": "OR", "filters": [
        {"fieldFilter": {"field": {"fieldPath": "b"}, "op": "IN", "value":
          {"arrayValue": {"values": [{"integerValue": "0"}, {"integerValue": "1"}]}}}},
        {"compositeFilter": {"op": "AND", "filters": [
          {"fieldFilter": {"field": {"fieldPath": "c"}, "op": "LESS_THAN",
                           "value": {"integerValue": "3"}}},
          {"unaryFilter": {"field": {"fieldPath": "d"}, "op": "IS_NULL"}},
          {"fieldFilter": {"field": {"fieldPath": "a"}, "op": "EQUAL",
                           "value": {"integerValue": "1"}}}]}}]}}]}})"));
  EXPECT_THAT(OrderOf(chunks[0]), ElementsAre("timestamp+", "c+", "__name__+"));
}

// Shard values × disjunctions of the normal form ≤ 30.
TEST(QueryPlan, CutsWhatOrJoins) {
  const auto any = [](int count) {
    json filters = json::array();
    for (int i = 0; i < count; ++i) filters.push_back(Filter("a", "==", Number(i)));
    return Any(filters);
  };
  EXPECT_THAT(Chunks(30, ListOfOne(any(1))), ElementsAre(30));
  EXPECT_THAT(Chunks(30, ListOfOne(any(2))), ElementsAre(15, 15));
  EXPECT_THAT(Chunks(3, {any(5), any(2)}), ElementsAre(3));
  EXPECT_THAT(Chunks(4, {any(5), any(2)}), ElementsAre(2, 2));
  EXPECT_THAT(Chunks(2, {any(5), Filter("b", "in", Numbers(6))}), ElementsAre(1, 1));
  EXPECT_THAT(Chunks(2, ListOfOne(any(30))), ElementsAre(1, 1));
  // Sums in or(), products in and().
  EXPECT_THAT(Chunks(10, ListOfOne(Any({All({any(2), Filter("b", "==")}), any(3)}))),
              ElementsAre(5, 5));
  // 100 terms: each alternative of five filters has the shard, too.
  const json five = All(Equalities(5));
  EXPECT_THAT(Chunks(9, ListOfOne(Any({five, five, five}))), ElementsAre(5, 4));
  // A list that must hold may be as long as it likes.
  const Outcome wide = Plan(2, {{"filters", {any(3), Filter("b", "in", Numbers(50))}}});
  EXPECT_EQ(wide.result["requests"], 10) << "of 2 shards × 5 values, three alternatives each";
}

TEST(QueryPlan, DescribesAnIndexForEachAlternative) {
  const json a = Filter("a", "==");
  const json tags = Filter("tags", "array-contains");
  EXPECT_THAT(Indexes({{"filters", ListOfOne(Any({a, tags}))}}),
              ElementsAre("shard+ a+ timestamp+ ", "shard+ tags@ timestamp+ "));
  EXPECT_THAT(Indexes({{"filters", ListOfOne(Any({a, Filter("a", "in", Numbers(3))}))}}),
              ElementsAre("shard+ a+ timestamp+ "));
  EXPECT_THAT(Indexes({{"filters", ListOfOne(Any({a, Filter("b", ">")}))},
                       {"orders", InDirection("desc")}}),
              ElementsAre("shard+ a+ timestamp- b- ", "shard+ timestamp- b- "));
  EXPECT_THAT(Indexes({{"filters", {a, Any({tags, All({a, Filter("z", "==")})})}}}),
              ElementsAre("shard+ a+ tags@ timestamp+ ", "shard+ a+ z+ timestamp+ "));
}

TEST(QueryPlan, OrdersAsTheUserSays) {
  const auto order = [](const std::string& field, const std::string& direction) {
    return json({{"field", field}, {"direction", direction}});
  };
  const auto orders = [&](const json& query) {
    return OrderOf(Asked(Instruments({"x"}), query)[0]);
  };
  const json down = {{"direction", "desc"}};
  EXPECT_THAT(orders({{"orders", {down, order("price", "asc")}}}),
              ElementsAre("timestamp-", "price+", "__name__+"));
  EXPECT_THAT(orders({{"orders", {order("price", "asc"), down}}}),
              ElementsAre("price+", "timestamp-", "__name__-"));
  EXPECT_THAT(orders({{"orders", {order("price", "asc"), order("__name__", "desc")}}}),
              ElementsAre("price+", "__name__-"));
  // Inequalities come behind, in the direction of the last.
  EXPECT_THAT(orders({{"orders", {down, order("b", "asc")}},
                      {"filters", {Filter("c", ">"), Filter("b", ">"), Filter("a", "<")}}}),
              ElementsAre("timestamp-", "b+", "a+", "c+", "__name__+"));
  EXPECT_THAT(Indexes({{"filters", ListOfOne(Filter("k", "=="))},
                       {"orders", {down, order("price", "asc")}}}),
              ElementsAre("shard+ k+ timestamp- price+ "));
}

const json kOrdinary = {{"path", "a/b/things"}, {"ordinary", true}};

json OrdinaryPlan(const json& query) {
  const Outcome plan = AskNobody("collection.plan", {{"collection", kOrdinary}, {"query", query}});
  EXPECT_TRUE(plan.ok()) << plan.message;
  return plan.result;
}

TEST(QueryPlan, AsksAnOrdinaryCollectionAsItIs) {
  EXPECT_EQ(Asked(kOrdinary, {{"limit", 3}}), (std::vector<json>{json::parse(R"({
      "from": [{"collectionId": "things"}],
      "orderBy": [{"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
      "limit": 3})")}));
  EXPECT_EQ(Asked(kOrdinary, {{"filters", ListOfOne(Filter("shard", ">"))},
                              {"select", json::array({"a"})},
                              {"limit", 3}}),
            (std::vector<json>{json::parse(R"({
      "select": {"fields": [{"fieldPath": "a"}, {"fieldPath": "shard"}]},
      "from": [{"collectionId": "things"}],
      "where": {"fieldFilter": {"field": {"fieldPath": "shard"}, "op": "GREATER_THAN",
                                "value": {"integerValue": "1"}}},
      "orderBy": [{"field": {"fieldPath": "shard"}, "direction": "ASCENDING"},
                  {"field": {"fieldPath": "__name__"}, "direction": "ASCENDING"}],
      "limit": 3})")}));
  json orders = json::array();
  for (int i = 0; i < 98; ++i) orders.push_back({{"field", "f" + std::to_string(i)}});
  EXPECT_EQ(OrdinaryPlan({{"orders", orders}})["requests"], 1) << "with name and parent, 100";
  // Nothing but names is something.
  EXPECT_EQ(Asked(kOrdinary, {{"select", json::array()}})[0]["select"],
            json::parse(R"({"fields": [{"fieldPath": "__name__"}]})"));
  EXPECT_EQ(OrdinaryPlan({{"limit", 7}}), json::parse(R"({"chunks": [[]], "requests": 1,
      "worstCaseReads": 7, "orders": ["__name__"], "index": [], "indexes": []})"));
  EXPECT_EQ(OrdinaryPlan({{"filters", ListOfOne(Filter("a", "in", Numbers(100)))}})["chunks"],
            json::parse("[[], [], [], []]"));
  EXPECT_EQ(OrdinaryPlan({{"filters", ListOfOne(Filter("a", "=="))},
                          {"orders", ListOfOne({{"field", "b"}})}})["index"],
            json::parse(R"([{"field": "a", "order": "ASCENDING"},
                            {"field": "b", "order": "ASCENDING"}])"));
}

// Firestore refuses an index that names a field twice.
TEST(QueryPlan, TheIndexNamesNoFieldTwice) {
  const Outcome plan = Plan(
      {"x"},
      {{"filters",
        {Filter("a", "=="), Filter("a", "in", Numbers(2)), Filter("b", ">"), Filter("b", "<=")}}});
  EXPECT_EQ(plan.result["index"], json::parse(R"([
      {"field": "shard", "order": "ASCENDING"}, {"field": "a", "order": "ASCENDING"},
      {"field": "timestamp", "order": "ASCENDING"}, {"field": "b", "order": "ASCENDING"}])"))
      << plan.message;
}

}  // namespace
}  // namespace shardline::query_plan_test
