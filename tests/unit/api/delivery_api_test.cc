// What JavaScript may ask for about increments that are on their way.

#include "api/delivery_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/reason.h"
#include "unit/support/operation_driver.h"
#include "unit/support/status.h"

namespace shardline::delivery_api_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class DeliveryApiTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operation>> Start(std::string_view name, const json& arguments) {
    for (const ApiEntry& entry : kDeliveryApi) {
      if (entry.name != name) continue;
      const PaddedText text(arguments.dump());
      JsonScanner scanner(text);
      return entry.start(scanner, context_);
    }
    return Fail(kInternalFault, "There is no such entry.");
  }
  // What ends at once.
  json Ask(std::string_view name, const json& arguments) {
    OperationDriver driver(Start(name, arguments));
    EXPECT_TRUE(driver.operation().done());
    return driver.result();
  }

  OperationContext context_ = TestContext();
  const json one_ = {{"integerValue", "1"}};
  const json counter_ = {{"path", "posts/p1"}, {"shards", 3}};
};

TEST_F(DeliveryApiTest, FromAddToSettle) {
  json view =
      Ask("queue.add", {{"state", nullptr}, {"deltas", {one_, one_, {{"doubleValue", 0.5}}}}});
  EXPECT_EQ(view["tickets"], json({1, 1, 1, 1, 2, 2}));
  EXPECT_EQ(view["settled"], 0);
  EXPECT_EQ(view["entries"], json({{{"integerValue", "2"}}, {{"doubleValue", 0.5}}}));
  view = Ask("queue.stage", {{"state", view["state"]}, {"now", 1'767'225'600'123}});
  const json batch = view["batch"];
  EXPECT_EQ(batch["now"], 1'767'225'600'123);
  EXPECT_EQ(batch["sent"], false);

  OperationDriver driver(Start("counter.deliver", {{"counter", counter_}, {"batch", batch}}));
  const json written = {{"updateTime", "2026-01-01T00:00:02Z"}};
  driver.Script(
      {Ok({{"writeResults", {written, written}}, {"commitTime", "2026-01-01T00:00:02Z"}})});
  const json outcome = driver.Run().result();
  view =
      Ask("queue.settle", {{"state", view["state"]}, {"batch", batch["id"]}, {"outcome", outcome}});
  EXPECT_EQ(view["settled"], 1);
  EXPECT_EQ(view["entries"].size(), 1U);
  view = Ask("queue.stage", {{"state", view["state"]}, {"now", 0}});
  EXPECT_EQ(view["batch"]["ledger"]["updateTime"], "2026-01-01T00:00:02Z");
  EXPECT_EQ(Ask("queue.view", {{"state", view["state"]}})["settled"], 1);
}

TEST_F(DeliveryApiTest, RefusalsAreInTheView) {
  json view = Ask("queue.add", {{"state", nullptr}, {"deltas", {one_}}});
  view = Ask("queue.stage", {{"state", view["state"]}, {"now", 0}});
  const json error = {{"code", "permission-denied"}, {"message", "No."}, {"status", 403}};
  view = Ask("queue.settle", {{"state", view["state"]},
                              {"batch", view["batch"]["id"]},
                              {"outcome", {{"outcome", "refused"}, {"error", error}}}});
  // Stored by a page that knew no reasons yet.
  json told = error;
  told["reason"] = "server-refused";
  told["params"] = {{"status", "PERMISSION_DENIED"}, {"http", 403}};
  EXPECT_EQ(view["failures"], json::array({{{"ticket", 1}, {"error", told}}}));
}

TEST_F(DeliveryApiTest, WhatAnotherPageMayHaveSentIsInDoubt) {
  const auto in_doubt = [&](const json& view, std::string_view page) {
    return Ask("queue.view", {{"state", view["state"]}, {"page", page}}).value("inDoubt", false);
  };
  json view = Ask("queue.add", {{"state", nullptr}, {"deltas", {one_}}});
  EXPECT_FALSE(in_doubt(view, "here"));
  // A page sends what it has made ready without another word when it goes away.
  view = Ask("queue.add", {{"state", nullptr}, {"deltas", {one_}}, {"page", "here"}});
  EXPECT_FALSE(in_doubt(view, "here"));
  EXPECT_TRUE(in_doubt(view, "there"));
  view = Ask("queue.stage", {{"state", view["state"]}, {"now", 0}, {"page", "here"}});
  EXPECT_TRUE(in_doubt(view, "here"));
}

TEST_F(DeliveryApiTest, AChosenClientAndABound) {
  json view = Ask("queue.add", {{"state", nullptr},
                                {"clientId", "user"},
                                {"deltas", {{{"integerValue", "25"}}}},
                                {"maxDelta", {{"integerValue", "10"}}}});
  EXPECT_EQ(view["tickets"], json({1, 3}));
  view = Ask("queue.stage", {{"state", view["state"]}, {"now", 0}});
  EXPECT_EQ(view["batch"]["client"], "user");
}

TEST_F(DeliveryApiTest, BadArguments) {
  EXPECT_THAT(Start("queue.add", {{"state", nullptr}, {"clientId", "a/b"}}),
              IsRefused(HasSubstr("clientId")));
  for (const json& bound : {json({{"integerValue", "0"}}), json({{"doubleValue", -1.5}}),
                            json({{"doubleValue", "Infinity"}}), json({{"stringValue", "1"}})}) {
    EXPECT_THAT(Start("queue.add", {{"state", nullptr}, {"maxDelta", bound}}),
                IsRefused(HasSubstr("maxDelta")))
        << bound;
  }
  EXPECT_THAT(Start("queue.add",
                    {{"state", nullptr}, {"maxDelta", {{"doubleValue", 0.5}}}, {"deltas", {one_}}}),
              IsRefused(HasSubstr("maxDelta")));
  EXPECT_FALSE(Start("queue.add", {{"state", nullptr}, {"deltas", {{{"doubleValue", "NaN"}}}}}));
  EXPECT_THAT(Start("queue.stage", {{"state", "rubbish"}, {"now", 0}}),
              Fails(Code::kDataLoss, HasSubstr("stored increments")));
  EXPECT_THAT(Start("queue.settle", {{"state", nullptr}, {"outcom", 0}}),
              IsRefused(HasSubstr("outcom")));
  EXPECT_FALSE(Start("queue.settle", {{"state", nullptr}, {"outcome", {{"outcome", "eaten"}}}}));
  for (const json& batch : {json(nullptr), json(7), json::object(), json({{"client", "x"}})}) {
    EXPECT_FALSE(Start("counter.deliver", {{"counter", counter_}, {"batch", batch}})) << batch;
  }
  EXPECT_FALSE(Start("counter.deliver", {{"counter", counter_}}));
  const json batch = {{"client", "x/y"}, {"seq", 1}, {"id", "i"}, {"delta", one_}};
  EXPECT_THAT(Start("counter.deliver", {{"counter", counter_}, {"batch", batch}}),
              IsRefused(HasSubstr("client id")));
}

}  // namespace
}  // namespace shardline::delivery_api_test
