#include "experiment/experiment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "unit/support/run_size.h"

namespace shardline::experiment::experiment_test {
namespace {

using Json = nlohmann::json;

Json RunAll(const Json& options) {
  auto experiment = Experiment::Make(PaddedText(options.dump()));
  if (!experiment) {
    ADD_FAILURE() << experiment.error().message;
    return {};
  }
  while (!(*experiment)->Advance(10'000)) {
  }
  EXPECT_FALSE((*experiment)->error()) << (*experiment)->error()->message;
  return Json::parse((*experiment)->Report());
}

// `over` overrides members of the preset.
Json RunPreset(std::string_view preset, Json over = Json::object()) {
  over["preset"] = std::string(preset);
  return RunAll(over);
}

// A preset of inserts. In the default run, a tenth of the users meet a tenth of the limit.
Json RunInserts(std::string_view preset) {
  const Json tenth = {
      {"users", 200}, {"arrivalsPerSecond", 5}, {"limits", {{"tabletWritesPerSecond", 50}}}};
  return RunPreset(preset, InRun(tenth, Json::object()));
}

std::string Refusal(std::string_view json) {
  const auto experiment = Experiment::Make(PaddedText(json));
  if (experiment) return "accepted";
  EXPECT_EQ(experiment.error().code, Code::kInvalidArgument);
  return experiment.error().message;
}

// ---- What the model claims: writes a second are proportional to the shards. ----

TEST(CounterExperiment, OneDocumentTakesOneWriteASecond) {
  const Json report = RunPreset("singleDocument");
  EXPECT_NEAR(report["throughput"].get<double>(), 1, 0.15);
  EXPECT_EQ(report["users"], 1000);
  EXPECT_EQ(report["seconds"], 120);
  EXPECT_GT(report["operations"]["failed"], report["operations"]["acknowledged"]);
  EXPECT_GT(report["requests"]["retries"], 1000);
  EXPECT_GT(report["latencyMs"]["p50"], 5'000);
  EXPECT_GT(report["server"]["contention"]["aborted"], 1000);
}

TEST(CounterExperiment, ShardsMultiplyIt) {
  EXPECT_NEAR(RunPreset("tenShards")["throughput"].get<double>(), 10, 1);
  EXPECT_NEAR(RunPreset("fiftyShards")["throughput"].get<double>(), 50, 5);
}

TEST(CounterExperiment, EnoughShardsTakeEverything) {
  const Json report =
      RunAll({{"kind", "counter"}, {"shards", 2000}, {"users", 200}, {"seconds", 30}});
  EXPECT_EQ(report["operations"]["acknowledged"], report["operations"]["started"]);
  EXPECT_LT(report["latencyMs"]["p99"], 100);
  EXPECT_EQ(report["requests"]["retries"], 0);
}

TEST(CounterExperiment, TheSeriesAddUp) {
  const Json report =
      RunAll({{"kind", "counter"}, {"shards", 500}, {"users", 100}, {"seconds", 20}});
  const Json& series = report["perSecond"];
  ASSERT_EQ(series["acknowledged"].size(), 20u);
  std::int64_t started = 0;
  double acknowledged = 0;
  for (std::size_t second = 0; second < 20; ++second) {
    started += series["started"][second].get<std::int64_t>();
    acknowledged += series["acknowledged"][second].get<double>();
  }
  EXPECT_EQ(report["operations"]["started"], started);
  EXPECT_DOUBLE_EQ(report["throughput"], acknowledged / 20);
  EXPECT_GT(series["started"][19], series["started"][0]);
}

TEST(CounterExperiment, WithoutFaultsTheCountIsExact) {
  for (const char* preset : {"singleDocument", "tenShards"}) {
    const Json report = RunPreset(preset, {{"users", 100}, {"seconds", 20}});
    EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]) << preset;
    EXPECT_GT(report["count"]["found"], 10);
  }
}

TEST(CounterExperiment, LostAnswersShowInTheCount) {
  const Json faults = {{"dropResponse", 0.2}};
  const Json twice = RunAll({{"kind", "counter"},
                             {"shards", 1000},
                             {"users", 200},
                             {"seconds", 20},
                             {"faults", faults},
                             {"delivery", "at-least-once"}});
  EXPECT_GT(twice["count"]["extra"], 100) << "sent again, and counted again";
  EXPECT_EQ(twice["count"]["lost"], 0);
  EXPECT_GT(twice["requests"]["lost"], 100);
  const Json once = RunAll({{"kind", "counter"},
                            {"shards", 1000},
                            {"users", 200},
                            {"seconds", 20},
                            {"faults", faults},
                            {"delivery", "transaction"}});
  EXPECT_EQ(once["count"]["extra"], 0);
  EXPECT_EQ(once["count"]["lost"], 0);
  EXPECT_GT(once["failures"]["outcome-unknown"], 100);
}

TEST(CounterExperiment, ExactlyOnceIsExactWhateverGetsLost) {
  const Json faults = {{"dropResponse", 0.2}, {"dropRequest", 0.1}, {"unavailable", 0.1}};
  const Json report = RunAll({{"kind", "counter"},
                              {"shards", 1000},
                              {"users", 200},
                              {"seconds", 30},
                              {"faults", faults},
                              {"delivery", "exactly-once"}});
  EXPECT_GT(report["requests"]["lost"], 100);
  EXPECT_GT(report["operations"]["acknowledged"], 1000);
  EXPECT_EQ(report["operations"]["acknowledged"], report["operations"]["started"]);
  EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]);
}

// What the library keeps for itself must not be the hot range that the library is for: with enough
// shards, exactly once is as fast as at least once, whether users come slowly or at once. A tenth
// of 3,000 shards and 1,500 users, at a tenth of what a tablet takes.
TEST(CounterExperiment, ExactlyOnceIsAsFastAsAtLeastOnceInLongRun) {
  const auto throughput = [](const char* delivery, int arrivals, int seconds) {
    const Json report = RunAll({{"kind", "counter"},
                                {"shards", 300},
                                {"users", 150},
                                {"arrivalsPerSecond", arrivals},
                                {"seconds", seconds},
                                {"limits", {{"tabletWritesPerSecond", 50}, {"tabletBurst", 5}}},
                                {"delivery", delivery}});
    EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]) << delivery;
    return report["throughput"].get<double>();
  };
  for (const auto& [arrivals, seconds] : {std::pair(1, 300), std::pair(100, 60)}) {
    const double at_least_once = throughput("at-least-once", arrivals, seconds);
    EXPECT_GT(at_least_once, 90);
    EXPECT_GE(throughput("exactly-once", arrivals, seconds), 0.9 * at_least_once) << arrivals;
  }
}

// ---- Inserts ----

TEST(InsertExperiment, ASequentialIndexTakes500WritesASecond) {
  const Json report = RunInserts("sequentialInserts");
  const Json& acknowledged = report["perSecond"]["acknowledged"];
  EXPECT_NEAR(acknowledged[50].get<double>(), InRun(50, 500), InRun(8, 60));
  EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]);
}

TEST(InsertExperiment, ShardsMultiplyItOnceTheOldIndexIsGone) {
  const Json sharded = RunInserts("shardedInserts");
  EXPECT_GT(sharded["perSecond"]["acknowledged"][55], InRun(130, 1300));
  const Json old_index = RunInserts("shardedInsertsOldIndex");
  EXPECT_NEAR(old_index["perSecond"]["acknowledged"][50].get<double>(), InRun(50, 500),
              InRun(8, 60));
}

// ---- Ids ----

TEST(IdExperiment, TransactionsAreRightAndSlow) {
  const Json report = RunPreset("idsByTransaction");
  EXPECT_EQ(report["ids"]["duplicates"], 0);
  EXPECT_NEAR(report["throughput"].get<double>(), 1, 0.15);
}

TEST(IdExperiment, TheSumOfShardsGivesDuplicates) {
  const Json report = RunPreset("idsBySum", {{"seconds", InRun(25, 120)}});
  EXPECT_GT(report["ids"]["duplicates"], 100);
  EXPECT_EQ(report["ids"]["issued"], report["operations"]["acknowledged"]);
  EXPECT_GT(report["throughput"], 20);
}

TEST(IdExperiment, BlocksAreRightAndFast) {
  const Json report = RunPreset("idsByBlocks");
  EXPECT_EQ(report["ids"]["duplicates"], 0);
  EXPECT_EQ(report["ids"]["issued"], report["operations"]["acknowledged"]);
  EXPECT_GT(report["throughput"], 500);
  EXPECT_LT(report["latencyMs"]["p50"], 1);
}

TEST(IdExperiment, BlocksStayUniqueWhateverGetsLost) {
  const Json report = RunPreset("idsByBlocks", {{"faults", {{"dropResponse", 0.3}}}, {"block", 3}});
  EXPECT_EQ(report["ids"]["duplicates"], 0);
  EXPECT_GT(report["requests"]["lost"], 1000);
}

// ---- Stock ----

// Twice as many people as units, who all press at the same moment, once each.
Json RunRush(std::string_view way, int shards, Json over = Json::object()) {
  const int units = InRun(100, 500);
  Json options = {{"kind", "stock"},
                  {"shards", shards},
                  {"users", 2 * units},
                  {"arrivalsPerSecond", 1'000'000},
                  {"thinkMs", 10'000'000},
                  {"seconds", 10},
                  {"stock", {{"way", std::string(way)}, {"units", units}}}};
  options.update(over);
  return RunAll(options);
}

TEST(StockExperiment, AStockSellsEachUnitOnceAndAnswersEveryone) {
  const Json report = RunRush("stock", InRun(10, 50));
  EXPECT_EQ(report["stock"]["taken"], report["stock"]["units"]);
  EXPECT_EQ(report["stock"]["refused"], report["stock"]["units"]);
  EXPECT_EQ(report["stock"]["oversold"], 0);
  EXPECT_EQ(report["stock"]["left"], 0);
  EXPECT_EQ(report["operations"]["failed"], 0);
  EXPECT_EQ(report["operations"]["acknowledged"], report["users"]);
}

TEST(StockExperiment, UsersWhoReadTheSameSumOversell) {
  const Json report = RunRush("naive", InRun(10, 50));
  EXPECT_GT(report["stock"]["oversold"], InRun(50, 250));
  EXPECT_LT(report["stock"]["left"], InRun(-50, -250));
  EXPECT_EQ(report["stock"]["refused"], 0) << "everyone has read that units are left";
}

TEST(StockExperiment, OneDocumentIsRightAndLeavesMostPeopleWithoutAnAnswer) {
  const Json report = RunRush(
      "transaction", 1, {{"users", 600}, {"stock", {{"way", "transaction"}, {"units", 300}}}});
  EXPECT_EQ(report["stock"]["oversold"], 0);
  EXPECT_GT(report["stock"]["taken"], 10);
  EXPECT_LT(report["stock"]["taken"], 200);
  EXPECT_GT(report["operations"]["failed"], report["operations"]["acknowledged"]);
}

TEST(StockExperiment, ATransactionRefusesWhenAllIsSold) {
  const Json report = RunAll({{"kind", "stock"},
                              {"shards", 1},
                              {"users", 20},
                              {"arrivalsPerSecond", 0.2},
                              {"thinkMs", 10'000'000},
                              {"seconds", 100},
                              {"stock", {{"way", "transaction"}, {"units", 12}}}});
  EXPECT_EQ(report["stock"]["taken"], 12);
  EXPECT_EQ(report["stock"]["refused"], 8);
  EXPECT_EQ(report["stock"]["left"], 0);
}

TEST(StockExperiment, UsersTakeUntilTheyAreRefusedOnce) {
  for (const char* way : {"stock", "naive"}) {
    const Json report = RunAll({{"kind", "stock"},
                                {"shards", 100},
                                {"users", 20},
                                {"arrivalsPerSecond", 10},
                                {"thinkMs", 100},
                                {"seconds", 60},
                                {"stock", {{"way", way}, {"units", 70}}}});
    EXPECT_GE(report["stock"]["taken"], 70) << way;
    EXPECT_EQ(report["stock"]["refused"], 20) << way;
    EXPECT_EQ(report["operations"]["failed"], 0) << way;
    EXPECT_EQ(report["operations"]["started"],
              report["stock"]["taken"].get<int>() + report["stock"]["refused"].get<int>());
  }
}

TEST(StockExperiment, NothingIsOversoldWhateverGetsLost) {
  const Json faults = {{"dropResponse", 0.2}, {"dropRequest", 0.1}, {"unavailable", 0.1}};
  const Json report = RunRush("stock", 50, {{"faults", faults}});
  EXPECT_GT(report["requests"]["lost"], 50);
  EXPECT_EQ(report["stock"]["oversold"], 0);
  EXPECT_EQ(report["stock"]["left"], 0);
  EXPECT_LE(report["stock"]["taken"], report["stock"]["units"]);
}

// A user comes each second, for 10 units, and pays or leaves after about ten seconds.
Json RunHolds(int hold_ms, int paying_percent) {
  return RunAll(
      {{"kind", "stock"},
       {"shards", 5},
       {"users", 150},
       {"arrivalsPerSecond", 1},
       {"thinkMs", 10'000},
       {"seconds", 150},
       {"stock", {{"units", 10}, {"holdMs", hold_ms}, {"payingPercent", paying_percent}}}});
}

TEST(StockExperiment, UnitsOfHoldsThatNobodyPaysGoToOthers) {
  const Json stock = RunHolds(60'000, 50)["stock"];
  EXPECT_GT(stock["taken"], 10);
  EXPECT_GT(stock["paid"], 0);
  EXPECT_LE(stock["paid"], 10);
  EXPECT_GT(stock["refused"], 50);
  EXPECT_EQ(stock["tooLate"], 0);
  EXPECT_EQ(stock["oversold"], 0);
  const Json unpaid = RunHolds(30'000, 0)["stock"];
  EXPECT_EQ(unpaid["paid"], 0);
  EXPECT_GE(unpaid["taken"], 40) << "all units in each half minute";
  EXPECT_EQ(RunHolds(60'000, 100)["stock"]["taken"], 10) << "all of them paid";
}

TEST(StockExperiment, WhoPaysWhenTheUnitHasGoneToAnotherUserIsTooLate) {
  const Json stock = RunHolds(1'000, 100)["stock"];
  EXPECT_GT(stock["tooLate"], 5);
  EXPECT_GT(stock["paid"], 0);
  EXPECT_LE(stock["paid"], 10);
  EXPECT_EQ(stock["oversold"], 0);
}

TEST(StockExperiment, SaysWhatItWasRunWith) {
  const Json report = RunHolds(2'000, 30);
  EXPECT_EQ(report["experiment"]["stock"],
            Json({{"way", "stock"}, {"units", 10}, {"holdMs", 2'000}, {"payingPercent", 30}}));
  EXPECT_EQ(RunAll(report["experiment"]), report);
}

// ---- Ratings ----

// In the default run, a fifth of the users come a fifth as fast.
Json RunRatings(std::string_view preset, Json over = Json::object()) {
  const Json fifth = {{"users", 600}, {"arrivalsPerSecond", 10}};
  Json options = InRun(fifth, Json::object());
  options.update(over);
  return RunPreset(preset, options);
}

TEST(RatingsExperiment, ShardsTakeARatingOfEveryone) {
  const Json report = RunRatings("ratings");
  EXPECT_EQ(report["operations"]["acknowledged"], report["operations"]["started"]);
  EXPECT_EQ(report["count"]["found"], report["users"]) << "a changed rating is still one";
  EXPECT_GT(report["operations"]["acknowledged"], report["users"]);
  EXPECT_EQ(report["count"]["lost"], 0);
  EXPECT_EQ(report["count"]["extra"], 0);
  EXPECT_LT(report["latencyMs"]["p50"], 1'000);
}

TEST(RatingsExperiment, OneDocumentTakesOneRatingASecond) {
  const Json report = RunRatings("ratingsByTransaction");
  EXPECT_NEAR(report["throughput"].get<double>(), 1, 0.3);
  EXPECT_GT(report["operations"]["failed"], report["operations"]["acknowledged"]);
  EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]);
  EXPECT_GT(report["server"]["contention"]["aborted"], 100);
}

TEST(RatingsExperiment, NoUserCountsTwiceWhateverGetsLost) {
  const Json faults = {{"dropResponse", 0.2}, {"dropRequest", 0.1}, {"unavailable", 0.1}};
  const Json report = RunRatings(
      "ratings", {{"users", 100}, {"thinkMs", 3'000}, {"shards", 200}, {"faults", faults}});
  EXPECT_GT(report["requests"]["lost"], 100);
  EXPECT_LE(report["count"]["found"], report["users"]);
  EXPECT_EQ(report["count"]["lost"], 0);
  EXPECT_EQ(report["count"]["extra"], 0);
}

TEST(RatingsExperiment, AFewRatingsFitIntoOneDocument) {
  const Json report =
      RunRatings("ratingsByTransaction", {{"users", 20}, {"arrivalsPerSecond", 0.4}});
  EXPECT_EQ(report["operations"]["acknowledged"], report["operations"]["started"]);
  EXPECT_EQ(report["count"]["found"], report["operations"]["acknowledged"]);
}

// ---- Options ----

TEST(Experiment, TheSameSeedGivesTheSameReport) {
  const Json options = {{"preset", "tenShards"},
                        {"users", 50},
                        {"seconds", 20},
                        {"faults", {{"dropResponse", 0.1}, {"unavailable", 0.1}}}};
  const Json once = RunAll(options);
  EXPECT_EQ(RunAll(options), once);
  Json other = options;
  other["seed"] = 2;
  EXPECT_NE(RunAll(other), once);
}

TEST(Experiment, TheReportDoesNotDependOnTheSlices) {
  const std::string options = R"({"preset":"tenShards","users":50,"seconds":20})";
  const auto run = [&](int steps) {
    auto experiment = Experiment::Make(PaddedText(options));
    while (!(*experiment)->Advance(steps)) EXPECT_NE((*experiment)->Report(), "");
    return (*experiment)->Report();
  };
  EXPECT_EQ(run(1), run(1'000'000));
}

TEST(Experiment, SaysWhatItWasRunWith) {
  const Json report = RunPreset("tenShards", {{"users", 5}, {"seconds", 1}, {"seed", 77}});
  EXPECT_EQ(report["experiment"]["kind"], "counter");
  EXPECT_EQ(report["experiment"]["shards"], 10);
  EXPECT_EQ(report["experiment"]["seed"], 77);
  EXPECT_EQ(report["phase"], "done");
  // And can be repeated from it.
  EXPECT_EQ(RunAll(report["experiment"]), report);
}

TEST(Experiment, LimitsCanBeSwitchedOff) {
  const Json report =
      RunPreset("singleDocument",
                {{"limits", "none"}, {"users", 20}, {"seconds", 10}, {"latencyMs", {1, 1}}});
  EXPECT_GT(report["throughput"], 8);
  EXPECT_EQ(report["server"]["contention"]["aborted"], 0);
}

TEST(Experiment, BadOptionsAreRefusedByName) {
  using testing::HasSubstr;
  EXPECT_THAT(Refusal(R"({"users":0})"), HasSubstr("`users`"));
  EXPECT_THAT(Refusal(R"({"thinkMs":0})"), HasSubstr("`thinkMs`"));
  EXPECT_THAT(Refusal(R"({"users":1.5})"), HasSubstr("`users`"));
  EXPECT_THAT(Refusal(R"({"seconds":"long"})"), HasSubstr("`seconds`"));
  EXPECT_THAT(Refusal(R"({"kind":"queries"})"), HasSubstr("`kind`"));
  EXPECT_THAT(Refusal(R"({"sharts":3})"), HasSubstr("`sharts`"));
  EXPECT_THAT(Refusal(R"({"preset":"tenShads"})"), HasSubstr("tenShads"));
  EXPECT_THAT(Refusal(R"("tenShads")"), HasSubstr("tenShads"));
  EXPECT_THAT(Refusal(R"({"delivery":"by-post"})"), HasSubstr("delivery"));
  EXPECT_THAT(Refusal(R"({"kind":"ids","block":0})"), HasSubstr("`block`"));
  EXPECT_THAT(Refusal(R"({"kind":"stock","stock":{"units":0}})"), HasSubstr("`stock.units`"));
  EXPECT_THAT(Refusal(R"({"kind":"stock","stock":{"holdMs":1}})"), HasSubstr("`stock.holdMs`"));
  EXPECT_THAT(Refusal(R"({"kind":"stock","stock":{"way":"queue"}})"), HasSubstr("`stock.way`"));
  EXPECT_THAT(Refusal(R"({"limits":{"documentBurst":-1}})"), HasSubstr("out of range"));
  EXPECT_THAT(Refusal(R"({"faults":{"dropRequest":2}})"), HasSubstr("out of range"));
  EXPECT_THAT(Refusal(R"({"retry":{"maxAttempts":0}})"), HasSubstr("maxAttempts"));
  for (const char* malformed : {"", "{", "[]", "7", "null", R"({"users":5)", R"({"users":5}x)"}) {
    EXPECT_NE(Refusal(malformed), "accepted") << malformed;
  }
}

TEST(Experiment, EveryPresetIsDescribedAndRuns) {
  const Json presets = Json::parse(DescribePresets());
  EXPECT_EQ(presets.size(), 15u);
  for (const Json& preset : presets) {
    Json options = preset;
    options.erase("title");
    options["users"] = 10;
    options["seconds"] = 5;
    EXPECT_GT(RunAll(options)["operations"]["acknowledged"], 0) << preset;
  }
}

}  // namespace
}  // namespace shardline::experiment::experiment_test
