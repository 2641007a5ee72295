#include "simulator/simulator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client.h"
#include "unit/support/run_size.h"

namespace shardline::simulator::simulator_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kSecond = 1'000'000;
constexpr std::int64_t kStart = 1'795'197'600'000'000;

SimulatorOptions Options(std::string_view json) {
  auto options = ReadSimulatorOptions(PaddedText(json));
  EXPECT_TRUE(options) << json;
  return options.value_or(SimulatorOptions{});
}

Delivery Commit(Simulator& simulator, const Json& write, std::int64_t now) {
  const Json body = {{"writes", List({write})}};
  return simulator.Handle({"POST", "/v1/" + kRoot + ":commit"}, PaddedText(body.dump()),
                          Timestamp{now});
}

// The writes a second that are acknowledged in time, of `rate` a second that are tried for
// `seconds`.
template <class MakeWrite>
double Throughput(Simulator& simulator, int rate, int seconds, MakeWrite make_write,
                  int warm_up = 0) {
  int acknowledged = 0;
  for (int i = 0; i < rate * seconds; ++i) {
    const std::int64_t now = kStart + i * kSecond / rate;
    const Delivery delivery = Commit(simulator, make_write(i), now);
    const std::int64_t done = now + delivery.delay;
    if (delivery.answer.status == 200 && done < kStart + seconds * kSecond &&
        done >= kStart + warm_up * kSecond) {
      ++acknowledged;
    }
  }
  return static_cast<double>(acknowledged) / (seconds - warm_up);
}

TEST(Limits, OneDocumentTakesOneWriteASecond) {
  Simulator simulator(Options(R"({"limits":"documented"})"));
  const double rate = Throughput(simulator, 20, 120, [](int i) {
    return Update("a/1", {{"v", Integer(i)}});
  });
  EXPECT_NEAR(rate, 1, 0.1);
  EXPECT_GT(simulator.contention().aborted(), 2000);
}

TEST(Limits, ShardsMultiplyIt) {
  for (const int shards : {10, 50}) {
    Simulator simulator(Options(R"({"limits":"documented"})"));
    const double rate = Throughput(simulator, 100, 120, [&](int i) {
      return Update("c/x/shards/" + std::to_string(i * 7919 % shards), {{"count", Integer(i)}});
    });
    EXPECT_NEAR(rate, shards, shards * 0.1);
  }
}

std::string AutoId(int i) {
  // Scattered, as generated ids are.
  const std::uint64_t scattered = Random(static_cast<std::uint64_t>(i)).Next();
  return std::to_string(scattered);
}

// In the default run, a tenth of the writes meet a tenth of the limit.
TEST(Limits, ASequentialCollectionTakes500WritesASecond) {
  Simulator simulator(Options(InRun<std::string_view>(
      R"({"limits":{"ramp":false,"lockDeadlineSeconds":2,"tabletWritesPerSecond":50}})",
      R"({"limits":{"ramp":false,"lockDeadlineSeconds":2}})")));
  const double rate = Throughput(
      simulator, InRun(200, 2000), 40,
      [](int i) {
        return Update("i/" + AutoId(i), {{"timestamp", Integer(i)}});
      },
      20);
  EXPECT_NEAR(rate, InRun(50, 500), InRun(5, 50));
}

// A tenth of the documented rates, for the test to be quick: 50 writes a second per tablet.
TEST(Limits, AShardFieldMultipliesItWhenTheIndexesAreRight) {
  constexpr std::string_view kOptions =
      R"({"limits":{"ramp":false,"lockDeadlineSeconds":2,"tabletWritesPerSecond":50},"indexes":{
    "indexes":[{"collectionGroup":"i","fields":[{"fieldPath":"shard","order":"ASCENDING"},
                                                {"fieldPath":"timestamp","order":"DESCENDING"}]}],
    "fieldOverrides":[{"collectionGroup":"i","fieldPath":"timestamp","indexes":[]},
                      {"collectionGroup":"i","fieldPath":"shard","indexes":[]}]}})";
  Simulator simulator(Options(kOptions));
  const double rate = Throughput(
      simulator, 400, 60,
      [](int i) {
        return Update("i/" + AutoId(i), {{"shard", String(std::string(1, "xyz"[i * 7919 % 3]))},
                                         {"timestamp", Integer(i)}});
      },
      40);
  EXPECT_NEAR(rate, 150, 15);
  // With the timestamp's own index, the shard helps nothing.
  Simulator without(
      Options(R"({"limits":{"ramp":false,"lockDeadlineSeconds":2,"tabletWritesPerSecond":50}})"));
  const double still = Throughput(
      without, 400, 30,
      [](int i) {
        return Update("i/" + AutoId(i), {{"shard", String(std::string(1, "xyz"[i * 7919 % 3]))},
                                         {"timestamp", Integer(i)}});
      },
      15);
  EXPECT_NEAR(still, 50, 5);
}

TEST(Limits, ScatteredKeysSpread) {
  Simulator simulator(
      Options(R"({"limits":{"ramp":false,"lockDeadlineSeconds":2,"tabletWritesPerSecond":50}})"));
  const double rate = Throughput(
      simulator, 200, 60, [](int i) { return Update("i/" + AutoId(i), Json::object()); }, 40);
  EXPECT_NEAR(rate, 200, 10);
}

TEST(Limits, TrafficRampsUp) {
  Simulator simulator(
      Options(R"({"limits":{"tabletWritesPerSecond":100000,"lockDeadlineSeconds":2}})"));
  const double rate = Throughput(
      simulator, 1000, 20, [](int i) { return Update("i/" + AutoId(i), Json::object()); }, 10);
  EXPECT_NEAR(rate, 500, 50);
}

TEST(Faults, LoseWhatTheySay) {
  Simulator requests(Options(R"({"faults":{"dropRequest":1}})"));
  EXPECT_TRUE(Commit(requests, Update("a/1", Json::object()), kStart).lost);
  EXPECT_EQ(requests.backend().size(), 0u);
  Simulator responses(Options(R"({"faults":{"dropResponse":1}})"));
  EXPECT_TRUE(Commit(responses, Update("a/1", Json::object()), kStart).lost);
  EXPECT_EQ(responses.backend().size(), 1u);
}

TEST(Faults, AnswerWithTheirErrors) {
  const auto status = [](std::string_view faults) {
    Simulator simulator(Options(faults));
    return Commit(simulator, Update("a/1", Json::object()), kStart).answer.status;
  };
  EXPECT_EQ(status(R"({"faults":{"internal":1}})"), 500);
  EXPECT_EQ(status(R"({"faults":{"unavailable":1}})"), 503);
  EXPECT_EQ(status(R"({"faults":{"resourceExhausted":1}})"), 429);
  EXPECT_EQ(status(R"({"faults":{"unauthenticated":1}})"), 401);
}

TEST(Faults, EndOnCommand) {
  Simulator simulator(Options(R"({"faults":{"downUntilMs":1795197601000}})"));
  EXPECT_TRUE(Commit(simulator, Update("a/1", Json::object()), kStart).lost);
  EXPECT_FALSE(Commit(simulator, Update("a/1", Json::object()), kStart + kSecond).lost);
  ASSERT_TRUE(simulator.Configure(PaddedText(R"({"faults":{"dropRequest":1}})")));
  EXPECT_TRUE(Commit(simulator, Update("a/1", Json::object()), kStart + kSecond).lost);
  EXPECT_FALSE(simulator.Configure(PaddedText(R"({"faults":{"dropRequest":2}})")));
  EXPECT_FALSE(simulator.Configure(PaddedText(R"({"nonsense":2})")));
}

TEST(Limits, ADocumentHasAtMost40000IndexEntries) {
  const auto status = [](const std::string& options, const Json& fields) {
    Simulator simulator(Options(options));
    const Delivery delivery = Commit(simulator, Update("i/a", fields), kStart);
    if (delivery.answer.status != 200) {
      EXPECT_THAT(delivery.answer.body, HasSubstr("too many index entries for entity /i/a"));
    }
    return delivery.answer.status;
  };
  Json map = Json::object();
  for (int i = 0; i < 20'000; ++i) map["f" + std::to_string(i)] = Integer(i);
  const Json full = {{"m", {{"mapValue", {{"fields", map}}}}}};
  Json more = full;
  more["n"] = Integer(1);
  const Json list = {{"n", Integer(1)},
                     {"l", {{"arrayValue", {{"values", Json(39'999, Integer(1))}}}}}};
  const std::string documented = R"({"limits":"documented"})";
  EXPECT_EQ(status(documented, full), 200) << "ascending and descending";
  EXPECT_EQ(status(documented, more), 400);
  EXPECT_EQ(status(R"({"limits":"none"})", more), 200);
  EXPECT_EQ(status(documented, list), 400) << "one for each element";
  const auto with = [](const std::string& indexes) {
    return R"({"limits":"documented","indexes":{"indexes":[],)" + indexes + "}}";
  };
  EXPECT_EQ(status(with(R"("fieldOverrides":[
      {"collectionGroup":"i","fieldPath":"n","indexes":[]}])"),
                   list),
            200);
  EXPECT_EQ(status(with(R"("fieldOverrides":[
      {"collectionGroup":"i","fieldPath":"m","indexes":[]}])"),
                   more),
            200);
  EXPECT_EQ(status(R"({"limits":"documented","indexes":{"indexes":[
      {"collectionGroup":"i","fields":[{"fieldPath":"l","arrayConfig":"CONTAINS"},
                                       {"fieldPath":"n","order":"ASCENDING"}]},
      {"collectionGroup":"i","fields":[{"fieldPath":"l","arrayConfig":"CONTAINS"},
                                       {"fieldPath":"o","order":"ASCENDING"}]}],
      "fieldOverrides":[{"collectionGroup":"i","fieldPath":"n","indexes":[]}]}})",
                   list),
            400)
      << "one for each element of a composite index";
}

TEST(Simulator, TheSameSeedGivesTheSameAnswers) {
  const auto run = [] {
    Simulator simulator(Options(R"({"seed":7,"latencyMs":[5,30],"faults":{"dropResponse":0.3}})"));
    std::string log;
    for (int i = 0; i < 50; ++i) {
      const Delivery delivery = Commit(simulator, Update("a/1", {{"v", Integer(i)}}), kStart);
      EXPECT_GE(delivery.delay, 5'000);
      EXPECT_LE(delivery.delay, 30'000);
      log += std::to_string(delivery.delay) + (delivery.lost ? "x" : delivery.answer.body);
    }
    return log;
  };
  EXPECT_EQ(run(), run());
}

TEST(Simulator, ShowsHowThingsStand) {
  Simulator simulator(Options(R"({"limits":"documented"})"));
  for (int i = 0; i < 10; ++i) Commit(simulator, Update("a/1", {{"v", Integer(i)}}), kStart);
  const Json seen = Json::parse(simulator.Observation(Timestamp{kStart}));
  EXPECT_EQ(seen["documents"], 1);
  EXPECT_EQ(seen["billed"]["writes"], 10);
  EXPECT_GT(seen["contention"]["waited"], 0);
  EXPECT_EQ(seen["tablets"].size(), 2u);
  // Ten at once: five are the burst, and five more take a second each.
  EXPECT_EQ(seen["contention"]["documents"], Json::parse(R"([{"path":"a/1","waitMs":5000}])"));
  const Json after = Json::parse(simulator.Observation(Timestamp{kStart + 20 * kSecond}));
  EXPECT_EQ(after["contention"]["documents"].size(), 0u);
  EXPECT_EQ(after["tablets"][0]["writesPerSecond"], 1) << "ten over twenty seconds, rounded";
}

TEST(Simulator, BillsAStreamForTheReadsThatItSays) {
  Simulator simulator(Options("{}"));
  Commit(simulator, Update("a/1", {{"v", Integer(1)}}), kStart);
  const auto reads = [&](Caller caller) {
    const PaddedText body(R"({"structuredQuery":{"from":[{"collectionId":"a"}]}})");
    const Delivery delivery =
        simulator.Handle({"POST", "/v1/" + kRoot + ":runQuery", caller}, body, Timestamp{kStart});
    EXPECT_THAT(delivery.answer.body, HasSubstr("a/1"));
    return simulator.billed().reads;
  };
  EXPECT_EQ(reads(Caller::kUser), 1);
  EXPECT_EQ(reads(Caller::kStream), 1);
  const auto bill = [&](Caller caller, const std::string& said) {
    const std::string target = "/stream/billed/" + said;
    simulator.Handle({"GET", target, caller}, PaddedText(), Timestamp{kStart});
    return simulator.billed().reads;
  };
  EXPECT_EQ(bill(Caller::kStream, "3"), 4);
  EXPECT_EQ(bill(Caller::kUser, "3"), 4);
  for (const char* said : {"", "x", "-3", "99999999999999999999"}) {
    EXPECT_EQ(bill(Caller::kStream, said), 4) << said;
  }
  EXPECT_EQ(bill(Caller::kStream, "9999999999"), 1'000'004) << "no more than anything can be";
}

TEST(Simulator, TakesOtherLimitsWhileItRuns) {
  Simulator simulator(Options(R"({"limits":"documented"})"));
  const auto commit = [&] {
    return Commit(simulator, Update("a/1", Json::object()), kStart).delay;
  };
  for (int i = 0; i < 10; ++i) commit();
  EXPECT_GT(commit(), 0);
  ASSERT_TRUE(simulator.Configure(PaddedText(R"({"faults":{"dropRequest":0}})")));
  EXPECT_GT(commit(), 0) << "what is not named stays as it is";
  ASSERT_TRUE(simulator.Configure(PaddedText(R"({"limits":"none"})")));
  EXPECT_EQ(commit(), 0);
  ASSERT_TRUE(simulator.Configure(
      PaddedText(R"({"limits":null,"faults":null,"latencyMs":null,"dialect":null})")));
  EXPECT_EQ(commit(), 0) << "null is as good as left out";
  ASSERT_TRUE(simulator.Configure(PaddedText(R"({"limits":{"documentBurst":1}})")));
  EXPECT_EQ(commit(), 0) << "nothing waits at first";
  EXPECT_GT(commit(), 0);
}

}  // namespace
}  // namespace shardline::simulator::simulator_test
