// Recordings: what is in them is what happened, and to record changes nothing.
#include "experiment/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiment/experiment.h"

namespace shardline::experiment::recorder_test {
namespace {

using Json = nlohmann::json;
using Numbers = std::vector<std::int64_t>;

// As they stand in a recording.
constexpr int kUnderWay = 0;
constexpr int kDone = 1;
constexpr int kConflict = 2;
constexpr int kNoAnswer = 4;

// Requests of a counter's experiment that prepare (two) and verify.
constexpr int kOthers = 3;

Json RunAll(const Json& options) {
  auto experiment = Experiment::Make(PaddedText(options.dump()));
  if (!experiment) {
    ADD_FAILURE() << experiment.error().message;
    return {};
  }
  while (!(*experiment)->Advance(1'000)) {
    EXPECT_FALSE(Json::parse((*experiment)->Report()).contains("recording")) << "before the end";
  }
  EXPECT_FALSE((*experiment)->error()) << (*experiment)->error()->message;
  return Json::parse((*experiment)->Report());
}

// With a recording.
Json Record(Json options) {
  if (!options.contains("record")) options["record"] = Json::object();
  return RunAll(options);
}

std::string Refusal(const Json& options) {
  const auto experiment = Experiment::Make(PaddedText(options.dump()));
  return experiment ? "accepted" : experiment.error().message;
}

Numbers Column(const Json& recording, const char* list, const char* name) {
  return recording[list][name].get<Numbers>();
}

std::int64_t CountOf(const Numbers& numbers, std::int64_t number) {
  return std::count(numbers.begin(), numbers.end(), number);
}

Json Crowd() {
  return {{"kind", "counter"},       {"shards", 3},   {"users", 60}, {"seconds", 10},
          {"arrivalsPerSecond", 60}, {"thinkMs", 500}};
}

TEST(Recorder, ChangesNothingOfWhatItRecords) {
  for (const char* delivery : {"at-least-once", "exactly-once", "transaction"}) {
    Json options = Crowd();
    options["delivery"] = delivery;
    options["faults"] = {{"dropResponse", 0.1}, {"unavailable", 0.1}};
    const Json plain = RunAll(options);
    Json recorded = Record(options);
    EXPECT_TRUE(recorded.contains("recording"));
    recorded.erase("recording");
    recorded["experiment"].erase("record");
    EXPECT_EQ(recorded, plain) << delivery;
  }
}

TEST(Recorder, TheSameSeedGivesTheSameRecording) {
  const Json once = Record(Crowd());
  EXPECT_EQ(Record(Crowd()), once);
  Json other = Crowd();
  other["seed"] = 2;
  EXPECT_NE(Record(other)["recording"], once["recording"]);
}

TEST(Recorder, HasEveryRequestAndPieceOfWork) {
  const Json report = Record(Crowd());
  const Json& recording = report["recording"];
  const Numbers sent = Column(recording, "requests", "sentMs");
  const Numbers arrived = Column(recording, "requests", "arrivedMs");
  const Numbers done = Column(recording, "requests", "doneMs");
  const Numbers answered = Column(recording, "requests", "answeredMs");
  const Numbers ended = Column(recording, "works", "endedMs");
  const Numbers ends = Column(recording, "requests", "end");
  EXPECT_EQ(static_cast<std::int64_t>(sent.size()),
            report["requests"]["sent"].get<std::int64_t>() - kOthers)
      << "of the load";
  EXPECT_EQ(CountOf(ends, kConflict), report["requests"]["conflicts"]);
  EXPECT_GT(CountOf(ends, kConflict), 0);
  EXPECT_TRUE(std::is_sorted(sent.begin(), sent.end()));
  for (std::size_t i = 0; i < sent.size(); ++i) {
    EXPECT_LE(sent[i], arrived[i]);
    EXPECT_LE(arrived[i], done[i]);
    EXPECT_LE(done[i], answered[i]);
    EXPECT_GE(answered[i] - sent[i], 10) << "the latency";
    EXPECT_LE(arrived[i] - sent[i], 25) << "half of it";
  }
  const Numbers works = Column(recording, "works", "end");
  EXPECT_EQ(CountOf(works, kDone), report["operations"]["acknowledged"]);
  EXPECT_EQ(CountOf(works, kUnderWay), 0);
  EXPECT_EQ(works.size(), report["operations"]["started"].get<std::size_t>());
  EXPECT_EQ(recording["leftOut"], 0);
  EXPECT_EQ(recording["endMs"], std::max(*std::max_element(answered.begin(), answered.end()),
                                         *std::max_element(ended.begin(), ended.end())));
}

TEST(Recorder, TheShardsCountsAddUpToWhatIsFoundInTheEnd) {
  for (const char* delivery : {"at-least-once", "exactly-once", "transaction"}) {
    Json options = Crowd();
    options["delivery"] = delivery;
    options["faults"] = {{"dropResponse", 0.2}};
    const Json report = Record(options);
    const Json& recording = report["recording"];
    const Numbers shards = Column(recording, "requests", "shard");
    const Numbers counts = Column(recording, "requests", "count");
    std::map<std::int64_t, std::int64_t> held;
    for (std::size_t i = 0; i < shards.size(); ++i) {
      EXPECT_LT(shards[i], 3);
      if (counts[i] >= 0) held[shards[i]] = std::max(held[shards[i]], counts[i]);
    }
    std::int64_t sum = 0;
    for (const auto& [shard, count] : held) sum += count;
    EXPECT_EQ(sum, report["count"]["found"]) << delivery;
    EXPECT_EQ(held.size(), 3u) << delivery;
  }
}

TEST(Recorder, IsBounded) {
  Json options = Crowd();
  options["record"] = {{"requests", 20}};
  const Json report = Record(options);
  const Json& recording = report["recording"];
  EXPECT_EQ(recording["requests"]["sentMs"].size(), 20u);
  EXPECT_EQ(recording["works"]["beganMs"].size(), 20u);
  const auto all = report["requests"]["sent"].get<std::int64_t>() - kOthers +
                   report["operations"]["started"].get<std::int64_t>();
  EXPECT_EQ(recording["leftOut"], all - 40);
  EXPECT_EQ(CountOf(Column(recording, "works", "end"), kUnderWay), 0);
}

TEST(Recorder, LooksAtTheTabletsNowAndThen) {
  const Json report = Record({{"preset", "sequentialInserts"},
                              {"seconds", 30},
                              {"arrivalsPerSecond", 5},
                              {"limits", {{"tabletWritesPerSecond", 50}}}});
  const Json& samples = report["recording"]["samples"];
  EXPECT_GE(samples.size(), 100u);
  EXPECT_LE(samples.size(), Recorder::kMostSamples);
  std::int64_t last = -1;
  std::set<std::string> starts;
  for (const Json& sample : samples) {
    EXPECT_GT(sample["atMs"], last);
    last = sample["atMs"].get<std::int64_t>();
    for (const Json& tablet : sample["tablets"]) {
      if (tablet["index"] == "events: timestamp") starts.insert(tablet["start"].dump());
    }
  }
  EXPECT_GT(starts.size(), 1u) << "the index has split";
  EXPECT_EQ(samples.back()["writes"], report["operations"]["started"]);
}

TEST(Recorder, ATabletThatHasJustSplitHasItsLoad) {
  const Json report = Record({{"kind", "inserts"},
                              {"shards", 2},
                              {"users", 2'000},
                              {"arrivalsPerSecond", 500},
                              {"thinkMs", 10'000'000},
                              {"seconds", 4},
                              {"limits", {{"splitAfterSeconds", 1}, {"splitLoad", 0.1}}}});
  std::size_t most = 0;
  for (const Json& sample : report["recording"]["samples"]) {
    const std::int64_t at = sample["atMs"];
    most = std::max(most, sample["tablets"].size());
    if (at < 250 || at > 3'900) continue;
    std::int64_t load = 0;
    for (const Json& tablet : sample["tablets"]) {
      load = std::max<std::int64_t>(load, tablet["writesPerSecond"]);
    }
    EXPECT_GT(load, 100) << "250 come each second to each of two shards; at " << at << " ms";
  }
  EXPECT_GT(most, 4u) << "the two tablets have split more than once";
}

TEST(Recorder, TellsWhichIdsWereGiven) {
  const Json report = Record({{"preset", "idsBySum"}, {"users", 100}, {"seconds", 20}});
  const Numbers ids = Column(report["recording"], "works", "value");
  const std::set<std::int64_t> distinct(ids.begin(), ids.end());
  EXPECT_EQ(ids.size() - distinct.size(), report["ids"]["duplicates"].get<std::size_t>());
  EXPECT_GT(report["ids"]["duplicates"], 0);
}

// ---- Fates ----

// One user, one increment.
Json One(const char* delivery, const char* fate) {
  return {{"kind", "counter"},
          {"shards", 2},
          {"users", 1},
          {"seconds", 1},
          {"thinkMs", 5'000},
          {"delivery", delivery},
          {"fates", {{{"request", 1}, {"fate", fate}}}}};
}

TEST(Fates, ACutAnswerIsCountedTwiceByANaiveRetryAndOnceWithAMarker) {
  const Json naive = Record(One("at-least-once", "cut"));
  EXPECT_EQ(naive["count"]["found"], 2);
  const Json& requests = naive["recording"]["requests"];
  EXPECT_EQ(requests["end"], Json({kNoAnswer, kDone}));
  EXPECT_EQ(requests["applied"], Json({1, 1}));
  const Json exact = Record(One("exactly-once", "cut"));
  EXPECT_EQ(exact["count"]["found"], 1);
  EXPECT_EQ(exact["operations"]["acknowledged"], 1);
  EXPECT_EQ(exact["recording"]["requests"]["applied"][0], 1);
}

TEST(Fates, ARequestThatIsSentTwiceArrivesTwice) {
  const Json naive = Record(One("at-least-once", "twice"));
  EXPECT_EQ(naive["count"]["found"], 2);
  EXPECT_EQ(naive["recording"]["requests"]["againApplied"], Json({1}));
  EXPECT_GE(naive["recording"]["requests"]["againMs"][0], 2'000);
  const Json exact = Record(One("exactly-once", "twice"));
  EXPECT_EQ(exact["count"]["found"], 1);
  EXPECT_EQ(exact["recording"]["requests"]["againApplied"][0], 0);
}

TEST(Fates, ALateRequestArrivesBehindItsRetry) {
  const Json naive = Record(One("at-least-once", "late"));
  EXPECT_EQ(naive["count"]["found"], 2);
  const Json& requests = naive["recording"]["requests"];
  EXPECT_EQ(requests["answeredMs"][0], 1'000) << "it has given up";
  EXPECT_GE(requests["arrivedMs"][0], 5'000);
  EXPECT_LT(requests["arrivedMs"][1], 5'000);
  const Json exact = Record(One("exactly-once", "late"));
  EXPECT_EQ(exact["count"]["found"], 1);
}

TEST(Fates, ALostRequestNeverArrives) {
  const Json report = Record(One("at-least-once", "lost"));
  EXPECT_EQ(report["count"]["found"], 1);
  EXPECT_EQ(report["recording"]["requests"]["arrivedMs"][0], -1);
  EXPECT_EQ(report["recording"]["requests"]["end"], Json({kNoAnswer, kDone}));
}

TEST(Fates, OthersThanTheChosenRequestHaveNone) {
  Json options = One("at-least-once", "cut");
  options["fates"][0]["request"] = 7;
  EXPECT_EQ(Record(options)["count"]["found"], 1);
}

// ---- Totals ----

Json Totals(const char* source) {
  return {{"kind", "totals"},
          {"shards", 40},
          {"users", 20},
          {"seconds", 20},
          {"arrivalsPerSecond", 20},
          {"totals", {{"source", source}, {"writers", 5}}}};
}

// Billed reads for each total.
double ReadsEach(const Json& report) {
  const Json& works = report["recording"]["works"];
  std::int64_t reads = 0;
  std::int64_t totals = 0;
  for (std::size_t i = 0; i < works["user"].size(); ++i) {
    if (works["user"][i] < 5) continue;
    reads += works["reads"][i].get<std::int64_t>();
    ++totals;
  }
  EXPECT_GT(totals, 100);
  return static_cast<double>(reads) / static_cast<double>(totals);
}

TEST(TotalsExperiment, ReadingEveryShardCostsAsManyReads) {
  EXPECT_DOUBLE_EQ(ReadsEach(Record(Totals("shards"))), 40);
  EXPECT_DOUBLE_EQ(ReadsEach(Record(Totals("sum"))), 1);
  const double shared = ReadsEach(Record(Totals("shared")));
  EXPECT_GE(shared, 1);
  EXPECT_LT(shared, 2) << "now and then one of them adds up for all";
}

TEST(TotalsExperiment, TotalsGrowAsTheWritersCount) {
  const Json report = Record(Totals("sum"));
  const Numbers users = Column(report["recording"], "works", "user");
  const Numbers values = Column(report["recording"], "works", "value");
  std::int64_t last = 0;
  for (std::size_t i = 0; i < users.size(); ++i) {
    if (users[i] < 5) {
      EXPECT_EQ(values[i], -1);
    } else {
      EXPECT_GE(values[i], last - 5) << "answers overtake each other";
      last = std::max(last, values[i]);
    }
  }
  EXPECT_GT(last, 20);
}

// ---- Pages ----

Json Pages(const char* chunk_reads) {
  return {{"kind", "pages"},
          {"shards", 100},
          {"users", 1},
          {"seconds", 1},
          {"thinkMs", 60'000},
          {"pages",
           {{"documents", 200},
            {"pages", 3},
            {"query",
             {{"filters",
               {{{"field", "exchange"}, {"op", "=="}, {"value", {{"stringValue", "EXCHG1"}}}}}},
              {"orders", Json::array({{{"field", "timestamp"}, {"direction", "desc"}}})},
              {"limit", 10},
              {"chunkReads", chunk_reads}}}}},
          {"record", {{"bodies", true}}}};
}

std::vector<std::string> IdsOfPages(const Json& recording) {
  std::vector<std::string> ids;
  for (const Json& page : recording["results"]) {
    for (const Json& document : page["result"]["docs"]) ids.push_back(document[0]);
  }
  return ids;
}

std::vector<std::string> IdsOfAnswer(const Json& answer) {
  std::vector<std::string> ids;
  for (const Json& element : answer) {
    const std::string name = element["document"]["name"];
    ids.push_back(name.substr(name.rfind('/') + 1));
  }
  return ids;
}

TEST(PagesExperiment, GivesTheTextsOfRequestsAnswersAndPages) {
  for (const char* chunk_reads : {"share", "whole-page"}) {
    const Json report = Record(Pages(chunk_reads));
    const Json& recording = report["recording"];
    EXPECT_EQ(report["operations"]["acknowledged"], 1) << chunk_reads;
    ASSERT_EQ(recording["results"].size(), 3u) << chunk_reads;
    std::set<std::string> ids;
    for (const Json& page : recording["results"]) {
      EXPECT_EQ(page["result"]["docs"].size(), 10u);
      for (const Json& document : page["result"]["docs"]) ids.insert(document[0]);
    }
    EXPECT_EQ(ids.size(), 30u) << chunk_reads;
    EXPECT_EQ(report["collection"]["documents"].size(), 200u);
    EXPECT_EQ(IdsOfPages(recording), IdsOfAnswer(report["collection"]["unsharded"])) << chunk_reads;
    EXPECT_EQ(recording["bodies"].size(), recording["requests"]["sentMs"].size());
    EXPECT_GE(recording["bodies"].size(), 4u);
    for (const Json& text : recording["bodies"]) {
      EXPECT_TRUE(Json::parse(text["body"].get<std::string>()).contains("structuredQuery"));
      EXPECT_TRUE(Json::accept(text["answer"].get<std::string>()));
    }
  }
}

TEST(PagesExperiment, TheTextsAreBoundedInLongRun) {
  Json options = Pages("whole-page");
  options["users"] = 200;
  options["arrivalsPerSecond"] = 200;
  options["pages"]["documents"] = 500;
  options["pages"]["query"]["limit"] = 100;
  const Json recording = Record(options)["recording"];
  std::size_t size = 0;
  for (const Json& text : recording["bodies"]) {
    size += text["body"].get<std::string>().size() + text["answer"].get<std::string>().size();
  }
  EXPECT_GT(size, Recorder::kMostText / 4);
  EXPECT_LE(size, Recorder::kMostText);
}

TEST(PagesExperiment, AQueryThatCannotBeAskedIsRefusedBeforeItBegins) {
  using testing::HasSubstr;
  Json options = Pages("share");
  options["pages"]["query"]["limit"] = 0;
  EXPECT_THAT(Refusal(options), HasSubstr("limit"));
  options["pages"]["query"] = {{"order", "asc"}};
  EXPECT_THAT(Refusal(options), HasSubstr("order"));
  options["pages"]["query"] = Json::object();
  options["pages"]["documents"] = 12;
  options["pages"]["pages"] = 2;
  EXPECT_EQ(Record(options)["operations"]["acknowledged"], 1) << "the empty query finds all";
}

// ---- Options ----

TEST(RecordOptions, BadOnesAreRefusedByName) {
  using testing::HasSubstr;
  const auto refusal = [](const char* name, const Json& value) {
    return Refusal({{"kind", "counter"}, {name, value}});
  };
  EXPECT_THAT(refusal("record", true), HasSubstr("`record`"));
  EXPECT_THAT(refusal("record", {{"requests", 0}}), HasSubstr("`record.requests`"));
  EXPECT_THAT(refusal("record", {{"requests", 1e9}}), HasSubstr("`record.requests`"));
  EXPECT_THAT(refusal("record", {{"size", 5}}), HasSubstr("size"));
  EXPECT_THAT(refusal("fates", {{"request", 1}}), HasSubstr("`fates`"));
  EXPECT_THAT(refusal("fates", {{{"request", 0}, {"fate", "cut"}}}), HasSubstr("`fates.request`"));
  EXPECT_THAT(refusal("fates", {{{"request", 1}}}), HasSubstr("`fates.fate`"));
  EXPECT_THAT(refusal("fates", {{{"request", 1}, {"fate", "eaten"}}}), HasSubstr("`fates.fate`"));
  EXPECT_THAT(refusal("fates", {{{"request", 1}, {"fate", "late"}, {"afterMs", -1}}}),
              HasSubstr("`fates.afterMs`"));
  EXPECT_THAT(refusal("fates", Json(101, {{"request", 1}, {"fate", "cut"}})), HasSubstr("fates"));
  EXPECT_THAT(refusal("totals", {{"source", "guess"}}), HasSubstr("`totals.source`"));
  EXPECT_THAT(refusal("totals", {{"writers", -1}}), HasSubstr("`totals.writers`"));
  EXPECT_THAT(refusal("pages", {{"documents", 501}}), HasSubstr("`pages.documents`"));
  EXPECT_THAT(refusal("pages", {{"query", 5}}), HasSubstr("`pages.query`"));
}

TEST(RecordOptions, AReportSaysThemSoThatItCanBeRepeated) {
  for (Json options : {One("exactly-once", "late"), Totals("shared"), Pages("whole-page")}) {
    const Json report = Record(options);
    EXPECT_EQ(RunAll(report["experiment"]), report);
  }
}

}  // namespace
}  // namespace shardline::experiment::recorder_test
