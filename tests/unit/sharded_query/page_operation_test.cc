// Pages of sharded queries against a naive second opinion: all documents sorted at once.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "unit/sharded_query/fake_collection.h"
#include "unit/sharded_query/revive.h"
#include "unit/support/random_value.h"
#include "unit/support/run_size.h"

namespace shardline::page_operation_test {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

json ShardList(std::size_t count) {
  json shards = json::array();
  for (std::size_t i = 0; i < count; ++i) {
    shards.push_back(i % 3 == 2 ? json(i) : json("s\"" + std::to_string(i)));
  }
  return shards;
}

Value ShardOf(const json& shard) { return shard.is_string() ? Str(shard) : Int(shard); }

std::string IdOf(std::size_t i, Random& random) {
  constexpr const char* kPieces[] = {"a", "B", "é", "😀", "\"", "\\", "\uFFFD", "~"};
  if (random.Below(8) == 0) return "__id" + std::to_string(i) + "__";
  return kPieces[random.Below(std::size(kPieces))] + std::to_string(i);
}

// Documents full of ties: many share the value that they are sorted by.
std::vector<Document> RandomDocuments(std::size_t count, const json& shards, std::uint64_t seed) {
  Random random(seed);
  RandomValues values(seed);
  std::vector<Value> order_values;
  for (int i = 0; i < 6; ++i) order_values.push_back(values.Value());
  std::vector<Document> documents;
  for (std::size_t i = 0; i < count; ++i) {
    Map fields = values.Fields();
    fields.Set("shard", ShardOf(shards[random.Below(shards.size())]));
    fields.Set("timestamp", order_values[random.Below(order_values.size())]);
    if (random.Below(4) > 0) fields.Set("n", Int(static_cast<std::int64_t>(random.Below(4))));
    fields.Set("m", Obj({{"__proto__", values.Value(1)}, {"b", values.Value(1)}}));
    documents.push_back({IdOf(i, random), fields});
  }
  return documents;
}

// The query that finds all documents in the order of the sharded one.
json PlainQuery(const json& query) {
  const bool down = query.value("orders", InDirection("asc")) == InDirection("desc");
  json plain = {{"orderBy", json::array()}};
  const auto order = [&](const char* field) {
    plain["orderBy"].push_back(
        {{"field", {{"fieldPath", field}}}, {"direction", down ? "DESCENDING" : "ASCENDING"}});
  };
  order("timestamp");
  if (query.contains("filters")) {
    order("n");
    plain["where"] = {{"fieldFilter",
                       {{"field", {{"fieldPath", "n"}}},
                        {"op", "GREATER_THAN"},
                        {"value", {{"integerValue", "0"}}}}}};
  }
  order("__name__");
  for (const auto& [from, to] : {std::pair("start", "startAt"), std::pair("end", "endAt")}) {
    if (!query.contains(from)) continue;
    const bool inclusive = query[from]["inclusive"];
    plain[to] = {{"values", query[from]["values"]},
                 {"before", inclusive == (std::string(from) == "start")}};
  }
  if (query.contains("select")) {
    plain["select"] = {{"fields", json::array()}};
    for (const json& field : query["select"]) {
      plain["select"]["fields"].push_back({{"fieldPath", field}});
    }
  }
  return plain;
}

void ExpectSame(const std::vector<Document>& actual, const std::vector<Document>& expected) {
  ASSERT_EQ(Ids(actual), Ids(expected));
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const Value a{actual[i].fields};
    const Value b{expected[i].fields};
    EXPECT_TRUE(CompareValues(a, b) == 0) << Wire(a) << "\nshould be\n" << Wire(b);
  }
}

// All pages of a query, one after the other.
std::vector<Document> AllPages(FakeCollection& collection, const json& shards, json query) {
  std::vector<Document> all;
  const std::size_t limit = query.value("limit", std::size_t{INT32_MAX});
  for (int pages = 0; pages < 1'000; ++pages) {
    const std::size_t served = collection.served();
    const Outcome page =
        Ask("collection.query", {{"collection", Instruments(shards)}, {"query", query}},
            collection.server());
    EXPECT_TRUE(page.ok()) << page.message;
    if (!page.ok()) return all;
    EXPECT_EQ(page.result["requests"], page.sent.size());
    EXPECT_EQ(page.result["billed"]["reads"], collection.served() - served);
    EXPECT_EQ(page.billed.reads, page.result["billed"]["reads"].get<std::int64_t>());
    const std::vector<Document> documents = ReviveDocuments(page.result);
    all.insert(all.end(), documents.begin(), documents.end());
    EXPECT_LE(documents.size(), limit);
    if (page.result["nextToken"].is_null()) return all;
    EXPECT_EQ(documents.size(), limit) << "a short page is the last";
    query["continueFrom"] = page.result["nextToken"];
  }
  ADD_FAILURE() << "the pages do not end";
  return all;
}

class PageSeedTest : public ::testing::TestWithParam<int> {};

// Random queries for each seed: sizes, directions, limits, filters, cursors, selections.
TEST_P(PageSeedTest, EqualsTheNaiveReference) {
  for (int round = 0; round < InRun(3, 12); ++round) {
    const auto seed = static_cast<std::uint64_t>(GetParam() * 100 + round);
    SCOPED_TRACE(seed);
    Random random(seed);
    const json shards = ShardList(1 + random.Below(random.Below(3) == 0 ? 70 : 5));
    const std::vector<Document> documents = RandomDocuments(random.Below(80), shards, seed);
    const auto any_value = [&](const char* field) {
      const Document& document = documents[random.Below(documents.size())];
      const Value* value = document.fields.Find(field);
      return json::parse(value ? Wire(*value) : Wire(Int(2)));
    };
    json query = {{"orders", InDirection(random.Below(2) == 0 ? "asc" : "desc")},
                  {"chunkReads", random.Below(2) == 0 ? "whole-page" : "share"}};
    if (random.Below(4) > 0) query["limit"] = 1 + random.Below(30);
    if (random.Below(3) == 0) query["consistentRead"] = true;
    if (random.Below(3) == 0) {
      query["filters"] = {{{"field", "n"}, {"op", ">"}, {"value", {{"integerValue", "0"}}}}};
    }
    for (const char* end : {"start", "end"}) {
      if (documents.empty() || random.Below(3) > 0) continue;
      json values = ListOfOne(any_value("timestamp"));
      if (query.contains("filters") && random.Below(2) == 0) values.push_back(any_value("n"));
      query[end] = {{"values", values}, {"inclusive", random.Below(2) == 0}};
    }
    if (random.Below(3) == 0) {
      constexpr const char* kFields[] = {"n", "m.b", "m", "timestamp", "m.`__proto__`", "a", "x"};
      query["select"] = json::array();
      for (std::size_t count = random.Below(4); count > 0; --count) {
        const char* field = kFields[random.Below(std::size(kFields))];
        // Reserved names cannot be asked for, only found.
        if (std::string(field) != "m.`__proto__`") query["select"].push_back(field);
      }
    }
    SCOPED_TRACE(query.dump());
    const FakeCollection reference(documents);
    std::vector<Document> served = documents;
    served.push_back({"stray", Fields({{"timestamp", Int(1)}, {"n", Int(1)}})});
    served.push_back({"stray2", Fields({{"shard", Str("?")}, {"timestamp", Int(1)}})});
    FakeCollection collection(served, seed);
    ExpectSame(AllPages(collection, shards, query), reference.Find(PlainQuery(query)));
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PageSeedTest, ::testing::Range(0, 24));

// n documents, numbered; `shard_of` says where each lives.
template <class ShardOfNumber>
FakeCollection Numbered(int count, ShardOfNumber shard_of) {
  std::vector<Document> documents;
  for (int i = 0; i < count; ++i) {
    std::string id = std::to_string(10'000 + i);
    documents.push_back(
        {id, Fields({{"shard", Str(shard_of(i))}, {"timestamp", Int(i)}, {"x", Int(-i)}})});
  }
  return FakeCollection(documents);
}

Outcome Query(FakeCollection& collection, const json& query, const json& shards = {"x", "y", "z"}) {
  return Ask("collection.query", {{"collection", Instruments(shards)}, {"query", query}},
             collection.server());
}

std::string ModuloShard(int i) { return std::to_string(i % 60); }

TEST(PageOperation, EagerNeedsOneRoundTripHoweverTheDocumentsLie) {
  // All in one of two chunks: 30 shards are asked together.
  for (const char* home : {"0", "59"}) {
    FakeCollection collection = Numbered(100, [&](int) { return home; });
    const Outcome page = Query(collection, {{"limit", 40}, {"chunkReads", "whole-page"}}, 60);
    ASSERT_TRUE(page.ok()) << page.message;
    EXPECT_THAT(page.result["docs"], SizeIs(40));
    EXPECT_THAT(page.sent, SizeIs(2));
    EXPECT_EQ(page.billed.reads, 41);  // An empty answer is billed one read.
    for (const SentRequest& request : page.sent) {
      EXPECT_EQ(request.body["structuredQuery"]["limit"], 40);
    }
  }
}

TEST(PageOperation, AdaptiveReadsLittleMoreThanItReturns) {
  // Spread over both chunks alike.
  FakeCollection collection = Numbered(2'000, [](int i) { return std::to_string(i * 37 % 60); });
  const Outcome page = Query(collection, {{"limit", 100}}, 60);
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_THAT(page.result["docs"], SizeIs(100));
  EXPECT_LT(page.billed.reads, 130);
  EXPECT_THAT(page.sent, SizeIs(2));
}

TEST(PageOperation, AdaptiveRefillsInFewRoundTripsWhereverTheDocumentsLie) {
  // The first half of the page comes from one chunk, the rest from the other.
  FakeCollection collection =
      Numbered(1'000, [](int i) { return std::string(i < 300 ? "0" : "59"); });
  const Outcome page = Query(collection, {{"limit", 500}}, 60);
  ASSERT_TRUE(page.ok()) << page.message;
  const std::vector<Document> documents = ReviveDocuments(page.result);
  ASSERT_EQ(documents.size(), 500u);
  for (std::size_t i = 0; i < 500; ++i) EXPECT_EQ(documents[i].id, std::to_string(10'000 + i));
  EXPECT_LE(page.sent.size(), 8u);
  // A refill starts behind the last document that came.
  const json& start = page.sent.back().body["structuredQuery"]["startAt"];
  EXPECT_EQ(start["before"], false);
  EXPECT_THAT(start["values"], SizeIs(2));
  EXPECT_THAT(start["values"][1]["referenceValue"].get<std::string>(),
              HasSubstr("/documents/instruments/1"));
}

TEST(PageOperation, WithoutALimitAllDocumentsComeInPieces) {
  FakeCollection collection = Numbered(1'500, [](int i) { return i % 7 == 0 ? "x" : "y"; });
  for (const char* chunk_reads : {"whole-page", "share"}) {
    const Outcome page = Query(collection, {{"chunkReads", chunk_reads}});
    ASSERT_TRUE(page.ok()) << page.message;
    EXPECT_THAT(page.result["docs"], SizeIs(1'500));
    EXPECT_EQ(page.result["nextToken"], nullptr);
    EXPECT_GT(page.sent.size(), 1u);
    for (const SentRequest& request : page.sent) {
      EXPECT_LE(request.body["structuredQuery"]["limit"], 1'200);
    }
  }
}

// Between two pieces somebody changes what a document is sorted by.
TEST(PageOperation, ADocumentThatMovesToALaterPieceIsThereOnce) {
  FakeCollection before = Numbered(700, [](int) { return "x"; });
  std::vector<Document> moved = before.documents();
  moved.front().fields.Set("timestamp", Int(1'000'000));
  FakeCollection after(moved);
  int requests = 0;
  const auto server = [&](const SentRequest& request) {
    return (requests++ == 0 ? before : after).Answer(request);
  };
  const Outcome page = Ask("collection.query",
                           {{"collection", Instruments({"x"})}, {"query", json::object()}}, server);
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_GT(page.sent.size(), 1U);
  EXPECT_THAT(page.result["docs"], SizeIs(700));
}

TEST(PageOperation, NothingFound) {
  FakeCollection collection({});
  const Outcome page = Query(collection, {{"limit", 5}}, 31);
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["docs"], json::array());
  EXPECT_EQ(page.result["shapes"], json::array());
  EXPECT_EQ(page.result["nextToken"], nullptr);
  EXPECT_THAT(page.result["readTimes"], SizeIs(2));
  EXPECT_EQ(page.billed.reads, 2);
}

TEST(PageOperation, ManyChunksAreNotAskedAllAtOnce) {
  FakeCollection collection = Numbered(200, [](int i) { return std::to_string(i * 20); });
  const Outcome page = Query(collection, {{"limit", 20}}, 4'000);
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_THAT(page.result["docs"], SizeIs(20));
  EXPECT_GE(page.sent.size(), 134u);
  EXPECT_LE(page.most_under_way, 100u);
}

TEST(PageOperation, ADocumentIsAsTheServerSays) {
  FakeCollection collection({{"a", Fields({{"shard", Str("x")}, {"timestamp", Int(7)}})}});
  const Outcome page = Query(collection, {{"limit", 5}});
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["prefix"], Name("instruments/"));
  EXPECT_EQ(page.result["docs"],
            json({{"a", {{"shard", "x"}, {"timestamp", 7}}, 0, 1767225600, 500000000, -1, 1000}}));
  EXPECT_EQ(page.result["shapes"], ListOfOne(json::array()));
  EXPECT_EQ(page.result["readTimes"], json({{1767225600, 1000}}));
}

TEST(PageOperation, ADocumentThatWasNeverUpdatedHasOneTime) {
  const std::string answer =
      R"([{"document":{"name":")" + Name("instruments/a") +
      R"(","fields":{"shard":{"stringValue":"x"},"timestamp":{"integerValue":"7"}},)" +
      R"("createTime":"2026-01-01T00:00:00.5Z","updateTime":"2026-01-01T00:00:00.500000Z"},)" +
      R"("readTime":"2026-01-01T00:00:01Z"}])";
  const Outcome page =
      Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 5}}}},
          InTurn({OkText(answer)}));
  ASSERT_TRUE(page.ok()) << page.message;
  const json document = {"a", {{"shard", "x"}, {"timestamp", 7}}, 0, 1767225600, 500000000};
  EXPECT_EQ(page.result["docs"], json::array({document}));
}

TEST(PageOperation, ASnapshotReadsAllChunksAndPagesAtOneInstant) {
  FakeCollection collection = Numbered(400, ModuloShard);
  json query = {{"limit", 150}, {"consistentRead", true}};
  std::set<std::string> times;
  std::size_t found = 0;
  for (bool first = true;; first = false) {
    const Outcome page = Query(collection, query, 90);
    ASSERT_TRUE(page.ok()) << page.message;
    for (std::size_t i = 0; i < page.sent.size(); ++i) {
      const json& body = page.sent[i].body;
      if (first && i == 0) {
        EXPECT_FALSE(body.contains("readTime"));
        EXPECT_TRUE(page.sent.size() == 1 || page.sent[1].at > page.sent[0].at);
      } else {
        times.insert(body.value("readTime", "none"));
      }
    }
    std::set<json> read_times(page.result["readTimes"].begin(), page.result["readTimes"].end());
    EXPECT_THAT(read_times, SizeIs(1));
    found += page.result["docs"].size();
    if (page.result["nextToken"].is_null()) break;
    query["continueFrom"] = page.result["nextToken"];
    query.erase("consistentRead");  // The token keeps the instant.
  }
  EXPECT_EQ(found, 400u);
  EXPECT_THAT(times, SizeIs(1));
  EXPECT_THAT(times, Each(HasSubstr("2026-01-01T00:00:00.000001Z")));
}

TEST(PageOperation, OtherwiseEachPageShowsItsOwnInstant) {
  FakeCollection collection = Numbered(50, [](int) { return "x"; });
  const Outcome page = Query(collection, {{"limit", 5}});
  for (const SentRequest& request : page.sent) EXPECT_FALSE(request.body.contains("readTime"));
}

// Whatever is sorted and found by is asked for, but the user gets what he has named.
TEST(PageOperation, SelectAsksForTheOrderFieldsAndTheShardToo) {
  FakeCollection collection = Numbered(10, [](int) { return "x"; });
  const auto asked = [](const Outcome& page) {
    std::vector<std::string> fields;
    for (const json& field : page.sent[0].body["structuredQuery"]["select"]["fields"]) {
      fields.push_back(field["fieldPath"]);
    }
    return fields;
  };
  const Outcome x = Query(collection, {{"limit", 3}, {"select", {"x"}}});
  EXPECT_THAT(asked(x), ElementsAre("x", "timestamp", "shard"));
  EXPECT_EQ(x.result["docs"][1][1], json({{"x", -1}}));
  const Outcome both = Query(collection, {{"limit", 3}, {"select", {"timestamp", "x", "x"}}});
  EXPECT_THAT(asked(both), ElementsAre("timestamp", "x", "shard"));
  EXPECT_EQ(both.result["docs"][1][1], json({{"timestamp", 1}, {"x", -1}}));
  for (const json& select : {json::array(), json({"__name__"})}) {
    const Outcome none = Query(collection, {{"limit", 3}, {"select", select}});
    EXPECT_THAT(asked(none), ElementsAre("timestamp", "shard"));
    EXPECT_EQ(none.result["docs"][1][1], json::object());
    EXPECT_THAT(none.result["docs"], SizeIs(3));
  }
}

TEST(PageOperation, ARefusedChunkEndsThePage) {
  for (const char* status : {"PERMISSION_DENIED", "FAILED_PRECONDITION", "INVALID_ARGUMENT"}) {
    FakeCollection collection = Numbered(100, ModuloShard);
    int count = 0;
    const Outcome page =
        Ask("collection.query", {{"collection", Instruments(90)}, {"query", {{"limit", 5}}}},
            [&](const SentRequest& request) {
              return ++count == 2 ? Refusal(status, "Create the index here.")
                                  : collection.Answer(request);
            });
    EXPECT_EQ(page.code, CodeName(CodeFromServerStatus(status)));
    EXPECT_THAT(page.message, HasSubstr("Create the index here."));
    EXPECT_THAT(page.sent, SizeIs(3));
  }
}

TEST(PageOperation, LostAnswersAreAskedForAgain) {
  FakeCollection collection = Numbered(300, ModuloShard);
  const json query = {{"limit", 120}};
  const Outcome calm = Query(collection, query, 60);
  int count = 0;
  const Outcome rough = Ask("collection.query", {{"collection", Instruments(60)}, {"query", query}},
                            [&](const SentRequest& request) {
                              switch (++count % 5) {
                                case 0:
                                  return Cut();
                                case 1:
                                  return Refusal("UNAVAILABLE");
                                case 2:
                                  return Silence();
                                default:
                                  return collection.Answer(request);
                              }
                            });
  ASSERT_TRUE(rough.ok()) << rough.message;
  EXPECT_EQ(rough.result["docs"], calm.result["docs"]);
  // Tokens keep the values as the server has laid them out.
  const auto inside = [](const Outcome& page) {
    return json::parse(DecodeBase64(page.result["nextToken"].get<std::string>()).value());
  };
  EXPECT_EQ(inside(rough), inside(calm));
  EXPECT_EQ(rough.billed, calm.billed);
}

}  // namespace
}  // namespace shardline::page_operation_test
