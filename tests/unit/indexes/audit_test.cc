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

json AuditOf(const json& file, const json& options = json::object()) {
  const Result<std::string> found = AuditIndexes(Text(json({file.dump(), options}).dump()));
  EXPECT_TRUE(found) << found.error().message;
  return json::parse(found.value_or("[]"));
}

TEST(AuditIndexes, ARisingFieldIsHotByItselfUnlessItIsExempt) {
  const json file = {{"indexes", json::array({Index("a", {"kind", "createdAt"})})}};
  const json found = AuditOf(file);
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[0]["where"], "single-field");
  EXPECT_EQ(found[0]["risk"], "hot");
  EXPECT_EQ(found[0]["field"], "createdAt");
  EXPECT_EQ(found[0]["guessed"], true);
  EXPECT_EQ(found[1]["where"], "composite");
  EXPECT_EQ(found[1]["risk"], "perhaps");
  EXPECT_THAT(found[1]["why"].get<std::string>(), HasSubstr("behind kind ascending"));
  json exempt = file;
  exempt["fieldOverrides"].push_back(Exemption("a", "createdAt"));
  EXPECT_EQ(AuditOf(exempt).size(), 1U);
}

TEST(AuditIndexes, ARisingFieldInFrontIsHotAndCollectionGroupsShareTheLimit) {
  const json found =
      AuditOf({{"indexes", json::array({Index("a", {"timestamp", "kind"}, "COLLECTION_GROUP")})},
               {"fieldOverrides", json::array({Exemption("a", "timestamp")})}});
  ASSERT_EQ(found.size(), 1U) << found;
  EXPECT_EQ(found[0]["risk"], "hot");
  EXPECT_EQ(found[0]["scope"], "COLLECTION_GROUP");
  EXPECT_EQ(found[0]["index"][0]["fieldPath"], "timestamp");
  EXPECT_THAT(found[0]["why"].get<std::string>(), HasSubstr("share the limit"));
}

TEST(AuditIndexes, AShardInFrontCoolsIt) {
  EXPECT_EQ(AuditOf({{"indexes", json::array({Index("a", {"shard", "timestamp"})})},
                     {"fieldOverrides", json::array({Exemption("a", "timestamp")})}}),
            json::array());
  const json file = {{"indexes", json::array({Index("a", {"bucket", "timestamp"})})},
                     {"fieldOverrides", json::array({Exemption("a", "timestamp")})}};
  EXPECT_EQ(AuditOf(file).size(), 1U);
  EXPECT_EQ(AuditOf(file, {{"shards", {{"a", {"bucket"}}}}}), json::array());
}

TEST(AuditIndexes, WhatIsKnownIsNotGuessed) {
  const json file = {{"indexes", json::array({Index("a", {"timestamp", "userid"})})}};
  EXPECT_EQ(AuditOf(file, {{"rising", {{"a", json::array()}}}}), json::array());
  const json found = AuditOf(file, {{"rising", {{"a", {"userid"}}}}});
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[0]["field"], "userid");
  EXPECT_EQ(found[0]["guessed"], false);
  // Of a field that the file does not name, Firestore keeps an index all the same.
  EXPECT_EQ(AuditOf(json::object(), {{"rising", {{"b/c/users", {"userid"}}}}})[0]["collection"],
            "users");
}

TEST(AuditIndexes, GuessesByTheLastWordOfAName) {
  const auto is_found = [](const std::string& field) {
    return !AuditOf({{"indexes", json::array({Index("a", {"kind", field})})}}).empty();
  };
  for (const char* field : {"timestamp", "createdAt", "created_at", "lastUpdateTime", "meta.date",
                            "time", "ts", "order_seq", "expireAt"}) {
    EXPECT_TRUE(is_found(field)) << field;
  }
  for (const char* field :
       {"status", "at", "cat", "format", "timezone", "state", "candidate", "created.by"}) {
    EXPECT_FALSE(is_found(field)) << field;
  }
}

json Override(const std::string& field, const char* indexes) {
  return {{"fieldOverrides",
           {{{"collectionGroup", "a"}, {"fieldPath", field}, {"indexes", json::parse(indexes)}}}}};
}

// Documents expire in the order in which they were written, whatever the field is called.
TEST(AuditIndexes, AFieldWithATtlPolicyRises) {
  const json ttl = {{"collectionGroup", "a"}, {"fieldPath", "expires"}, {"ttl", true}};
  json file = {{"indexes", json::array({Index("a", {"kind", "expires"})})},
               {"fieldOverrides", json::array({ttl})}};
  const json found = AuditOf(file);
  ASSERT_EQ(found.size(), 2U) << found;
  EXPECT_EQ(found[0]["where"], "single-field");
  EXPECT_EQ(found[0]["field"], "expires");
  EXPECT_EQ(found[0]["guessed"], false);
  EXPECT_EQ(found[1]["where"], "composite");
  // Who knows better is believed.
  EXPECT_EQ(AuditOf(file, {{"rising", {{"a", json::array()}}}}), json::array());
  file["fieldOverrides"][0]["indexes"] = json::array();
  EXPECT_EQ(AuditOf(file).size(), 1U);
  file["fieldOverrides"][0]["ttl"] = false;
  EXPECT_EQ(AuditOf(file), json::array());
}

TEST(AuditIndexes, AnOverrideSaysWhichIndexesOfAFieldAreHot) {
  // Elements of arrays are no order.
  EXPECT_EQ(AuditOf(Override("time", R"([{"arrayConfig": "CONTAINS"}])")), json::array());
  const json group =
      AuditOf(Override("time", R"([{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}])"));
  ASSERT_EQ(group.size(), 1U) << group;
  EXPECT_EQ(group[0]["scope"], "COLLECTION_GROUP");
  const std::string why = group[0]["why"];
  EXPECT_THAT(why, HasSubstr("fieldOverrides has Firestore index time by itself, ascending."));
  EXPECT_THAT(why, HasSubstr("share the limit"));
  EXPECT_THAT(why, ::testing::Not(HasSubstr("every field")));
  const json both = AuditOf(Override("time", R"([
      {"order": "DESCENDING"}, {"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}])"));
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
  EXPECT_THAT(message({"{}", {{"shards", {{"a", {"b..c"}}}}}}), HasSubstr("shards.a"));
  EXPECT_THAT(message({"{", json::object()}), HasSubstr("line 1"));
}

}  // namespace
}  // namespace shardline::audit_test
