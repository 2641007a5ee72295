#include "counter/create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/fixtures.h"
#include "unit/support/simulated_server.h"

namespace shardline::create_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

json Result_(bool created, int shards) { return {{"created", created}, {"shards", shards}}; }

class CreateTest : public ::testing::Test {
 protected:
  OperationDriver Create(std::unique_ptr<const Counter> counter = MakeCounter(),
                         IfExists if_exists = IfExists::kKeep) {
    return OperationDriver(
        std::make_unique<CreateCounter>(context_, std::move(counter), if_exists));
  }
  OperationDriver CreateOn(SimulatedServer& server,
                           std::unique_ptr<const Counter> counter = MakeCounter(),
                           IfExists if_exists = IfExists::kKeep) {
    OperationDriver driver = Create(std::move(counter), if_exists);
    driver.Serve(std::ref(server));
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_;
};

TEST_F(CreateTest, AllInOneCommit) {
  OperationDriver driver = Create(MakeCounter("posts/p1", Preset("web-sample"), 2));
  driver.Script({MissingDocument("posts/p1"), Committed(3)}).Run();
  EXPECT_EQ(driver.result(), Result_(true, 2));
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  const json zero = {{"count", IntegerValue(0)}};
  const json missing = {{"exists", false}};
  const json expected = json::array(
      {{{"update", {{"name", Name("posts/p1")}, {"fields", {{"num_shards", IntegerValue(2)}}}}},
        {"currentDocument", missing}},
       {{"update", {{"name", Name("posts/p1/shards/0")}, {"fields", zero}}},
        {"currentDocument", missing}},
       {{"update", {{"name", Name("posts/p1/shards/1")}, {"fields", zero}}},
        {"currentDocument", missing}}});
  EXPECT_EQ(Writes(driver.sent()[1]), expected);
  EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 1, .writes = 3}));
}

TEST_F(CreateTest, EveryShardHasEveryField) {
  const std::vector<FieldPath> fields = {FieldPath::Parse("like").value(),
                                         FieldPath::Parse("love").value()};
  Layout layout = Preset("node-sample");
  layout.count_field = "like";
  const auto create = [&](const char* path, const Layout& of) {
    std::unique_ptr<Operation> operation = std::make_unique<CreateCounter>(
        context_, MakeCounter(path, of, 2), IfExists::kKeep, fields);
    OperationDriver driver(std::move(operation));
    return driver.Serve(std::ref(server_)).Run().result();
  };
  const json nothing = {{"like", IntegerValue(0)}, {"love", IntegerValue(0)}};
  EXPECT_EQ(create("posts/p1", Preset("web-sample")), Result_(true, 2));
  EXPECT_EQ(server_.List("posts/p1/shards"), json({{"0", nothing}, {"1", nothing}}));
  // Another counter has made a shard.
  server_.Put("posts/p2/shards/1", {{"count", IntegerValue(7)}});
  EXPECT_EQ(create("posts/p2", layout), Result_(true, 2));
  json both = nothing;
  both["count"] = IntegerValue(7);
  EXPECT_EQ(server_.List("posts/p2/shards"), json({{"0", nothing}, {"1", both}}));
  server_.Put("posts/p2/shards/0", {{"like", IntegerValue(3)}});
  EXPECT_EQ(create("posts/p2", layout), Result_(false, 2));
  EXPECT_EQ(server_.Get("posts/p2/shards/0"), json({{"like", IntegerValue(3)}}));
}

TEST_F(CreateTest, SameBodyAsTheRecordedOne) {
  const Exchange exchange = LoadExchange("commit", "create a counter");
  OperationDriver driver = Create(MakeCounter("counters/c", Preset("web-sample"), 2));
  driver.Script({MissingDocument("counters/c"), OkText(exchange.body)}).Run();
  EXPECT_EQ(driver.sent()[1].body, exchange.request);
  EXPECT_EQ(driver.result(), Result_(true, 2));
}

TEST_F(CreateTest, EveryLayout) {
  struct Case {
    const char* preset;
    const char* path;
    const char* parent;
    const char* shards;
    const char* field;
  };
  const Case cases[] = {
      {"web-sample", "posts/p1", R"({"num_shards":{"integerValue":"10"}})", "posts/p1/shards/",
       "count"},
      {"mobile-sample", "posts/p1", R"({"numShards":{"integerValue":"10"}})", "posts/p1/shards/",
       "count"},
      {"node-sample", "posts/p1", nullptr, "posts/p1/shards/", "count"},
      {"go-sample", "posts/p1", nullptr, "posts/p1/shards/", "Count"},
      {"php-sample", "samples/php/distributedCounters", nullptr, "samples/php/distributedCounters/",
       "Cnt"},
      {"ruby-sample", "shards", nullptr, "shards/", "count"},
      {"collection", "counterShards", nullptr, "counterShards/", "count"},
  };
  for (const Case& c : cases) {
    SimulatedServer server;
    OperationDriver driver = CreateOn(server, MakeCounter(c.path, Preset(c.preset)));
    EXPECT_EQ(driver.Run().result(), Result_(true, 10)) << c.preset;
    EXPECT_EQ(server.size(), c.parent ? 11u : 10u) << c.preset;
    if (c.parent) {
      EXPECT_EQ(server.Find(c.path)->fields, json::parse(c.parent));
    }
    for (int i = 0; i < 10; ++i) {
      const std::optional<SimulatedServer::Document> shard =
          server.Find(c.shards + std::to_string(i));
      ASSERT_TRUE(shard) << c.shards << i;
      EXPECT_EQ(shard->fields, json({{c.field, IntegerValue(0)}}));
    }
    EXPECT_EQ(driver.verbs(), c.parent ? "batchGet commit" : "commit") << c.preset;
  }
}

TEST_F(CreateTest, NestedFields) {
  const Layout layout = {
      .shard_collection = "parts", .count_field = "stats.n", .shard_count_field = "meta.shards"};
  server_.Put("a/b", {{"meta", {{"mapValue", {{"fields", {{"other", IntegerValue(1)}}}}}}}});
  OperationDriver driver = CreateOn(server_, MakeCounter("a/b", layout, 1));
  EXPECT_EQ(driver.Run().result(), Result_(true, 1));
  EXPECT_EQ(server_.Find("a/b")->fields,
            json::parse(R"({"meta":{"mapValue":{"fields":{"other":{"integerValue":"1"},
                                                          "shards":{"integerValue":"1"}}}}})"));
  EXPECT_EQ(server_.Find("a/b/parts/0")->fields,
            json::parse(R"({"stats":{"mapValue":{"fields":{"n":{"integerValue":"0"}}}}})"));
}

TEST_F(CreateTest, LiveCounterIsKept) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(20)}});
  server_.Put("posts/p1/shards/3", {{"count", IntegerValue(99)}});
  OperationDriver driver = CreateOn(server_, MakeCounter("posts/p1", Preset("web-sample"), 10));
  EXPECT_EQ(driver.Run().result(), Result_(false, 20)) << "as many as it has, not as asked for";
  EXPECT_EQ(driver.verbs(), "batchGet");
  EXPECT_EQ(server_.size(), 2u);
  EXPECT_EQ(driver.operation().billed(), Billed{.reads = 1});

  OperationDriver strict = CreateOn(server_, MakeCounter(), IfExists::kError);
  EXPECT_EQ(strict.Run().error().code, Code::kAlreadyExists);
  EXPECT_THAT(strict.error().message, HasSubstr("posts/p1"));
}

TEST_F(CreateTest, OtherFieldsOfThePostStay) {
  const json title = {{"stringValue", "Hello"}};
  server_.Put("posts/p1", {{"title", title}});
  const std::string update_time = server_.Find("posts/p1")->update_time;
  OperationDriver driver = CreateOn(server_, MakeCounter("posts/p1", Preset("web-sample"), 3));
  EXPECT_EQ(driver.Run().result(), Result_(true, 3));
  EXPECT_EQ(server_.Find("posts/p1")->fields,
            json({{"title", title}, {"num_shards", IntegerValue(3)}}));
  const json& write = Writes(driver.sent()[1])[0];
  EXPECT_EQ(write["updateMask"], json({{"fieldPaths", {"num_shards"}}}));
  EXPECT_EQ(write["currentDocument"], json({{"updateTime", update_time}}));
}

TEST_F(CreateTest, DocumentOfAnotherKindIsNotTouched) {
  server_.Put("posts/p1", {{"num_shards", {{"stringValue", "ten"}}}});
  for (const IfExists if_exists : {IfExists::kKeep, IfExists::kError}) {
    OperationDriver driver = CreateOn(server_, MakeCounter(), if_exists);
    EXPECT_EQ(driver.Run().error().code, Code::kFailedPrecondition);
    EXPECT_THAT(driver.error().message, HasSubstr("num_shards of posts/p1"));
  }
  EXPECT_EQ(server_.requests("commit"), 0);
}

TEST_F(CreateTest, PostThatChangesMeanwhileIsReadAgain) {
  server_.Put("posts/p1", {{"title", {{"stringValue", "a"}}}});
  OperationDriver driver = Create();
  int commits = 0;
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && ++commits == 1) {
      server_.Put("posts/p1", {{"title", {{"stringValue", "b"}}}});
    }
    return server_(request);
  });
  EXPECT_EQ(driver.Run().result(), Result_(true, 10));
  EXPECT_EQ(driver.verbs(), "batchGet commit batchGet commit");
  EXPECT_EQ(server_.Find("posts/p1")->fields["title"]["stringValue"], "b");
}

TEST_F(CreateTest, PostThatIsDeletedMeanwhileIsMade) {
  server_.Put("posts/p1", {{"title", {{"stringValue", "a"}}}});
  OperationDriver driver = Create();
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit") server_.Delete("posts/p1");
    return server_(request);
  });
  EXPECT_EQ(driver.Run().result(), Result_(true, 10));
  EXPECT_EQ(server_.Find("posts/p1")->fields, json({{"num_shards", IntegerValue(10)}}));
}

TEST_F(CreateTest, PostThatIsMadeMeanwhileKeepsItsFields) {
  OperationDriver driver = Create();
  int commits = 0;
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && ++commits == 1) {
      server_.Put("posts/p1", {{"title", {{"stringValue", "new"}}}});
    }
    return server_(request);
  });
  EXPECT_EQ(driver.Run().result(), Result_(true, 10));
  EXPECT_EQ(server_.Find("posts/p1")->fields["title"]["stringValue"], "new");
  EXPECT_EQ(server_.size(), 11u);
}

TEST_F(CreateTest, CreatorsRace) {
  for (const IfExists if_exists : {IfExists::kKeep, IfExists::kError}) {
    SimulatedServer server;
    OperationDriver driver = Create(MakeCounter("posts/p1", Preset("web-sample"), 10), if_exists);
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit" && ++commits == 1) {
        OperationContext context = TestContext(2);
        OperationDriver other(std::make_unique<CreateCounter>(
            context, MakeCounter("posts/p1", Preset("web-sample"), 5), IfExists::kError));
        EXPECT_EQ(other.Serve(std::ref(server)).Run().result(), Result_(true, 5));
      }
      return server(request);
    });
    driver.Run();
    if (if_exists == IfExists::kKeep) {
      EXPECT_EQ(driver.result(), Result_(false, 5));
    } else {
      EXPECT_EQ(driver.error().code, Code::kAlreadyExists);
    }
    EXPECT_EQ(server.size(), 6u) << "none of the loser's documents";
  }
}

TEST_F(CreateTest, ShardsWithoutAParentAreTakenOver) {
  // Node's sample makes shards on the first increment.
  for (const IfExists if_exists : {IfExists::kKeep, IfExists::kError}) {
    SimulatedServer server;
    server.Put("posts/p1/shards/3", {{"count", IntegerValue(7)}});
    server.Put("posts/p1/shards/9", {{"count", IntegerValue(8)}});
    server.Put("posts/p1/shards/17", {{"count", IntegerValue(9)}});
    OperationDriver driver = CreateOn(server, MakeCounter(), if_exists);
    EXPECT_EQ(driver.Run().result(), Result_(true, 10));
    EXPECT_EQ(driver.verbs(), "batchGet commit batchGet runQuery commit");
    EXPECT_EQ(server.Total("posts/p1/shards"), 24);
    EXPECT_EQ(server.size(), 12u);
    EXPECT_EQ(Writes(driver.sent().back()).size(), 9u);
    EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 5, .writes = 9}));
  }
}

TEST_F(CreateTest, ShardsWithoutAParentBelowAPost) {
  server_.Put("posts/p1", {{"title", {{"stringValue", "a"}}}});
  server_.Put("posts/p1/shards/0", {{"count", IntegerValue(7)}});
  OperationDriver driver = CreateOn(server_);
  EXPECT_EQ(driver.Run().result(), Result_(true, 10));
  EXPECT_EQ(server_.Total("posts/p1/shards"), 7);
  EXPECT_EQ(server_.Find("posts/p1")->fields.size(), 2u);
}

TEST_F(CreateTest, HalfMadeCounterWithItsParentIsKept) {
  // Swift's sample writes the parent first.
  server_.Put("posts/p1", {{"numShards", IntegerValue(10)}});
  OperationDriver driver = CreateOn(server_, MakeCounter("posts/p1", Preset("mobile-sample")));
  EXPECT_EQ(driver.Run().result(), Result_(false, 10));
  EXPECT_EQ(server_.size(), 1u);
}

TEST_F(CreateTest, WithoutAParentTheShardsAreTheCounter) {
  const auto counter = [] { return MakeCounter("counterShards", Preset("collection"), 4); };
  EXPECT_EQ(CreateOn(server_, counter()).Run().result(), Result_(true, 4));
  server_.Put("counterShards/2", {{"count", IntegerValue(5)}});
  OperationDriver again = CreateOn(server_, counter());
  EXPECT_EQ(again.Run().result(), Result_(false, 4));
  EXPECT_EQ(again.verbs(), "commit runQuery");
  OperationDriver strict = CreateOn(server_, counter(), IfExists::kError);
  EXPECT_EQ(strict.Run().error().code, Code::kAlreadyExists);
  EXPECT_EQ(server_.Total("counterShards"), 5);
}

TEST_F(CreateTest, WithoutAParentMissingShardsAreAdded) {
  server_.Put("counterShards/2", {{"count", IntegerValue(5)}});
  server_.Put("counterShards/unrelated", {{"count", IntegerValue(6)}});
  const auto counter = [] { return MakeCounter("counterShards", Preset("ruby-sample"), 4); };
  OperationDriver strict = CreateOn(server_, counter(), IfExists::kError);
  EXPECT_EQ(strict.Run().error().code, Code::kAlreadyExists);
  EXPECT_EQ(server_.size(), 2u);
  OperationDriver driver = CreateOn(server_, counter());
  EXPECT_EQ(driver.Run().result(), Result_(false, 4)) << "it did exist, though not all of it";
  EXPECT_EQ(driver.verbs(), "commit runQuery commit");
  EXPECT_EQ(server_.size(), 5u);
  EXPECT_EQ(server_.Total("counterShards"), 11);
}

TEST_F(CreateTest, WithoutAParentShardsMayVanishMeanwhile) {
  OperationDriver driver =
      Create(MakeCounter("counterShards", Preset("collection"), 2), IfExists::kError);
  driver.Script({Refusal("ALREADY_EXISTS"), Listed("counterShards", {}), Committed(2)}).Run();
  EXPECT_EQ(driver.result(), Result_(true, 2));
}

TEST_F(CreateTest, ManyShardsAreListedInPages) {
  for (int i = 0; i < 900; i += 2) {
    server_.Put("c/x/shards/" + std::to_string(i), {{"count", IntegerValue(1)}});
  }
  OperationDriver driver = CreateOn(server_, MakeCounter("c/x", Preset("node-sample"), 1000));
  EXPECT_EQ(driver.Run().result(), Result_(false, 1000));
  EXPECT_EQ(driver.verbs(), "commit runQuery runQuery commit");
  EXPECT_EQ(server_.size(), 1000u);
  EXPECT_EQ(server_.Total("c/x/shards"), 450);
}

TEST_F(CreateTest, LargestCounterFitsIntoOneRequest) {
  OperationDriver driver = CreateOn(server_, MakeCounter("posts/p1", Preset("web-sample"), 10'000));
  EXPECT_EQ(driver.Run().result(), Result_(true, 10'000));
  EXPECT_EQ(server_.size(), 10'001u);
}

TEST_F(CreateTest, RequestsBeyondTenMebibytesAreRefusedUnsent) {
  const std::string path = std::string(1400, 'p') + '/' + std::string(1400, 'q');
  OperationDriver driver = CreateOn(server_, MakeCounter(path, Preset("node-sample"), 10'000));
  EXPECT_EQ(driver.Run().error().code, Code::kInvalidArgument);
  EXPECT_THAT(driver.error().message, HasSubstr("fewer shards"));
  EXPECT_EQ(driver.sent().size(), 0u);
  OperationDriver smaller = CreateOn(server_, MakeCounter(path, Preset("node-sample"), 3'000));
  EXPECT_EQ(smaller.Run().result(), Result_(true, 3'000));
}

// What becomes of the commit that a fault meets.
Reply Applied(SimulatedServer& server, const SentRequest& request, const Reply& reply) {
  server(request);
  return reply;
}

TEST_F(CreateTest, LostAnswerOfACommitThatWasApplied) {
  const Reply faults[] = {Cut(),
                          Silence(),
                          OkText("{\"writeResults\":[{"),
                          OkText(""),
                          OkText("<html>"),
                          Answer(500, "<html>"),
                          Refusal("INTERNAL"),
                          Refusal("UNAVAILABLE"),
                          OkText("{\"writeResults\":[]}")};
  for (const Reply& fault : faults) {
    for (const IfExists if_exists : {IfExists::kKeep, IfExists::kError}) {
      SimulatedServer server;
      OperationDriver driver = Create(MakeCounter(), if_exists);
      int commits = 0;
      driver.Serve([&](const SentRequest& request) {
        if (request.verb() == "commit" && ++commits == 1) return Applied(server, request, fault);
        return server(request);
      });
      driver.Run();
      EXPECT_EQ(server.size(), 11u);
      if (fault.body == "<html>" && fault.status == 200) {
        // Not worth asking again.
        EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown);
      } else if (if_exists == IfExists::kKeep) {
        EXPECT_EQ(driver.result(), Result_(false, 10)) << "it cannot be known who made it";
      } else {
        EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown);
        EXPECT_THAT(driver.error().message, HasSubstr("exists now"));
      }
    }
  }
}

TEST_F(CreateTest, LostAnswerOfACommitThatWasNotApplied) {
  for (const Reply& fault : {Cut(), Silence(), OkText(""), Refusal("UNAVAILABLE")}) {
    for (const char* preset : {"web-sample", "node-sample"}) {
      SimulatedServer server;
      OperationDriver driver = Create(MakeCounter("posts/p1", Preset(preset)), IfExists::kError);
      int commits = 0;
      driver.Serve([&](const SentRequest& request) {
        return request.verb() == "commit" && ++commits == 1 ? fault : server(request);
      });
      EXPECT_EQ(driver.Run().result(), Result_(true, 10));
    }
  }
}

TEST_F(CreateTest, LostAnswerWithoutAParent) {
  for (const IfExists if_exists : {IfExists::kKeep, IfExists::kError}) {
    SimulatedServer server;
    OperationDriver driver = Create(MakeCounter("posts/p1", Preset("go-sample")), if_exists);
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit" && ++commits == 1) return Applied(server, request, Cut());
      return server(request);
    });
    driver.Run();
    if (if_exists == IfExists::kKeep) {
      EXPECT_EQ(driver.result(), Result_(false, 10));
    } else {
      EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown);
    }
  }
}

TEST_F(CreateTest, LostAnswerAndThenNothingButFailure) {
  OperationDriver driver = Create();
  driver.Serve([&](const SentRequest& request) {
    return request.verb() == "batchGet" && request.id == 1 ? server_(request) : Cut();
  });
  EXPECT_EQ(driver.Run().error().code, Code::kOutcomeUnknown);

  // The doubt stays when it is the reading again that fails.
  OperationDriver reader = Create();
  reader
      .Script({MissingDocument("posts/p1"), Cut(), Refusal("ALREADY_EXISTS"),
               Refusal("PERMISSION_DENIED")})
      .Run();
  EXPECT_EQ(reader.error().code, Code::kOutcomeUnknown);

  OperationDriver clean = Create();
  clean
      .Script(
          {MissingDocument("posts/p1"), Refusal("ALREADY_EXISTS"), Refusal("PERMISSION_DENIED")})
      .Run();
  EXPECT_EQ(clean.error().code, Code::kPermissionDenied);
}

TEST_F(CreateTest, ContentionIsWaitedFor) {
  OperationDriver driver = Create();
  driver
      .Script({Refusal("UNAVAILABLE"), MissingDocument("posts/p1"), Refusal("ABORTED"),
               Refusal("RESOURCE_EXHAUSTED"), Committed(11)})
      .Run();
  EXPECT_EQ(driver.result(), Result_(true, 10));
}

TEST_F(CreateTest, EndlessConflictsEnd) {
  OperationDriver driver = Create();
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "batchGet") return MissingDocument("posts/p1");
    if (request.verb() == "runQuery") return Listed("posts/p1/shards", {});
    return Refusal("ALREADY_EXISTS");
  });
  EXPECT_EQ(driver.Run().error().code, Code::kAborted);
  EXPECT_THAT(driver.error().message, HasSubstr("kept changing"));
  EXPECT_GT(driver.sent().back().at - driver.sent().front().at, std::chrono::seconds(3))
      << "with pauses in between";
}

TEST_F(CreateTest, RefusalsAreFinal) {
  for (const char* status : {"PERMISSION_DENIED", "INVALID_ARGUMENT", "NOT_FOUND"}) {
    OperationDriver reading = Create();
    EXPECT_EQ(reading.Script({Refusal(status)}).Run().error().code, CodeFromServerStatus(status));
  }
  OperationDriver committing = Create();
  committing.Script({MissingDocument("posts/p1"), Refusal("PERMISSION_DENIED")}).Run();
  EXPECT_EQ(committing.error().code, Code::kPermissionDenied);
}

TEST_F(CreateTest, CancelWarnsOfACommitUnderWay) {
  OperationDriver driver = Create();
  driver.Script({MissingDocument("posts/p1")}).Run();
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  driver.operation().Cancel();
  EXPECT_EQ(driver.error().code, Code::kCancelled);
  EXPECT_THAT(driver.error().message, HasSubstr("may have been applied"));
  OperationDriver reading = Create();
  reading.Send();
  reading.operation().Cancel();
  EXPECT_THAT(reading.error().message, Not(HasSubstr("applied")));
}

TEST(DecideCreate, MakesCompletesOrKeeps) {
  struct Row {
    int there;
    IfExists if_exists;
    CreateStep step;
  };
  const Row rows[] = {
      {0, IfExists::kKeep, CreateStep::kMake},     {0, IfExists::kError, CreateStep::kMake},
      {1, IfExists::kKeep, CreateStep::kComplete}, {1, IfExists::kError, CreateStep::kExists},
      {2, IfExists::kKeep, CreateStep::kComplete}, {2, IfExists::kError, CreateStep::kExists},
      {3, IfExists::kKeep, CreateStep::kExists},   {3, IfExists::kError, CreateStep::kExists},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(DecideCreate(row.there, 3, row.if_exists), row.step) << row.there;
  }
}

}  // namespace
}  // namespace shardline::create_test
