// One document, read by its name.

#include <string>

#include "unit/sharded_query/api_caller.h"

namespace shardline::get_document_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const json kTimes = {{"createTime", "2026-01-01T00:00:00Z"},
                     {"updateTime", "2026-01-01T00:00:01Z"}};

json Found(const std::string& id, const json& fields) {
  json document = kTimes;
  document["name"] = Name("instruments/" + id);
  if (!fields.is_null()) document["fields"] = fields;
  return {{"found", document}, {"readTime", "2026-01-01T00:00:02.5Z"}};
}
json Missing(const std::string& id) {
  return {{"missing", Name("instruments/" + id)}, {"readTime", "2026-01-01T00:00:02.5Z"}};
}

Outcome Get(const json& answer, const std::string& id = "d", bool name_only = false) {
  json arguments = {{"collection", Instruments()}, {"id", id}};
  if (name_only) arguments["nameOnly"] = true;
  return Ask("collection.get", arguments, InTurn({OkText(answer.dump())}));
}

TEST(GetDocument, ReadsItWithItsTimes) {
  const json at = {{"timestampValue", "2026-01-01T00:00:03Z"}};
  const Outcome outcome = Get(json::array(
      {Found("d", {{"a", Number(1)}, {"at", at}, {"shard", {{"nullValue", nullptr}}}})}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.sent[0].body, json({{"documents", {Name("instruments/d")}}}));
  EXPECT_EQ(outcome.result["prefix"], Name("instruments/"));
  const json& document = outcome.result["docs"][0];
  EXPECT_EQ(document[0], "d");
  EXPECT_EQ(document[1]["a"], 1);
  EXPECT_EQ(document[1]["at"], json({1767225603, 0}));
  EXPECT_EQ(outcome.result["shapes"][document[2].get<std::size_t>()], json::array({{0, "at"}}));
  EXPECT_EQ(outcome.result["readTime"], json({1767225602, 500'000'000}));
  EXPECT_EQ(outcome.billed, (Billed{1, 0, 0}));
}

TEST(GetDocument, MayBeMissingOrEmpty) {
  const Outcome missing = Get(json::array({Missing("d")}));
  ASSERT_TRUE(missing.ok()) << missing.message;
  EXPECT_THAT(missing.result["docs"], SizeIs(0));
  EXPECT_EQ(missing.billed, (Billed{1, 0, 0}));
  const Outcome empty = Get(json::array({Found("é\"", nullptr)}), "é\"");
  ASSERT_TRUE(empty.ok()) << empty.message;
  EXPECT_EQ(empty.result["docs"][0][0], "é\"");
  EXPECT_EQ(empty.result["docs"][0][1], json::object());
}

TEST(GetDocument, NamesOnly) {
  const Outcome outcome = Get(json::array({Found("d", nullptr)}), "d", true);
  EXPECT_EQ(outcome.sent[0].body["mask"], json({{"fieldPaths", {"__name__"}}}));
  EXPECT_THAT(outcome.result["docs"], SizeIs(1));
}

TEST(GetDocument, AnswersThatAreNoneAreRefused) {
  const json no_time = {{"missing", Name("instruments/d")}};
  json no_update = Found("d", {{"a", Number(1)}});
  no_update["found"].erase("updateTime");
  for (const json& answer :
       {json::array(), json::array({Found("e", nullptr)}), json::array({Missing("e")}),
        json::array({Found("dd", nullptr)}),
        json::array({Found("d", nullptr), Found("d", nullptr)}),
        json::array({Found("d", nullptr), Missing("d")}), json::array({no_time}),
        json::array({no_update}), json::array({Found("d", {{"a", 7}})}),
        json::array({{{"readTime", "2026-01-01T00:00:00Z"}}})}) {
    const Outcome outcome = Get(answer);
    EXPECT_FALSE(outcome.ok()) << answer;
    EXPECT_NE(outcome.code, "invalid-argument") << answer;
  }
}

}  // namespace
}  // namespace shardline::get_document_test
