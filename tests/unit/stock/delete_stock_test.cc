// A stock that is deleted, on the embedded Firestore.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "api/stock_api.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::delete_stock_test {
namespace {

using nlohmann::json;
using Driver = std::unique_ptr<OperationDriver>;
using Call = Result<std::unique_ptr<Operation>> (*)(JsonScanner&, OperationContext&);

constexpr char kShards[] = "events/e1/stock_shards";
constexpr char kTakes[] = "events/e1/stock_takes";

class DeleteStockTest : public ::testing::Test {
 protected:
  Driver Start(Call call, json arguments, const OperationDriver::Server& serve) {
    arguments["path"] = "events/e1";
    if (!arguments.contains("shards")) arguments["shards"] = 3;
    const PaddedText text(arguments.dump());
    JsonScanner scanner(text);
    auto driver = std::make_unique<OperationDriver>(call(scanner, context_));
    driver->set_now(server_.now());
    driver->Serve(serve);
    return driver;
  }
  json Do(Call call, const json& arguments) {
    return Start(call, arguments, std::ref(server_))->Run().result();
  }
  json Delete() { return Do(StartStockDelete, json::object()); }
  void Create(std::int64_t units, std::int64_t shards = 3) {
    EXPECT_EQ(Do(StartStockCreate, {{"units", units}, {"shards", shards}}),
              json({{"created", true}}));
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_;
};

TEST_F(DeleteStockTest, DeletesShardsTakesHoldsAndTheKeysOfAddedUnits) {
  server_.Put("events/e1", {{"title", {{"stringValue", "Concert"}}}});
  server_.Put("events/e2/stock_shards/0", {{"left", {{"integerValue", "7"}}}});
  Create(10);
  Do(StartStockTake, {{"units", 2}, {"key", "ann"}});
  Do(StartStockTake, {{"units", 1}, {"key", "ben"}, {"holdFor", "10 min"}});
  Do(StartStockAdd, {{"units", 5}, {"key", "truck"}, {"serverNow", 0}});
  // The client need not know the number of shards.
  const Driver deletion = Start(StartStockDelete, {{"shards", 1}}, std::ref(server_));
  deletion->Run();
  EXPECT_EQ(deletion->result(), json({{"deleted", 6}}));
  EXPECT_EQ(deletion->verbs(), "runQuery commit runQuery commit runQuery commit");
  EXPECT_EQ(deletion->operation().billed(), (Billed{.reads = 6, .deletes = 6}));
  EXPECT_EQ(server_.size(), 2U) << "the event, and the other stock";
  EXPECT_EQ(Delete(), json({{"deleted", 0}}));
  // The key is free again.
  Create(1);
  EXPECT_EQ(Do(StartStockTake, {{"units", 1}, {"key", "ann"}})["taken"], true);
}

TEST_F(DeleteStockTest, DocumentsOfOthersStay) {
  Create(3);
  server_.Put(std::string(kShards) + "/readme", {{"text", {{"stringValue", "What this is."}}}});
  server_.Put(std::string(kTakes) + "/readme", {{"text", {{"stringValue", "What this is."}}}});
  EXPECT_EQ(Delete(), json({{"deleted", 3}}));
  EXPECT_EQ(server_.size(), 2U);
}

TEST_F(DeleteStockTest, GoesThroughAllPages) {
  Create(700, 700);
  EXPECT_EQ(Delete(), json({{"deleted", 700}}));
  EXPECT_EQ(server_.size(), 0U);
}

TEST_F(DeleteStockTest, ATakeOfAStockThatWasCreatedAgainMeanwhileStays) {
  Create(6);
  Do(StartStockTake, {{"units", 1}, {"key", "old"}});
  int commits = 0;
  const Driver deletion = Start(StartStockDelete, json::object(), [&](const SentRequest& request) {
    const Reply reply = server_(request);
    if (request.verb() == "commit" && ++commits == 1) {
      Create(6);
      Do(StartStockTake, {{"units", 2}, {"key", "new"}});
    }
    return reply;
  });
  EXPECT_EQ(deletion->Run().result(), json({{"deleted", 4}}));
  EXPECT_TRUE(server_.Get(std::string(kTakes) + "/old").is_null());
  EXPECT_FALSE(server_.Get(std::string(kTakes) + "/new").is_null());
  EXPECT_EQ(server_.Total(kShards, "left"), 4);
}

TEST_F(DeleteStockTest, CountsWhatItDeletesWhileUsersTakeAndAnswersGetLost) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(20, 200); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed);
    Random dice(seed);
    Create(100, 10);
    int takes = 0;
    int taken = 0;
    const auto take = [&] {
      const json arguments = {{"units", 1}, {"key", "k" + std::to_string(takes++)}, {"shards", 10}};
      const Driver taker = Start(StartStockTake, arguments, std::ref(server_));
      taker->Run();
      if (!taker->operation().error() && taker->result()["taken"] == true) ++taken;
    };
    const OperationDriver::Server lossy = Lossy(std::ref(server_), dice);
    const Driver deletion =
        Start(StartStockDelete, json::object(), [&](const SentRequest& request) {
          if (request.verb() == "commit" && takes < 20 && dice.Below(3) > 0) take();
          return lossy(request);
        });
    deletion->Run();
    if (deletion->operation().error()) {
      Delete();  // Goes on.
    } else {
      EXPECT_EQ(deletion->result(), json({{"deleted", 10 + taken}}));
    }
    EXPECT_EQ(server_.size(), 0U);
  }
}

}  // namespace
}  // namespace shardline::delete_stock_test
