#include "upkeep/delete.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "counter/create.h"
#include "unit/counter/builders.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::delete_test {
namespace {

using nlohmann::json;

// Of an increment with a key.
const json kKey = {{"applied", {{"booleanValue", true}}}};

class DeleteTest : public ::testing::Test {
 protected:
  OperationDriver Delete(const char* preset = "web-sample", const std::string& path = "posts/p1") {
    return DeleteServedBy(std::ref(server_), preset, path);
  }
  OperationDriver DeleteServedBy(std::function<Reply(const SentRequest&)> serve,
                                 const char* preset = "web-sample",
                                 const std::string& path = "posts/p1") {
    std::unique_ptr<Operation> operation =
        DeleteCounter::Start(context_, MakeCounter(path, Preset(preset)));
    OperationDriver driver(std::move(operation));
    driver.Serve(std::move(serve)).Run();
    return driver;
  }
  void Create(const char* preset, const std::string& path, int shards) {
    std::unique_ptr<Operation> operation = std::make_unique<CreateCounter>(
        context_, MakeCounter(path, Preset(preset), shards), IfExists::kKeep);
    OperationDriver driver(std::move(operation));
    driver.Serve(std::ref(server_)).Run();
    EXPECT_EQ(driver.result()["created"], true);
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(DeleteTest, EverythingThatIsTheCounters) {
  Create("web-sample", "posts/p1", 3);
  Create("web-sample", "posts/p2", 2);
  server_.Put("posts/p1/shardline/shards.count/shardline_keys/e1", kKey);
  server_.Put("posts/p1/shardline/shards.count/shardline_members/ben",
              {{"delta", IntegerValue(1)}});
  server_.Put("posts/p1/shardline/shards.count/shardline_totals/shared",
              {{"value", IntegerValue(7)}});
  server_.Put("posts/p1/comments/c1", {{"text", IntegerValue(0)}});
  OperationDriver driver = Delete();
  EXPECT_EQ(driver.result(), json({{"deleted", 7}}));
  EXPECT_EQ(driver.operation().billed().deletes, 7);
  EXPECT_EQ(server_.size(), 4U) << "the comment and the other counter";
  EXPECT_TRUE(server_.Get("posts/p1").is_null());
  EXPECT_FALSE(server_.Get("posts/p2").is_null());
}

TEST_F(DeleteTest, TheParentsOtherFieldsStay) {
  server_.Put("posts/p1", {{"title", {{"stringValue", "Hello"}}}});
  Create("web-sample", "posts/p1", 3);
  Delete();
  EXPECT_EQ(server_.Get("posts/p1"), json({{"title", {{"stringValue", "Hello"}}}}));
  EXPECT_EQ(server_.size(), 1U);
}

TEST_F(DeleteTest, ADocumentWithoutACountIsNotOurs) {
  server_.Put("posts/p1", {{"title", {{"stringValue", "Hello"}}}});
  Delete();
  Delete("node-sample");
  EXPECT_EQ(server_.size(), 1U);
  Create("collection", "tallies", 3);
  server_.Put("tallies/readme", {{"text", {{"stringValue", "What this is."}}}});
  server_.Put("tallies/shardline/shardline/count/shardline_keys/e1", kKey);
  EXPECT_EQ(Delete("collection", "tallies").result(), json({{"deleted", 4}}));
  EXPECT_EQ(server_.size(), 2U);
}

// Whoever knows the number of shards may count on while they are being removed. Without its key,
// an increment in doubt would be counted once more.
TEST_F(DeleteTest, WhatIsCountedMeanwhileKeepsItsKey) {
  const std::string keys = "posts/p1/shardline/shards.count/shardline_keys";
  Create("web-sample", "posts/p1", 3);
  server_.Put(keys + "/before", kKey);
  bool is_first = true;
  DeleteServedBy([&](const SentRequest& request) {
    const Reply reply = server_(request);
    if (std::exchange(is_first, false)) {
      server_.Commit(
          {{{"update",
             {{"name", Name("posts/p1/shards/9")}, {"fields", {{"count", IntegerValue(5)}}}}}},
           {{"update", {{"name", Name(keys + "/meanwhile")}, {"fields", kKey}}}}});
    }
    return reply;
  });
  EXPECT_EQ(server_.Total("posts/p1/shards"), 5);
  EXPECT_FALSE(server_.Get(keys + "/meanwhile").is_null());
  EXPECT_TRUE(server_.Get(keys + "/before").is_null());
  // The next delete takes both.
  Delete();
  EXPECT_EQ(server_.size(), 0U);
}

// Whoever counts while the shards go, and is refused or not: what stays of the count, and what
// stays of those who are in it, agree.
TEST_F(DeleteTest, AsManyMembersStayAsAreCounted) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(15, 60); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"limits", "none"}});
    Random random(seed);
    Create("web-sample", "posts/p1", 10);
    int users = 0;
    const auto join = [&] {
      const std::string member =
          "posts/p1/shardline/shards.count/shardline_members/u" + std::to_string(users++);
      const std::string shard = "posts/p1/shards/" + std::to_string(random.Below(10));
      server_.Commit(
          {{{"update", {{"name", Name(member)}, {"fields", {{"delta", IntegerValue(1)}}}}}},
           {{"update", {{"name", Name(shard)}}},
            {"updateMask", {{"fieldPaths", json::array()}}},
            {"updateTransforms", {{{"fieldPath", "count"}, {"increment", IntegerValue(1)}}}}}});
    };
    for (int i = 0; i < 10; ++i) join();
    std::uint64_t busy = random.Below(40);
    DeleteServedBy([&](const SentRequest& request) {
      // Four refusals, and a commit takes a few shards only.
      const bool is_busy = request.verb() == "commit" && busy > 0;
      if (is_busy && --busy > 0 && random.Below(4) > 0) join();
      Reply reply = server_(request);
      if (is_busy && random.Below(2) > 0) join();
      return reply;
    }).result();
    int members = 0;
    for (int i = 0; i < users; ++i) {
      members +=
          server_.Get("posts/p1/shardline/shards.count/shardline_members/u" + std::to_string(i))
                  .is_null()
              ? 0
              : 1;
    }
    EXPECT_EQ(server_.Total("posts/p1/shards"), members);
  }
}

// A set of choices has a field for each choice, also for those that the app offers no more.
TEST_F(DeleteTest, ASetOfChoices) {
  Layout layout;
  layout.shard_collection = "shardline_reactions";
  layout.count_field = "choice";
  const std::string own = "posts/p1/shardline/shardline_reactions.choice/";
  server_.Put("posts/p1", {{"reactions", IntegerValue(3)}});
  server_.Put("posts/p1/shardline_reactions/0", {{"like", IntegerValue(1)}});
  server_.Put("posts/p1/shardline_reactions/1",
              {{"old", IntegerValue(2)}, {"choice", IntegerValue(0)}});
  server_.Put("posts/p1/shardline_reactions/readme",
              {{"text", {{"stringValue", "What this is."}}}});
  server_.Put(own + "shardline_members/ann", {{"delta", IntegerValue(1)},
                                              {"choice", {{"stringValue", "like"}}},
                                              {"shard", {{"stringValue", "0"}}},
                                              {"change", {{"stringValue", "c"}}},
                                              {"before", {{"stringValue", ""}}}});
  server_.Put(
      own + "shardline_totals/published",
      {{"value", IntegerValue(3)}, {"readTime", {{"timestampValue", "2027-01-01T00:00:00Z"}}}});
  OperationDriver driver(
      DeleteCounter::Start(context_, MakeCounter("posts/p1", layout, 2), ShardFields::kChoices));
  driver.Serve(std::ref(server_)).Run();
  EXPECT_EQ(driver.result(), json({{"deleted", 4}}));
  EXPECT_EQ(server_.size(), 2U) << "the post, and the document that is none of ours";
  EXPECT_EQ(server_.Get("posts/p1")["reactions"], IntegerValue(3));
}

TEST_F(DeleteTest, WhoeverNeverStopsCountingEndsIt) {
  Create("web-sample", "posts/p1", 10);
  int commits = 0;
  OperationDriver driver = DeleteServedBy([&](const SentRequest& request) {
    // Four refusals, and a commit takes a few shards only. From then on one goes, and the next
    // is refused.
    if (request.verb() == "commit" && ++commits > 1 && (commits < 6 || commits % 2 == 0)) {
      for (int i = 0; i < 10; ++i) {
        server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", IntegerValue(commits)}});
      }
    }
    return server_(request);
  });
  ASSERT_TRUE(driver.operation().error());
  EXPECT_EQ(driver.operation().error()->code, Code::kAborted);
}

TEST_F(DeleteTest, Again) {
  Create("web-sample", "posts/p1", 3);
  Delete();
  EXPECT_EQ(server_.size(), 0U);
  Delete();
  EXPECT_EQ(server_.size(), 0U);
}

TEST_F(DeleteTest, ManyInCommitsOfFiveHundred) {
  Create("web-sample", "posts/p1", 1'700);
  OperationDriver driver = Delete();
  EXPECT_EQ(server_.size(), 0U);
  int commits = 0;
  for (const SentRequest& request : driver.sent()) {
    if (request.verb() != "commit") continue;
    ++commits;
    EXPECT_LE(Writes(request).size(), 500U);
  }
  EXPECT_EQ(commits, 5) << "the parent, four of shards";
}

TEST_F(DeleteTest, AParentThatChangesMeanwhile) {
  Create("web-sample", "posts/p1", 1);
  int changes = 2;
  DeleteServedBy([&](const SentRequest& request) {
    if (request.verb() == "commit" && changes-- > 0) {
      server_.Put("posts/p1", {{"num_shards", IntegerValue(1)}, {"n", IntegerValue(changes)}});
    }
    return server_(request);
  }).result();
  EXPECT_EQ(server_.Get("posts/p1"), json({{"n", IntegerValue(0)}}));
}

// Interrupted anywhere, on a network that loses what it can: whoever begins again ends it.
TEST_F(DeleteTest, ResumedUntilItIsDone) {
  for (std::uint64_t seed = 1; seed <= SeedsInRun(10, 40); ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 50}}});
    Random random(seed);
    Create("web-sample", "posts/p1", 1 + static_cast<int>(random.Below(400)));
    for (int i = 0; i < 5; ++i) {
      server_.Put("posts/p1/shardline/shards.count/shardline_keys/c" + std::to_string(i), kKey);
    }
    server_.Configure({{"faults", {{"dropRequest", 0.2}, {"dropResponse", 0.2}}}});
    for (bool done = false; !done;) {
      std::unique_ptr<Operation> operation = DeleteCounter::Start(context_, MakeCounter());
      OperationDriver driver(std::move(operation));
      driver.Serve(std::ref(server_));
      std::uint64_t steps = random.Below(40);
      while (steps-- > 0 && !driver.operation().done()) driver.Step();
      done = driver.operation().done() && !driver.operation().error();
    }
    EXPECT_EQ(server_.size(), 0U);
  }
}

}  // namespace
}  // namespace shardline::delete_test
