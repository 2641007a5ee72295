#include "resharding/assign_shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "api/resharding_api.h"
#include "unit/support/operation_driver.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"

namespace shardline::assign_shards_test {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

json Text(const std::string& text) { return {{"stringValue", text}}; }
json Integer(int value) { return {{"integerValue", std::to_string(value)}}; }

// Shards x, y and z; what is older has one of p and q.
json Old() { return {{"path", "events"}, {"shards", {"x", "y", "z"}}}; }
json InTransition() {
  json collection = Old();
  collection["alsoRead"] = {"p", "q"};
  return collection;
}

std::string Id(int number) { return "d" + std::to_string(100'000 + number); }
std::string Path(int number) { return "events/" + Id(number); }

class AssignShardsTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operation>> Begin(json arguments, bool is_reshard = false) {
    if (!arguments.contains("collection")) {
      arguments["collection"] = is_reshard ? InTransition() : Old();
    }
    if (is_reshard && !arguments.contains("shards")) arguments["shards"] = {"z", "y", "x"};
    const PaddedText text(arguments.dump());
    JsonScanner scanner(text);
    return (is_reshard ? StartCollectionReshard : StartCollectionBackfill)(scanner, context_);
  }
  OperationDriver Drive(const json& arguments = json::object(), bool is_reshard = false) {
    OperationDriver driver(Begin(arguments, is_reshard));
    driver.set_now(server_.now());
    driver.Serve([this](const SentRequest& request) { return Serve(request); });
    return driver;
  }

  // What a test does to a request before the server sees it, or in its place.
  std::function<std::optional<Reply>(const SentRequest&)> on_request_;

  Reply Serve(const SentRequest& request) {
    if (on_request_) {
      if (std::optional<Reply> reply = on_request_(request)) return std::move(*reply);
    }
    return server_(request);
  }

  // Documents without a shard.
  void Fill(int count) {
    json writes = json::array();
    for (int i = 0; i < count; ++i) {
      writes.push_back({{"update", {{"name", Name(Path(i))}, {"fields", {{"n", Integer(i)}}}}}});
    }
    server_.Commit(writes);
  }
  void Put(int number, const json& shard) {
    server_.Put(Path(number), {{"n", Integer(number)}, {"shard", shard}});
  }
  // As Fill() has made them, and each with one of x, y and z.
  void ExpectAllSharded(int count) {
    const json all = server_.List("events");
    EXPECT_EQ(all.size(), static_cast<std::size_t>(count));
    std::set<std::string> seen;
    for (int i = 0; i < count; ++i) {
      const json& fields = all[Id(i)];
      EXPECT_EQ(fields.size(), 2u) << fields;
      EXPECT_EQ(fields["n"], Integer(i));
      const std::string shard = fields["shard"].value("stringValue", "?");
      EXPECT_TRUE(shard == "x" || shard == "y" || shard == "z") << fields;
      seen.insert(shard);
    }
    if (count > 100) {
      EXPECT_EQ(seen.size(), 3u) << "drawn at random";
    }
  }
  static json ProgressOf(Operation& operation) {
    return json::parse(operation.TakeProgress(), nullptr, false);
  }

  SimulatedServer server_;
  OperationContext context_ = TestContext();
};

TEST_F(AssignShardsTest, GivesThoseThatHaveNoneAShard) {
  Fill(700);
  OperationDriver driver = Drive();
  driver.Run();
  ExpectAllSharded(700);
  const json result = driver.result();
  EXPECT_EQ(result["read"], 700);
  EXPECT_EQ(result["written"], 700);
  EXPECT_EQ(result["skipped"], 0);
  EXPECT_EQ(result["unreachable"], 0);
  EXPECT_EQ(result["total"], 700);
  EXPECT_EQ(result["resumeFrom"], nullptr);
  EXPECT_EQ(result["secondsLeft"], 0);
  EXPECT_EQ(result["billed"], json({{"reads", 701}, {"writes", 700}, {"deletes", 0}}));
  EXPECT_EQ(driver.verbs(), "runAggregationQuery runQuery commit runQuery commit runQuery commit");
}

TEST_F(AssignShardsTest, TellsWhatItCosts) {
  Fill(700);
  const auto dollars = [](const json& told, double reads, double writes) {
    return (told["billed"]["reads"].get<double>() * reads +
            told["billed"]["writes"].get<double>() * writes) /
           1e6;
  };
  OperationDriver driver = Drive();
  double last = 0;
  int told = 0;
  while (driver.Step()) {
    const json progress = ProgressOf(driver.operation());
    if (!progress.is_object()) continue;
    ++told;
    EXPECT_DOUBLE_EQ(progress["dollars"], dollars(progress, 0.30, 0.90));
    EXPECT_GT(progress["dollars"], last);
    last = progress["dollars"];
  }
  EXPECT_EQ(told, 3);
  EXPECT_DOUBLE_EQ(driver.result()["dollars"], (701 * 0.30 + 700 * 0.90) / 1e6);
  // Again, there is nothing to write.
  OperationDriver nam5 = Drive({{"location", "nam5"}});
  nam5.Run();
  EXPECT_DOUBLE_EQ(nam5.result()["dollars"], 701 * 0.60 / 1e6);
  OperationDriver given = Drive({{"location", "x"}, {"prices", {{"reads", 7}, {"writes", 0.5}}}});
  given.Run();
  EXPECT_DOUBLE_EQ(given.result()["dollars"], 701 * 7 / 1e6);
  OperationDriver resharded = Drive({{"prices", {{"writes", 2}}}}, true);
  resharded.Run();
  EXPECT_DOUBLE_EQ(resharded.result()["dollars"], dollars(resharded.result(), 0.30, 2));
}

TEST_F(AssignShardsTest, RefusesALocationWithoutPrices) {
  for (const json& bad :
       {json({{"location", "nowhere"}}),
        json({{"location", "nowhere"}, {"prices", {{"reads", 1}}}}), json({{"location", 7}}),
        json({{"prices", 7}}), json({{"prices", {{"reads", -1}}}}),
        json({{"prices", {{"deletes", 1}}}})}) {
    const Result<std::unique_ptr<Operation>> started = Begin(bad);
    ASSERT_FALSE(started) << bad;
    EXPECT_EQ(started.error().code, Code::kInvalidArgument);
  }
  EXPECT_THAT(Begin({{"location", "nowhere"}}).error().message, ::testing::HasSubstr("nam5"));
}

TEST_F(AssignShardsTest, ReadsNothingButTheShardField) {
  Fill(3);
  OperationDriver driver = Drive();
  driver.Run();
  const json& query = driver.sent().at(1).body["structuredQuery"];
  EXPECT_EQ(query["select"]["fields"], json::array({{{"fieldPath", "shard"}}}));
  EXPECT_EQ(query["orderBy"][0]["field"]["fieldPath"], "__name__");
  for (const json& write : driver.sent().at(2).body["writes"]) {
    EXPECT_EQ(write["updateMask"]["fieldPaths"], json::array({"shard"}));
    EXPECT_TRUE(write["currentDocument"].contains("updateTime"));
  }
}

TEST_F(AssignShardsTest, LeavesWhatIsAsItShouldBeOrStrange) {
  Fill(6);
  Put(1, Text("y"));
  Put(2, Text("elsewhere"));
  Put(3, {{"nullValue", nullptr}});
  std::map<int, std::string> before;
  for (const int number : {1, 2, 3}) before[number] = server_.Find(Path(number))->update_time;
  OperationDriver driver = Drive();
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 3);
  EXPECT_EQ(driver.result()["skipped"], 1);
  EXPECT_EQ(driver.result()["unreachable"], 2);
  for (const auto& [number, time] : before) {
    EXPECT_EQ(server_.Find(Path(number))->update_time, time) << number;
  }
}

TEST_F(AssignShardsTest, OfAnEmptyCollectionNothingIsToBeDone) {
  OperationDriver driver = Drive();
  driver.Run();
  EXPECT_EQ(driver.result()["read"], 0);
  EXPECT_EQ(driver.result()["resumeFrom"], nullptr);
}

TEST_F(AssignShardsTest, SetsAFieldInsideAMapAndNothingElseOfIt) {
  const json map = {{"mapValue", {{"fields", {{"kept", Integer(1)}}}}}};
  server_.Put("events/a", {{"meta", map}});
  server_.Put("events/b", {{"other", Integer(2)}});
  server_.Put("events/c", {{"meta", Text("not a map")}});
  const json collection = {
      {"path", "events"}, {"shards", json::array({"x"})}, {"shardField", "meta.deep.shard"}};
  OperationDriver driver = Drive({{"collection", collection}});
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 2);
  EXPECT_EQ(driver.result()["unreachable"], 1) << "what stands in its place is not overwritten";
  const json deep = {{"mapValue", {{"fields", {{"shard", Text("x")}}}}}};
  EXPECT_EQ(server_.Get("events/a"),
            json({{"meta", {{"mapValue", {{"fields", {{"kept", Integer(1)}, {"deep", deep}}}}}}}}));
  EXPECT_EQ(server_.Get("events/b")["meta"], json({{"mapValue", {{"fields", {{"deep", deep}}}}}}));
  EXPECT_EQ(server_.Get("events/c"), json({{"meta", Text("not a map")}}));
}

// The map comes along, and 300 of them may be more than a device holds.
TEST_F(AssignShardsTest, ReadsFewDocumentsAtATimeWhereMapsAreLarge) {
  constexpr int kDocuments = 60;
  const json large = Text(std::string(400'000, 'x'));
  const json map = {{"mapValue", {{"fields", {{"kept", large}}}}}};
  for (int i = 0; i < kDocuments; ++i) server_.Put(Path(i), {{"meta", map}});
  const json collection = {
      {"path", "events"}, {"shards", json::array({"x"})}, {"shardField", "meta.shard"}};
  std::size_t largest = 0;
  on_request_ = [&](const SentRequest& request) {
    Reply reply = server_(request);
    largest = std::max(largest, reply.body.size());
    return std::optional<Reply>(std::move(reply));
  };
  OperationDriver driver = Drive({{"collection", collection}});
  driver.Run();
  EXPECT_EQ(driver.result()["written"], kDocuments);
  EXPECT_LE(largest, 21u * 400'000) << "the first page; no later one is larger";
  EXPECT_EQ(driver.sent().back().body["structuredQuery"]["limit"], 5);
  // Small ones are read by the hundred all the same.
  server_.Delete(Path(0));
  for (int i = 0; i < 400; ++i) server_.Put("small/" + Id(i), {{"n", Integer(i)}});
  OperationDriver small =
      Drive({{"collection",
              {{"path", "small"}, {"shards", json::array({"x"})}, {"shardField", "meta.shard"}}}});
  small.Run();
  EXPECT_EQ(small.result()["written"], 400);
  EXPECT_EQ(small.verbs().find("runQuery runQuery"), std::string::npos);
  EXPECT_LE(small.sent().size(), 14u) << "20, 40, 80, 160 and the rest";
}

TEST_F(AssignShardsTest, TellsItsProgressBehindEveryPage) {
  Fill(650);
  OperationDriver driver = Drive();
  std::vector<json> told;
  while (!driver.operation().done() && driver.Step()) {
    driver.Send();
    if (const json progress = ProgressOf(driver.operation()); progress.is_object()) {
      told.push_back(progress);
    }
  }
  ASSERT_EQ(told.size(), 3u);
  EXPECT_EQ(told[0]["read"], 300);
  EXPECT_EQ(told[0]["billed"]["writes"], 300) << "with the answer that it follows";
  EXPECT_EQ(told[1]["written"], 600);
  EXPECT_GT(told[1]["documentsPerSecond"], 300);
  EXPECT_EQ(told[1]["secondsLeft"], 1);
  EXPECT_TRUE(told[1]["resumeFrom"].is_string());
  EXPECT_EQ(told[2], driver.result());
}

TEST_F(AssignShardsTest, ResumesBehindWhatIsDone) {
  Fill(1000);
  json last;
  {
    OperationDriver driver = Drive();
    for (int pages = 0; pages < 2;) {
      ASSERT_TRUE(driver.Step());
      driver.Send();
      if (const json progress = ProgressOf(driver.operation()); progress.is_object()) {
        last = progress;
        ++pages;
      }
    }
    driver.operation().Cancel();
    EXPECT_EQ(driver.error().code, Code::kCancelled);
  }
  OperationDriver driver = Drive({{"resumeFrom", last["resumeFrom"]}});
  driver.Run();
  EXPECT_EQ(driver.result()["read"], 400);
  EXPECT_EQ(driver.result()["total"], 400) << "of what is left";
  ExpectAllSharded(1000);
}

TEST_F(AssignShardsTest, ADryRunWritesNothing) {
  Fill(400);
  Put(5, Text("z"));
  OperationDriver driver = Drive({{"dryRun", true}});
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 399);
  EXPECT_EQ(driver.result()["skipped"], 1);
  EXPECT_EQ(driver.result()["billed"]["writes"], 0);
  EXPECT_EQ(server_.requests("commit"), 0);
  EXPECT_FALSE(server_.Get(Path(0)).contains("shard"));
}

TEST_F(AssignShardsTest, ADryRunTellsTheBillOfTheRealRun) {
  Fill(400);
  Put(5, Text("z"));
  const json prices = {{"reads", 10}, {"writes", 1000}};
  OperationDriver dry = Drive({{"dryRun", true}, {"prices", prices}});
  dry.Run();
  const json bill = dry.result()["realRun"];
  EXPECT_EQ(dry.result()["dollars"], (400 + 1) * 10 / 1e6) << "the documents, and their count";
  OperationDriver real = Drive({{"prices", prices}});
  real.Run();
  EXPECT_FALSE(real.result().contains("realRun"));
  EXPECT_EQ(bill["reads"], real.result()["billed"]["reads"]);
  EXPECT_EQ(bill["writes"], real.result()["billed"]["writes"]);
  EXPECT_EQ(bill["dollars"], real.result()["dollars"]);
}

TEST_F(AssignShardsTest, ReadsAgainWhatSomebodyHasWrittenMeanwhile) {
  Fill(50);
  bool done = false;
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() != "commit" || std::exchange(done, true)) return std::nullopt;
    server_.Put(Path(10), {{"n", Integer(-1)}});
    Put(20, Text("x"));
    server_.Delete(Path(30));
    server_.Put(Path(1000), {{"n", Integer(1000)}});
    return std::nullopt;
  };
  OperationDriver driver = Drive();
  driver.Run();
  EXPECT_EQ(driver.result()["read"], 50);
  EXPECT_EQ(driver.result()["unreachable"], 0);
  const json all = server_.List("events");
  EXPECT_EQ(all.size(), 50u) << "one deleted, one new";
  EXPECT_FALSE(all.contains(Id(30))) << "what is deleted stays so";
  EXPECT_EQ(all[Id(10)]["n"], Integer(-1));
  EXPECT_EQ(all[Id(20)]["shard"], Text("x"));
  for (const json& fields : all) EXPECT_TRUE(fields.contains("shard"));
}

TEST_F(AssignShardsTest, ALostAnswerWritesNothingTwice) {
  Fill(40);
  int commits = 0;
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() != "commit" || ++commits > 1) return std::nullopt;
    EXPECT_EQ(server_(request).status, 200);
    return Cut();
  };
  std::map<std::string, std::string> times;
  OperationDriver driver = Drive();
  while (commits < 2 && driver.Step()) driver.Send();
  for (int i = 0; i < 40; ++i) times[Path(i)] = server_.Find(Path(i))->update_time;
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 40) << "it was us";
  EXPECT_EQ(driver.result()["skipped"], 0);
  for (const auto& [path, time] : times) EXPECT_EQ(server_.Find(path)->update_time, time);
  ExpectAllSharded(40);
}

TEST_F(AssignShardsTest, KeepsToTheRamp) {
  Fill(3000);
  OperationDriver driver = Drive();
  driver.Run();
  // At any commit, what went out before has had its time.
  const Instant begun = driver.sent().front().at;
  std::size_t writes = 0;
  for (const SentRequest& request : driver.sent()) {
    if (request.verb() != "commit") continue;
    EXPECT_GE(request.at - begun, milliseconds(2 * writes)) << "500 a second";
    writes += request.body["writes"].size();
  }
  EXPECT_EQ(writes, 3000u);
  EXPECT_LE(driver.now() - begun, seconds(8)) << "and not much slower";
}

TEST_F(AssignShardsTest, WritesNoFasterThanItMay) {
  Fill(100);
  OperationDriver driver = Drive({{"writesPerSecond", 20}});
  driver.Run();
  std::vector<Instant> commits;
  for (const SentRequest& request : driver.sent()) {
    if (request.verb() != "commit") continue;
    EXPECT_LE(request.body["writes"].size(), 20u) << "nor in bursts";
    commits.push_back(request.at);
  }
  ASSERT_EQ(commits.size(), 5u);
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(commits[i] - commits[i - 1], seconds(1));
}

TEST_F(AssignShardsTest, SlowsDownWhenTheServerAsksForLess) {
  Fill(3000);
  int commits = 0;
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() != "commit" || ++commits > 2) return std::nullopt;
    return Refusal(commits == 1 ? "RESOURCE_EXHAUSTED" : "ABORTED");
  };
  OperationDriver driver = Drive();
  driver.Run();
  ExpectAllSharded(3000);
  std::vector<std::size_t> sizes;
  for (const SentRequest& request : driver.sent()) {
    if (request.verb() == "commit") sizes.push_back(request.body["writes"].size());
  }
  EXPECT_EQ(sizes[0], 300u);
  EXPECT_LE(sizes[3], 138u) << "a quarter, and a tenth on top of it";
  EXPECT_GE(*std::max_element(sizes.begin() + 4, sizes.end()), 200u) << "and faster again";
}

TEST_F(AssignShardsTest, TellsWhichDocumentIsRefused) {
  Fill(200);
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() != "commit") return std::nullopt;
    if (request.body.dump().find(Id(123)) == std::string::npos) return std::nullopt;
    return Refusal("INVALID_ARGUMENT", "The document is too large.");
  };
  OperationDriver driver = Drive();
  driver.Run();
  const Error error = driver.error();
  EXPECT_EQ(error.code, Code::kInvalidArgument);
  EXPECT_THAT(error.message, AllOf(HasSubstr("too large"), HasSubstr("\"" + Path(123) + "\""),
                                   HasSubstr("resumeFrom")));
  EXPECT_TRUE(server_.Get(Path(122)).contains("shard")) << "those before it are done";
  EXPECT_FALSE(server_.Get(Path(124)).contains("shard"));
  // Whoever accepts that goes on behind it, and says so.
  OperationDriver rest = Drive({{"resumeFrom", Path(123)}});
  rest.Run();
  EXPECT_EQ(rest.result()["read"], 76);
  EXPECT_EQ(rest.result()["written"], 76);
  EXPECT_FALSE(server_.Get(Path(123)).contains("shard"));
  // Mended, it gets its shard.
  on_request_ = nullptr;
  OperationDriver again = Drive();
  again.Run();
  EXPECT_EQ(again.result()["written"], 1);
  ExpectAllSharded(200);
}

// A proxy that refuses a commit says nothing about a document.
TEST_F(AssignShardsTest, AWebPageIsAboutNoDocument) {
  Fill(5);
  for (const int status : {403, 404}) {
    on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
      if (request.verb() != "commit") return std::nullopt;
      return Answer(status, "<html>No.</html>");
    };
    OperationDriver driver = Drive();
    driver.Run();
    EXPECT_EQ(driver.error().reason, kAnswerUnreadable.name) << status;
    EXPECT_THAT(driver.error().message, Not(HasSubstr("alone"))) << status;
    EXPECT_EQ(driver.verbs(), "runAggregationQuery runQuery commit") << status;
  }
}

TEST_F(AssignShardsTest, GivesUpWhenOthersNeverStopWriting) {
  Fill(10);
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() == "commit")
      server_.Put(Path(3), {{"at", Integer(server_.requests("commit"))}});
    return std::nullopt;
  };
  OperationDriver driver = Drive();
  driver.Run();
  EXPECT_EQ(driver.error().code, Code::kAborted);
  EXPECT_THAT(driver.error().message, HasSubstr("resumeFrom"));
  EXPECT_TRUE(server_.Get(Path(2)).contains("shard"));
  EXPECT_FALSE(server_.Get(Path(3)).contains("shard"));
}

TEST_F(AssignShardsTest, GoesOnWhereCountingIsRefused) {
  Fill(10);
  on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
    if (request.verb() != "runAggregationQuery") return std::nullopt;
    return Refusal("PERMISSION_DENIED");
  };
  OperationDriver driver = Drive();
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 10);
  EXPECT_EQ(driver.result()["total"], nullptr);
}

TEST_F(AssignShardsTest, APageThatLiesIsTheServersFault) {
  Fill(10);
  const auto page_of = [](const std::vector<std::string>& paths) {
    json elements = json::array();
    for (const std::string& path : paths) {
      elements.push_back({{"document",
                           {{"name", Name(path)},
                            {"createTime", "2026-01-01T00:00:00Z"},
                            {"updateTime", "2026-01-01T00:00:00Z"}}},
                          {"readTime", "2026-01-01T00:00:00Z"}});
    }
    return Ok(elements);
  };
  const std::vector<std::string> pages[] = {
      {"events/b", "events/a"}, {"events/a", "events/a"}, {"other/a"}, {"events/a/b/c"}};
  for (const auto& paths : pages) {
    on_request_ = [&](const SentRequest& request) -> std::optional<Reply> {
      if (request.verb() == "runQuery") return page_of(paths);
      EXPECT_NE(request.verb(), "commit");
      return std::nullopt;
    };
    OperationDriver driver = Drive();
    driver.Run();
    EXPECT_EQ(driver.error().code, Code::kInternal) << json(paths);
  }
}

TEST_F(AssignShardsTest, ReshardMovesWhatHasAFormerValue) {
  Fill(400);
  for (int i = 0; i < 300; ++i) Put(i, Text(i % 3 == 0 ? "p" : i % 3 == 1 ? "q" : "x"));
  Put(5, Text("elsewhere"));
  OperationDriver driver = Drive(json::object(), true);
  driver.Run();
  EXPECT_EQ(driver.result()["written"], 200);
  EXPECT_EQ(driver.result()["skipped"], 99);
  EXPECT_EQ(driver.result()["unreachable"], 101) << "one is strange, and a hundred have none";
  const json all = server_.List("events");
  for (int i = 0; i < 300; ++i) {
    if (i == 5) continue;
    const std::string shard = all[Id(i)]["shard"]["stringValue"];
    EXPECT_TRUE(shard == "x" || shard == "y" || shard == "z") << shard;
  }
  EXPECT_EQ(all[Id(5)]["shard"], Text("elsewhere"));
  EXPECT_FALSE(all[Id(300)].contains("shard"));
}

TEST_F(AssignShardsTest, ReshardIsRefusedBeforeItsTime) {
  EXPECT_THAT(Begin({{"collection", Old()}}, true), IsRefused(HasSubstr("alsoRead")));
  EXPECT_THAT(Begin({{"shards", {"p", "q"}}}, true), IsRefused(HasSubstr("alsoRead")));
  EXPECT_THAT(Begin({{"shards", {"x", "y"}}}, true), IsRefused(HasSubstr("alsoRead")));
  EXPECT_THAT(Begin({{"shards", json::array()}}, true), IsRefused(HasSubstr("new shard values")));
  EXPECT_THAT(Begin({{"shards", "x"}}, true), IsRefused(HasSubstr("new shard values")));
}

TEST_F(AssignShardsTest, RefusesBadOptionsByName) {
  const std::pair<json, const char*> cases[] = {
      {{{"writesPerSecond", 0}}, "writesPerSecond"},
      {{{"writesPerSecond", 10'001}}, "writesPerSecond"},
      {{{"writesPerSecond", 0.5}}, "writesPerSecond"},
      {{{"dryRun", "yes"}}, "dryRun"},
      {{{"resumeFrom", 3}}, "resumeFrom"},
      {{{"resumeFrom", "nonsense"}}, "resumeFrom"},
      {{{"resumeFrom", "events"}}, "resumeFrom"},
      {{{"resumeFrom", "events/"}}, "resumeFrom"},
      {{{"resumeFrom", "/d1"}}, "resumeFrom"},
      {{{"resumeFrom", "others/d1"}}, "resumeFrom"},
      {{{"resumeFrom", "events/d1/more/d2"}}, "resumeFrom"},
      {{{"shards", {"x"}}}, "shards"},
      {{{"fast", true}}, "fast"},
      {{{"collection", {{"path", "a/b"}, {"shards", 1}}}}, "a/b"},
  };
  for (const auto& [arguments, name] : cases) {
    EXPECT_THAT(Begin(arguments), IsRefused(HasSubstr(name))) << arguments;
  }
}

TEST_F(AssignShardsTest, ATokenIsOfItsCallAlone) {
  Fill(301);
  OperationDriver driver = Drive();
  json told;
  while (!told.is_object() && driver.Step()) {
    driver.Send();
    told = ProgressOf(driver.operation());
  }
  const json token = told["resumeFrom"];
  EXPECT_THAT(Begin({{"resumeFrom", token}}), IsOk());
  json other = Old();
  other["path"] = "others";
  const json cases[] = {{{"resumeFrom", token}, {"dryRun", true}},
                        {{"resumeFrom", token}, {"collection", other}},
                        {{"resumeFrom", token}, {"collection", InTransition()}}};
  for (const json& arguments : cases) {
    EXPECT_THAT(Begin(arguments), IsRefused(HasSubstr("resumeFrom"))) << arguments;
  }
  EXPECT_THAT(Begin({{"resumeFrom", token}}, true), IsRefused(HasSubstr("resumeFrom")));
}

}  // namespace
}  // namespace shardline::assign_shards_test
