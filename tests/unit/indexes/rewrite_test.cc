#include "indexes/rewrite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "indexes/index_text.h"
#include "indexes/sharded_indexes.h"
#include "unit/support/run_size.h"

namespace shardline::rewrite_test {
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
RewrittenIndexes Rewritten(const std::string& text, const RewritePlan& plan) {
  Result<RewrittenIndexes> once = Rewrite(text, plan);
  EXPECT_TRUE(once) << once.error().message;
  const Result<RewrittenIndexes> twice = Rewrite(once->text, plan);
  EXPECT_TRUE(twice && twice->changes.empty() && twice->text == once->text) << once->text;
  return std::move(once).value();
}

// When no query needs the old indexes any more.
RewrittenIndexes Rewritten(const std::string& text, const ShardedIndexes& collection) {
  return Rewritten(text, RewritePlan{{collection}, {}, std::nullopt, true});
}

RewrittenIndexes RewrittenFirst(const std::string& text, const ShardedIndexes& collection) {
  return Rewritten(text, RewritePlan{{collection}, {}});
}

std::string Kinds(const RewrittenIndexes& rewritten) {
  std::string kinds;
  for (const IndexChange& change : rewritten.changes) {
    kinds += "rae"[static_cast<std::size_t>(change.kind)];
  }
  return kinds;
}

json Root(const RewrittenIndexes& rewritten) { return json::parse(rewritten.text); }

// An entry of `indexes`, with fields ascending unless they begin with a minus.
json Entry(const std::string& collection, const std::vector<std::string>& fields,
           const std::string& scope = "COLLECTION") {
  json list = json::array();
  for (const std::string& field : fields) {
    const bool descending = field.front() == '-';
    list.push_back({{"fieldPath", field.substr(descending ? 1 : 0)},
                    {"order", descending ? "DESCENDING" : "ASCENDING"}});
  }
  return {{"collectionGroup", collection}, {"queryScope", scope}, {"fields", list}};
}

// The indexes of queries by the order field alone, newest and oldest first, as plan() has them.
json ByTimestampAlone(const std::string& scope = "COLLECTION") {
  return json::array({Entry("instruments", {"shard", "-timestamp"}, scope),
                      Entry("instruments", {"shard", "timestamp"}, scope)});
}

RewritePlan Asking(std::vector<ShardedIndexes> collections, const json& indexes = nullptr) {
  RewritePlan plan{std::move(collections), {}, std::nullopt, true};
  if (!indexes.is_null()) {
    plan.composites = IndexFile::Parse(json{{"indexes", indexes}}.dump()).value();
  }
  return plan;
}

::testing::AssertionResult Has(const RewrittenIndexes& rewritten, const json& entry) {
  const json root = Root(rewritten);
  for (const json& each : root["indexes"]) {
    if (each == entry) return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << entry << " is not in " << rewritten.text;
}

// https://firebase.google.com/docs/firestore/solutions/shard-timestamp
TEST(RewriteIndexes, DoesWhatFirestoresPageOnShardedTimestampsAsksFor) {
  const RewrittenIndexes rewritten = Rewritten(ReadFile("indexes_before.jsonc"), Collection());
  EXPECT_EQ(Kinds(rewritten), "rrraaaaaee");
  EXPECT_TRUE(rewritten.comments_lost);
  const ordered_json after = ParseIndexText(ReadFile("indexes_after.jsonc"))->root;
  const ordered_json root = ordered_json::parse(rewritten.text);
  // The page has no query by the timestamp alone.
  json indexes = json::parse(after["indexes"].dump());
  for (const json& each : ByTimestampAlone()) indexes.push_back(each);
  EXPECT_EQ(Root(rewritten)["indexes"], indexes);
  EXPECT_EQ(json::parse(root["fieldOverrides"].dump()), json::parse(R"([
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": []},
      {"collectionGroup": "instruments", "fieldPath": "shard", "indexes": []}])"));
  for (const IndexChange& change : rewritten.changes) EXPECT_NE(change.why, "");
  // With the queries given, exactly the page's.
  const RewrittenIndexes given =
      Rewritten(ReadFile("indexes_before.jsonc"),
                Collection({{"queries", {{"exchange"}, {"instrumentType"}, {"price.currency"}}}}));
  EXPECT_EQ(Kinds(given), "rrraaaee");
  EXPECT_EQ(ordered_json::parse(given.text)["indexes"].dump(), after["indexes"].dump());
}

// No file lists the index that Firestore keeps of the order field, and the exemption drops it.
TEST(RewriteIndexes, AQueryByTheOrderFieldAloneKeepsAnIndexInBothDirections) {
  for (const RewritePlan& plan : {RewritePlan{{Collection()}, {}}, Asking({Collection()})}) {
    const RewrittenIndexes rewritten = Rewritten(R"({"indexes": []})", plan);
    EXPECT_EQ(Kinds(rewritten), plan.remove_old ? "aaee" : "aa");
    EXPECT_EQ(Root(rewritten)["indexes"], ByTimestampAlone());
    EXPECT_EQ(rewritten.notes.size(), 0U);
  }
  // Also for a file whose field is exempt already.
  const std::string exempt = R"({"indexes": [], "fieldOverrides": [
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": []}]})";
  EXPECT_EQ(Root(RewrittenFirst(exempt, Collection()))["indexes"], ByTimestampAlone());
  // An index that serves such a query has its shard field in any direction.
  const json there = {{"indexes",
                       {Entry("instruments", {"-shard", "-timestamp"}),
                        Entry("instruments", {"-shard", "timestamp"})}}};
  EXPECT_EQ(Kinds(RewrittenFirst(there.dump(), Collection())), "");
}

TEST(RewriteIndexes, EveryIndexOfTheOrderFieldHasACounterpart) {
  // The collection's own indexes serve queries below one parent.
  const RewrittenIndexes group = Rewritten("{}", Collection({{"scope", "COLLECTION_GROUP"}}));
  EXPECT_EQ(Kinds(group), "aaaaee");
  for (const char* scope : {"COLLECTION", "COLLECTION_GROUP"}) {
    for (const json& each : ByTimestampAlone(scope)) EXPECT_TRUE(Has(group, each));
  }
  const RewrittenIndexes listed = Rewritten(R"({"fieldOverrides": [
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": [
          {"order": "DESCENDING", "queryScope": "COLLECTION_GROUP"}]}]})",
                                            Collection());
  EXPECT_EQ(Kinds(listed), "aaaee");
  EXPECT_TRUE(Has(listed, ByTimestampAlone("COLLECTION_GROUP")[0]));
}

TEST(RewriteIndexes, SaysThatGivenQueriesLeaveOutTheOneByTheOrderFieldAlone) {
  const json by_exchange = json::array({"exchange"});
  const json alone = json::array();
  const json oldest = {{"index",
                        {{{"field", "shard"}, {"order", "ASCENDING"}},
                         {{"field", "timestamp"}, {"order", "ASCENDING"}}}}};
  for (const bool remove_old : {false, true}) {
    const auto notes = [&](const std::string& text, const json& queries) {
      RewritePlan plan = Asking({Collection({{"queries", queries}})});
      plan.remove_old = remove_old;
      return Rewritten(text, plan).notes;
    };
    const std::vector<std::string> lost = notes("{}", json::array({by_exchange}));
    ASSERT_EQ(lost.size(), 1U);
    EXPECT_THAT(lost[0], HasSubstr("instruments by timestamp alone"));
    EXPECT_THAT(lost[0], HasSubstr("add `[]` to `queries`"));
    EXPECT_EQ(notes("{}", json::array({by_exchange, alone})).size(), 0U);
    EXPECT_EQ(notes("{}", json::array({by_exchange, oldest})).size(), 0U);
    EXPECT_EQ(
        notes(json{{"indexes", ByTimestampAlone()}}.dump(), json::array({by_exchange})).size(), 0U);
    // Such a query has had no index before.
    EXPECT_EQ(notes(R"({"fieldOverrides": [{"collectionGroup": "instruments",
        "fieldPath": "timestamp", "indexes": []}]})",
                    json::array({by_exchange}))
                  .size(),
              0U);
  }
  // An ordinary query by the field alone keeps the field's index.
  const RewrittenIndexes kept =
      Rewritten("{}", Asking({Collection({{"queries", {{"exchange"}}}})},
                             json::array({Entry("instruments", {"-timestamp"})})));
  EXPECT_EQ(kept.notes.size(), 0U);
}

// An index with another field in front has a range for each value of that field.
TEST(RewriteIndexes, SaysOfAnOldIndexWhatTheAuditSaysOfIt) {
  const auto whyItGoes = [](const std::vector<std::string>& fields) {
    const json file = {{"indexes", {Entry("instruments", fields)}}};
    return Rewritten(file.dump(), Collection()).changes[0].why;
  };
  EXPECT_EQ(whyItGoes({"sensor", "timestamp"}),
            "timestamp rises behind sensor ascending: each value in front takes about 500 writes a "
            "second, so the index is hot if most documents have the same ones.");
  EXPECT_EQ(whyItGoes({"-timestamp", "sensor"}),
            "timestamp comes first and rises, so all new entries go to one end of the index, which "
            "takes about 500 writes a second.");
}

// Deployed before the old queries are gone, a file without their indexes would break the app.
TEST(RewriteIndexes, KeepsOldIndexesUntilNoQueryNeedsThem) {
  const std::string before = ReadFile("indexes_before.jsonc");
  const json old = json::parse(ParseIndexText(before)->root.dump());
  for (const ShardedIndexes& wanted :
       {Collection(), Collection({{"queries", {{"exchange"}, {"instrumentType"}}}})}) {
    const RewrittenIndexes first = RewrittenFirst(before, wanted);
    EXPECT_EQ(Kinds(first).find_first_not_of('a'), std::string::npos) << Kinds(first);
    const json root = Root(first);
    for (std::size_t i = 0; i < old["indexes"].size(); ++i) {
      EXPECT_EQ(root["indexes"][i], old["indexes"][i]);
    }
    EXPECT_EQ(root.value("fieldOverrides", json::array()),
              old.value("fieldOverrides", json::array()));
    // The second file follows from the first.
    EXPECT_EQ(Rewritten(first.text, wanted).text, Rewritten(before, wanted).text);
  }
}

// An override that the file lists is old, too.
TEST(RewriteIndexes, KeepsTheListedIndexesOfAFieldThatIsToBeExempt) {
  const std::string text = R"({"indexes": [], "fieldOverrides": [
      {"collectionGroup": "q", "fieldPath": "expires", "indexes": [{"order": "ASCENDING"}]}]})";
  RewritePlan plan;
  plan.exemptions.push_back({"q", *FieldPath::Parse("expires"), false, "why"});
  EXPECT_EQ(Rewritten(text, plan).text, text);
  plan.remove_old = true;
  EXPECT_EQ(Root(Rewritten(text, plan))["fieldOverrides"][0]["indexes"], json::array());
}

TEST(RewriteIndexes, ACollectionOf500WritesASecondStaysAsItIs) {
  const std::string before = ReadFile("indexes_before.jsonc");
  const auto at = [](double writes) { return Collection({{"writesPerSecond", writes}}); };
  EXPECT_EQ(Rewritten(before, at(500)).text, before);
  EXPECT_EQ(Rewritten(before, at(501)).text, Rewritten(before, Collection()).text);
}

TEST(RewriteIndexes, SpeaksOfAnIndexOfVectorsThatIsHot) {
  const auto index = [](const std::string& fields) {
    return R"({"indexes": [{"collectionGroup": "instruments", "fields": [)" + fields + "]}]}";
  };
  const std::string vector = R"({"fieldPath": "v", "vectorConfig": {"dimension": 2, "flat": {}}})";
  const std::string order = R"({"fieldPath": "timestamp", "order": "ASCENDING"}, )";
  const RewrittenIndexes hot = Rewritten(index(order + vector), Collection());
  ASSERT_EQ(hot.notes.size(), 1U);
  EXPECT_THAT(hot.notes[0], HasSubstr("timestamp ascending, v as a vector stays. timestamp comes "
                                      "first and rises, so all new entries go to one end"));
  EXPECT_EQ(Rewritten(index(vector), Collection()).notes.size(), 0U);
  const std::string shard = R"({"fieldPath": "shard", "order": "ASCENDING"}, )";
  EXPECT_EQ(Rewritten(index(shard + order + vector), Collection()).notes.size(), 0U);
}

// Two indexes that differ in the direction of `__name__` serve two orders.
TEST(RewriteIndexes, AnIndexWithNamesInTheOtherDirectionServesNoQuery) {
  const auto text = [](const std::string& name) {
    return R"({"indexes": [{"collectionGroup": "instruments", "queryScope": "COLLECTION",
        "fields": [{"fieldPath": "shard", "order": "DESCENDING"},
                   {"fieldPath": "a", "order": "ASCENDING"},
                   {"fieldPath": "timestamp", "order": "DESCENDING"})" +
           name + "]}]}";
  };
  const std::string other = R"(, {"fieldPath": "__name__", "order": "ASCENDING"})";
  const ShardedIndexes wanted = Collection({{"queries", {{"a"}}}});
  EXPECT_EQ(Kinds(RewrittenFirst(text(""), wanted)), "");
  EXPECT_EQ(Kinds(RewrittenFirst(text(other), wanted)), "a");
  // A query that ends in the other direction, as plan() says it.
  const json plan = json::parse(R"({"indexes": [{"fixed": 2, "fields": [
      {"field": "shard", "order": "ASCENDING"}, {"field": "a", "order": "ASCENDING"},
      {"field": "timestamp", "order": "DESCENDING"}, {"field": "__name__", "order": "ASCENDING"}]}]})");
  const ShardedIndexes ending = Collection({{"queries", {plan}}});
  EXPECT_EQ(Kinds(RewrittenFirst(text(other), ending)), "");
  const RewrittenIndexes added = RewrittenFirst(text(""), ending);
  EXPECT_EQ(Kinds(added), "a");
  EXPECT_EQ(Root(added)["indexes"][1]["fields"][3],
            json::parse(R"({"fieldPath": "__name__", "order": "ASCENDING"})"));
}

TEST(RewriteIndexes, LeavesAloneWhatServes) {
  const RewrittenIndexes rewritten =
      Rewritten(ReadFile("indexes_after.jsonc"),
                Collection({{"queries", {{"exchange"}, {"instrumentType"}}}}));
  EXPECT_EQ(Kinds(rewritten), "ee");
  // Equalities are served in any order and direction.
  const std::string text = R"({"indexes": [
      {"collectionGroup": "instruments", "queryScope": "COLLECTION",
       "fields": [{"fieldPath": "a", "order": "DESCENDING"},
                  {"fieldPath": "shard", "order": "ASCENDING"},
                  {"fieldPath": "timestamp", "order": "DESCENDING"},
                  {"fieldPath": "__name__", "order": "DESCENDING"}]}]})";
  EXPECT_EQ(Kinds(Rewritten(text, Collection({{"queries", {{"a"}}}}))), "ee");
  // Not for all collections of the id.
  EXPECT_EQ(
      Kinds(Rewritten(text, Collection({{"queries", {{"a"}}}, {"scope", "COLLECTION_GROUP"}}))),
      "aee");
}

// Firestore reads no index backwards, so both directions have one.
TEST(RewriteIndexes, AnOrderAndItsOppositeNeedAnIndexEach) {
  const auto plan = [](const char* direction) {
    return json{{"index",
                 {{{"field", "shard"}, {"order", "ASCENDING"}},
                  {{"field", "a"}, {"order", "ASCENDING"}},
                  {{"field", "timestamp"}, {"order", direction}}}}};
  };
  const ShardedIndexes both = Collection({{"queries", {plan("DESCENDING"), plan("ASCENDING")}}});
  const RewrittenIndexes rewritten = Rewritten("{}", both);
  EXPECT_EQ(Kinds(rewritten), "aaee");
  EXPECT_EQ(Rewritten(rewritten.text, both).text, rewritten.text);
  // A list of fields is of the newest first, as the plan with that direction.
  EXPECT_EQ(Rewritten(rewritten.text, Collection({{"queries", {{"a"}}}})).text, rewritten.text);
}

TEST(RewriteIndexes, WhatDoesNotChangeKeepsItsCommentsAndItsForm) {
  const std::string text = R"({ // mine
  "indexes" : [ ],
  "fieldOverrides": [
    {"collectionGroup": "instruments", "fieldPath": "timestamp", "indexes": []},
    {"collectionGroup": "instruments", "fieldPath": "shard", "indexes": [], "note": 1},
  ]})";
  const RewrittenIndexes rewritten = Rewritten(text, Collection({{"queries", json::array()}}));
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
  EXPECT_EQ(Kinds(rewritten), "raaaee");
  EXPECT_THAT(rewritten.text, HasSubstr("\n\t\"other\": {}"));
  EXPECT_EQ(Root(rewritten)["indexes"][0], json::parse(R"(
      {"density": "SPARSE_ALL", "collectionGroup": "instruments",
       "queryScope": "COLLECTION_GROUP",
       "fields": [{"fieldPath": "shard", "order": "ASCENDING"},
                  {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
                  {"fieldPath": "timestamp", "order": "ASCENDING", "x": 1},
                  {"fieldPath": "price", "order": "ASCENDING"},
                  {"fieldPath": "__name__", "order": "DESCENDING"}]})"));
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
  EXPECT_EQ(Kinds(rewritten), "aaee");
  json indexes = json::parse(text)["indexes"];
  for (const json& each : ByTimestampAlone()) indexes.push_back(each);
  EXPECT_EQ(Root(rewritten)["indexes"], indexes);
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
  EXPECT_THAT(rewritten.changes[0].why, ::testing::Not(HasSubstr("No query that you gave")));
  EXPECT_THAT(rewritten.changes[1].why, HasSubstr("No query that you gave"));
}

// The Firebase CLI: "indexes" must be an array.
TEST(RewriteIndexes, WhatIsChangedHasAListOfIndexes) {
  EXPECT_TRUE(Root(Rewritten("{}", Collection()))["indexes"].is_array());
  EXPECT_TRUE(Root(Rewritten(R"({"fieldOverrides": []})", Collection()))["indexes"].is_array());
}

TEST(RewriteIndexes, AnOverrideKeepsItsPolicyWhenItIsExempted) {
  const RewrittenIndexes rewritten = Rewritten(R"({"fieldOverrides": [
      {"collectionGroup": "instruments", "fieldPath": "timestamp", "ttl": true,
       "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION_GROUP"}]}]})",
                                               Collection());
  EXPECT_EQ(Kinds(rewritten), "aaaee");
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

json Override(const RewrittenIndexes& rewritten, const std::string& field) {
  const json root = Root(rewritten);
  for (const json& each : root["fieldOverrides"]) {
    if (each["fieldPath"] == field) return each["indexes"];
  }
  return nullptr;
}

const json kAutomatic = json::parse(R"([{"order": "ASCENDING", "queryScope": "COLLECTION"},
    {"order": "DESCENDING", "queryScope": "COLLECTION"},
    {"arrayConfig": "CONTAINS", "queryScope": "COLLECTION"}])");
const json kInGroups = {{"order", "ASCENDING"}, {"queryScope", "COLLECTION_GROUP"}};

json With(json list, const json& entry) {
  list.push_back(entry);
  return list;
}

// An override takes the place of the automatic indexes, which other queries use.
TEST(RewriteIndexes, AnIndexOfAFieldComesOnTopOfThoseThatFirestoreKeepsOfIt) {
  const RewritePlan plan = Asking({}, json::array({Entry("q", {"a"}, "COLLECTION_GROUP")}));
  EXPECT_EQ(Override(Rewritten("{}", plan), "a"), With(kAutomatic, kInGroups));
  // It is automatic.
  EXPECT_EQ(Rewritten("{}", Asking({}, json::array({Entry("q", {"-a"})}))).text, "{}");
  // A TTL policy alone leaves them as they are.
  const std::string ttl = R"({"fieldOverrides": [
      {"collectionGroup": "q", "fieldPath": "a", "ttl": true}]})";
  const RewrittenIndexes kept = Rewritten(ttl, plan);
  EXPECT_EQ(Override(kept, "a"), With(kAutomatic, kInGroups));
  EXPECT_EQ(Root(kept)["fieldOverrides"][0]["ttl"], true);
  // What the map around it has, the field has as well, as the file writes it.
  const std::string map = R"({"fieldOverrides": [{"collectionGroup": "q", "fieldPath": "m",
      "indexes": [{"order": "DESCENDING"}]}]})";
  EXPECT_EQ(
      Override(Rewritten(map, Asking({}, json::array({Entry("q", {"m.a"}, "COLLECTION_GROUP")}))),
               "m.a"),
      json::array({{{"order", "DESCENDING"}}, kInGroups}));
  EXPECT_EQ(Rewritten(map, Asking({}, json::array({Entry("q", {"-m.a"})}))).text, map);
}

TEST(RewriteIndexes, AnIndexOfAnExemptedFieldStaysIfItIsAskedFor) {
  const RewritePlan plan = Asking(
      {Collection()}, {Entry("instruments", {"timestamp"}), Entry("instruments", {"-shard"})});
  const RewrittenIndexes rewritten = Rewritten("{}", plan);
  EXPECT_EQ(Override(rewritten, "timestamp"), json::array({kAutomatic[0]}));
  EXPECT_EQ(Override(rewritten, "shard"), json::array({kAutomatic[1]}));
  // The others go.
  const json file = {{"fieldOverrides",
                      {{{"collectionGroup", "instruments"},
                        {"fieldPath", "timestamp"},
                        {"indexes", With(kAutomatic, kInGroups)}}}}};
  EXPECT_EQ(Override(Rewritten(file.dump(), plan), "timestamp"), json::array({kAutomatic[0]}));
  RewritePlan ttl = Asking({}, json::array({Entry("q", {"expires"})}));
  ttl.exemptions.push_back({"q", *FieldPath::Parse("expires"), true, "why"});
  const RewrittenIndexes expiring = Rewritten("{}", ttl);
  EXPECT_EQ(Override(expiring, "expires"), json::array({kAutomatic[0]}));
  EXPECT_EQ(Root(expiring)["fieldOverrides"][0]["ttl"], true);
}

TEST(RewriteIndexes, CollectionsOfOneIdWithTwoShardFieldsKeepEachOthersIndexes) {
  const json lane = {{"shardField", "lane"}, {"queries", {{"exchange"}, {"shard"}}}};
  const json price = {{"orderField", "price"}, {"queries", {{"exchange"}, {"timestamp", "lane"}}}};
  const RewrittenIndexes rewritten =
      Rewritten(R"({"indexes": []})", Asking({Collection(lane), Collection(price)}));
  EXPECT_EQ(Kinds(rewritten), "aaaaeeee");
  EXPECT_TRUE(Has(rewritten, Entry("instruments", {"-lane", "exchange", "-timestamp"})));
  EXPECT_TRUE(Has(rewritten, Entry("instruments", {"-lane", "shard", "-timestamp"})));
  EXPECT_TRUE(Has(rewritten, Entry("instruments", {"-shard", "exchange", "-price"})));
  EXPECT_TRUE(Has(rewritten, Entry("instruments", {"-shard", "timestamp", "lane", "-price"})));
  // Where no query is given, each gets a counterpart of what is there, and two for the order.
  const RewrittenIndexes both =
      Rewritten(ReadFile("indexes_before.jsonc"),
                Asking({Collection(), Collection({{"shardField", "lane"}})}));
  EXPECT_EQ(Kinds(both), "rrraaaaaaaaaaeee");
}

TEST(RewriteIndexes, TheShardedAndTheOrdinaryFormOfACollectionKeepEachOthersIndexes) {
  const json fields = json::parse(R"([{"field": "exchange", "order": "ASCENDING"},
                                      {"field": "timestamp", "order": "DESCENDING"}])");
  const json index = {{"fields", fields}, {"fixed", 1}};
  const json queries = json::array({{{"indexes", json::array({index})}}});
  const ShardedIndexes ordinary = Collection({{"ordinary", true}, {"queries", queries}});
  const json hot = Entry("instruments", {"exchange", "-timestamp"});
  const json cool = Entry("instruments", {"-shard", "exchange", "-timestamp"});
  for (const ShardedIndexes& sharded : {Collection({{"queries", queries}}), Collection()}) {
    for (const std::string& text : {std::string("{}"), json{{"indexes", {hot}}}.dump()}) {
      for (const auto& order : {Asking({sharded, ordinary}), Asking({ordinary, sharded})}) {
        const RewrittenIndexes rewritten = Rewritten(text, order);
        EXPECT_TRUE(Has(rewritten, hot));
        EXPECT_TRUE(Has(rewritten, cool));
        EXPECT_EQ(Root(rewritten)["indexes"].size(), sharded.queries ? 2U : 4U);
      }
    }
  }
  // An ordinary query by the order field alone.
  const RewrittenIndexes alone = Rewritten(
      "{}", Asking({Collection(), Collection({{"ordinary", true}, {"queries", {json::array()}}})}));
  EXPECT_EQ(Override(alone, "timestamp"), json::array({kAutomatic[1]}));
}

TEST(RewriteIndexes, AnIndexThatIsAskedForStaysHoweverHotItIs) {
  const json hot = Entry("instruments", {"exchange", "timestamp"});
  const json group = Entry("instruments", {"timestamp", "exchange"}, "COLLECTION_GROUP");
  const json other = Entry("instruments", {"timestamp", "price"});
  for (const json& before : {json::array(), json::array({hot, other}), json::array({group})}) {
    const RewrittenIndexes rewritten =
        Rewritten(json{{"indexes", before}}.dump(),
                  Asking({Collection({{"queries", {{"exchange"}}}})}, {hot, group}));
    EXPECT_TRUE(Has(rewritten, hot));
    EXPECT_TRUE(Has(rewritten, group));
    EXPECT_TRUE(Has(rewritten, Entry("instruments", {"-shard", "exchange", "-timestamp"})));
    EXPECT_FALSE(Has(rewritten, other));
  }
}

// No part of a plan asks for what another takes away, whatever they are and whatever the file says.
TEST(RewriteIndexes, AnyPlanIsDoneAtOnce) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  const std::vector<std::string> names = {"shard", "lane", "timestamp", "price", "a"};
  const auto fields = [&](std::size_t least) {
    std::vector<std::string> some = names;
    std::shuffle(some.begin(), some.end(), random);
    some.resize(least + below(3));
    for (std::string& each : some) each = (below(3) == 0 ? "-" : "") + each;
    return some;
  };
  const auto entries = [&](std::size_t least) {
    json list = json::array();
    for (std::size_t i = below(4); i > 0; --i) {
      list.push_back(Entry(below(3) == 0 ? "other" : "instruments", fields(least),
                           below(3) == 0 ? "COLLECTION_GROUP" : "COLLECTION"));
    }
    return list;
  };
  for (int time = 0; time < InRun(100, 500); ++time) {
    json overrides = json::array();
    for (const std::string& name : names) {
      if (below(4) != 0) continue;
      overrides.push_back({{"collectionGroup", "instruments"}, {"fieldPath", name}});
      if (below(3) != 0) overrides.back()["indexes"] = json::array({kAutomatic[below(3)]});
    }
    const json text = {{"indexes", entries(2)}, {"fieldOverrides", overrides}};
    std::vector<ShardedIndexes> collections;
    for (std::size_t i = below(4); i > 0; --i) {
      json options = {{"shardField", names[below(2)]}, {"orderField", names[2 + below(2)]}};
      if (below(3) == 0) options["ordinary"] = true;
      if (below(3) == 0) options["scope"] = "COLLECTION_GROUP";
      if (below(3) != 0) {
        options["queries"] = json::array();
        for (std::size_t j = below(3); j > 0; --j) {
          json list = json::array();
          for (const std::string& each : fields(1)) {
            list.push_back({{"field", each.substr(each.front() == '-' ? 1 : 0)},
                            {"order", each.front() == '-' ? "DESCENDING" : "ASCENDING"}});
          }
          options["queries"].push_back(
              {{"indexes", json::array({{{"fields", list}, {"fixed", below(list.size())}}})}});
        }
      }
      collections.push_back(Collection(options));
    }
    const json given = entries(1);
    const RewrittenIndexes rewritten = Rewritten(text.dump(), Asking(collections, given));
    ASSERT_FALSE(::testing::Test::HasFailure()) << text;
    // All that was given is there, and each query has an index of its fields.
    const IndexFile file = IndexFile::Parse(rewritten.text).value();
    for (const ShardedIndexes& each : collections) {
      for (const QueryIndex& query : each.queries.value_or(std::vector<QueryIndex>())) {
        std::set<FieldPath> wanted;
        for (const IndexField& field : query.fields) wanted.insert(field.path);
        if (each.is_sharded) wanted.insert(each.shard_field);
        if (wanted.size() == 1) continue;
        const auto has_them = [&](const CompositeIndex& index) {
          std::set<FieldPath> there;
          for (const IndexField& field : index.fields) there.insert(field.path);
          return index.collection_group == each.collection_group && index.scope == each.scope &&
                 there == wanted;
        };
        ASSERT_TRUE(std::any_of(file.composites().begin(), file.composites().end(), has_them))
            << text << rewritten.text;
      }
    }
    for (const json& each : given) {
      if (each["fields"].size() > 1) {
        ASSERT_TRUE(Has(rewritten, each)) << text;
        continue;
      }
      const CompositeIndex wanted =
          IndexFile::Parse(json{{"indexes", {each}}}.dump()).value().composites()[0];
      const auto there =
          file.SingleIndexes(wanted.collection_group, wanted.fields[0].path.segments());
      ASSERT_THAT(std::vector<SingleIndex>(there.begin(), there.end()),
                  ::testing::Contains(SingleIndex{wanted.fields[0].mode, wanted.scope}))
          << rewritten.text;
    }
  }
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
}  // namespace shardline::rewrite_test
