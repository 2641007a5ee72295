#include "indexes/index_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "indexes/index_text.h"

namespace shardline::index_file_test {
namespace {

using nlohmann::ordered_json;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Refusal(const std::string& text) {
  const Result<IndexFile> file = IndexFile::Parse(text);
  EXPECT_FALSE(file) << text;
  return file ? std::string() : file.error().message;
}

TEST(IndexText, TakesCommentsAndTrailingCommas) {
  const Result<IndexText> text = ParseIndexText(R"(// first
      {"a": [1, 2, /* , */ ], "b//c": "/* no, comment */", // ,}
       "d": "\"//", })");
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(text->root,
            ordered_json::parse(R"({"a": [1, 2], "b//c": "/* no, comment */", "d": "\"//"})"));
  EXPECT_TRUE(text->has_comments);
  EXPECT_FALSE(ParseIndexText(R"({"a": "//"})")->has_comments);
}

TEST(IndexText, SaysWhereItIsNoJson) {
  EXPECT_THAT(Refusal("{\n  \"indexes\": [,]\n}"), HasSubstr("line 2, column 15"));
  EXPECT_THAT(Refusal("{\n  \"é\": }"), AllOf(HasSubstr("line 2, column 8"), HasSubstr("`}`")));
  EXPECT_THAT(Refusal("{\"a\": 1"), HasSubstr("ends too early"));
  EXPECT_THAT(Refusal(""), HasSubstr("line 1, column 1"));
  EXPECT_THAT(Refusal("{} {}"), HasSubstr("line 1, column 4"));
  EXPECT_THAT(Refusal("{/* }"), HasSubstr("line 1, column 2"));
  EXPECT_THAT(Refusal("{,}"), HasSubstr("`,`"));
  EXPECT_THAT(Refusal("[1,,]"), HasSubstr("column 4"));
  EXPECT_THAT(Refusal(R"({"a": 1, "a": 2})"), HasSubstr("\"a\" stands twice"));
  EXPECT_THAT(Refusal(std::string(5'000, '[')), HasSubstr("too deeply"));
  EXPECT_THAT(Refusal("{\"a\": \"\xff\"}"), HasSubstr("column 8"));
  EXPECT_THAT(Refusal("{\"a\": \"\\ud800\"}"), HasSubstr("not JSON"));
  EXPECT_THAT(Refusal("{\"a\": 1e999}"), HasSubstr("not JSON"));
}

TEST(IndexFile, SaysWhichEntryIsWrong) {
  EXPECT_THAT(Refusal("[]"), HasSubstr("object"));
  EXPECT_THAT(Refusal(R"({"indexes": {}})"), HasSubstr("indexes must be a list"));
  EXPECT_THAT(Refusal(R"({"indexes": [1]})"), HasSubstr("indexes[0]"));
  EXPECT_THAT(Refusal(R"({"indexes": [{"fields": []}]})"), HasSubstr("indexes[0].collectionGroup"));
  EXPECT_THAT(Refusal(R"({"indexes": [{"collectionGroup": "a", "fields": []}]})"),
              HasSubstr("indexes[0].fields"));
  EXPECT_THAT(
      Refusal(R"({"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "a..b"}]}]})"),
      HasSubstr("indexes[0].fields[0].fieldPath"));
  EXPECT_THAT(
      Refusal(
          R"({"indexes": [{"collectionGroup": "a", "fields": [{"fieldPath": "a", "order": 1}]}]})"),
      HasSubstr("indexes[0].fields[0].order must be"));
  EXPECT_THAT(Refusal(R"({"fieldOverrides": [{"collectionGroup": "a", "fieldPath": ""}]})"),
              HasSubstr("fieldOverrides[0].fieldPath"));
  EXPECT_THAT(
      Refusal(R"({"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "ttl": 1}]})"),
      HasSubstr("fieldOverrides[0].ttl"));
  EXPECT_THAT(
      Refusal(R"({"fieldOverrides": [{"collectionGroup": "a", "fieldPath": "b", "indexes": 1}]})"),
      HasSubstr("fieldOverrides[0].indexes"));
}

// Scope, density, vectors, arrays, `__name__`, what is unknown, and the order of it all.
TEST(IndexFile, KeepsAllThatTheFileSays) {
  const std::string text = R"({
    "zone": 1,
    "indexes": [
      {"density": "SPARSE_ALL", "collectionGroup": "a", "queryScope": "COLLECTION_GROUP",
       "apiScope": "ANY_API",
       "fields": [{"order": "DESCENDING", "fieldPath": "x.`y z`"},
                  {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
                  {"fieldPath": "v", "vectorConfig": {"dimension": 256, "flat": {}}},
                  {"fieldPath": "new", "searchConfig": {"textSpec": 1.5}},
                  {"fieldPath": "__name__", "order": "ASCENDING"}]}],
    "fieldOverrides": [
      {"collectionGroup": "a", "fieldPath": "*", "indexes": []},
      {"collectionGroup": "a", "fieldPath": "m", "ttl": true},
      {"collectionGroup": "a", "fieldPath": "n",
       "indexes": [{"queryScope": "COLLECTION", "order": "ASCENDING"}]}],
    "another": {"b": null, "a": []}})";
  const Result<IndexFile> file = IndexFile::Parse(text);
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->root().dump(), ordered_json::parse(text).dump());
  ASSERT_EQ(file->composites().size(), 1U);
  const CompositeIndex& index = file->composites()[0];
  EXPECT_EQ(index.scope, IndexScope::kCollectionGroup);
  ASSERT_EQ(index.fields.size(), 4U);  // The name goes without saying.
  EXPECT_EQ(index.fields[0].path.segments(), (std::vector<std::string>{"x", "y z"}));
  EXPECT_EQ(index.fields[0].mode, IndexMode::kDescending);
  EXPECT_EQ(index.fields[1].mode, IndexMode::kContains);
  EXPECT_EQ(index.fields[2].mode, IndexMode::kVector);
  EXPECT_EQ(index.fields[3].mode, IndexMode::kOther);
  EXPECT_EQ(Describe(index.fields), "x.`y z` descending, tags by element, v as a vector, new");
  ASSERT_EQ(file->overrides().size(), 3U);
  EXPECT_FALSE(file->overrides()[0].field.has_value());
  EXPECT_TRUE(file->overrides()[1].ttl);
  EXPECT_EQ(file->overrides()[2].indexes, std::vector<SingleIndex>{SingleIndex{}});
}

TEST(IndexFile, TheNearestOverrideCounts) {
  const Result<IndexFile> file = IndexFile::Parse(R"({"fieldOverrides": [
      {"collectionGroup": "a", "fieldPath": "*", "indexes": []},
      {"collectionGroup": "a", "fieldPath": "m", "indexes": [{"order": "ASCENDING"}]},
      {"collectionGroup": "a", "fieldPath": "m.x", "indexes": []},
      {"collectionGroup": "a", "fieldPath": "m.t", "ttl": true},
      {"collectionGroup": "b", "fieldPath": "m", "ttl": true}]})");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_TRUE(file->IsExempt("a", {"other"}));
  EXPECT_FALSE(file->IsExempt("a", {"m"}));
  EXPECT_FALSE(file->IsExempt("a", {"m", "y"}));
  EXPECT_TRUE(file->IsExempt("a", {"m", "x"}));
  EXPECT_TRUE(file->IsExempt("a", {"m", "x", "deeper"}));
  EXPECT_THAT(file->SingleIndexes("a", {"m", "y"}), ::testing::ElementsAre(SingleIndex{}));
  EXPECT_THAT(file->SingleIndexes("c", {"m"}), ::testing::ElementsAreArray(kAutomaticIndexes));
  // A TTL policy alone changes no index.
  EXPECT_FALSE(file->IsExempt("a", {"m", "t"}));
  EXPECT_FALSE(file->IsExempt("b", {"m"}));
  EXPECT_FALSE(file->IsExempt("c", {"m"}));
}

}  // namespace
}  // namespace shardline::index_file_test
