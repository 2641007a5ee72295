#include "indexes/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/support/text.h"

namespace shardline::audit_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json Index(const std::string& collection, const json& fields,
           const std::string& scope = "COLLECTION") {
  json list = json::array();
  for (const json& field : fields) list.push_back({{"fieldPath", field}, {"order", "ASCENDING"}});
  return {{"collectionGroup", collection}, {"queryScope", scope}, {"fields", list}};
}

json Exemption(const std::string& collection, const std::string& field) {
  return {{"collectionGroup", collection}, {"fieldPath", field}, {"indexes", json::array()}};
}

// {findings, candidates}
json AuditOf(const json& file, const json& options = json::object()) {
  const Result<std::string> found = AuditIndexes(Text(json({file.dump(), options}).dump()));
  EXPECT_TRUE(found) << found.error().message;
  return json::parse(found.value_or(R"({"findings": [], "candidates": []})"));
}

const json kNothing = {{"findings", json::array()}, {"candidates", json::array()}};

// Where it is known that these fields of the collection `a` rise, and no others.
json FindingsOf(const json& file, const json& rising) {
  const json found =
      AuditOf(file, {{"rising", {{"a", rising}}}, {"notRising", {{"a", json::array({"*"})}}}});
  EXPECT_EQ(found["candidates"], json::array());
  return found["findings"];
}

TEST(AuditIndexes, ARisingFieldIsHotByItselfUnlessItIsExempt) {
  const json file = {{"indexes", json::array({Index("a", {"kind", "n"})})}};
  const json found = FindingsOf(file, {"n"});
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[0]["where"], "single-field");
  EXPECT_EQ(found[0]["risk"], "hot");
  EXPECT_EQ(found[0]["field"], "n");
  EXPECT_EQ(found[1]["where"], "composite");
  EXPECT_EQ(found[1]["risk"], "perhaps");
  EXPECT_THAT(found[1]["why"].get<std::string>(), HasSubstr("n rises behind kind ascending"));
  json exempt = file;
  exempt["fieldOverrides"].push_back(Exemption("a", "n"));
  EXPECT_EQ(FindingsOf(exempt, {"n"}).size(), 1U);
}

TEST(AuditIndexes, ARisingFieldInFrontIsHotAndCollectionGroupsShareTheLimit) {
  const json found =
      FindingsOf({{"indexes", json::array({Index("a", {"n", "kind"}, "COLLECTION_GROUP")})},
                  {"fieldOverrides", json::array({Exemption("a", "n")})}},
                 {"n"});
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_EQ(found[0]["risk"], "hot");
  EXPECT_EQ(found[0]["scope"], "COLLECTION_GROUP");
  EXPECT_EQ(found[0]["index"][0]["fieldPath"], "n");
  EXPECT_THAT(found[0]["why"].get<std::string>(), HasSubstr("share the limit"));
}

TEST(AuditIndexes, AShardInFrontCoolsIt) {
  EXPECT_EQ(AuditOf({{"indexes", json::array({Index("a", {"shard", "timestamp"})})},
                     {"fieldOverrides", json::array({Exemption("a", "timestamp")})}}),
            kNothing);
  const json file = {{"indexes", json::array({Index("a", {"bucket", "timestamp"})})},
                     {"fieldOverrides", json::array({Exemption("a", "timestamp")})}};
  EXPECT_EQ(AuditOf(file)["candidates"].size(), 1U);
  EXPECT_EQ(AuditOf(file, {{"shards", {{"a", {"bucket"}}}}}), kNothing);
}

// A name is a hint: nothing is found by it.
TEST(AuditIndexes, ANameMakesACandidateAndNoFinding) {
  const json file = {{"indexes", json::array({Index("a", {"createdAt", "kind"})})}};
  const json found = AuditOf(file);
  EXPECT_EQ(found["findings"], json::array());
  ASSERT_EQ(found["candidates"].size(), 2U) << found;
  for (const json& each : found["candidates"]) {
    EXPECT_EQ(each["risk"], "perhaps");
    EXPECT_EQ(each["hint"], "name");
    EXPECT_THAT(each["why"].get<std::string>(), HasSubstr("Perhaps: the name createdAt"));
    EXPECT_THAT(each["why"].get<std::string>(), HasSubstr("If createdAt rises"));
    EXPECT_THAT(each["todo"].get<std::string>(), HasSubstr("shardline indexes sample a"));
  }
}

TEST(AuditIndexes, WhatIsKnownNeedsNoHint) {
  const json file = {{"indexes", json::array({Index("a", {"timestamp", "userid"})})}};
  EXPECT_EQ(AuditOf(file, {{"notRising", {{"a", {"timestamp"}}}}}), kNothing);
  EXPECT_EQ(AuditOf(file, {{"notRising", {{"a", {"*"}}}}}), kNothing);
  const json both = AuditOf(file, {{"rising", {{"a", {"userid"}}}}});
  // It is known of one field. Of the other, nobody has said anything.
  ASSERT_EQ(both["findings"].size(), 2U) << both;
  for (const json& each : both["findings"]) EXPECT_EQ(each["field"], "userid");
  ASSERT_EQ(both["candidates"].size(), 1U) << both;
  EXPECT_EQ(both["candidates"][0]["field"], "timestamp");
  // Of a field that the file does not name, Firestore keeps an index all the same.
  const json other = AuditOf(json::object(), {{"rising", {{"b/c/users", {"userid"}}}}});
  EXPECT_EQ(other["findings"][0]["collection"], "users");
}

TEST(AuditIndexes, SaysThatAnIndexOfVectorsIsNotRewritten) {
  json index = Index("a", {"n"});
  index["fields"].push_back({{"fieldPath", "v"}, {"vectorConfig", {{"dimension", 2}}}});
  const json found = FindingsOf(
      {{"indexes", json::array({index})}, {"fieldOverrides", json::array({Exemption("a", "n")})}},
      {"n"});
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_THAT(found[0]["todo"].get<std::string>(), HasSubstr("index of vectors"));
}

json Override(const std::string& field, const char* indexes) {
  return {{"fieldOverrides",
           {{{"collectionGroup", "a"}, {"fieldPath", field}, {"indexes", json::parse(indexes)}}}}};
}

// Documents often expire in the order in which they were written, whatever the field is called.
TEST(AuditIndexes, AFieldWithATtlPolicyIsACandidate) {
  const json ttl = {{"collectionGroup", "a"}, {"fieldPath", "gone"}, {"ttl", true}};
  json file = {{"indexes", json::array({Index("a", {"kind", "gone"})})},
               {"fieldOverrides", json::array({ttl})}};
  const json found = AuditOf(file);
  EXPECT_EQ(found["findings"], json::array());
  ASSERT_EQ(found["candidates"].size(), 2U) << found;
  EXPECT_EQ(found["candidates"][0]["where"], "single-field");
  EXPECT_EQ(found["candidates"][0]["hint"], "ttl");
  EXPECT_EQ(found["candidates"][1]["where"], "composite");
  EXPECT_EQ(AuditOf(file, {{"notRising", {{"a", {"gone"}}}}}), kNothing);
  file["fieldOverrides"][0]["indexes"] = json::array();
  EXPECT_EQ(AuditOf(file)["candidates"].size(), 1U);
  file["fieldOverrides"][0]["ttl"] = false;
  EXPECT_EQ(AuditOf(file), kNothing);
}

TEST(AuditIndexes, AnOverrideSaysWhichIndexesOfAFieldAreHot) {
  // Elements of arrays are no order.
  EXPECT_EQ(FindingsOf(Override("n", R"([{"arrayConfig": "CONTAINS"}])"), {"n"}), json::array());
  const json group = FindingsOf(
      Override("n", R"([{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}])"), {"n"});
  ASSERT_EQ(group.size(), 1U) << group;
  EXPECT_EQ(group[0]["scope"], "COLLECTION_GROUP");
  const std::string why = group[0]["why"];
  EXPECT_THAT(why, HasSubstr("fieldOverrides has Firestore index n by itself, ascending."));
  EXPECT_THAT(why, HasSubstr("share the limit"));
  EXPECT_THAT(why, ::testing::Not(HasSubstr("every field")));
  const json both = FindingsOf(Override("n", R"([
      {"order": "DESCENDING"}, {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}])"),
                               {"n"});
  ASSERT_EQ(both.size(), 2U) << both;
  EXPECT_EQ(both[0]["scope"], "COLLECTION");
  EXPECT_THAT(both[0]["why"].get<std::string>(), HasSubstr("by itself, descending."));
  EXPECT_EQ(both[1]["scope"], "COLLECTION_GROUP");
}

TEST(AuditIndexes, BadArgumentsAreRefusedByName) {
  const auto message = [](const json& arguments) {
    const Result<std::string> found = AuditIndexes(Text(arguments.dump()));
    EXPECT_FALSE(found) << arguments;
    return found ? std::string() : found.error().message;
  };
  EXPECT_THAT(message(json::array()), HasSubstr("first argument"));
  EXPECT_THAT(message({1}), HasSubstr("first argument"));
  EXPECT_THAT(message({"{}", 1}), HasSubstr("options"));
  EXPECT_THAT(message({"{}", {{"hot", 1}}}), HasSubstr("hot"));
  EXPECT_THAT(message({"{}", {{"rising", 1}}}), HasSubstr("rising"));
  EXPECT_THAT(message({"{}", {{"rising", {{"a", 1}}}}}), HasSubstr("rising.a"));
  EXPECT_THAT(message({"{}", {{"notRising", {{"a", {"b..c"}}}}}}), HasSubstr("notRising.a"));
  EXPECT_THAT(message({"{}", {{"shards", {{"a", {"b..c"}}}}}}), HasSubstr("shards.a"));
  EXPECT_THAT(message({"{", json::object()}), HasSubstr("line 1"));
}

}  // namespace
}  // namespace shardline::audit_test
