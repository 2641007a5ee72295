#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/random.h"
#include "client.h"
#include "unit/support/run_size.h"

namespace shardline::simulator::query_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// In one commit.
void Seed(Client& client, const std::vector<std::pair<std::string, Json>>& documents) {
  std::vector<Json> writes;
  for (const auto& [path, fields] : documents) writes.push_back(Update(path, fields));
  ASSERT_EQ(client.Commit(writes).status, 200);
}

TEST(Query, ValuesStandInTheEmulatorsOrder) {
  std::ifstream file(std::string(SHARDLINE_FIXTURES) + "/value_order.json");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const Json fixture = Json::parse(text);
  Client client;
  std::vector<std::string> expected;
  int line = 0;
  for (const Json& values : fixture["values"]) {
    int column = 0;
    for (const Json& value : values) {
      char id[16];
      std::snprintf(id, sizeof id, "%d", 100'000 + 1'000 * (line * 7919 % 191) + column++);
      expected.push_back(id);
      ASSERT_EQ(client.Commit({Update("v/" + std::string(id), {{"v", value}})}).status, 200)
          << value;
    }
    ++line;
  }
  for (int round = 0; round < 3; ++round) {  // Without an index, building it, and with it.
    EXPECT_EQ(client.Find({{"from", From("v")}, {"orderBy", List({Order("v")})}}), expected);
  }
}

TEST(Query, CollectionGroupsAndKindlessQueries) {
  Client client;
  Seed(client, {{"q/a", {{"v", Integer(1)}}},
                {"q/a/q/n", {{"v", Integer(5)}}},
                {"q/a/r/m", {{"v", Integer(6)}}},
                {"q/b", {{"v", Integer(2)}}}});
  const Json group = List({{{"collectionId", "q"}, {"allDescendants", true}}});
  EXPECT_THAT(client.Find({{"from", group}}), ElementsAre("a", "n", "b"));
  EXPECT_THAT(client.Find({{"from", group}, {"orderBy", List({Order("v", "DESCENDING")})}}),
              ElementsAre("n", "b", "a"));
  EXPECT_THAT(client.Find({{"from", List({{{"allDescendants", true}}})}}),
              ElementsAre("a", "n", "m", "b"));
  EXPECT_THAT(client.Find(Json::object()), ElementsAre("a", "b"));
  const Reply below = client.Post("runQuery", {{"structuredQuery", {{"from", group}}}}, "/q/a");
  ASSERT_EQ(below.json.size(), 1u);
  EXPECT_EQ(below.json[0]["document"]["name"], Name("q/a/q/n"));
}

TEST(Query, CursorsOffsetAndLimit) {
  Client client;
  Seed(client, {{"q/a", {{"v", Integer(1)}}},
                {"q/b", {{"v", Integer(2)}}},
                {"q/c", {{"v", Integer(2)}}},
                {"q/d", {{"v", Integer(3)}}}});
  const auto find = [&](Json more) {
    more["from"] = From("q");
    more["orderBy"] = List({Order("v")});
    return client.Find(more);
  };
  const auto at = [](int value, bool before) {
    return Json({{"values", List({Integer(value)})}, {"before", before}});
  };
  EXPECT_THAT(find({{"startAt", at(2, true)}}), ElementsAre("b", "c", "d"));
  EXPECT_THAT(find({{"startAt", at(2, false)}}), ElementsAre("d"));
  EXPECT_THAT(find({{"endAt", at(2, true)}}), ElementsAre("a"));
  EXPECT_THAT(find({{"endAt", at(2, false)}}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(find({{"startAt", Json::object()}}), IsEmpty());
  EXPECT_THAT(find({{"offset", 1}, {"limit", 2}}), ElementsAre("b", "c"));
  EXPECT_THAT(find({{"startAt", at(3, true)}, {"endAt", at(1, false)}}), IsEmpty());
}

TEST(Query, ElementsHaveTheirShape) {
  Client client;
  Seed(client, {{"q/a", Json::object()}, {"q/b", Json::object()}});
  const Reply found = client.Post("runQuery", {{"structuredQuery", {{"from", From("q")}}}});
  ASSERT_EQ(found.json.size(), 2u);
  EXPECT_FALSE(found.json[0].contains("done"));
  EXPECT_EQ(found.json[1]["done"], true);
  EXPECT_FALSE(found.json[0]["document"].contains("fields"));
  const Reply none = client.Post("runQuery", {{"structuredQuery", {{"from", From("z")}}}});
  ASSERT_EQ(none.json.size(), 1u);
  EXPECT_EQ(none.json[0].size(), 2u);
  EXPECT_EQ(none.json[0]["done"], true);
  EXPECT_EQ(none.answer.billed.reads, 1);
}

TEST(Query, ProjectsFields) {
  Client client;
  Seed(client,
       {{"q/a", {{"m", {{"mapValue", {{"fields", {{"k", Integer(1)}, {"l", Integer(2)}}}}}}}}}});
  const Json query = {{"from", From("q")},
                      {"select", {{"fields", {{{"fieldPath", "m.k"}}, {{"fieldPath", "x.y"}}}}}}};
  const Reply reply = client.Post("runQuery", {{"structuredQuery", query}});
  EXPECT_EQ(reply.json[0]["document"]["fields"],
            Json({{"m", {{"mapValue", {{"fields", {{"k", Integer(1)}}}}}}}}));
}

TEST(Query, ReadsThePastHour) {
  Client client;
  std::vector<std::string> times;
  for (int i = 0; i < 4; ++i) {
    times.push_back(client.Commit({Update("q/a", {{"v", Integer(i)}})}).json["commitTime"]);
    client.now += 1'000'000;
  }
  times.push_back(client.Commit({Delete("q/a")}).json["commitTime"]);
  const auto value_at = [&](const std::string& time) {
    const Json body = {{"documents", List({Name("q/a")})}, {"readTime", time}};
    const Reply reply = client.Post("batchGet", body);
    if (reply.status != 200) return Json(reply.Error());
    return reply.json[0].contains("found") ? reply.json[0]["found"]["fields"]["v"] : Json();
  };
  for (int i = 0; i < 4; ++i) EXPECT_EQ(value_at(times[static_cast<std::size_t>(i)]), Integer(i));
  EXPECT_EQ(value_at(times[4]), Json());
  EXPECT_EQ(client.Find({{"from", From("q")}}, {{"readTime", times[2]}}).size(), 1u);
  EXPECT_EQ(value_at("2026-11-20T19:00:00Z"), "INVALID_ARGUMENT");
  client.now += 3'600'000'000;
  EXPECT_EQ(value_at(times[1]), "FAILED_PRECONDITION");
  EXPECT_EQ(client.Get("q/a").Error(), "NOT_FOUND");
  EXPECT_EQ(client.backend().size(), 0u);
}

Json Aggregate(Client& client, const Json& aggregations, const Json& query) {
  const Json body = {
      {"structuredAggregationQuery", {{"structuredQuery", query}, {"aggregations", aggregations}}}};
  const Reply reply = client.Post("runAggregationQuery", body);
  return reply.status == 200 ? reply.json[0]["result"]["aggregateFields"] : Json(reply.Error());
}

TEST(Aggregation, CountsSumsAndAverages) {
  Client client;
  const Json query = {{"from", From("q")}};
  const Json field = {{"field", {{"fieldPath", "v"}}}};
  const Json all = {{{"alias", "n"}, {"count", Json::object()}},
                    {{"alias", "s"}, {"sum", field}},
                    {{"alias", "a"}, {"avg", field}}};
  EXPECT_EQ(Aggregate(client, all, query),
            Json({{"n", Integer(0)}, {"s", Integer(0)}, {"a", {{"nullValue", nullptr}}}}));
  Seed(client, {{"q/a", {{"v", Integer(INT64_MAX)}}},
                {"q/b", {{"v", Integer(1)}}},
                {"q/c", {{"v", Integer(-1)}}},
                {"q/d", {{"v", String("x")}}},
                {"q/e", Json::object()}});
  EXPECT_EQ(Aggregate(client, all, query)["n"], Integer(4));
  EXPECT_EQ(Aggregate(client, all, query)["s"], Integer(INT64_MAX));
  ASSERT_EQ(client.Commit({Delete("q/c")}).status, 200);
  EXPECT_EQ(Aggregate(client, all, query)["s"], Json({{"doubleValue", 9223372036854775807.0}}));
  ASSERT_EQ(client.Commit({Update("q/c", {{"v", {{"doubleValue", "NaN"}}}})}).status, 200);
  EXPECT_EQ(Aggregate(client, all, query)["s"], Json({{"doubleValue", "NaN"}}));
  EXPECT_EQ(Aggregate(client, List({{{"count", {{"upTo", "2"}}}}}), query),
            Json({{"field_1", Integer(2)}}));
  EXPECT_EQ(Aggregate(client, Json::array(), query), "INVALID_ARGUMENT");
}

// The same queries over a collection that has indexes and, at a moment in the past, over one that
// has not: both must find the same, whatever was written in between.
TEST(Query, IndexesFindWhatScansFind) {
  Client client;
  Random random(7);
  const auto number = [&](std::uint64_t below) {
    return static_cast<std::int64_t>(random.Below(below));
  };
  const auto value = [&]() -> Json {
    switch (random.Below(5)) {
      case 0:
        return Double(static_cast<double>(random.Below(6)) / 2);
      case 1:
        return String(std::string(1, static_cast<char>('a' + random.Below(3))));
      case 2:
        return random.Below(2) == 0 ? Json({{"nullValue", nullptr}})
                                    : Json({{"doubleValue", "NaN"}});
      default:
        return Integer(number(3));
    }
  };
  const auto fields = [&] {
    Json all = Json::object();
    for (const char* name : {"a", "b", "c"}) {
      if (random.Below(8) != 0) all[name] = value();
    }
    all["list"] = {{"arrayValue", {{"values", {value(), value()}}}}};
    return all;
  };
  for (int i = 0; i < 150; ++i) Seed(client, {{"q/" + std::to_string(i), fields()}});
  const auto condition = [&]() -> Json {
    constexpr const char* kOps[] = {"EQUAL",        "LESS_THAN", "LESS_THAN_OR_EQUAL",
                                    "GREATER_THAN", "EQUAL",     "GREATER_THAN_OR_EQUAL",
                                    "NOT_EQUAL",    "EQUAL"};
    const std::string name(1, static_cast<char>('a' + random.Below(3)));
    if (random.Below(4) == 0) {
      return FieldFilter(name, "IN", {{"arrayValue", {{"values", {value(), value(), value()}}}}});
    }
    if (random.Below(8) == 0) return FieldFilter("list", "ARRAY_CONTAINS", value());
    return FieldFilter(name, kOps[random.Below(8)], value());
  };
  const auto composite = [&](const char* op, int count) -> Json {
    Json filters = Json::array();
    for (int i = 0; i < count; ++i) filters.push_back(condition());
    return {{"compositeFilter", {{"op", op}, {"filters", filters}}}};
  };
  int compared = 0;
  std::size_t found_documents = 0;
  const int queries = InRun(125, 500);
  for (int i = 0; i < queries; ++i) {
    Json query = {{"from", From("q")}};
    if (random.Below(4) != 0)
      query["where"] = composite("AND", 1 + static_cast<int>(random.Below(2)));
    if (random.Below(4) == 0) query["where"] = composite("OR", 2);
    Json orders = Json::array();
    std::string names = "abc";
    for (std::uint64_t left = random.Below(3); left > 0; --left) {
      const std::size_t at = random.Below(names.size());
      orders.push_back(
          Order(names.substr(at, 1), random.Below(2) == 0 ? "ASCENDING" : "DESCENDING"));
      names.erase(at, 1);
    }
    query["orderBy"] = orders;
    if (!orders.empty() && random.Below(2) == 0) {
      query["startAt"] = {{"values", List({value()})}, {"before", random.Below(2) == 0}};
    }
    if (!orders.empty() && random.Below(2) == 0) {
      query["endAt"] = {{"values", List({value()})}, {"before", random.Below(2) == 0}};
    }
    if (random.Below(2) == 0) query["limit"] = number(20);
    if (random.Below(3) == 0) query["offset"] = number(5);
    const Reply touch = client.Commit({Update("q/" + std::to_string(random.Below(160)), fields())});
    ASSERT_EQ(touch.status, 200);
    const auto by_scan = client.Find(query, {{"readTime", touch.json["commitTime"]}});
    client.Find(query);  // So that the next one is the second of its shape, which builds the index.
    EXPECT_EQ(client.Find(query), by_scan) << query.dump();
    found_documents += by_scan.size();
    ++compared;
  }
  EXPECT_EQ(compared, queries);
  EXPECT_GT(found_documents, static_cast<std::size_t>(queries) / 2);
}

TEST(RequiredIndexes, NamesTheOneThatIsMissing) {
  BackendOptions options;
  options.index_check = IndexCheck::kRefuse;
  const auto index = [](const char* field) {
    return Json({{"collectionGroup", "q"},
                 {"queryScope", "COLLECTION"},
                 {"fields",
                  {{{"fieldPath", field}, {"order", "ASCENDING"}},
                   {{"fieldPath", "t"}, {"order", "DESCENDING"}}}}});
  };
  const Json file = {
      {"indexes", {index("a"), index("b")}},
      {"fieldOverrides",
       {{{"collectionGroup", "q"}, {"fieldPath", "exempt"}, {"indexes", Json::array()}}}}};
  options.indexes = std::make_shared<const IndexFile>(IndexFile::Parse(file.dump()).value());
  Client client(options);
  const auto error = [&](const Json& where, const Json& orders) {
    Json query = {{"from", From("q")}, {"orderBy", orders}};
    if (!where.is_null()) query["where"] = where;
    return client.Post("runQuery", {{"structuredQuery", query}});
  };
  const Json a = FieldFilter("a", "EQUAL", Integer(1));
  const Json b = FieldFilter("b", "IN", {{"arrayValue", {{"values", {Integer(1), Integer(2)}}}}});
  const Json c = FieldFilter("c", "EQUAL", Integer(1));
  const auto both = [](const Json& x, const Json& y) {
    return Json({{"compositeFilter", {{"op", "AND"}, {"filters", {x, y}}}}});
  };
  EXPECT_EQ(error(both(a, c), Json::array()).status, 200);
  EXPECT_EQ(error({}, List({Order("t")})).status, 200);
  EXPECT_EQ(error(a, List({Order("t", "DESCENDING")})).status, 200);
  EXPECT_EQ(error(a, List({Order("t")})).Error(), "FAILED_PRECONDITION") << "backwards";
  EXPECT_EQ(error(both(a, b), List({Order("t", "DESCENDING")})).status, 200);
  const Reply refused = error(both(a, c), List({Order("t", "DESCENDING")}));
  EXPECT_EQ(refused.Error(), "FAILED_PRECONDITION");
  EXPECT_THAT(refused.json["error"]["message"].get<std::string>(),
              ::testing::HasSubstr(R"({"fieldPath":"c","order":"ASCENDING"})"));
  // Firestore keeps no index of it by itself.
  EXPECT_EQ(error({}, List({Order("exempt")})).Error(), "FAILED_PRECONDITION");
}

// Firestore keeps its automatic indexes for a collection below one parent only, and an override
// lists all that there are: which directions, and for which queries.
TEST(RequiredIndexes, OverridesSayWhichIndexesOfAFieldThereAre) {
  const auto answers = [](const Json& overrides, bool group, const Json& where,
                          const Json& orders) {
    BackendOptions options;
    options.index_check = IndexCheck::kRefuse;
    const Json file = {{"fieldOverrides", overrides}};
    if (!overrides.is_null()) {
      options.indexes = std::make_shared<const IndexFile>(IndexFile::Parse(file.dump()).value());
    }
    Client client(options);
    Json from = From("q");
    if (group) from[0]["allDescendants"] = true;
    Json query = {{"from", from}, {"orderBy", orders}};
    if (!where.is_null()) query["where"] = where;
    const Reply reply = client.Post("runQuery", {{"structuredQuery", query}});
    EXPECT_TRUE(reply.status == 200 || reply.Error() == "FAILED_PRECONDITION") << reply.json;
    return reply.status == 200;
  };
  const auto keeps = [](const char* indexes) {
    return Json::array(
        {{{"collectionGroup", "q"}, {"fieldPath", "a"}, {"indexes", Json::parse(indexes)}}});
  };
  const Json equal = FieldFilter("a", "EQUAL", Integer(1));
  const Json more = FieldFilter("a", "GREATER_THAN", Integer(1));
  const Json element = FieldFilter("a", "ARRAY_CONTAINS", Integer(1));
  const Json none = Json::array();
  const Json up = List({Order("a")});
  const Json down = List({Order("a", "DESCENDING")});
  // Without a file, and with one that says nothing.
  for (const Json& file : {Json(), none}) {
    for (const Json& where : {equal, more, element}) {
      EXPECT_TRUE(answers(file, false, where, none)) << where;
      EXPECT_FALSE(answers(file, true, where, none)) << where;
    }
    EXPECT_TRUE(answers(file, false, {}, down));
    EXPECT_FALSE(answers(file, true, {}, down));
    // By the document's name alone.
    EXPECT_TRUE(answers(file, true, {}, none));
  }
  const Json contains = keeps(R"([{"arrayConfig": "CONTAINS"}])");
  EXPECT_TRUE(answers(contains, false, element, none));
  EXPECT_FALSE(answers(contains, false, equal, none));
  EXPECT_FALSE(answers(contains, false, {}, up));
  const Json ascending = keeps(R"([{"order": "ASCENDING", "queryScope": "COLLECTION"}])");
  EXPECT_TRUE(answers(ascending, false, equal, none));
  EXPECT_TRUE(answers(ascending, false, more, none));
  EXPECT_TRUE(answers(ascending, false, {}, up));
  EXPECT_FALSE(answers(ascending, false, {}, down));
  EXPECT_FALSE(answers(ascending, false, element, none));
  EXPECT_FALSE(answers(ascending, true, equal, none));
  const Json group = keeps(R"([{"order": "DESCENDING", "queryScope": "COLLECTION_GROUP"}])");
  EXPECT_TRUE(answers(group, true, equal, none));
  EXPECT_TRUE(answers(group, true, {}, down));
  EXPECT_FALSE(answers(group, true, {}, up));
  EXPECT_FALSE(answers(group, false, equal, none));
}

TEST(RequiredIndexes, CanBeNotedWithoutRefusingAnything) {
  const auto lacking = [](IndexCheck check) {
    BackendOptions options;
    options.index_check = check;
    Client client(options);
    const Json either = {
        {"compositeFilter",
         {{"op", "OR"},
          {"filters",
           {FieldFilter("a", "EQUAL", Integer(1)), FieldFilter("b", "EQUAL", Integer(1))}}}}};
    for (int time = 0; time < 2; ++time) {
      const Reply reply = client.Post(
          "runQuery",
          {{"structuredQuery",
            {{"from", From("q")}, {"where", either}, {"orderBy", List({Order("t")})}}}});
      EXPECT_EQ(reply.status, check == IndexCheck::kRefuse ? 400 : 200);
    }
    std::string fields;
    for (const std::string& index : client.backend().missing_indexes()) {
      fields += Json::parse(index)["fields"][0]["fieldPath"].get<std::string>();
    }
    return fields;
  };
  EXPECT_EQ(lacking(IndexCheck::kNone), "");
  EXPECT_EQ(lacking(IndexCheck::kNote), "ab");
  EXPECT_EQ(lacking(IndexCheck::kRefuse), "ab");
}

}  // namespace
}  // namespace shardline::simulator::query_test
