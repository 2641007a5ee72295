// continueFrom() does not trust tokens that come back from users.

#include <string>
#include <vector>

#include "base/base64.h"
#include "unit/sharded_query/fake_collection.h"
#include "unit/support/run_size.h"

namespace shardline::page_token_test {
namespace {

using ::testing::HasSubstr;

class PageTokenTest : public ::testing::Test {
 protected:
  static FakeCollection Collection() {
    std::vector<Document> documents;
    for (int i = 0; i < 20; ++i) {
      documents.push_back({"d" + std::to_string(i), Fields({{"shard", Str(i % 2 == 0 ? "x" : "y")},
                                                            {"timestamp", Int(i / 3)},
                                                            {"n", Int(1)}})});
    }
    return FakeCollection(documents);
  }

  Outcome Query(const json& query, const json& collection = Instruments()) {
    return Ask("collection.query", {{"collection", collection}, {"query", query}},
               collection_.server());
  }
  // Must be refused before anything is sent.
  static Outcome After(const std::string& token, json query = {{"limit", 5}},
                       const json& collection = Instruments()) {
    query["continueFrom"] = token;
    return AskNobody("collection.query", {{"collection", collection}, {"query", query}});
  }
  std::string Token(const json& query = {{"limit", 5}}) { return Query(query).result["nextToken"]; }

  FakeCollection collection_ = Collection();
};

TEST_F(PageTokenTest, IsUrlSafeText) {
  EXPECT_EQ(Token().find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                      "0123456789-_"),
            std::string::npos);
}

TEST_F(PageTokenTest, GarbageIsRefused) {
  for (const char* token : {"", "x", "AAAA", "null", "W10", "W10=", "e30", "not base64!", "WzFd",
                            "WzEsMixd", "IA", "////", "W1tbW1tbW1tbW1tbW1tbW1tb"}) {
    EXPECT_THAT(After(token), IsInvalid(HasSubstr("continueFrom"))) << token;
  }
  EXPECT_THAT(AskNobody("collection.query",
                        {{"collection", Instruments()}, {"query", {{"continueFrom", 7}}}}),
              IsInvalid(HasSubstr("continueFrom")));
}

TEST_F(PageTokenTest, EveryPartOfAnotherQueryIsForeign) {
  const std::string token = Token({{"limit", 5}, {"orders", InDirection("desc")}});
  const json filter = {{"field", "n"}, {"op", "=="}, {"value", {{"integerValue", "1"}}}};
  const json position = {{"values", {{{"integerValue", "1"}}}}, {"inclusive", true}};
  const json foreign[] = {
      {{"limit", 5}},
      {{"orders", InDirection("asc")}},
      {{"orders", {{{"direction", "desc"}}, {{"field", "n"}}}}},
      {{"orders", {{{"direction", "desc"}}, {{"field", "__name__"}, {"direction", "asc"}}}}},
      {{"orders", InDirection("desc")},
       {"filters", {{{"op", "or"}, {"filters", {filter, filter}}}}}},
      {{"orders", InDirection("desc")}, {"filters", {filter}}},
      {{"orders", InDirection("desc")}, {"start", position}},
      {{"orders", InDirection("desc")}, {"end", position}}};
  for (const json& query : foreign) {
    EXPECT_THAT(After(token, query), IsInvalid(HasSubstr("continueFrom"))) << query;
  }
  const json named = json::array({{{"field", "timestamp"}, {"direction", "desc"}}});
  EXPECT_TRUE(Query({{"orders", named}, {"continueFrom", token}}).ok())
      << "the same, in other words";
  const json same = {{"orders", InDirection("desc")}};
  const json collections[] = {
      {{"path", "other"}, {"shards", {"x", "y", "z"}}},
      {{"path", "a/b/instruments"}, {"shards", {"x", "y", "z"}}},
      {{"path", "instruments"}, {"shards", {"x", "y"}}},
      {{"path", "instruments"}, {"shards", {"x", "z", "y"}}},
      {{"path", "instruments"}, {"shards", {"x", "y", "z"}}, {"orderField", "n"}},
      {{"path", "instruments"}, {"shards", {"x", "y", "z"}}, {"shardField", "n"}}};
  for (const json& collection : collections) {
    EXPECT_THAT(After(token, same, collection), IsInvalid(HasSubstr("continueFrom"))) << collection;
  }
  EXPECT_THAT(After(token, {{"orders", named}}, {{"path", "instruments"}, {"ordinary", true}}),
              IsInvalid(HasSubstr("continueFrom")));
}

TEST_F(PageTokenTest, LimitFetchAndSelectMayChange) {
  const std::string token = Token();
  const Outcome first = Query({{"limit", 12}});
  const Outcome next = Query({{"limit", 7}, {"chunkReads", "whole-page"}, {"continueFrom", token}});
  ASSERT_TRUE(next.ok()) << next.message;
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_EQ(next.result["docs"][i][0], first.result["docs"][i + 5][0]);
  }
  EXPECT_TRUE(Query({{"limit", 7}, {"select", {"n"}}, {"continueFrom", token}}).ok());
}

// Nothing that is tampered with may crash, or reach the server as something else than values.
TEST_F(PageTokenTest, TamperedTokensAreRefusedOrHarmless) {
  const std::string token = Token();
  constexpr const char kAlphabet[] = "ABQTZabqtz0189-_=+/ ";
  // In the default run, the letters take turns.
  const std::size_t letters_of_a_place = InRun<std::size_t>(4, std::size(kAlphabet));
  for (std::size_t i = 0; i < token.size(); ++i) {
    for (std::size_t j = 0; j < letters_of_a_place; ++j) {
      const char c = kAlphabet[(i * letters_of_a_place + j) % std::size(kAlphabet)];
      std::string bad = token;
      if (c == 0) {
        bad.resize(i);
      } else {
        bad[i] = c;
      }
      const Outcome outcome =
          Ask("collection.query",
              {{"collection", Instruments()}, {"query", {{"limit", 5}, {"continueFrom", bad}}}},
              [](const SentRequest& request) {
                for (const json& value : request.body["structuredQuery"]["startAt"]["values"]) {
                  EXPECT_EQ(value.size(), 1u) << value;
                }
                return OkText(R"([{"readTime":"2026-01-01T00:00:00Z"}])");
              });
      if (!outcome.ok()) {
        EXPECT_THAT(outcome, IsInvalid(HasSubstr("continueFrom")));
      }
    }
  }
}

TEST_F(PageTokenTest, ItsInsideIsChecked) {
  const json inside = json::parse(*DecodeBase64(Token()));
  const auto with = [&](std::size_t index, const json& value) {
    json changed = inside;
    changed[index] = value;
    return EncodeBase64Url(changed.dump());
  };
  ASSERT_GE(inside.size(), 4u);
  const std::size_t last = inside.size() - 1;
  const json bad_values[] = {nullptr,
                             7,
                             json::object(),
                             {{"integerValue", "x"}},
                             {{"integerValue", "1"}, {"stringValue", ""}},
                             {{"nonsense", 1}},
                             {{"timestampValue", "soon"}}};
  for (const json& value : bad_values) {
    EXPECT_THAT(After(with(last, value)), IsInvalid(HasSubstr("continueFrom"))) << value;
  }
  for (std::size_t i = 0; i < inside.size(); ++i) {
    json shorter = inside;
    shorter.erase(i);
    EXPECT_THAT(After(EncodeBase64Url(shorter.dump())), IsInvalid(HasSubstr("continueFrom"))) << i;
    json longer = inside;
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(i), inside[i]);
    EXPECT_THAT(After(EncodeBase64Url(longer.dump())), IsInvalid(HasSubstr("continueFrom"))) << i;
  }
  EXPECT_THAT(After(with(0, 99)), IsInvalid(HasSubstr("continueFrom")));
  EXPECT_THAT(After(EncodeBase64Url(inside.dump() + "]")), IsInvalid(HasSubstr("continueFrom")));
}

}  // namespace
}  // namespace shardline::page_token_test
