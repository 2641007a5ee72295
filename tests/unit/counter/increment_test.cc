#include "counter/increment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "simulator/refusal.h"
#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"

namespace shardline::increment_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Amount kOne = Amount::Integer(1);
Amount Integer(std::int64_t value) { return Amount::Integer(value); }
Amount Number(double value) { return Amount::Double(value); }

std::unique_ptr<const Counter> WithShards(std::int64_t shards) {
  return MakeCounter("posts/p1", Preset("web-sample"), shards, Delivery::kTransaction);
}

std::unique_ptr<const Counter> MakeWeb() {
  return MakeCounter("posts/p1", Preset("web-sample"), std::nullopt, Delivery::kTransaction);
}

json DoubleValue(double value) { return {{"doubleValue", value}}; }

class IncrementTest : public ::testing::Test {
 protected:
  OperationDriver Add(std::unique_ptr<const Counter> counter, const Amount& delta = kOne) {
    return OperationDriver(TransactionIncrement::Start(context_, std::move(counter), delta));
  }
  OperationDriver AddOn(SimulatedServer& server, std::unique_ptr<const Counter> counter,
                        const Amount& delta = kOne) {
    OperationDriver driver = Add(std::move(counter), delta);
    driver.Serve(std::ref(server));
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_;
};

// ---- The shard count ----

TEST_F(IncrementTest, ShardCountComesFromTheParent) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(7)}});
  OperationDriver driver = AddOn(server_, MakeWeb());
  EXPECT_EQ(driver.Run().result()["shards"], 7) << "for the caller to remember";
  EXPECT_EQ(driver.verbs(), "batchGet batchGet commit");
  EXPECT_EQ(server_.Total("posts/p1/shards"), 1);
  EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 2, .writes = 1}));
}

TEST_F(IncrementTest, KnownShardCountSparesTheRead) {
  OperationDriver driver = AddOn(server_, WithShards(7));
  EXPECT_EQ(driver.Run().result()["shards"], 7);
  EXPECT_EQ(driver.verbs(), "batchGet commit");
}

TEST_F(IncrementTest, MissingCounterIsNotFound) {
  OperationDriver driver = AddOn(server_, MakeWeb());
  EXPECT_EQ(driver.Run().error().code, Code::kNotFound);
  EXPECT_THAT(driver.error().message, HasSubstr("the field num_shards"));
  EXPECT_THAT(driver.error().message, HasSubstr("create()"));
  server_.Put("posts/p1", {{"title", {{"stringValue", "x"}}}});
  OperationDriver other = AddOn(server_, MakeWeb());
  EXPECT_EQ(other.Run().error().code, Code::kNotFound);
  EXPECT_THAT(other.error().message, HasSubstr("the field num_shards"));
  EXPECT_EQ(server_.requests("commit"), 0);
}

TEST_F(IncrementTest, LayoutsWithoutAParentNeedTheShardCount) {
  for (const char* preset :
       {"node-sample", "go-sample", "php-sample", "ruby-sample", "collection"}) {
    const bool is_collection = preset[0] != 'n' && preset[0] != 'g';
    EXPECT_THAT(TransactionIncrement::Start(
                    context_, MakeCounter(is_collection ? "c" : "c/d", Preset(preset)), kOne),
                IsRefused(HasSubstr("`shards`")))
        << preset;
  }
}

TEST_F(IncrementTest, EveryLayout) {
  struct Case {
    const char* preset;
    const char* path;
    const char* shard;
    const char* field;
  };
  const Case cases[] = {
      {"web-sample", "posts/p1", "posts/p1/shards/0", "count"},
      {"mobile-sample", "posts/p1", "posts/p1/shards/0", "count"},
      {"node-sample", "posts/p1", "posts/p1/shards/0", "count"},
      {"go-sample", "posts/p1", "posts/p1/shards/0", "Count"},
      {"php-sample", "samples/php/distributedCounters", "samples/php/distributedCounters/0", "Cnt"},
      {"ruby-sample", "shards", "shards/0", "count"},
      {"collection", "counterShards", "counterShards/0", "count"},
  };
  for (const Case& c : cases) {
    SimulatedServer server;
    const auto counter = [&] {
      return MakeCounter(c.path, Preset(c.preset), 1, Delivery::kTransaction);
    };
    for (int i = 0; i < 3; ++i) EXPECT_EQ(AddOn(server, counter()).Run().result()["shard"], "0");
    ASSERT_TRUE(server.Find(c.shard)) << c.preset;
    EXPECT_EQ(server.Find(c.shard)->fields, json({{c.field, IntegerValue(3)}}));
  }
}

TEST_F(IncrementTest, ShardsAreChosenUniformly) {
  std::map<std::string, int> counts;
  for (int i = 0; i < 5'000; ++i) {
    OperationDriver driver = Add(WithShards(10));
    driver.Send();
    ++counts[driver.sent()[0].body["documents"][0].get<std::string>()];
  }
  ASSERT_EQ(counts.size(), 10u);
  double chi_squared = 0;
  for (const auto& [shard, count] : counts) chi_squared += (count - 500) * (count - 500) / 500.0;
  EXPECT_LT(chi_squared, 27.9) << "0.1 % of fair dice exceed this";
}

TEST_F(IncrementTest, SeedsDifferInTheirChoices) {
  std::map<std::string, int> first;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    OperationContext context = TestContext(seed);
    OperationDriver driver(TransactionIncrement::Start(context, WithShards(10), kOne));
    driver.Send();
    ++first[driver.sent()[0].body["documents"][0].get<std::string>()];
  }
  EXPECT_EQ(first.size(), 10u);
  for (const auto& [shard, count] : first) EXPECT_NEAR(count, 100, 50) << shard;
}

TEST_F(IncrementTest, RefusalsAreFinal) {
  for (const char* status : {"PERMISSION_DENIED", "INVALID_ARGUMENT"}) {
    OperationDriver driver = Add(WithShards(3));
    driver.Script({Refusal(status)}).Run();
    EXPECT_EQ(driver.error().code, CodeFromServerStatus(status));
  }
}

// It may have been made, moved by a resize, and deleted since: made again, it would count twice.
TEST_F(IncrementTest, TransactionDoesNotMakeAShardTwice) {
  OperationDriver driver = Add(WithShards(1));
  driver.Script({MissingDocument("posts/p1/shards/0"), Cut(), Committed()}).Run();
  EXPECT_EQ(driver.error().code, Code::kOutcomeUnknown);
  EXPECT_EQ(driver.verbs(), "batchGet commit");
}

TEST_F(IncrementTest, FaultsWhileReadingTheShardCount) {
  server_.Put("posts/p1", {{"num_shards", IntegerValue(4)}});
  for (const Reply& fault : {Cut(), Silence(), OkText("[{\"found\""), Refusal("ABORTED"),
                             OkText("[]"), Refusal("UNAUTHENTICATED")}) {
    OperationDriver driver = AddOn(server_, MakeWeb());
    driver.Script({fault});
    EXPECT_EQ(driver.Run().result()["shards"], 4);
    EXPECT_EQ(driver.verbs(), "batchGet batchGet batchGet commit");
  }
}

// ---- By transaction ----

class TransactionTest : public IncrementTest {
 protected:
  OperationDriver Transact(const Amount& delta = kOne, std::int64_t shards = 1) {
    return Add(WithShards(shards), delta);
  }
  OperationDriver TransactOn(SimulatedServer& server, const Amount& delta = kOne) {
    return AddOn(server, WithShards(1), delta);
  }
  json Count() {
    const std::optional<SimulatedServer::Document> shard = server_.Find("posts/p1/shards/0");
    return shard ? shard->fields.value("count", json()) : json();
  }
  void SetCount(const json& count) { server_.Put("posts/p1/shards/0", {{"count", count}}); }
};

TEST_F(TransactionTest, WritesBackOnConditionThatNothingHasChanged) {
  OperationDriver driver = Transact(Integer(5));
  driver
      .Script({FoundDocument("posts/p1/shards/0", {{"count", IntegerValue(37)}},
                             "2026-01-01T00:00:00.123456Z"),
               Committed()})
      .Run();
  EXPECT_EQ(driver.result(),
            json({{"shard", "0"}, {"shards", 1}, {"attempts", 1}, {"aborted", 0}}));
  EXPECT_EQ(driver.verbs(), "batchGet commit");
  EXPECT_EQ(driver.sent()[1].body,
            json({{"writes", json::array({{{"update",
                                            {{"name", Name("posts/p1/shards/0")},
                                             {"fields", {{"count", IntegerValue(42)}}}}},
                                           {"updateMask", {{"fieldPaths", {"count"}}}},
                                           {"currentDocument",
                                            {{"updateTime", "2026-01-01T00:00:00.123456Z"}}}}})}}));
  EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 1, .writes = 1}));
  EXPECT_EQ(driver.sent()[1].at, driver.sent()[0].at + std::chrono::milliseconds(10))
      << "no pause between reading and writing";
}

TEST_F(TransactionTest, MissingShardIsMade) {
  TransactOn(server_, Integer(5)).Run().result();
  EXPECT_EQ(Count(), IntegerValue(5));
  OperationDriver driver = Transact(Integer(5));
  driver.Script({MissingDocument("posts/p1/shards/0"), Committed()}).Run();
  EXPECT_EQ(Writes(driver.sent()[1])[0]["currentDocument"], json({{"exists", false}}));
}

TEST_F(TransactionTest, AddsAsTheServerWould) {
  const std::tuple<json, Amount, json> cases[] = {
      {IntegerValue(1), Integer(2), IntegerValue(3)},
      {IntegerValue(1), Number(0.5), DoubleValue(1.5)},
      {DoubleValue(1.5), Integer(1), DoubleValue(2.5)},
      {DoubleValue(1.5), Number(0.5), DoubleValue(2)},
      {json({{"stringValue", "7"}}), Integer(2), IntegerValue(2)},
      {json({{"nullValue", nullptr}}), Integer(2), IntegerValue(2)},
      {json({{"nullValue", nullptr}}), Number(0.5), DoubleValue(0.5)},
      {IntegerValue(INT64_MAX - 1), Integer(1), IntegerValue(INT64_MAX)},
      {IntegerValue(INT64_MIN), Integer(INT64_MAX), IntegerValue(-1)},
      {IntegerValue(INT64_MAX), Number(1), DoubleValue(0x1.0p63)},
  };
  for (const auto& [before, delta, after] : cases) {
    SetCount(before);
    TransactOn(server_, delta).Run().result();
    EXPECT_EQ(Count(), after) << before;
  }
  server_.Put("posts/p1/shards/0", {{"note", {{"stringValue", "x"}}}});
  TransactOn(server_, Integer(2)).Run().result();
  EXPECT_EQ(server_.Find("posts/p1/shards/0")->fields,
            json({{"note", {{"stringValue", "x"}}}, {"count", IntegerValue(2)}}));
}

TEST_F(TransactionTest, NothingIsWrittenBeyondInt64) {
  for (const auto& [before, delta] :
       {std::pair(INT64_MAX, std::int64_t{1}), std::pair(INT64_MIN, std::int64_t{-1}),
        std::pair(INT64_MIN, INT64_MIN)}) {
    SetCount(IntegerValue(before));
    OperationDriver driver = TransactOn(server_, Integer(delta));
    EXPECT_EQ(driver.Run().error().code, Code::kOutOfRange);
    EXPECT_THAT(driver.error().message, HasSubstr("nothing was counted"));
    EXPECT_EQ(driver.verbs(), "batchGet");
    EXPECT_EQ(driver.operation().billed(), Billed{.reads = 1});
  }
}

TEST_F(TransactionTest, NestedField) {
  const Layout layout = {.shard_collection = "s", .count_field = "stats.n"};
  const auto counter = [&] { return MakeCounter("a/b", layout, 1, Delivery::kTransaction); };
  const json other = {{"mapValue", {{"fields", {{"other", IntegerValue(1)}}}}}};
  server_.Put("a/b/s/0", {{"stats", other}});
  for (int i = 0; i < 2; ++i) AddOn(server_, counter(), Integer(4)).Run().result();
  EXPECT_EQ(server_.Find("a/b/s/0")->fields["stats"]["mapValue"]["fields"],
            json({{"other", IntegerValue(1)}, {"n", IntegerValue(8)}}));
}

// The path of the document that a :batchGet asks for.
std::string AskedFor(const SentRequest& request) {
  return request.body["documents"][0].get<std::string>().substr(Name("").size());
}

TEST_F(TransactionTest, ConflictsStartAnewOnAnotherShardAfterAPause) {
  for (const char* status : {"FAILED_PRECONDITION", "ALREADY_EXISTS", "NOT_FOUND", "ABORTED"}) {
    OperationDriver driver = Transact(kOne, 10);
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      if (request.verb() == "commit") return ++commits <= 2 ? Refusal(status) : Committed();
      if (commits == 2) return MissingDocument(AskedFor(request));
      return FoundDocument(AskedFor(request), {{"count", IntegerValue(commits + 1)}});
    });
    driver.Run();
    driver.result();
    ASSERT_EQ(driver.verbs(), "batchGet commit batchGet commit batchGet commit") << status;
    for (const std::size_t read : {2u, 4u}) {
      EXPECT_NE(driver.sent()[read].body["documents"], driver.sent()[read - 2].body["documents"]);
      EXPECT_GE(driver.sent()[read].at - driver.sent()[read - 1].at,
                std::chrono::milliseconds(500));
      EXPECT_EQ(driver.sent()[read + 1].at - driver.sent()[read].at, std::chrono::milliseconds(10));
    }
  }
}

TEST_F(TransactionTest, SomebodyElseWritesInBetween) {
  SetCount(IntegerValue(10));
  OperationDriver driver = Transact();
  int commits = 0;
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit" && ++commits <= 3) SetCount(IntegerValue(10 + commits));
    return server_(request);
  });
  driver.Run().result();
  EXPECT_EQ(Count(), IntegerValue(14));
}

TEST_F(TransactionTest, EndlessConflictsEnd) {
  OperationDriver driver = Transact(kOne, 10);
  driver.Serve([&](const SentRequest& request) {
    return request.verb() == "commit" ? Refusal("ABORTED") : MissingDocument(AskedFor(request));
  });
  EXPECT_EQ(driver.Run().error().code, Code::kAborted);
  EXPECT_THAT(driver.error().message, HasSubstr("more shards"));
  EXPECT_EQ(driver.sent().size(), 12u) << "six attempts of two requests";
}

TEST_F(TransactionTest, LostAnswerIsAskedForByTheSameCommit) {
  const Reply faults[] = {Cut(),
                          Silence(),
                          OkText("{\"writeRes"),
                          OkText(""),
                          Refusal("INTERNAL"),
                          Answer(500, "<html>"),
                          OkText("{\"writeResults\":[]}")};
  for (const Reply& fault : faults) {
    // Not applied: the second time counts.
    SetCount(IntegerValue(7));
    OperationDriver driver = Transact();
    int commits = 0;
    driver.Serve([&](const SentRequest& request) {
      return request.verb() == "commit" && ++commits == 1 ? fault : server_(request);
    });
    driver.Run().result();
    EXPECT_EQ(Count(), IntegerValue(8));
    EXPECT_EQ(driver.sent()[1].body, driver.sent()[2].body);

    // Applied: the second time is refused, and nobody can tell why.
    SetCount(IntegerValue(7));
    OperationDriver doubtful = Transact();
    commits = 0;
    doubtful.Serve([&](const SentRequest& request) {
      Reply reply = server_(request);
      return request.verb() == "commit" && ++commits == 1 ? fault : reply;
    });
    EXPECT_EQ(doubtful.Run().error().code, Code::kOutcomeUnknown);
    EXPECT_EQ(Count(), IntegerValue(8)) << "not twice";
  }
}

TEST_F(TransactionTest, ContentionAfterALostAnswerRepeatsTheSameCommit) {
  SetCount(IntegerValue(7));
  OperationDriver driver = Transact();
  int commits = 0;
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() != "commit") return server_(request);
    ++commits;
    if (commits == 1) return Cut();
    return commits == 2 ? Refusal("ABORTED") : server_(request);
  });
  driver.Run().result();
  EXPECT_EQ(driver.verbs(), "batchGet commit commit commit");
  EXPECT_EQ(Count(), IntegerValue(8));
}

TEST_F(TransactionTest, LostAnswersOfTheReadDoNoHarm) {
  SetCount(IntegerValue(7));
  OperationDriver driver = Transact();
  int reads = 0;
  driver.Serve([&](const SentRequest& request) {
    return request.verb() == "batchGet" && ++reads < 4 ? Cut() : server_(request);
  });
  driver.Run().result();
  EXPECT_EQ(Count(), IntegerValue(8));
}

TEST_F(TransactionTest, MissingUpdateTimeIsNoLicenceToOverwrite) {
  SetCount(IntegerValue(7));
  OperationDriver driver = Transact();
  driver.Serve([&](const SentRequest& request) {
    if (request.verb() == "commit") return server_(request);
    return OkText("[{\"found\":{\"name\":\"" + Name("posts/p1/shards/0") +
                  "\",\"fields\":{}},\"readTime\":\"2026-01-01T00:00:00Z\"}]");
  });
  EXPECT_EQ(driver.Run().error().code, Code::kInternal);
  EXPECT_EQ(Count(), IntegerValue(7));
}

TEST(DecideTransaction, OthersWritesSendItToAnotherShardAndAllElseEndsIt) {
  struct Row {
    Code code;
    bool maybe_applied;
    int conflicts;
    TransactionStep step;
  };
  constexpr int kMaxAttempts = 3;
  const Row rows[] = {
      {Code::kFailedPrecondition, false, 0, TransactionStep::kAnotherShard},
      {Code::kAlreadyExists, false, 0, TransactionStep::kAnotherShard},
      {Code::kNotFound, false, 0, TransactionStep::kAnotherShard},
      {Code::kAborted, false, 1, TransactionStep::kAnotherShard},
      {Code::kAborted, false, 2, TransactionStep::kContended},
      {Code::kFailedPrecondition, true, 0, TransactionStep::kFails},
      {Code::kAborted, true, 2, TransactionStep::kFails},
      {Code::kPermissionDenied, false, 0, TransactionStep::kFails},
      {Code::kOutcomeUnknown, true, 0, TransactionStep::kFails},
      {Code::kUnavailable, false, 0, TransactionStep::kFails},
  };
  for (const Row& row : rows) {
    const CallFailure failure{simulator::Refusal(row.code, "Made up."), row.maybe_applied, 1};
    EXPECT_EQ(DecideTransaction(failure, row.conflicts, kMaxAttempts), row.step)
        << CodeName(row.code) << ' ' << row.maybe_applied << ' ' << row.conflicts;
  }
}

}  // namespace
}  // namespace shardline::increment_test
