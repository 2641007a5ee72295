#include "indexes/missing_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/base64.h"
#include "unit/support/text.h"

namespace shardline::missing_index_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

// Just enough of protocol buffers to write what Firestore writes.
std::string Number(int field, int value) {
  return {static_cast<char>(field << 3), static_cast<char>(value)};
}
std::string Bytes(int field, const std::string& text) {
  return std::string{static_cast<char>(field << 3 | 2), static_cast<char>(text.size())} + text;
}
std::string Name(const std::string& rest) {
  return Bytes(1, "projects/p/databases/(default)/collectionGroups/" + rest);
}
std::string Field(const std::string& path, const std::string& mode) {
  return Bytes(3, Bytes(1, path) + mode);
}

std::string Message(const std::string& kind, const std::string& bytes) {
  return "9 FAILED_PRECONDITION: The query requires an index. You can create it here: "
         "https://console.firebase.google.com/v1/r/project/p/firestore/indexes?create_" +
         kind + "=" + EncodeBase64Url(bytes) + "\n    at Object.callback (index.js:1)";
}

json Explained(const std::string& message) {
  const Result<std::string> found = ExplainMissingIndex(Text(json::array({message}).dump()));
  EXPECT_TRUE(found) << found.error().message;
  return json::parse(found.value_or("{}"));
}

std::string Refusal(const std::string& message) {
  const Result<std::string> found = ExplainMissingIndex(Text(json::array({message}).dump()));
  EXPECT_FALSE(found) << message;
  return found ? std::string() : found.error().message;
}

// As Firestore wrote it, in 2024.
TEST(ExplainMissingIndex, ReadsFirestoresOwnLinks) {
  const json found = Explained(
      "https://console.firebase.google.com/v1/r/project/demo/firestore/indexes?create_composite="
      "ClBwcm9qZWN0cy92YWFkbHktcHJvamVjdC9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvcmVzaWRl"
      "bnRzL2luZGV4ZXMvXxABGg4KCmJ1aWxkaW5nSWQQARoMCghsYXN0TmFtZRABGg0KCWZpcnN0TmFtZRABGgwKCF9fbmFt"
      "ZV9fEAE");
  EXPECT_EQ(found["kind"], "composite");
  EXPECT_EQ(found["database"], "(default)");
  EXPECT_EQ(found["risk"], "none");
  EXPECT_EQ(found["entry"], json::parse(R"({
      "collectionGroup": "residents", "queryScope": "COLLECTION",
      "fields": [{"fieldPath": "buildingId", "order": "ASCENDING"},
                 {"fieldPath": "lastName", "order": "ASCENDING"},
                 {"fieldPath": "firstName", "order": "ASCENDING"}]})"));
  const json single = Explained(
      "create_exemption="
      "Clxwcm9qZWN0cy9naWZ0YXJkby00MzM4MS9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvcXVpel9h"
      "dHRlbXB0cy9maWVsZHMvYWN0aXZpdHlJZBACGg4KCmFjdGl2aXR5SWQQAQ");
  EXPECT_EQ(single["kind"], "single-field");
  // An override takes the place of what Firestore keeps by itself.
  EXPECT_EQ(single["entry"], json::parse(R"({
      "collectionGroup": "quiz_attempts", "fieldPath": "activityId",
      "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"},
                  {"order": "DESCENDING", "queryScope": "COLLECTION"},
                  {"arrayConfig": "CONTAINS", "queryScope": "COLLECTION"},
                  {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]})"));
}

// A file's own entry, a map's around it, that of all fields, and a TTL policy: what the field has
// stays.
TEST(ExplainMissingIndex, KeepsWhatTheFileSaysOfASingleField) {
  const std::string message =
      Message("exemption", Name("a/fields/m.f") + Number(2, 2) + Field("m.f", Number(2, 2)));
  const auto entry = [&](const json& only) {
    json file = {{"fieldOverrides", json::array()}};
    if (!only.is_null()) file["fieldOverrides"].push_back(only);
    const Result<std::string> result =
        ExplainMissingIndex(PaddedText(json({message, {{"indexes", file.dump()}}}).dump()));
    return result ? json::parse(*result)["entry"] : json(result.error().message);
  };
  const json ascending = {{"order", "ASCENDING"}, {"queryScope", "COLLECTION_GROUP"}};
  const json wanted = {{"order", "DESCENDING"}, {"queryScope", "COLLECTION_GROUP"}};
  const json one = json::array({ascending});
  const json both = json::array({ascending, wanted});
  const auto of = [](const char* field, const json& indexes) {
    return json{{"collectionGroup", "a"}, {"fieldPath", field}, {"indexes", indexes}};
  };
  const json automatic = entry(nullptr)["indexes"];
  EXPECT_EQ(automatic.size(), 4u);
  EXPECT_EQ(automatic.back(), wanted);
  EXPECT_EQ(entry(of("m.f", one)), of("m.f", both));
  EXPECT_EQ(entry(of("m.f", json::array())), of("m.f", json::array({wanted})));
  EXPECT_EQ(entry(of("m", one)), of("m.f", both));
  EXPECT_EQ(entry(of("*", one)), of("m.f", both));
  EXPECT_EQ(entry(of("other", one))["indexes"], automatic);
  const json ttl = {{"collectionGroup", "a"}, {"fieldPath", "m.f"}, {"ttl", true}};
  EXPECT_EQ(entry(ttl)["ttl"], true);
  EXPECT_EQ(entry(ttl)["indexes"], automatic);
  // It is in the file, and only has to be deployed.
  EXPECT_EQ(entry(of("m.f", both)), of("m.f", both));
  EXPECT_EQ(entry(of("*", json::array({wanted}))), of("m.f", json::array({wanted})));
}

TEST(ExplainMissingIndex, ReadsArraysVectorsScopeAndDensity) {
  const std::string vector = Bytes(4, Number(1, 100) + Bytes(2, ""));
  const json found = Explained(Message(
      "composite", Name("a/indexes/_") + Number(2, 2) + Field("tags", Number(3, 1)) +
                       Field("t", Number(2, 2)) + Field("v", vector) +
                       Field("__name__", Number(2, 2)) + Number(6, 2) + Bytes(15, "unknown")));
  EXPECT_EQ(found["scope"], "COLLECTION_GROUP");
  EXPECT_EQ(found["entry"], json::parse(R"({
      "collectionGroup": "a", "queryScope": "COLLECTION_GROUP",
      "fields": [{"fieldPath": "tags", "arrayConfig": "CONTAINS"},
                 {"fieldPath": "t", "order": "DESCENDING"},
                 {"fieldPath": "v", "vectorConfig": {"dimension": 100, "flat": {}}},
                 {"fieldPath": "__name__", "order": "DESCENDING"}],
      "density": "SPARSE_ANY"})"));
}

// The bytes are Firestore's own, of 2024.
TEST(WriteMissingIndexLink, WritesWhatFirestoreWrites) {
  const auto field = [](const char* path) { return IndexField{*FieldPath::Parse(path)}; };
  EXPECT_EQ(
      WriteMissingIndexLink("projects/vaadly-project/databases/(default)",
                            {"residents",
                             IndexScope::kCollection,
                             {field("buildingId"), field("lastName"), field("firstName")}}),
      "https://console.firebase.google.com/v1/r/project/vaadly-project/firestore/indexes?"
      "create_composite="
      "ClBwcm9qZWN0cy92YWFkbHktcHJvamVjdC9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvcmVzaWRl"
      "bnRzL2luZGV4ZXMvXxABGg4KCmJ1aWxkaW5nSWQQARoMCghsYXN0TmFtZRABGg0KCWZpcnN0TmFtZRABGgwKCF9fbmFt"
      "ZV9fEAE");
  EXPECT_EQ(
      WriteMissingIndexLink("projects/giftardo-43381/databases/(default)",
                            {"quiz_attempts", IndexScope::kCollectionGroup, {field("activityId")}}),
      "https://console.firebase.google.com/v1/r/project/giftardo-43381/firestore/indexes?"
      "create_exemption="
      "Clxwcm9qZWN0cy9naWZ0YXJkby00MzM4MS9kYXRhYmFzZXMvKGRlZmF1bHQpL2NvbGxlY3Rpb25Hcm91cHMvcXVpel9h"
      "dHRlbXB0cy9maWVsZHMvYWN0aXZpdHlJZBACGg4KCmFjdGl2aXR5SWQQAQ");
}

TEST(WriteMissingIndexLink, IsReadBack) {
  constexpr IndexMode kModes[] = {IndexMode::kAscending, IndexMode::kDescending,
                                  IndexMode::kContains};
  // Its length takes two bytes.
  const std::string long_name(300, 'n');
  for (const IndexScope scope : {IndexScope::kCollection, IndexScope::kCollectionGroup}) {
    for (std::size_t size = 1; size <= 4; ++size) {
      for (std::size_t first = 0; first < 3; ++first) {
        CompositeIndex index{"caf\u00e9s", scope, {}};
        for (std::size_t i = 0; i < size; ++i) {
          const std::string path = "`a.b`." + long_name + std::to_string(i);
          index.fields.push_back({*FieldPath::Parse(path), kModes[(first + i) % 3]});
        }
        index.name_descending = first == 1 || UsualNameDescending(index.fields);
        const std::string link = WriteMissingIndexLink("projects/p/databases/d", index);
        const Result<MissingIndex> read = ReadMissingIndex("Create it here: " + link + " soon");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->index, index);
        EXPECT_EQ(read->project, "p");
        EXPECT_EQ(read->database, "d");
        EXPECT_EQ(read->is_single_field, index.is_single());
        if (!index.is_single()) {
          EXPECT_EQ(read->entry, WriteComposite(index));
        }
      }
    }
  }
}

TEST(ExplainMissingIndex, SaysThatANameSuggestsAHotRange) {
  const json found = Explained(Message("composite", Name("a/indexes/_") + Number(2, 1) +
                                                        Field("createdAt", Number(2, 2)) +
                                                        Field("kind", Number(2, 1))));
  EXPECT_EQ(found["risk"], "perhaps");
  EXPECT_THAT(found["explanation"].get<std::string>(), HasSubstr("Perhaps: the name createdAt"));
  EXPECT_THAT(found["explanation"].get<std::string>(), HasSubstr("500 writes"));
  EXPECT_THAT(found["explanation"].get<std::string>(), HasSubstr("createdAt descending, kind"));
}

TEST(ExplainMissingIndex, RefusesWhatIsNoLink) {
  EXPECT_THAT(Refusal("The query requires an index."), HasSubstr("no link"));
  EXPECT_THAT(Refusal("create_composite="), HasSubstr("base64"));
  EXPECT_THAT(Refusal("create_composite=%%%"), HasSubstr("base64"));
  EXPECT_THAT(Refusal("create_composite=abcde"), HasSubstr("cannot be read"));
  const std::string good = Name("a/indexes/_") + Number(2, 1) + Field("b", Number(2, 1));
  for (std::size_t size = 1; size < good.size(); ++size) {
    Refusal(Message("composite", good.substr(0, size)));
  }
  EXPECT_THAT(Refusal(Message("composite", good + Number(2, 9))), HasSubstr("queryScope"));
  EXPECT_THAT(Refusal(Message("composite", good + Field("\xff", Number(2, 1)))),
              HasSubstr("malformed"));
  EXPECT_THAT(Refusal(Message("composite", good + std::string(1, '\x1b'))), HasSubstr("cut short"));
  EXPECT_THAT(Refusal(Message("composite", Name("a/indexes/_") + Field("__name__", Number(2, 1)))),
              HasSubstr("field"));
}

}  // namespace
}  // namespace shardline::missing_index_test
