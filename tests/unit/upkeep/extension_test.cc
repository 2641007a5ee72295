// Counters of the firestore-counter extension's layout: the places of documents and fields, the
// reads and the writes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/extension_builders.h"
#include "unit/exactly_once/increments.h"
#include "unit/support/status.h"
#include "upkeep/delete.h"
#include "upkeep/resize.h"
#include "upkeep/shared_total.h"

namespace shardline::extension_test {
namespace {

using nlohmann::json;
using ::testing::EndsWith;
using ::testing::HasSubstr;

constexpr std::int64_t kMax = INT64_MAX;

Result<std::unique_ptr<const Counter>> TryField(const std::string& field) {
  return Counter::Make(TestContext().database,
                       {kPath, ExtensionLayout(field), {}, kDefaultDelivery});
}

class ExtensionTest : public ::testing::Test {
 protected:
  OperationDriver Run(std::unique_ptr<Operation> operation) {
    OperationDriver driver(std::move(operation));
    driver.Serve(std::ref(server_)).Run();
    return driver;
  }
  template <class Made, class... Arguments>
  OperationDriver Run(Arguments&&... arguments) {
    return Run(std::make_unique<Made>(context_, std::forward<Arguments>(arguments)...));
  }
  json Total(const std::string& field = "visits", TotalSource source = TotalSource::kSum) {
    return Run<ReadTotal>(MakeExtension(field), source).result();
  }

  OperationContext context_ = TestContext();
  SimulatedServer server_{1};
};

TEST_F(ExtensionTest, TheFieldMustBeGivenAndBeOne) {
  EXPECT_THAT(TryField(""), IsRefused(HasSubstr("needs the option `countField`")));
  EXPECT_THAT(TryField("stats..visits"), IsRefused(HasSubstr("stats..visits")));
  EXPECT_THAT(TryField("__name__"), IsRefused(HasSubstr("__name__")));
  EXPECT_THAT(TryField("a/b"), IsOk());
  EXPECT_THAT(TryField("stats.`like-count`"), IsOk());
  EXPECT_THAT(
      Counter::Make(context_.database, {"pages", ExtensionLayout("visits"), {}, kDefaultDelivery}),
      IsRefused(HasSubstr("pages")));
}

// The extension's workers add up, and delete, whatever is in any collection of this name.
TEST_F(ExtensionTest, NothingOfOursStandsAmongTheShardsButShards) {
  const auto counter = MakeExtension("stats.visits");
  EXPECT_EQ(counter->TotalName(),
            Name("pages/p1/shardline/_counter_shards_.stats.visits/shardline_totals/shared"));
  EXPECT_EQ(counter->OwnCollection(kKeyCollection).text(),
            "pages/p1/shardline/_counter_shards_.stats.visits/shardline_keys");
  EXPECT_NE(counter->TotalName(), MakeExtension("stats.likes")->TotalName());
}

// Workers divide shards among themselves by the first four letters.
TEST_F(ExtensionTest, IdsOfShardsDifferAndAreSpread) {
  const auto counter = MakeExtension("visits", kMaxShards);
  EXPECT_EQ(counter->ShardName(0), Name(kShards + "00000000-shardline"));
  EXPECT_EQ(counter->ShardName(1), Name(kShards + "9e3779b1-shardline"));
  std::set<std::string> ids;
  int first_letters[16] = {};
  for (std::int64_t shard = 0; shard < kMaxShards; ++shard) {
    const std::string id = counter->ShardId(shard);
    ids.insert(id);
    if (shard < 32) ++first_letters[std::stoi(id.substr(0, 1), nullptr, 16)];
  }
  EXPECT_EQ(ids.size(), static_cast<std::size_t>(kMaxShards));
  for (const int shards : first_letters) EXPECT_NEAR(shards, 2, 1);
}

TEST_F(ExtensionTest, ShardsPartialsAndTheDocumentAreAddedInThreeReads) {
  server_.Put(kPath, {{"title", {{"stringValue", "Hello"}}}, {"visits", IntegerValue(100)}});
  server_.Put(kShards + "b4cb16c4-3b5f-4d5c-a5e1-2e6c0d9a8f10", {{"visits", IntegerValue(20)}});
  server_.Put(kShards + "c0", {{"likes", IntegerValue(1000)}});
  const json none = Total();
  EXPECT_EQ(none["value"], "120");
  EXPECT_EQ(none["shards"], 1);
  EXPECT_EQ(none["source"], "sum");
  EXPECT_EQ(none["billed"]["reads"], 3);

  server_.Put(kShards + "\t\t\t\tb", {{"_updates_", Updates({{{"visits", IntegerValue(7)}},
                                                             {{"likes", IntegerValue(1000)}},
                                                             {{"visits", IntegerValue(-2)}}})}});
  server_.Put(kShards + "\tc0ff", {{"_updates_", Updates({{{"visits", IntegerValue(3)}}})}});
  EXPECT_EQ(Total()["value"], "128");
  EXPECT_EQ(Total()["billed"]["reads"], 4);

  const json listed = Total("visits", TotalSource::kShards);
  EXPECT_EQ(listed["value"], "128");
  EXPECT_EQ(listed["main"], "100");
  EXPECT_EQ(
      listed["perShard"],
      json({{"\t\t\t\tb", "5"}, {"\tc0ff", "3"}, {"b4cb16c4-3b5f-4d5c-a5e1-2e6c0d9a8f10", "20"}}));
  EXPECT_EQ(listed["billed"]["reads"], 5);
  EXPECT_EQ(Total("likes")["value"], "2000");
}

TEST_F(ExtensionTest, AllIsReadAsOfOneInstant) {
  OperationDriver driver(std::make_unique<ReadTotal>(context_, MakeExtension(), TotalSource::kSum));
  // After each answer, somebody moves what is there.
  server_.Put(kShards + "a", {{"visits", IntegerValue(5)}});
  int at = 0;
  driver.Serve([&](const SentRequest& request) {
    Reply reply = server_(request);
    if (++at == 1) {
      server_.Delete(kShards + "a");
      server_.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({{{"visits", IntegerValue(5)}}})}});
    } else if (at == 2) {
      server_.Delete(kShards + "\t\t\t\ta");
      server_.Put(kPath, {{"visits", IntegerValue(5)}});
    }
    return reply;
  });
  driver.Run();
  EXPECT_EQ(driver.result()["value"], "5");
  ASSERT_EQ(driver.sent().size(), 3U);
  EXPECT_EQ(driver.sent()[0].verb(), "runQuery");
  EXPECT_FALSE(driver.sent()[0].body.contains("readTime"));
  EXPECT_EQ(driver.sent()[1].body["readTime"], driver.result()["readTime"]);
  EXPECT_EQ(driver.sent()[2].body["readTime"], driver.result()["readTime"]);
}

TEST_F(ExtensionTest, NestedFieldsAndQuotedNames) {
  const char* const field = "stats.`like-count`";
  const json counted = {{"stats", {{"mapValue", {{"fields", {{"like-count", IntegerValue(3)}}}}}}}};
  server_.Put(kPath, counted);
  server_.Put(kShards + "a", counted);
  server_.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({counted})}});
  EXPECT_EQ(Total(field)["value"], "9");
  EXPECT_EQ(Total(field, TotalSource::kShards)["value"], "9");
  EXPECT_EQ(Total("stats.likes")["value"], "0");
}

TEST_F(ExtensionTest, TotalsAreExact) {
  // The server's sum of the first two is no integer any more.
  server_.Put(kShards + "a", {{"visits", IntegerValue(kMax)}});
  server_.Put(kShards + "b", {{"visits", IntegerValue(10)}});
  server_.Put(kPath, {{"visits", IntegerValue(-20)}});
  EXPECT_EQ(Total()["value"], std::to_string(kMax - 10));
  EXPECT_EQ(Total()["source"], "shards");
  server_.Put(kPath, {{"visits", IntegerValue(0)}});
  EXPECT_EQ(Run<ReadTotal>(MakeExtension(), TotalSource::kSum).error().code, Code::kOutOfRange);
  server_.Delete(kShards + "b");
  server_.Put(kPath, {{"visits", IntegerValue(1)}});
  EXPECT_EQ(Run<ReadTotal>(MakeExtension(), TotalSource::kSum).error().code, Code::kOutOfRange);
}

TEST_F(ExtensionTest, WhatIsNoNumberCountsAsNothing) {
  EXPECT_EQ(Total()["value"], "0");
  server_.Put(kPath, {{"visits", {{"stringValue", "many"}}}});
  server_.Put(kShards + "a", {{"visits", {{"nullValue", nullptr}}}});
  server_.Put(kShards + "\t\t\t\ta", {{"_updates_", {{"stringValue", "no list"}}}});
  server_.Put(kShards + "\t\t\t\tb", {{"_updates_", Updates({json::object()})}});
  server_.Put(kShards + "\t\t\t\tc", json::object());
  // Only workers write such lists, and only to partials.
  server_.Put(kShards + "c", {{"_updates_", Updates({{{"visits", IntegerValue(7)}}})}});
  EXPECT_EQ(Total()["value"], "0");
  EXPECT_EQ(Total("visits", TotalSource::kShards)["value"], "0");
}

TEST_F(ExtensionTest, ListsWhereTheServerCannotAdd) {
  server_.Put(kPath, {{"visits", IntegerValue(1)}});
  server_.Put(kShards + "a", {{"visits", IntegerValue(2)}});
  server_.Put(kShards + "\t\t\t\ta", {{"_updates_", Updates({{{"visits", IntegerValue(4)}}})}});
  OperationDriver driver(std::make_unique<ReadTotal>(context_, MakeExtension(), TotalSource::kSum));
  driver.Serve([&](const SentRequest& request) {
    return request.verb() == "runAggregationQuery" ? Refusal("UNIMPLEMENTED") : server_(request);
  });
  EXPECT_EQ(driver.Run().result()["value"], "7");
  EXPECT_EQ(driver.result()["source"], "shards");
}

TEST_F(ExtensionTest, OldTotalsOfTwoCountersAreKeptApart) {
  server_.Put(kPath, {{"visits", IntegerValue(1)}, {"likes", IntegerValue(2)}});
  const auto read = [&](const char* field) {
    return Run<ReadSharedTotal>(MakeExtension(field), std::chrono::hours(1)).result();
  };
  EXPECT_EQ(read("visits")["source"], "sum");
  EXPECT_EQ(read("visits")["source"], "shared");
  EXPECT_EQ(read("visits")["value"], "1");
  EXPECT_EQ(read("likes")["value"], "2");
}

TEST_F(ExtensionTest, EveryDeliveryMakesTheShardAndNotTheDocument) {
  for (const Delivery delivery :
       {Delivery::kExactlyOnce, Delivery::kAtLeastOnce, Delivery::kTransaction}) {
    for (int i = 0; i < 2; ++i) {
      OperationDriver driver(
          BeginIncrement(context_, MakeExtension("stats.visits", 1, delivery), Amount::Integer(2)));
      driver.Serve(std::ref(server_)).Run();
      EXPECT_EQ(driver.result()["shards"], 1);
    }
  }
  EXPECT_TRUE(server_.Get(kPath).is_null());
  EXPECT_EQ(server_.List("pages/p1/_counter_shards_").size(), 1U);
  EXPECT_EQ(Total("stats.visits")["value"], "12");
}

TEST_F(ExtensionTest, NobodyNeedSayHowManyShards) {
  OperationDriver driver(BeginIncrement(
      context_, MakeExtension("visits", std::nullopt, Delivery::kAtLeastOnce), Amount::Integer(1)));
  driver.Serve(std::ref(server_)).Run();
  EXPECT_EQ(driver.result()["shards"], kDefaultShards);
  OperationDriver resize(ResizeCounter::Start(context_, MakeExtension(), {50}));
  EXPECT_EQ(resize.Run().result(), json({{"shards", 50}, {"folded", 0}}));
  EXPECT_TRUE(resize.sent().empty());
}

TEST_F(ExtensionTest, CreateMakesTheField) {
  server_.Put(kPath, {{"title", {{"stringValue", "Hello"}}}});
  server_.Put(kShards + "a", {{"visits", IntegerValue(5)}});
  const auto create = [&](const char* field, IfExists if_exists = IfExists::kKeep) {
    return Run<CreateCounter>(MakeExtension(field, 4), if_exists);
  };
  EXPECT_EQ(create("visits").result(), json({{"created", true}, {"shards", 4}}));
  EXPECT_EQ(create("visits").result(), json({{"created", false}, {"shards", 4}}));
  EXPECT_EQ(create("stats.likes").result()["created"], true);
  EXPECT_EQ(server_.Get(kPath)["title"], json({{"stringValue", "Hello"}}));
  EXPECT_EQ(server_.Get(kPath)["visits"], IntegerValue(0));
  EXPECT_EQ(Total()["value"], "5");
  EXPECT_EQ(server_.size(), 2U);
  EXPECT_EQ(create("visits", IfExists::kError).error().code, Code::kAlreadyExists);
  EXPECT_EQ(create("title").error().code, Code::kFailedPrecondition);
}

TEST_F(ExtensionTest, CreateMakesTheDocument) {
  EXPECT_EQ(Run<CreateCounter>(MakeExtension(), IfExists::kError).result()["created"], true);
  EXPECT_EQ(server_.Get(kPath), json({{"visits", IntegerValue(0)}}));
}

TEST_F(ExtensionTest, DeleteTakesThisFieldOnly) {
  server_.Put(kPath, {{"title", {{"stringValue", "Hello"}}}, {"visits", IntegerValue(9)}});
  PutShardsAndPartials(server_);
  server_.Put("pages/p1/shardline/_counter_shards_.visits/shardline_keys/e1",
              {{"applied", {{"booleanValue", true}}}});
  server_.Put("pages/p1/shardline/_counter_shards_.visits/shardline_totals/shared",
              {{"value", IntegerValue(1)}});
  server_.Put("pages/p1/shardline/_counter_shards_.likes/shardline_keys/e1",
              {{"applied", {{"booleanValue", true}}}});
  EXPECT_EQ(Run(DeleteCounter::Start(context_, MakeExtension())).result(), json({{"deleted", 4}}))
      << "what is emptied stays";
  EXPECT_EQ(Total()["value"], "0");
  EXPECT_EQ(Total("likes")["value"], "9");
  EXPECT_EQ(server_.Get(kPath), json({{"title", {{"stringValue", "Hello"}}}}));
  EXPECT_EQ(server_.Get(kShards + "b"), json({{"likes", IntegerValue(3)}}));
  EXPECT_EQ(server_.size(), 4U);
  // And again.
  EXPECT_EQ(Run(DeleteCounter::Start(context_, MakeExtension())).operation().error(), nullptr);
  EXPECT_EQ(Total("likes")["value"], "9");
  Run(DeleteCounter::Start(context_, MakeExtension("likes")));
  EXPECT_EQ(Total("likes")["value"], "0");
  // The partial of both holds what cancels out: workers delete it.
  EXPECT_EQ(server_.List("pages/p1/_counter_shards_").size(), 1U);
}

}  // namespace
}  // namespace shardline::extension_test
