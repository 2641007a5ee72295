// A query that cannot be run is refused before anything is sent, by a message that names the
// reason.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/sharded_query/api_caller.h"

namespace shardline::refusals_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

json ListOf(const json& values) {
  return {{"arrayValue", {{"values", values.is_array() ? values : ListOfOne(values)}}}};
}

const json kNull = {{"nullValue", nullptr}};
const json kNaN = {{"doubleValue", "NaN"}};

Outcome Plan(const json& query, const json& collection = Instruments()) {
  return AskNobody("collection.plan", {{"collection", collection}, {"query", query}});
}
Outcome Where(const json& filters) { return Plan({{"filters", filters}}); }

Outcome Check(const json& options) {
  json collection = Instruments();
  collection.update(options);
  return AskNobody("collection.check", {{"collection", collection}});
}

TEST(ShardedCollection, GoodOptions) {
  json many = json::array();
  for (int i = 0; i < 10'000; ++i) many.push_back(i % 2 == 0 ? json(i) : json(std::to_string(i)));
  for (const json& shards :
       {json(1), json(10'000), json::array({"x"}), json({1, "1"}), json({"", "é", "\"\\\n"}),
        json({INT64_MIN, INT64_MAX}), json({std::string(1'500, 'x')}), many}) {
    const Outcome outcome = Check({{"shards", shards}});
    EXPECT_EQ(outcome.result, json::array()) << outcome.message;
  }
  EXPECT_TRUE(Check({{"path", "a/b/c"}, {"shardField", "m.`a b`"}, {"orderField", "m.t"}}).ok());
}

TEST(ShardedCollection, BadShards) {
  json many = json::array();
  for (int i = 0; i < 10'001; ++i) many.push_back(i);
  for (const json& shards : {json(0),
                             json(-1),
                             json(10'001),
                             json(INT64_MAX),
                             json(1.5),
                             json(1e300),
                             json("3"),
                             json(nullptr),
                             json(true),
                             json::object(),
                             json::array(),
                             json({"x", "x"}),
                             json({7, 7}),
                             json::array({true}),
                             json::array({nullptr}),
                             json::array({1.5}),
                             json::array({json::array({"x"})}),
                             json::array({UINT64_MAX}),
                             json({std::string(1'501, 'x')}),
                             many}) {
    EXPECT_THAT(Check({{"shards", shards}}), IsInvalid(HasSubstr("shards")))
        << shards.dump().substr(0, 100);
  }
}

TEST(ShardedCollection, BadPathsAndFields) {
  for (const char* path : {"", "a/b", "/a", "a//b", "a/b/", "..", "__x__"}) {
    EXPECT_THAT(Check({{"path", path}}), IsInvalid(HasSubstr("path"))) << path;
  }
  for (const char* field : {"shardField", "orderField"}) {
    for (const char* bad : {"", "a..b", ".", "__x__", "__name__", "`a"}) {
      EXPECT_EQ(Check({{field, bad}}).code, "invalid-argument") << bad;
    }
    for (const json& bad : {json(7), json(nullptr), json::array({"a"})}) {
      EXPECT_THAT(Check({{field, bad}}), IsInvalid(HasSubstr(field))) << bad;
    }
  }
  EXPECT_THAT(Check({{"shardField", "a"}, {"orderField", "a"}}), IsInvalid(HasSubstr("different")));
  EXPECT_THAT(Check({{"shardField", "a"}, {"orderField", "a.b"}}),
              IsInvalid(HasSubstr("different")));
  EXPECT_THAT(Check({{"shardField", "a.b"}, {"orderField", "a"}}),
              IsInvalid(HasSubstr("different")));
}

TEST(QueryRequest, GoodCombinations) {
  const std::vector<json> good = {
      {Filter("a", "=="), Filter("a", "<"), Filter("b", ">="), Filter("c", "!=")},
      {Filter("a", "not-in", Numbers(10)), Filter("b", "=="), Filter("c", ">")},
      {Filter("a", "in", Numbers(30))},
      {Filter("a", "in", Numbers(10'000))},
      {Filter("a", "in", Numbers(6)), Filter("b", "in", Numbers(6))},
      {Filter("a", "array-contains-any", Numbers(100)), Filter("b", "in", Numbers(30))},
      {Filter("a", "in", Numbers(5)), Filter("b", "in", Numbers(6))},
      {Filter("a", "array-contains"), Filter("b", "in", Numbers(30))},
      {Filter("a", "array-contains-any", Numbers(30))},
      {Filter("a", "!="), Filter("b", "in", Numbers(2))},
      {Filter("a", "==", kNull), Filter("b", "!=", kNaN)},
      {Filter("a", "==", kNaN), Filter("b", "!=", kNull)},
      {Filter("a", "in", ListOf({Number(1), kNull})), Filter("b", "in", ListOf({kNaN}))},
      {Filter("a", "not-in", ListOf({kNull}))},
      {Filter("a", "array-contains-any", ListOf({kNaN}))},
      {Filter("a", "==", Numbers(2)), Filter("b", "<", ListOf({kNull}))},
      {Filter("timestamp", ">"), Filter("timestamp", "<=", Number(9))}};
  for (const json& filters : good) EXPECT_TRUE(Where(filters).ok()) << Where(filters).message;
  json ten = json::array();
  for (int i = 0; i < 10; ++i) ten.push_back(Filter("f" + std::to_string(i), ">"));
  EXPECT_TRUE(Where(ten).ok());
}

TEST(QueryRequest, CombinationsThatFirestoreRefuses) {
  json eleven = json::array();
  for (int i = 0; i < 11; ++i) eleven.push_back(Filter("f" + std::to_string(i), ">"));
  json lists = json::array();
  for (int i = 0; i < 40; ++i) lists.push_back(Filter("f" + std::to_string(i), "in", Numbers(30)));
  const std::pair<json, const char*> cases[] = {
      {{Filter("a", "array-contains"), Filter("b", "array-contains")}, "array-contains"},
      {{Filter("a", "array-contains"), Filter("b", "array-contains-any", Numbers(2))},
       "array-contains"},
      {{Filter("a", "array-contains-any", Numbers(1)),
        Filter("a", "array-contains-any", Numbers(1))},
       "array-contains"},
      {{Filter("a", "!="), Filter("b", "!=")}, "!="},
      {{Filter("a", "!="), Filter("a", "!=", Number(2))}, "!="},
      {{Filter("a", "not-in", Numbers(1)), Filter("b", "!=")}, "not-in"},
      {{Filter("a", "not-in", Numbers(1)), Filter("b", "not-in", Numbers(1))}, "not-in"},
      {{Filter("a", "!=", kNull), Filter("b", "!=", kNaN)}, "!="},
      {{Filter("a", "not-in", Numbers(1)), Filter("b", "in", Numbers(1))}, "not-in"},
      {{Filter("a", "not-in", Numbers(1)), Filter("b", "array-contains-any", Numbers(1))},
       "not-in"},
      {{Filter("a", "in", Numbers(101)), Filter("b", "array-contains-any", Numbers(100))},
       "10,000 combinations"},
      {lists, "10,000 combinations"},
      {eleven, "10 fields"}};
  for (const auto& [filters, expected] : cases) {
    EXPECT_THAT(Where(filters), IsInvalid(HasSubstr(expected))) << filters;
  }
}

TEST(QueryRequest, FiltersThatFirestoreRefuses) {
  const json deep = [] {
    json value = Number(1);
    for (int i = 0; i < 30; ++i) value = {{"mapValue", {{"fields", {{"a", value}}}}}};
    return value;
  }();
  const json bad[] = {Filter("the.field", "in", Numbers(0)),
                      Filter("the.field", "in", Numbers(10'001)),
                      Filter("the.field", "not-in", Numbers(0)),
                      Filter("the.field", "not-in", Numbers(11)),
                      Filter("the.field", "in", Number(1)),
                      Filter("the.field", "in", {{"arrayValue", json::object()}}),
                      Filter("the.field", "not-in", {{"mapValue", {{"fields", json::object()}}}}),
                      Filter("the.field", "array-contains", kNull),
                      Filter("the.field", "<", kNull),
                      Filter("the.field", ">=", kNaN),
                      Filter("the.field", "<", {{"doubleValue", "nan"}}),
                      Filter("the.field", "==", {{"integerValue", "x"}}),
                      Filter("the.field", "==", json::object()),
                      Filter("the.field", "==", nullptr),
                      Filter("the.field", "==", 7),
                      Filter("the.field", "==", {{"integerValue", "1"}, {"nullValue", nullptr}}),
                      Filter("the.field", "==", {{"geoPointValue", {{"latitude", 91}}}}),
                      Filter("the.field", "==", {{"referenceValue", "nowhere"}}),
                      Filter("the.field", "==", deep)};
  for (const json& filter : bad) {
    EXPECT_THAT(Where({filter}), IsInvalid(HasSubstr("the.field"))) << filter;
  }
  for (const char* op : {"=", "===", "<>", "EQUAL", "IN", "in ", "array_contains", ""}) {
    EXPECT_THAT(Where({Filter("the.field", op)}),
                IsInvalid(AllOf(HasSubstr("filters.op"), HasSubstr("'not-in'"))))
        << op;
  }
  EXPECT_THAT(Where({Filter("shard", "==")}), IsInvalid(HasSubstr("shard field")));
  const json id = {{"stringValue", "p1"}};
  EXPECT_THAT(Where({Filter("__name__", "==", id)}), IsInvalid(HasSubstr("db.doc(")));
  EXPECT_THAT(Where({Filter("__name__", "in", ListOf({id}))}), IsInvalid(HasSubstr("db.doc(")));
  for (const char* field : {"", "a..b", "__x__", "`a"}) {
    EXPECT_EQ(Where({Filter(field, "==")}).code, "invalid-argument") << field;
  }
}

TEST(QueryRequest, BadCompositeFilters) {
  const auto join = [](const char* op, const json& filters) {
    return json({{"op", op}, {"filters", filters}});
  };
  const auto where = [&](const json& filter) { return Where(ListOfOne(filter)); };
  const json a = Filter("a", "==");
  json nested = a;
  for (int i = 0; i < 20; ++i) nested = join(i % 2 == 0 ? "or" : "and", {nested, a});
  EXPECT_TRUE(where(nested).ok()) << where(nested).message;
  EXPECT_THAT(where(join("or", {nested, a})), IsInvalid(HasSubstr("nested too deeply")));
  for (int i = 0; i < 50; ++i) nested = join("and", json::array({nested}));
  EXPECT_THAT(where(nested), IsInvalid(HasSubstr("nested too deeply")));
  json many = json::array();
  for (int i = 0; i < 10'001; ++i) many.push_back(Filter("a", "==", Number(i)));
  const json not_in = Filter("n", "not-in", Numbers(1));
  const json tags = Filter("tags", "array-contains");
  const std::pair<json, const char*> cases[] = {
      {join("or", json::array()), "need a filter"},
      {join("and", json::array()), "need a filter"},
      {{{"op", "or"}}, "filters.filters"},
      {join("or", 7), "filters.filters"},
      {{{"op", "=="}, {"value", Number(1)}}, "filters.field"},
      {{{"op", "=="}, {"field", "a"}}, "filters.value"},
      {join("or", many), "10,000 combinations"},
      {join("or", {a, Filter("b", "in", Numbers(10'000))}), "10,000 combinations"},
      {join("or", {a, Filter("shard", "==")}), "shard field"},
      {join("or", {a, not_in}), "no not-in beside"},
      {join("or", {a, join("and", {tags, tags})}), "at most one array-contains"},
      {join("or", {Filter("a", "!="), Filter("b", "!=")}), "at most one !="},
      {join("or", {a, Filter("b", "<", kNull)}), "null"}};
  for (const auto& [filter, expected] : cases) {
    EXPECT_THAT(where(filter), IsInvalid(HasSubstr(expected))) << filter;
  }
  // One array-contains in each alternative.
  EXPECT_TRUE(where(join("or", {tags, join("and", {tags, a})})).ok());
}

TEST(QueryRequest, BadOrders) {
  const auto by = [](const json& orders, const json& collection = Instruments()) {
    return Plan({{"orders", orders}, {"filters", json::array()}}, collection);
  };
  const json ordinary = {{"path", "things"}, {"ordinary", true}};
  const json name = {{"field", "__name__"}};
  const json a = {{"field", "a"}};
  EXPECT_THAT(by({{{"field", "timestamp"}}, json::object()}), IsInvalid(HasSubstr("twice")));
  EXPECT_THAT(by({a, a}, ordinary), IsInvalid(HasSubstr("twice")));
  EXPECT_THAT(by({name, a}), IsInvalid(HasSubstr("__name__")));
  EXPECT_THAT(by(ListOfOne({{"field", "shard"}})), IsInvalid(HasSubstr("shard field")));
  EXPECT_THAT(by(ListOfOne({{"direction", "desc"}}), ordinary), IsInvalid(HasSubstr("name one")));
  EXPECT_TRUE(by(ListOfOne({{"field", "shard"}}), ordinary).ok());
  EXPECT_THAT(by(ListOfOne({{"field", "a"}, {"direction", "down"}})),
              IsInvalid(HasSubstr("orders.direction")));
  EXPECT_THAT(by(ListOfOne({{"field", "a..b"}})), IsInvalid(HasSubstr("a..b")));
  EXPECT_THAT(Plan({{"orders", ListOfOne(name)}, {"filters", ListOfOne(Filter("a", "<"))}}),
              IsInvalid(HasSubstr("__name__")));
}

TEST(QueryRequest, BadLimits) {
  for (const json& limit : {json(0), json(-1), json(1.5), json(2147483648), json("5"), json(true),
                            json::array(), json(1e300), json(UINT64_MAX)}) {
    EXPECT_THAT(Plan({{"limit", limit}}), IsInvalid(HasSubstr("limit"))) << limit;
  }
  EXPECT_TRUE(Plan({{"limit", 1}}).ok());
  EXPECT_TRUE(Plan({{"limit", 2147483647}}).ok());
}

TEST(QueryRequest, BadSelections) {
  for (const json& select :
       {json::array({""}), json::array({"a..b"}), json({"a", "__x__"}), json::array({7}), json(7),
        json("a"), json::object(), json::array({nullptr})}) {
    EXPECT_EQ(Plan({{"select", select}}).code, "invalid-argument") << select;
  }
}

TEST(QueryRequest, BadPositions) {
  for (const char* end : {"start", "end"}) {
    const auto at = [&](const json& values) {
      return Plan({{end, {{"values", values}, {"inclusive", true}}}});
    };
    const json reference = {{"referenceValue", Name("instruments/a")}};
    EXPECT_TRUE(at({Number(1)}).ok());
    EXPECT_TRUE(at({kNull, reference}).ok());
    EXPECT_THAT(at({Number(1), reference, Number(1)}), IsInvalid(HasSubstr("too many")));
    EXPECT_THAT(at({kNull, {{"stringValue", "p1"}}}), IsInvalid(HasSubstr("db.doc(")));
    EXPECT_TRUE(at(ListOfOne({{"stringValue", "p1"}})).ok());
    for (const json& value :
         {json(7), json(nullptr), json::object(), json({{"integerValue", "x"}})}) {
      EXPECT_THAT(at({value}), IsInvalid(HasSubstr("startAt"))) << value;
    }
  }
}

// The core never trusts its caller: whatever is not as it should be is refused, not misread.
TEST(QueryRequest, MalformedArguments) {
  const json good_query = QueryArgument({{"filters", {Filter("a", "==")}},
                                         {"orders", InDirection("desc")},
                                         {"limit", 5},
                                         {"select", {"a"}},
                                         {"start", {{"values", {Number(1)}}, {"inclusive", true}}},
                                         {"chunkReads", "whole-page"},
                                         {"consistentRead", true}});
  const auto asked = [](const json& query) {
    return json({{"collection", Instruments()}, {"query", query}}).dump();
  };
  const std::string good = asked(good_query);
  ApiCaller caller([](const SentRequest&) { return Refusal("PERMISSION_DENIED"); });
  ASSERT_TRUE(caller.Ask("collection.plan", good).ok());
  // Cut off anywhere. The last bracket, that of the request, nobody looks at.
  for (std::size_t size = 0; size + 1 < good.size(); ++size) {
    for (const char* name : {"collection.plan", "collection.query", "collection.count"}) {
      EXPECT_EQ(caller.Ask(name, good.substr(0, size)).code, "invalid-argument")
          << good.substr(0, size);
    }
  }
  // Something else in any place.
  for (const auto& [name, value] : good_query.items()) {
    for (const json& wrong :
         {json(7), json("x"), json(nullptr), json::object(), json({{"a", 1}}), json::array({7}),
          ListOfOne(json::array()), ListOfOne({{"field", "a"}}),
          ListOfOne({{"field", "a"}, {"op", "=="}, {"value", Number(1)}, {"more", 7}})}) {
      json query = good_query;
      query[name] = wrong;
      const Outcome outcome = caller.Ask("collection.plan", asked(query));
      const bool is_good = (name == "limit" && wrong == json(7)) ||
                           (name == "orders" && wrong == ListOfOne({{"field", "a"}}));
      EXPECT_EQ(outcome.ok(), is_good) << name << ": " << wrong;
      if (!is_good) EXPECT_EQ(outcome.code, "invalid-argument") << name << ": " << wrong;
    }
  }
  json query = good_query;
  query["limits"] = 5;
  EXPECT_THAT(
      caller.Ask("collection.plan", asked(query)),
      IsInvalid(AllOf(HasSubstr("no option `limits`"), HasSubstr("filters, orders, limit"))));
  for (const char* arguments :
       {"[]", "{}", "null", "7", "[{}]", R"({"collection":{}})",
        R"({"collection":{"path":"a"},"query":{}})", R"({"collection":{"shards":3},"query":{}})",
        R"({"collection":{"path":"a","shards":3}})",
        R"({"collection":{"path":"a","shards":3},"query":null})",
        R"({"collection":{"path":"a","shards":3},"query":[]})",
        R"({"collection":["a",3,"s","t"],"query":{}})",
        R"({"collection":{"path":"a","shards":3,"u":1},"query":{}})"}) {
    for (const char* name : {"collection.plan", "collection.query", "collection.set",
                             "collection.update", "collection.delete"}) {
      EXPECT_EQ(caller.Ask(name, arguments).code, "invalid-argument") << name << arguments;
    }
  }
}

}  // namespace
}  // namespace shardline::refusals_test
