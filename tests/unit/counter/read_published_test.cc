#include "counter/read_published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"

namespace shardline::read_published_test {
namespace {

using nlohmann::json;

TEST(ReadPublished, AllInOneRequest) {
  OperationContext context = TestContext();
  SimulatedServer server;
  server.Put("posts/p1", {{"likes", IntegerValue(7)}});
  server.Put("posts/p2", {{"likes", {{"doubleValue", 0.5}}}});
  server.Put("posts/p3", {{"likes", {{"stringValue", "many"}}}});
  server.Put("posts/p4", {{"title", IntegerValue(1)}});
  std::vector<std::string> names;
  for (const char* id : {"p1", "p2", "p3", "p4", "none", "p1"}) {
    names.push_back(MakeCounter("posts/" + std::string(id))->ParentName());
  }
  std::unique_ptr<Operation> operation =
      std::make_unique<ReadPublished>(context, std::move(names), FieldPath::Parse("likes").value());
  OperationDriver driver(std::move(operation));
  const json totals = driver.Serve(std::ref(server)).Run().result()["totals"];
  EXPECT_EQ(driver.verbs(), "batchGet");
  EXPECT_EQ(driver.operation().billed(), (Billed{.reads = 5}));
  ASSERT_EQ(totals.size(), 6U);
  EXPECT_EQ(totals[0]["value"], "7");
  EXPECT_EQ(totals[1]["value"], 0.5);
  EXPECT_EQ(totals[2], json());
  EXPECT_EQ(totals[3], json());
  EXPECT_EQ(totals[4], json());
  EXPECT_EQ(totals[5], totals[0]);
  EXPECT_TRUE(Timestamp::Parse(totals[0]["readTime"].get<std::string>()));
}

}  // namespace
}  // namespace shardline::read_published_test
