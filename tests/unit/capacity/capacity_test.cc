#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "capacity/cost.h"
#include "capacity/shards_for.h"
#include "firestore/limits_and_prices.h"
#include "simulator/limits.h"
#include "simulator/simulator.h"
#include "unit/support/text.h"

namespace shardline::capacity_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

using Tool = Result<std::string> (*)(const PaddedText&);

json Answer(Tool tool, const json& options) {
  const Result<std::string> answer = tool(Text(json::array({options}).dump()));
  EXPECT_TRUE(answer) << options << ": " << answer.error().message;
  return json::parse(answer.value_or("{}"));
}

std::string Refusal(Tool tool, const json& options) {
  const Result<std::string> answer = tool(Text(json::array({options}).dump()));
  EXPECT_FALSE(answer) << options;
  return answer ? std::string() : answer.error().message;
}

json CostOf(const json& options) { return Answer(Cost, options); }

// https://firebase.google.com/docs/firestore/solutions/shard-timestamp: 1,000 to 1,500 updates a
// second need three shards.
TEST(ShardsFor, AsFirestoresPageOnShardedTimestampsCounts) {
  const json needed = Answer(ShardsFor, {{"writesPerSecond", 1'000}, {"burst", 1'500}});
  EXPECT_EQ(needed["collection"]["shards"], 3);
  EXPECT_EQ(needed["collection"]["tooEarly"], false);
  EXPECT_EQ(needed["counter"]["shards"], 1'000);
  EXPECT_EQ(needed["rampUpMinutes"], 15);
}

TEST(ShardsFor, SaysWhatIsTooEarly) {
  const json needed = Answer(ShardsFor, {{"writesPerSecond", 500}});
  EXPECT_EQ(needed["collection"]["shards"], 1);
  EXPECT_EQ(needed["collection"]["tooEarly"], true);
  EXPECT_THAT(needed["collection"]["why"].get<std::string>(), HasSubstr("only cost"));
  EXPECT_EQ(needed["rampUpMinutes"], 0);
  EXPECT_EQ(Answer(ShardsFor, {{"writesPerSecond", 501}})["collection"]["tooEarly"], false);
  EXPECT_EQ(Answer(ShardsFor, {{"writesPerSecond", 0.1}})["counter"]["shards"], 1);
  // A burst that documents take at once.
  EXPECT_EQ(Answer(ShardsFor, {{"writesPerSecond", 0.1}, {"burst", 50}})["counter"]["shards"], 10);
}

TEST(ShardsFor, SaysWhereShardsAreNotEnough) {
  const json needed = Answer(ShardsFor, {{"writesPerSecond", 20'000}});
  EXPECT_EQ(needed["counter"]["shards"], 10'000);
  EXPECT_EQ(needed["counter"]["enough"], false);
  EXPECT_EQ(needed["collection"]["shards"], 40);
  EXPECT_EQ(needed["collection"]["enough"], true);
}

TEST(Cost, OfTheStandardEditionCountsDocuments) {
  const json cost = CostOf({{"increments", {{"perMonth", 1'000'000}}},
                            {"totals", {{"perMonth", 1'000'000}, {"shards", 1'001}}},
                            {"inserts", {{"perMonth", 1'000'000}, {"indexes", 5}}},
                            {"queries", {{"perMonth", 1'000}, {"limit", 20}, {"chunks", 3}}},
                            {"watches", {{"perMonth", 2}, {"hours", 10}, {"changing", 0.5}}}});
  EXPECT_EQ(cost["items"]["increments"]["writes"], 2'000'000);
  EXPECT_DOUBLE_EQ(cost["items"]["increments"]["dollars"], 1.80);
  EXPECT_DOUBLE_EQ(cost["items"]["increments"]["dollarsPerMillion"], 1.80);
  EXPECT_EQ(cost["items"]["totals"]["reads"], 2'000'000);
  EXPECT_EQ(cost["items"]["inserts"]["writes"], 1'000'000);
  EXPECT_EQ(cost["items"]["queries"]["reads"], 20'000);
  EXPECT_EQ(cost["items"]["queries"]["readsAtWorst"], 60'000);
  // Five hours at rest: seven readings in the first 32.2 seconds, then one each 16 seconds.
  EXPECT_EQ(cost["items"]["watches"]["reads"], 2 * (5 * 3'600 + 7 + 1'123));
  // Each of a million markers has 113 bytes, which are kept for 46 days of a month of 30.4.
  EXPECT_EQ(cost["items"]["markers"]["deletes"], 1'000'000);
  EXPECT_NEAR(cost["items"]["markers"]["storedGiB"].get<double>(), 0.159, 0.001);
  EXPECT_NEAR(cost["items"]["markers"]["dollars"].get<double>(), 0.10 + 0.159 * 0.18, 0.0005);
  EXPECT_NEAR(cost["perMonth"]["dollars"].get<double>(),
              3 * 0.90 + (2'000'000 + 20'000 + 38'260) * 0.30 / 1e6 + 0.10 + 0.159 * 0.18, 0.0005);
  EXPECT_EQ(cost["prices"]["asOf"], kPricesAsOf);
  const json nam5 = CostOf({{"location", "nam5"}, {"increments", {{"perMonth", 1'000'000}}}});
  EXPECT_DOUBLE_EQ(nam5["items"]["increments"]["dollars"], 3.60);
}

TEST(Cost, OfRatingsAndReactions) {
  const json items = CostOf({{"choices", {{"perMonth", 1'000'000}, {"changed", 0.25}}},
                             {"summaries", {{"perMonth", 1'000}, {"shards", 100}}}})["items"];
  EXPECT_EQ(items["choices"]["writes"], 2'000'000);
  EXPECT_EQ(items["choices"]["reads"], 250'000);
  EXPECT_EQ(items["summaries"]["reads"], 1'000);
  const json shards = {{"summaries", {{"perMonth", 1'000}, {"source", "shards"}}}};
  EXPECT_EQ(CostOf(shards)["items"]["summaries"]["reads"], 10'000);
  EXPECT_THAT(Refusal(Cost, {{"choices", {{"perMonth", 1}, {"changed", 2}}}}),
              HasSubstr("choices.changed"));
}

TEST(Cost, OfWatchesCountsTheReadingsUntilTheyComeToRest) {
  const auto reads = [](double seconds, double changing, double interval = 1'000) {
    return CostOf({{"watches",
                    {{"hours", seconds / 3'600},
                     {"changing", changing},
                     {"intervalMs", interval}}}})["perMonth"]["reads"];
  };
  EXPECT_EQ(reads(0, 1), 0);
  EXPECT_EQ(reads(1, 1), 1);
  EXPECT_EQ(reads(60, 1), 60);
  // At 0, 1, 2.5, 4.75, 8.1, 13.2, 20.8, 32.2, 48.2 and 64.2 seconds.
  EXPECT_EQ(reads(1, 0), 1);
  EXPECT_EQ(reads(1.5, 0), 2);
  EXPECT_EQ(reads(60, 0), 9);
  EXPECT_EQ(reads(65, 0), 10);
  EXPECT_EQ(reads(120, 0.5), 69);
  EXPECT_EQ(reads(60, 1, 5'000), 12);
  EXPECT_EQ(reads(300, 0, 5'000), 9);
  EXPECT_EQ(reads(730 * 3'600, 1), 730 * 3'600);
}

TEST(Cost, OfListeningIsTheFirstReadingEachShardAndEachChange) {
  const auto reads = [](const json& listens, const char* edition = "standard") {
    return CostOf({{"edition", edition}, {"listens", listens}})["perMonth"]["reads"];
  };
  EXPECT_EQ(reads(json::object()), 11);
  EXPECT_EQ(reads({{"perMonth", 3}, {"shards", 5}, {"changes", 7}}), 3 * (1 + 5 + 7));
  // One unit of 4 KiB for the sum, and one for each document.
  EXPECT_EQ(reads({{"changes", 2}}, "enterprise"), 1 + 10 + 2);
}

TEST(Cost, OfIncrementsFollowsDeliveryAndGathering) {
  const auto writes = [](const json& more) {
    json increments = {{"perMonth", 100}};
    increments.update(more);
    return CostOf({{"increments", increments}})["perMonth"];
  };
  EXPECT_EQ(writes({{"delivery", "at-least-once"}})["writes"], 100);
  EXPECT_EQ(writes({{"perCommit", 10}})["writes"], 20);
  EXPECT_EQ(writes({{"perCommit", 10}})["deletes"], 10);
  EXPECT_FALSE(writes({{"delivery", "at-least-once"}}).contains("deletes"));
  EXPECT_EQ(writes({{"delivery", "transaction"}})["reads"], 100);
  EXPECT_EQ(writes({{"delivery", "transaction"}})["writes"], 100);
}

// https://firebase.google.com/docs/firestore/enterprise/pricing-examples
TEST(Cost, OfTheEnterpriseEditionCountsUnits) {
  const auto reads = [](const char* item, json options) {
    options["perMonth"] = 1;
    return CostOf({{"edition", "enterprise"}, {item, options}})["perMonth"]["reads"];
  };
  // A scan of 100 documents of 1 KiB.
  EXPECT_EQ(reads("totals", {{"shards", 100}, {"shardBytes", 1'024}}), 25);
  // A scan of 100 index entries of 128 bytes.
  EXPECT_EQ(reads("totals", {{"shards", 100}, {"shardBytes", 128}}), 4);
  // 1,000 items whose content does not matter.
  EXPECT_EQ(reads("totals", {{"shards", 1'000}, {"shardBytes", 0}}), 8);
  // A scan of 128 index entries of 256 bytes, and point reads of as many documents of 4 KiB.
  EXPECT_EQ(reads("queries", {{"limit", 128}, {"entryBytes", 256}, {"documentBytes", 4'096}}), 136);
  const json backfill = CostOf({{"edition", "enterprise"},
                                {"backfill",
                                 {{"documents", 1'000'000},
                                  {"written", 500'000},
                                  {"documentBytes", 5'000},
                                  {"indexes", 2}}}});
  EXPECT_EQ(backfill["perMonth"]["reads"], 2'000'000);
  EXPECT_EQ(backfill["perMonth"]["writes"], 500'000 * 7);
  const json inserts =
      CostOf({{"edition", "enterprise"},
              {"inserts", {{"perMonth", 1'000'000}, {"documentBytes", 1'500}, {"indexes", 3}}}});
  EXPECT_EQ(inserts["perMonth"]["writes"], 5'000'000);
  EXPECT_DOUBLE_EQ(inserts["perMonth"]["dollars"], 5 * 0.26);
  EXPECT_EQ(inserts["unit"], "units");
  const json increments =
      CostOf({{"edition", "enterprise"}, {"increments", {{"perMonth", 1'000'000}}}});
  EXPECT_EQ(increments["perMonth"]["writes"], 2'000'000);
  EXPECT_NEAR(increments["items"]["markers"]["dollars"].get<double>(), 0.26 + 0.159 * 0.18, 0.0005);
}

TEST(Cost, TakesOfStocks) {
  const json items = CostOf({{"takes",
                              {{"perMonth", 1'000},
                               {"refused", 9'000},
                               {"held", 500},
                               {"confirmed", 400},
                               {"putBack", 50}}}})["items"];
  const auto line = [&](const char* name) {
    const json& item = items[name];
    return json{item["reads"], item["writes"], item.value("deletes", 0.0)};
  };
  EXPECT_EQ(line("takes"), (json{1'000, 2'000, 0}));
  EXPECT_EQ(line("refusals"), (json{27'000, 0, 0}));
  EXPECT_EQ(line("confirmations"), (json{400, 400, 0}));
  EXPECT_EQ(line("lapsedHolds"), (json{300, 200, 0}));
  EXPECT_EQ(line("putBacks"), (json{50, 100, 0}));
  EXPECT_EQ(line("returnedTakes"), (json{0, 0, 150}));
  // 850 takes of 195 bytes, for a year.
  EXPECT_NEAR(items["keptTakes"]["storedGiB"].get<double>(), 850 * 195.0 / 1'073'741'824 * 12,
              1e-9);
  const json simple = CostOf({{"takes", {{"perMonth", 10}}}});
  EXPECT_EQ(simple["items"].size(), 2U) << simple;
  EXPECT_EQ(simple["perMonth"]["reads"], 10);
  // An app that chooses the keys pays for the reading of each take's document.
  const json own = CostOf({{"takes", {{"perMonth", 10}, {"refused", 1}, {"key", "own"}}}});
  EXPECT_EQ(own["perMonth"]["reads"], 25);
  // The enterprise edition bills the entry of the units' index.
  const json enterprise = CostOf({{"edition", "enterprise"}, {"takes", {{"perMonth", 10}}}});
  EXPECT_EQ(enterprise["perMonth"]["writes"], 30);
  const auto refusal = [](const char* option, double value) {
    json takes = {{"perMonth", 10}, {"held", 6}};
    takes[option] = value;
    return Refusal(Cost, {{"takes", takes}});
  };
  EXPECT_THAT(refusal("held", 11), HasSubstr("takes.held"));
  EXPECT_THAT(refusal("confirmed", 7), HasSubstr("takes.confirmed"));
  EXPECT_THAT(refusal("putBack", 11), HasSubstr("takes.putBack"));
  EXPECT_THAT(refusal("months", -1), HasSubstr("takes.months"));
  EXPECT_THAT(refusal("shards", 1), HasSubstr("takes.shards"));
}

TEST(Cost, PricesThatAreNotKnownMustBeGiven) {
  EXPECT_THAT(Refusal(Cost, {{"location", "asia-south1"}}), HasSubstr("pass `prices`"));
  EXPECT_THAT(Refusal(Cost, {{"edition", "enterprise"}, {"location", "nam5"}}),
              HasSubstr("pass `prices`"));
  const json given = CostOf({{"location", "asia-south1"},
                             {"prices", {{"reads", 1}, {"writes", 2}, {"deletes", 3}}},
                             {"inserts", {{"perMonth", 1'000'000}}}});
  EXPECT_DOUBLE_EQ(given["perMonth"]["dollars"], 2);
  const json stored = CostOf({{"prices", {{"writes", 0}, {"deletes", 0}, {"storage", 1'000}}},
                              {"increments", {{"perMonth", 1'000'000}}}});
  EXPECT_NEAR(stored["perMonth"]["dollars"].get<double>(), 159, 1);
  EXPECT_EQ(given["prices"]["source"], "given");
  EXPECT_EQ(given["prices"]["asOf"], nullptr);
  EXPECT_THAT(Refusal(Cost, {{"location", "asia-south1"}, {"prices", {{"reads", 1}}}}),
              HasSubstr("prices.writes"));
}

TEST(Capacity, BadOptionsAreRefusedByName) {
  EXPECT_THAT(Refusal(ShardsFor, 7), HasSubstr("object"));
  EXPECT_THAT(Refusal(ShardsFor, json::object()), HasSubstr("writesPerSecond"));
  EXPECT_THAT(Refusal(ShardsFor, {{"writesPerSecond", 0}}), HasSubstr("above 0"));
  EXPECT_THAT(Refusal(ShardsFor, {{"writesPerSecond", "1"}}), HasSubstr("writesPerSecond"));
  EXPECT_THAT(Refusal(ShardsFor, {{"writesPerSecond", 1}, {"bursts", 2}}), HasSubstr("bursts"));
  EXPECT_THAT(Refusal(Cost, {{"edition", "premium"}}), HasSubstr("standard, enterprise"));
  EXPECT_THAT(Refusal(Cost, {{"inserts", 1}}), HasSubstr("inserts"));
  EXPECT_THAT(Refusal(Cost, {{"backfill", {{"documents", 5}, {"written", 6}}}}),
              HasSubstr("backfill.written"));
  EXPECT_THAT(Refusal(Cost, {{"inserts", {{"perMonth", -1}}}}), HasSubstr("inserts.perMonth"));
  EXPECT_THAT(Refusal(Cost, {{"inserts", {{"perMonth", 1}, {"shards", 1}}}}),
              HasSubstr("inserts.shards"));
  EXPECT_THAT(Refusal(Cost, {{"increments",
                              {{"perMonth", 1}, {"delivery", "transaction"}, {"perCommit", 2}}}}),
              HasSubstr("perCommit"));
}

// What the embedded Firestore's meter shows is what cost() says of the same.
TEST(Capacity, TheEmbeddedFirestoreHasTheSameLimitsAndPrices) {
  const simulator::Limits limits;
  EXPECT_EQ(limits.document_writes_per_second, kDocumentWritesPerSecond);
  EXPECT_EQ(limits.tablet_writes_per_second, kRisingIndexWritesPerSecond);
  simulator::Simulator simulator({});
  json writes = json::array();
  for (int i = 0; i < 10; ++i) {
    writes.push_back({{"update",
                       {{"name", "projects/p/databases/(default)/documents/a/" + std::to_string(i)},
                        {"fields", json::object()}}}});
  }
  simulator.Handle(
      {"POST", "/v1/projects/p/databases/(default)/documents:commit", simulator::Caller::kAdmin},
      PaddedText(json({{"writes", writes}}).dump()), Timestamp{1'000'000});
  const json seen = json::parse(simulator.Observation(Timestamp{2'000'000}));
  const json cost = CostOf({{"inserts", {{"perMonth", 10}}}});
  EXPECT_EQ(seen["billed"]["writes"], cost["perMonth"]["writes"]);
  EXPECT_DOUBLE_EQ(seen["billed"]["dollars"], cost["perMonth"]["dollars"]);
}

}  // namespace
}  // namespace shardline::capacity_test
