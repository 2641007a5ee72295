#include "upkeep/fold.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/simulated_server.h"
#include "unit/support/status.h"
#include "upkeep/delete.h"
#include "upkeep/resize.h"
#include "upkeep/shard_removal.h"

namespace shardline::fold_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::int64_t kMax = INT64_MAX;
constexpr std::int64_t kMin = INT64_MIN;

TEST(ChooseTarget, TheTable) {
  const auto integer = [](std::int64_t value) { return Amount::Integer(value); };
  const auto real = [](double value) { return Amount::Double(value); };
  struct Row {
    std::vector<Amount> shards;
    Amount sum;
    std::set<std::size_t> choices;  // Empty: none.
    bool is_guarded;
  };
  const Row rows[] = {
      {{integer(0), integer(7)}, integer(5), {0, 1}, false},
      {{integer(0), real(7)}, integer(5), {0}, false},
      {{integer(0), real(7)}, real(5), {1}, false},
      {{integer(kMax - 4), integer(1)}, integer(5), {1}, false},
      {{integer(kMax - 5)}, integer(5), {0}, true},
      {{integer(kMax - 4)}, integer(5), {}, false},
      {{integer(kMin + 4)}, integer(-5), {}, false},
      {{integer(kMin + 5)}, integer(-5), {0}, true},
      {{integer(kMax), integer(kMin)}, integer(kMax), {1}, false},
      {{integer(kMax), real(1)}, integer(5), {1}, false},
      {{integer(kMax), integer(3)}, real(0.5), {1}, false},
      {{integer(kMax)}, real(0.5), {0}, false},
      {{}, integer(1), {}, false},
  };
  int number = 0;
  for (const Row& row : rows) {
    SCOPED_TRACE(number++);
    std::vector<TargetShard> shards;
    for (const Amount& amount : row.shards) shards.push_back({.amount = amount, .update_time = {}});
    std::set<std::size_t> chosen;
    Random random(1);
    for (int i = 0; i < 50; ++i) {
      const std::optional<TargetChoice> choice = ChooseTarget(shards, row.sum, random);
      if (!choice) continue;
      chosen.insert(choice->index);
      EXPECT_EQ(choice->is_guarded, row.is_guarded);
    }
    EXPECT_EQ(chosen, row.choices);
  }
}

TEST(DecideResize, TheTable) {
  struct Row {
    std::int64_t current;
    ShardGoal goal;
    std::int64_t written;
    ResizeStep step;
  };
  const Row rows[] = {
      {0, {5, false}, 0, ResizeStep::kNoCounter}, {0, {5, true}, 0, ResizeStep::kNoCounter},
      {3, {5, false}, 0, ResizeStep::kGrow},      {3, {5, true}, 0, ResizeStep::kGrow},
      {9, {5, false}, 0, ResizeStep::kShrink},    {9, {5, true}, 0, ResizeStep::kDone},
      {5, {5, false}, 0, ResizeStep::kMove},      {5, {5, true}, 0, ResizeStep::kDone},
      {5, {5, false}, 5, ResizeStep::kMove},      {5, {5, false}, 4, ResizeStep::kMove},
      {4, {5, false}, 4, ResizeStep::kGrow},      {3, {5, false}, 4, ResizeStep::kOverruled},
      {9, {5, false}, 5, ResizeStep::kOverruled}, {3, {5, true}, 4, ResizeStep::kGrow},
      {0, {5, false}, 5, ResizeStep::kNoCounter},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(DecideResize(row.current, row.goal, row.written), row.step)
        << row.current << ' ' << row.goal.shards << ' ' << row.goal.at_least << ' ' << row.written;
  }
}

TEST(DecideParent, TheTable) {
  CountedDocument parent;
  EXPECT_EQ(DecideParent(parent, false), ParentFate::kStays);
  parent.has_field = true;
  EXPECT_EQ(DecideParent(parent, false), ParentFate::kIsDeleted);
  EXPECT_EQ(DecideParent(parent, true), ParentFate::kStays);
  parent.own_names = 1;
  EXPECT_EQ(DecideParent(parent, false), ParentFate::kIsRemoved);
  EXPECT_EQ(DecideParent(parent, true), ParentFate::kStays);
}

class FoldingTest : public ::testing::Test {
 protected:
  void Put(const std::vector<json>& counts) {
    server_.Put("posts/p1", {{"num_shards", IntegerValue(static_cast<int>(counts.size()))}});
    for (std::size_t i = 0; i < counts.size(); ++i) {
      server_.Put("posts/p1/shards/" + std::to_string(i), {{"count", counts[i]}});
    }
  }
  OperationDriver Resize(std::int64_t shards, bool at_least = false) {
    OperationDriver driver(ResizeCounter::Start(context_, MakeCounter(), {shards, at_least}));
    driver.Serve(std::ref(server_)).Run();
    return driver;
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

// The server's increment stops at an end of int64 without a word: what would not fit is not moved.
TEST_F(FoldingTest, SumsNearTheEndsOfInt64) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    context_.random = Random(seed);
    Put({IntegerValue(kMax - 10), IntegerValue(3), IntegerValue(8), IntegerValue(5)});
    EXPECT_EQ(Resize(2).result()["folded"], 2);
    EXPECT_EQ(server_.Get("posts/p1/shards/1")["count"], IntegerValue(16));
    EXPECT_EQ(server_.Get("posts/p1/shards/0")["count"], IntegerValue(kMax - 10));
  }
  // Just so much.
  Put({IntegerValue(kMax - 10), IntegerValue(4), IntegerValue(6)});
  Resize(1).result();
  EXPECT_EQ(server_.Get("posts/p1/shards/0")["count"], IntegerValue(kMax));
  // Together they are too much for one commit, but not for the shards.
  Put({IntegerValue(kMin), IntegerValue(kMin), IntegerValue(kMax), IntegerValue(kMax)});
  Resize(2).result();
  EXPECT_EQ(server_.Get("posts/p1/shards/0")["count"], IntegerValue(-1));
  EXPECT_EQ(server_.Get("posts/p1/shards/1")["count"], IntegerValue(-1));
}

TEST_F(FoldingTest, WhatDoesNotFitStays) {
  for (const auto& [near, more] : {std::pair{kMax - 10, 11}, std::pair{kMin + 10, -11}}) {
    Put({IntegerValue(near), IntegerValue(more)});
    const Error error = Resize(1).error();
    EXPECT_EQ(error.code, Code::kOutOfRange);
    EXPECT_THAT(error.message, HasSubstr("choose more shards"));
    EXPECT_EQ(server_.Get("posts/p1/shards/0")["count"], IntegerValue(near));
    EXPECT_EQ(server_.Get("posts/p1/shards/1")["count"], IntegerValue(more));
  }
}

// Close to the end, the shard must be as it was seen.
TEST_F(FoldingTest, NearTheEndTheShardMustNotHaveChanged) {
  Put({IntegerValue(kMax - 10), IntegerValue(6)});
  OperationDriver driver(ResizeCounter::Start(context_, MakeCounter(), {1, false}));
  bool first = true;
  driver
      .Serve([&](const SentRequest& request) {
        if (request.verb() == "commit" && Writes(request).size() > 2 &&
            std::exchange(first, false)) {
          server_.Put("posts/p1/shards/0", {{"count", IntegerValue(kMax - 5)}});
        }
        return server_(request);
      })
      .Run();
  EXPECT_EQ(driver.error().code, Code::kOutOfRange);
  EXPECT_EQ(server_.Get("posts/p1/shards/1")["count"], IntegerValue(6));
}

TEST_F(FoldingTest, AFractionGoesWhereNoDigitsAreLost) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    context_.random = Random(seed);
    Put({IntegerValue((std::int64_t{1} << 53) + 1), IntegerValue(2), {{"doubleValue", 0.5}}});
    Resize(2).result();
    EXPECT_EQ(server_.Get("posts/p1/shards/0")["count"], IntegerValue((std::int64_t{1} << 53) + 1));
    EXPECT_EQ(server_.Get("posts/p1/shards/1")["count"], json({{"doubleValue", 2.5}}));
  }
}

// A page that last saw few shards does not shrink a counter that has many by now, and of several
// that grow it at once none is overruled.
TEST_F(FoldingTest, AtLeast) {
  Put(std::vector<json>(50, IntegerValue(1)));
  EXPECT_EQ(Resize(15, true).result(), json({{"shards", 50}, {"folded", 0}}));
  EXPECT_EQ(server_.Get("posts/p1")["num_shards"], IntegerValue(50));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    server_ = SimulatedServer(seed, {{"latencyMs", {1, 100}}});
    Put({IntegerValue(1), IntegerValue(2)});
    Random random(seed);
    Drivers drivers;
    for (const std::int64_t shards : {5, 9, 3, 12, 12, 2}) {
      drivers.push_back(std::make_unique<OperationDriver>(
          ResizeCounter::Start(context_, MakeCounter(), {shards, true})));
      drivers.back()->Serve(Lossy(std::ref(server_), random));
    }
    RunTogether(drivers, random);
    for (const auto& driver : drivers) EXPECT_GE(driver->result()["shards"], 2);
    EXPECT_EQ(server_.Get("posts/p1")["num_shards"], IntegerValue(12));
    EXPECT_EQ(server_.List("posts/p1/shards").size(), 12U);
    EXPECT_EQ(server_.Total("posts/p1/shards"), 3);
  }
}

TEST_F(FoldingTest, AtLeastWhereNoDocumentHoldsTheNumber) {
  server_.Put("posts/n/shards/7", {{"count", IntegerValue(5)}});
  server_.Put("posts/n/shards/99", {{"note", IntegerValue(5)}});
  const auto resize = [&](std::int64_t shards) {
    OperationDriver driver(ResizeCounter::Start(
        context_, MakeCounter("posts/n", Preset("node-sample")), {shards, true}));
    driver.Serve(std::ref(server_)).Run();
    return driver.result();
  };
  EXPECT_EQ(resize(3), json({{"shards", 8}, {"folded", 0}}));
  EXPECT_EQ(server_.List("posts/n/shards").size(), 9U);
  EXPECT_EQ(resize(10)["shards"], 10);
  EXPECT_EQ(server_.Total("posts/n/shards"), 5);
}

// Thousands of shards with long names go in several commits, each of which Firestore takes, and
// each of which leaves the counter whole.
TEST_F(FoldingTest, GrowingByMoreThanOneRequestHoldsInLongRun) {
  const std::string path = "posts/" + std::string(1'400, 'x');
  server_.Put(path, {{"num_shards", IntegerValue(1)}});
  OperationDriver driver(ResizeCounter::Start(context_, MakeCounter(path), {kMaxShards, false}));
  int commits = 0;
  std::int64_t before = 1;
  driver
      .Serve([&](const SentRequest& request) {
        const Reply reply = server_(request);
        if (request.verb() != "commit") return reply;
        ++commits;
        EXPECT_LE(request.body.dump().size(), std::size_t{10} * 1024 * 1024);
        EXPECT_EQ(reply.status, 200);
        const json number = server_.Get(path)["num_shards"]["integerValue"];
        const std::int64_t shards = std::stoll(number.get<std::string>());
        EXPECT_EQ(shards - before, static_cast<std::int64_t>(Writes(request).size()) - 1);
        before = shards;
        return reply;
      })
      .Run();
  EXPECT_EQ(driver.result(), json({{"shards", 10'000}, {"folded", 0}}));
  EXPECT_EQ(commits, 2);
}

// The field goes, and the maps in which nothing else stands; the document if nothing is left.
TEST(TakeField, RemovesWhatNothingElseStandsIn) {
  const FieldPath field = *FieldPath::Parse("a.b.c");
  const auto write = [&](std::size_t own_names, bool may_delete) {
    CountedDocument document;
    document.name = "n";
    document.update_time = "t";
    document.own_names = own_names;
    return EncodeCommit(TakeField(document, field, may_delete).write);
  };
  const auto removal = [](const char* path) {
    return EncodeCommit(
        Write::RemoveField("n", *FieldPath::Parse(path), Precondition::AsRead("t")));
  };
  EXPECT_EQ(write(0, true), EncodeCommit(Write::Delete("n", Precondition::AsRead("t"))));
  EXPECT_EQ(write(0, false), removal("a"));
  EXPECT_EQ(write(1, true), removal("a"));
  EXPECT_EQ(write(2, true), removal("a.b"));
  EXPECT_EQ(write(3, true), removal("a.b.c"));
}

}  // namespace
}  // namespace shardline::fold_test
