// Servers, or proxies in between, that answer with other documents than were asked for.

#include <string>
#include <vector>

#include "unit/sharded_query/fake_collection.h"

namespace shardline::lies_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

struct Sent {
  int number;
  std::string shard = "x";
  std::string collection = "instruments";
};

json ElementOf(const Sent& sent) {
  return {
      {"document",
       {{"name", Name(sent.collection + "/d" + std::to_string(sent.number))},
        {"fields", {{"timestamp", Number(sent.number)}, {"shard", {{"stringValue", sent.shard}}}}},
        {"createTime", "2026-01-01T00:00:00Z"},
        {"updateTime", "2026-01-01T00:00:00Z"}}},
      {"readTime", "2026-01-01T00:00:01Z"}};
}

Reply Documents(const std::vector<Sent>& all) {
  json answer = json::array();
  for (const Sent& sent : all) answer.push_back(ElementOf(sent));
  if (answer.empty()) answer.push_back({{"readTime", "2026-01-01T00:00:01Z"}});
  return OkText(answer.dump());
}

Outcome Read(const std::vector<Sent>& all, json query = json::object(),
             const json& shards = {"x"}) {
  query["limit"] = 5;
  return Ask("collection.query", {{"collection", Instruments(shards)}, {"query", query}},
             InTurn({Documents(all)}));
}

TEST(Lies, OtherCollectionsAreRefused) {
  for (const char* collection : {"others", "a/b/instruments", "instruments/d/instruments", "x"}) {
    EXPECT_THAT(Read({{1, "x", collection}}),
                FailsWith("internal", HasSubstr("of another collection than was asked for")))
        << collection;
  }
  for (const char* name :
       {"projects/other/databases/(default)/documents/instruments/a",
        "projects/demo/databases/other/documents/instruments/a",
        "projects/demo/databases/(default)/documents/instruments/",
        "projects/demo/databases/(default)/documents/instruments", "a", "", "instruments/a"}) {
    json element = ElementOf({1});
    element["document"]["name"] = name;
    EXPECT_THAT(
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 5}}}},
            InTurn({OkText(json::array({element}).dump())})),
        FailsWith("internal", HasSubstr("of another collection")))
        << name;
  }
}

TEST(Lies, OtherShardsAreRefused) {
  const char* why = "of a shard that was not asked for";
  EXPECT_THAT(Read({{1, "y"}}), FailsWith("internal", HasSubstr(why)));
  EXPECT_THAT(Read({{1}, {2, ""}}), FailsWith("internal", HasSubstr(why)));
  // Of the other chunk. 60 shards are two chunks.
  EXPECT_THAT(Read({{1, "0"}}, {}, 60), FailsWith("internal", HasSubstr(why)));
  json element = ElementOf({1});
  element["document"]["fields"].erase("shard");
  EXPECT_THAT(
      Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 5}}}},
          InTurn({OkText(json::array({element}).dump())})),
      FailsWith("internal", HasSubstr("lacks a field that it was found or sorted by")));
}

// Whatever Firestore takes to be equal is the shard, however it is written.
TEST(Lies, TheAskedShardMayBeWrittenInAnyWay) {
  const json shards = {"é\"\n", 7};
  const char* values[] = {R"({"stringValue":"\u00e9\"\n"})",
                          R"({"stringValue":"é\u0022\u000a"})",
                          R"({"integerValue":"7"})",
                          R"({"integerValue":7})",
                          R"({"doubleValue":7})",
                          R"({"doubleValue":7.0})"};
  for (const char* value : values) {
    json element = ElementOf({1});
    std::string text = json::array({element}).dump();
    const std::string old = R"({"stringValue":"x"})";
    text.replace(text.find(old), old.size(), value);
    const Outcome page =
        Ask("collection.query", {{"collection", Instruments(shards)}, {"query", {{"limit", 5}}}},
            InTurn({OkText(text)}));
    EXPECT_TRUE(page.ok()) << value << page.message;
  }
}

TEST(Lies, DocumentsOutOfOrderOrTwiceAreRefused) {
  const char* why = "documents are out of order, or there twice";
  EXPECT_THAT(Read({{1}, {2}, {2}}), FailsWith("internal", HasSubstr(why)));
  EXPECT_THAT(Read({{1}, {3}, {2}}), FailsWith("internal", HasSubstr(why)));
  EXPECT_THAT(Read({{1}, {2}}, {{"orders", InDirection("desc")}}),
              FailsWith("internal", HasSubstr(why)));
  EXPECT_TRUE(Read({{1}, {2}}).ok());
  EXPECT_TRUE(Read({{2}, {1}}, {{"orders", InDirection("desc")}}).ok());
}

// The caller would be blamed for the cursor or the page token that holds it.
TEST(Lies, ValuesThatNoQuerySortsByAreRefused) {
  for (const char* value : {R"({"arrayValue":{"values":[{"arrayValue":{}}]}})",
                            R"({"mapValue":{"fields":{"__a__":{"nullValue":null}}}})",
                            R"({"referenceValue":"nowhere"})"}) {
    json element = ElementOf({1});
    element["document"]["fields"]["timestamp"] = json::parse(value);
    EXPECT_THAT(
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 1}}}},
            InTurn({OkText(json::array({element}).dump())})),
        FailsWith("internal", HasSubstr("sorted by")))
        << value;
  }
}

TEST(Lies, DocumentsBeforeTheStartAreRefused) {
  const char* why = "documents are out of order, or there twice";
  const auto start = [](bool inclusive) {
    return json{{"start", {{"values", {Number(2)}}, {"inclusive", inclusive}}}};
  };
  EXPECT_TRUE(Read({{2}, {3}}, start(true)).ok());
  EXPECT_TRUE(Read({{3}}, start(false)).ok());
  EXPECT_THAT(Read({{1}, {3}}, start(true)), FailsWith("internal", HasSubstr(why)));
  EXPECT_THAT(Read({{2}, {3}}, start(false)), FailsWith("internal", HasSubstr(why)));
}

// Otherwise whoever reads page after page would never come to an end.
TEST(Lies, AServerThatRepeatsAPageIsFoundOut) {
  const Server server = InTurn({Documents({{1}, {2}, {3}, {4}, {5}})});
  json query = {{"limit", 5}};
  const json collection = Instruments({"x"});
  const Outcome first =
      Ask("collection.query", {{"collection", collection}, {"query", query}}, server);
  ASSERT_TRUE(first.ok()) << first.message;
  query["continueFrom"] = first.result["nextToken"];
  EXPECT_THAT(Ask("collection.query", {{"collection", collection}, {"query", query}}, server),
              FailsWith("internal", HasSubstr("there twice")));
  // The same within one page, when it is asked for more.
  EXPECT_FALSE(Ask("collection.query", {{"collection", collection}, {"query", json::object()}},
                   [](const SentRequest& request) {
                     std::vector<Sent> all;
                     const int limit = request.body["structuredQuery"]["limit"];
                     for (int i = 0; i < limit; ++i) all.push_back({i});
                     return Documents(all);
                   })
                   .ok());
}

TEST(Lies, MoreDocumentsThanWereAskedForAreRefused) {
  EXPECT_THAT(Read({{1}, {2}, {3}, {4}, {5}, {6}}),
              FailsWith("internal", HasSubstr("more documents than were asked for")));
}

// Somebody moves a document to another shard while the page is read: it is returned once. At one
// instant that cannot be.
TEST(Lies, ADocumentOfTwoChunksIsReturnedOnce) {
  const auto serve = [](const SentRequest& request) {
    const std::string text = request.body.dump();
    const bool is_first = text.find(R"({"stringValue":"0"})") != std::string::npos;
    return is_first ? Documents({{1, "0"}, {3, "0"}})
                    : Documents({{2, "40"}, {3, "40"}, {4, "40"}});
  };
  const auto read = [&](bool consistent_read) {
    return Ask("collection.query",
               {{"collection", Instruments(60)},
                {"query", {{"limit", 9}, {"consistentRead", consistent_read}}}},
               serve);
  };
  const Outcome page = read(false);
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_THAT(page.result["docs"], SizeIs(4));
  EXPECT_THAT(read(true), FailsWith("internal", HasSubstr("of two shards at one instant")));
}

}  // namespace
}  // namespace shardline::lies_test
