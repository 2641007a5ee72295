#include "indexes/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "indexes/index_text.h"
#include "indexes/sharded_indexes.h"

namespace shardline {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

std::string ReadFile(const std::string& name) {
  std::ifstream file(std::string(SHARDLINE_FIXTURES) + '/' + name);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

ShardedIndexes Collection(const json& more = json::object()) {
  json options = {{"collection", "instruments"}};
  options.update(more);
  Result<ShardedIndexes> read = ReadShardedIndexes(options, "");
  EXPECT_TRUE(read) << read.error().message;
  return std::move(read).value();
}

// Rewrites, and once more, which must change nothing.
RewrittenIndexes Rewritten(const std::string& text, const ShardedIndexes& collection) {
  Result<RewrittenIndexes> once = Rewrite(text, {{collection}, {}});
  EXPECT_TRUE(once) << once.error().message;
  const Result<RewrittenIndexes> twice = Rewrite(once->text, {{collection}, {}});
  EXPECT_TRUE(twice && twice->changes.empty() && twice->text == once->text) << once->text;
  return std::move(once).value();
}

std::string Kinds(const RewrittenIndexes& rewritten) {
  std::string kinds;
  for (const IndexChange& change : rewritten.changes) {
    kinds += "rae"[static_cast<std::size_t>(change.kind)];
  }
  return kinds;
}

json Root(const RewrittenIndexes& rewritten) { return json::parse(rewritten.text); }

// https://firebase.google.com/docs/firestore/solutions/shard-timestamp
TEST(RewriteIndexes, DoesWhatFirestoresPageOnShardedTimestampsAsksFor) {
  const RewrittenIndexes rewritten = Rewritten(ReadFile("indexes_before.jsonc"), Collection());
  EXPECT_EQ(Kinds(rewritten), "rrraaaee");
  EXPECT_TRUE(rewritten.comments_lost);
  const ordered_json after = ParseIndexText(ReadFile("indexes_after.jsonc"))->root;
  const ordered_json root = ordered_json::parse(rewritten.text);
  EXPECT_EQ(root["indexes"].dump(), after["indexes"].dump());
  EXPECT_EQ(json::parse(root["fieldOverrides"].dump()), json::parse(R"([
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": []},
      {"collectionGroup": "instruments", "fieldPath": "shard", "indexes": []}])"));
  for (const IndexChange& change : rewritten.changes) EXPECT_NE(change.why, "");
  // With the queries given, the same.
  const RewrittenIndexes given =
      Rewritten(ReadFile("indexes_before.jsonc"),
                Collection({{"queries", {{"exchange"}, {"instrumentType"}, {"price.currency"}}}}));
  EXPECT_EQ(given.text, rewritten.text);
}

TEST(RewriteIndexes, LeavesAloneWhatServes) {
  const RewrittenIndexes rewritten =
      Rewritten(ReadFile("indexes_after.jsonc"),
                Collection({{"queries", {{"exchange"}, {"instrumentType"}}}}));
  EXPECT_EQ(Kinds(rewritten), "ee");
  // An index serves backwards, and equalities in any order and direction.
  const std::string text = R"({"indexes": [
      {"collectionGroup": "instruments", "queryScope": "COLLECTION",
       "fields": [{"fieldPath": "a", "order": "DESCENDING"},
                  {"fieldPath": "shard", "order": "ASCENDING"},
                  {"fieldPath": "timestamp", "order": "ASCENDING"},
                  {"fieldPath": "__name__", "order": "ASCENDING"}]}]})";
  EXPECT_EQ(Kinds(Rewritten(text, Collection({{"queries", {{"a"}}}}))), "ee");
  // Not for all collections of the id.
  EXPECT_EQ(
      Kinds(Rewritten(text, Collection({{"queries", {{"a"}}}, {"scope", "COLLECTION_GROUP"}}))),
      "aee");
}

TEST(RewriteIndexes, WhatDoesNotChangeKeepsItsCommentsAndItsForm) {
  const std::string text = R"({ // mine
  "indexes" : [ ],
  "fieldOverrides": [
    {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": []},
    {"collectionGroup": "instruments", "fieldPath": "shard", "indexes": [], "note": 1},
  ]})";
  const RewrittenIndexes rewritten = Rewritten(text, Collection());
  EXPECT_EQ(rewritten.text, text);
  EXPECT_FALSE(rewritten.comments_lost);
}

TEST(RewriteIndexes, KeepsWhatAnIndexSaysBesides) {
  const RewrittenIndexes rewritten = Rewritten(
      "{\n\t\"indexes\": [{\"density\": \"SPARSE_ALL\", \"collectionGroup\": \"instruments\", "
      "\"queryScope\": \"COLLECTION_GROUP\", \"fields\": ["
      "{\"fieldPath\": \"tags\", \"arrayConfig\": \"CONTAINS\"}, "
      "{\"fieldPath\": \"timestamp\", \"order\": \"ASCENDING\", \"x\": 1}, "
      "{\"fieldPath\": \"price\", \"order\": \"ASCENDING\"}, "
      "{\"fieldPath\": \"shard\", \"order\": \"ASCENDING\"}, "
      "{\"fieldPath\": \"__name__\", \"order\": \"DESCENDING\"}]}], \"other\": {}}",
      Collection());
  EXPECT_EQ(Kinds(rewritten), "raee");
  EXPECT_THAT(rewritten.text, HasSubstr("\n\t\"other\": {}"));
  EXPECT_EQ(Root(rewritten)["indexes"], json::parse(R"([
      {"density": "SPARSE_ALL", "collectionGroup": "instruments",
       "queryScope": "COLLECTION_GROUP",
       "fields": [{"fieldPath": "shard", "order": "ASCENDING"},
                  {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
                  {"fieldPath": "timestamp", "order": "ASCENDING", "x": 1},
                  {"fieldPath": "price", "order": "ASCENDING"},
                  {"fieldPath": "__name__", "order": "DESCENDING"}]}])"));
}

TEST(RewriteIndexes, TouchesNeitherOtherCollectionsNorVectors) {
  const std::string text = R"({"indexes": [
      {"collectionGroup": "other", "fields": [{"fieldPath": "timestamp", "order": "ASCENDING"},
                                              {"fieldPath": "a", "order": "ASCENDING"}]},
      {"collectionGroup": "instruments",
       "fields": [{"fieldPath": "timestamp", "order": "ASCENDING"},
                  {"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {}}}]},
      {"collectionGroup": "instruments", "fields": [{"fieldPath": "a", "order": "ASCENDING"},
                                                    {"fieldPath": "b", "order": "ASCENDING"}]}]})";
  const RewrittenIndexes rewritten = Rewritten(text, Collection());
  EXPECT_EQ(Kinds(rewritten), "ee");
  EXPECT_EQ(Root(rewritten)["indexes"], json::parse(text)["indexes"]);
}

TEST(RewriteIndexes, TakesWhatPlanSays) {
  const json plan = json::parse(R"({"chunks": [], "index": [
      {"field": "shard", "order": "ASCENDING"}, {"field": "tags", "arrayConfig": "CONTAINS"},
      {"field": "exchange", "order": "ASCENDING"}, {"field": "timestamp", "order": "ASCENDING"},
      {"field": "price", "order": "ASCENDING"}]})");
  for (const json& query : {plan, plan["index"]}) {
    const RewrittenIndexes rewritten = Rewritten("{}", Collection({{"queries", {query}}}));
    EXPECT_EQ(Kinds(rewritten), "aee");
    EXPECT_EQ(Root(rewritten)["indexes"][0]["fields"], json::parse(R"([
        {"fieldPath": "shard", "order": "ASCENDING"},
        {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
        {"fieldPath": "exchange", "order": "ASCENDING"},
        {"fieldPath": "timestamp", "order": "ASCENDING"},
        {"fieldPath": "price", "order": "ASCENDING"}])"));
  }
}

// Where an order begins before the order field, its direction matters.
TEST(RewriteIndexes, KnowsWhatOfAPlanIsFixed) {
  const json fields = json::parse(R"([
      {"field": "shard", "order": "ASCENDING"}, {"field": "kind", "order": "ASCENDING"},
      {"field": "price", "order": "DESCENDING"}, {"field": "timestamp", "order": "ASCENDING"}])");
  const auto of = [&](int fixed) {
    const json index = {{"fields", fields}, {"fixed", fixed}};
    const json plan = {{"indexes", json::array({index})}};
    return Collection({{"queries", json::array({plan})}});
  };
  const std::string other = R"({"indexes": [{"collectionGroup": "instruments",
      "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "kind", "order": "DESCENDING"}, {"fieldPath": "shard", "order": "ASCENDING"},
      {"fieldPath": "price", "order": "ASCENDING"},
      {"fieldPath": "timestamp", "order": "ASCENDING"}]}]})";
  EXPECT_EQ(Kinds(Rewritten(other, of(2))), "aee");
  EXPECT_EQ(Kinds(Rewritten(other, of(3))), "ee") << "of one price, either direction will do";
}

// Each alternative of or() has an index.
TEST(RewriteIndexes, TakesAllIndexesOfAPlan) {
  const json plan = json::parse(R"({"index": [], "indexes": [
      {"fields": [{"field": "shard", "order": "ASCENDING"}, {"field": "a", "order": "ASCENDING"},
                  {"field": "timestamp", "order": "DESCENDING"}], "fixed": 2},
      {"fields": [{"field": "shard", "order": "ASCENDING"},
                  {"field": "tags", "arrayConfig": "CONTAINS"},
                  {"field": "timestamp", "order": "DESCENDING"}], "fixed": 2}]})");
  const RewrittenIndexes rewritten = Rewritten("{}", Collection({{"queries", {plan}}}));
  EXPECT_EQ(Kinds(rewritten), "aaee");
  EXPECT_EQ(Root(rewritten)["indexes"][1]["fields"][1],
            json::parse(R"({"fieldPath": "tags", "arrayConfig": "CONTAINS"})"));
}

// It has neither shard nor order field, and loses nothing.
TEST(RewriteIndexes, AddsWhatQueriesOfAnOrdinaryCollectionNeed) {
  const json plan = json::parse(R"({"indexes": [
      {"fields": [{"field": "a", "order": "ASCENDING"}, {"field": "b", "order": "ASCENDING"}],
       "fixed": 1}]})");
  const RewrittenIndexes rewritten = Rewritten(
      ReadFile("indexes_before.jsonc"),
      Collection({{"ordinary", true}, {"queries", {plan, {{"indexes", json::array()}}}}}));
  EXPECT_EQ(Kinds(rewritten), "a");
  EXPECT_EQ(Root(rewritten)["indexes"].back(), json::parse(R"({"collectionGroup": "instruments",
      "queryScope": "COLLECTION", "fields": [{"fieldPath": "a", "order": "ASCENDING"},
                                             {"fieldPath": "b", "order": "ASCENDING"}]})"));
  EXPECT_EQ(Kinds(Rewritten("{}", Collection({{"ordinary", true}}))), "");
}

TEST(RewriteIndexes, AnIndexThatNoGivenQueryNeedsGoesAllTheSame) {
  const RewrittenIndexes rewritten =
      Rewritten(ReadFile("indexes_before.jsonc"), Collection({{"queries", {{"exchange"}}}}));
  EXPECT_EQ(Kinds(rewritten), "rrraee");
  EXPECT_THAT(rewritten.changes[0].why, ::testing::Not(HasSubstr("None of the queries")));
  EXPECT_THAT(rewritten.changes[1].why, HasSubstr("None of the queries"));
}

TEST(RewriteIndexes, AnOverrideKeepsItsPolicyWhenItIsExempted) {
  const RewrittenIndexes rewritten = Rewritten(R"({"fieldOverrides": [
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "ttl": true,
       "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]})",
                                               Collection());
  EXPECT_EQ(Kinds(rewritten), "ee");
  EXPECT_EQ(Root(rewritten)["fieldOverrides"][0], (json{{"collectionGroup", "instruments"},
                                                        {"fieldPath", "timestamp"},
                                                        {"ttl", true},
                                                        {"indexes", json::array()}}));
}

TEST(RewriteIndexes, AddsTheIndexesThatItIsGiven) {
  const auto given = [](const std::string& indexes) {
    return RewritePlan{{}, {}, IndexFile::Parse(R"({"indexes": )" + indexes + "}").value()};
  };
  const std::string fields =
      R"([{"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}])";
  const std::string of_q =
      R"({"collectionGroup": "q", "queryScope": "COLLECTION", "fields": )" + fields + "}";
  const std::string single = R"({"collectionGroup": "q", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "exempt", "order": "DESCENDING"}]})";
  const std::string text = R"({"indexes": [], "fieldOverrides": [
      {"collectionGroup": "q", "fieldPath": "exempt", "indexes": []}]})";
  const RewritePlan plan = given("[" + of_q + "," + of_q + "," + single + "]");
  const Result<RewrittenIndexes> once = Rewrite(text, plan);
  ASSERT_TRUE(once) << once.error().message;
  EXPECT_EQ(Kinds(*once), "aa");
  EXPECT_EQ(Root(*once)["indexes"], json::array({json::parse(of_q)}));
  // A composite index of one field is none.
  EXPECT_EQ(Root(*once)["fieldOverrides"], json::parse(R"([
      {"collectionGroup": "q", "fieldPath": "exempt",
       "indexes": [{"order": "DESCENDING", "queryScope": "COLLECTION"}]}])"));
  EXPECT_EQ(Rewrite(once->text, plan)->text, once->text);
  // What the library does not know of an entry stays.
  const std::string vectors = R"([{"collectionGroup": "q", "queryScope": "COLLECTION", "fields": [
      {"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {}}}]}])";
  EXPECT_EQ(Root(*Rewrite("{}", given(vectors)))["indexes"], json::parse(vectors));
}

TEST(RewriteIndexes, BadOptionsAreRefusedByName) {
  const auto message = [](const json& options) {
    const Result<ShardedIndexes> read = ReadShardedIndexes(options, "collections[0].");
    EXPECT_FALSE(read) << options;
    return read ? std::string() : read.error().message;
  };
  EXPECT_THAT(message(json::object()), HasSubstr("collections[0].collection"));
  EXPECT_THAT(message({{"collection", 1}}), HasSubstr("collections[0].collection"));
  EXPECT_THAT(message({{"collection", "a"}, {"shards", 3}}), HasSubstr("collections[0].shards"));
  EXPECT_THAT(message({{"collection", "a"}, {"orderField", "b..c"}}), HasSubstr("orderField"));
  EXPECT_THAT(message({{"collection", "a"}, {"orderField", "shard"}}), HasSubstr("two fields"));
  EXPECT_THAT(message({{"collection", "a"}, {"scope", "ALL"}}), HasSubstr("scope"));
  EXPECT_THAT(message({{"collection", "a"}, {"queries", 1}}), HasSubstr("queries"));
  for (const json& query : {json(1), json::object(), json::array({1}), json{{"index", 1}},
                            json::array({json::object()})}) {
    EXPECT_THAT(message({{"collection", "a"}, {"queries", {query}}}), HasSubstr("queries[0]"));
  }
}

}  // namespace
}  // namespace shardline
