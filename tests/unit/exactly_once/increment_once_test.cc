// Increments with a key: the key's own document is the marker.

#include "exactly_once/increment_once.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::increment_once_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kKeys = "posts/p1/shardline/shards.count/shardline_keys/";

class IncrementOnceTest : public ::testing::Test {
 protected:
  IncrementOnceTest() { server_.Put("posts/p1", {{"num_shards", IntegerValue(3)}}); }

  std::unique_ptr<OperationDriver> Begin(std::int64_t delta = 5, const std::string& key = "e1",
                                         std::optional<std::int64_t> shards = 3) {
    auto driver = std::make_unique<OperationDriver>(
        IncrementOnce::Start(context_, MakeCounter("posts/p1", Preset("web-sample"), shards), key,
                             Amount::Integer(delta), SimulatedServer::ClockAt(server_.now())));
    driver->Serve(std::ref(server_));
    return driver;
  }
  OperationDriver::Server Denying() {
    return [&](const SentRequest& sent) {
      return sent.verb() == "commit" ? Refusal("PERMISSION_DENIED") : server_(sent);
    };
  }
  std::int64_t Total() { return server_.Total("posts/p1/shards"); }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(IncrementOnceTest, AKeyCountsOnce) {
  const auto first = Begin();
  EXPECT_EQ(first->Run().result(),
            json({{"changed", true}, {"shards", 3}, {"attempts", 1}, {"aborted", 0}}));
  EXPECT_EQ(first->verbs(), "commit");
  const auto second = Begin();
  EXPECT_EQ(second->Run().result()["changed"], false);
  EXPECT_EQ(second->verbs(), "commit batchGet");
  EXPECT_EQ(Begin(-7)->Run().result()["changed"], false);
  EXPECT_EQ(Total(), 5);
  EXPECT_EQ(Begin(-7, "e2")->Run().result()["changed"], true);
  EXPECT_EQ(Total(), -2);
  const json key = server_.Get(kKeys + "e1");
  EXPECT_EQ(key["applied"]["booleanValue"], true);
  EXPECT_EQ(key["change"]["stringValue"].get<std::string>().size(), 20U);
  EXPECT_TRUE(key.contains("expireAt"));
}

TEST_F(IncrementOnceTest, AsksHowManyShardsThereAre) {
  EXPECT_EQ(Begin(5, "e1", std::nullopt)->Run().result()["shards"], 3);
}

TEST_F(IncrementOnceTest, ALostAnswerIsItsOwn) {
  const auto once = Begin();
  int commits = 0;
  once->Serve([&](const SentRequest& sent) {
    Reply reply = server_(sent);
    return sent.verb() == "commit" && ++commits == 1 ? Cut() : reply;
  });
  EXPECT_EQ(once->Run().result()["changed"], true);
  EXPECT_EQ(once->verbs(), "commit commit batchGet");
  EXPECT_EQ(Total(), 5);
}

TEST_F(IncrementOnceTest, ContentionGoesToAnotherShard) {
  const auto once = Begin();
  once->Script({Refusal("ABORTED"), Refusal("ABORTED")});
  EXPECT_EQ(once->Run().result()["attempts"], 3);
  EXPECT_EQ(once->result()["aborted"], 2);
  EXPECT_NE(PathOf(Writes(once->sent()[0])[1]), PathOf(Writes(once->sent()[1])[1]));
}

// The key may be asked for again, when rules let it, so it is not withdrawn.
TEST_F(IncrementOnceTest, RulesThatRefuse) {
  const auto refused = Begin();
  refused->Serve(Denying());
  EXPECT_EQ(refused->Run().error().code, Code::kPermissionDenied);
  EXPECT_THAT(refused->error().message, HasSubstr(kKeys + "e1"));
  EXPECT_EQ(refused->verbs(), "commit batchGet");
  const auto lost = Begin();
  lost->Script({Cut()}).Serve(Denying());
  EXPECT_EQ(lost->Run().error().code, Code::kOutcomeUnknown) << "the first may still arrive";
  EXPECT_EQ(Begin()->Run().result()["changed"], true);
  const auto second = Begin();
  second->Serve(Denying());
  EXPECT_EQ(second->Run().result()["changed"], false) << "a marker that is there explains it";
}

TEST_F(IncrementOnceTest, NoNetwork) {
  const auto once = Begin();
  once->Serve([](const SentRequest&) { return Cut(); });
  EXPECT_EQ(once->Run().error().code, Code::kOutcomeUnknown);
  EXPECT_THAT(once->error().message, HasSubstr("ask again with the same key"));
  const auto unsent = Begin(5, "e1", std::nullopt);
  unsent->Serve([](const SentRequest&) { return Cut(); });
  EXPECT_EQ(unsent->Run().error().code, Code::kUnavailable) << "nothing was written";
}

// Several devices count the same few keys on a network that loses and repeats what it likes.
TEST_F(IncrementOnceTest, FaultsFromASeed) {
  int unknown = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SimulatedServer server(seed);
    Random random(seed);
    std::deque<SentRequest> late;
    const auto network = [&](const SentRequest& request) {
      if (random.Below(5) == 0) late.push_back(request);
      if (!late.empty() && random.Below(4) == 0) {
        server(late.front());
        late.pop_front();
      }
      const std::uint64_t fate = random.Below(3);
      if (fate == 0) return Cut();
      Reply reply = server(request);
      return fate == 1 ? Cut() : reply;
    };
    Drivers drivers;
    for (int i = 0; i < 8; ++i) {
      drivers.push_back(Begin(1, "e" + std::to_string(i % 3)));
      drivers.back()->Serve(network);
    }
    RunTogether(drivers, random);
    std::int64_t changed = 0;
    bool is_known = true;
    for (const auto& driver : drivers) {
      const bool failed = driver->operation().error() != nullptr;
      unknown += failed ? 1 : 0;
      is_known = is_known && !failed;
      if (!failed) changed += driver->result()["changed"] == true ? 1 : 0;
    }
    while (!late.empty()) {
      server(late.front());
      late.pop_front();
    }
    const auto keys =
        static_cast<std::int64_t>(server.List(kKeys.substr(0, kKeys.size() - 1)).size());
    EXPECT_EQ(server.Total("posts/p1/shards"), keys) << "seed " << seed;
    EXPECT_LE(changed, keys) << "seed " << seed;
    if (is_known) EXPECT_EQ(changed, 3) << "seed " << seed;
  }
  EXPECT_GT(unknown, 0) << "the faults must have bitten";
}

}  // namespace
}  // namespace shardline::increment_once_test
