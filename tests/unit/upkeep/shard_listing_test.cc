// Listings of servers that lie: every operation ends, soon, with an error that is the server's.

#include "counter/shard_listing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "counter/create.h"
#include "counter/total.h"
#include "unit/counter/builders.h"
#include "unit/support/status.h"
#include "upkeep/clean_up.h"
#include "upkeep/delete.h"
#include "upkeep/migrate.h"
#include "upkeep/resize.h"

namespace shardline::shard_listing_test {
namespace {

using nlohmann::json;

// A full page of `collection` that begins with this number.
Reply FullPage(const std::string& collection, int first, const char* field = "count") {
  json answer = json::array();
  for (int i = 0; i < ShardListing::kPageSize; ++i) {
    const std::string id = std::to_string(100'000 + first + i);
    const json document = {{"name", Name(collection + '/' + id)},
                           {"fields", {{field, IntegerValue(1)}}},
                           {"createTime", "2026-01-01T00:00:00Z"},
                           {"updateTime", "2026-01-01T00:00:00Z"}};
    answer.push_back({{"document", document}, {"readTime", "2026-01-01T00:00:03Z"}});
  }
  return Ok(answer);
}

class LyingServerTest : public ::testing::Test {
 protected:
  // Every operation that lists, each with the listing answered in this manner.
  void ExpectServersError(const std::function<Reply(const std::string& collection)>& list) {
    using Start = std::function<Result<std::unique_ptr<Operation>>()>;
    const auto made = [](auto operation) -> Result<std::unique_ptr<Operation>> {
      return std::unique_ptr<Operation>(std::move(operation));
    };
    const auto node = [] { return MakeCounter("posts/p1", Preset("node-sample"), 3); };
    const std::pair<const char*, Start> operations[] = {
        {"total",
         [&] { return made(std::make_unique<ReadTotal>(context_, node(), TotalSource::kShards)); }},
        {"create",
         [&] { return made(std::make_unique<CreateCounter>(context_, node(), IfExists::kKeep)); }},
        {"resize",
         [&] {
           return ResizeCounter::Start(context_, node(), {2, false});
         }},
        {"resize to at least",
         [&] {
           return ResizeCounter::Start(context_, node(), {2, true});
         }},
        {"delete", [&] { return made(DeleteCounter::Start(context_, node())); }},
        {"delete of the extension's",
         [&] {
           return made(
               DeleteCounter::Start(context_, MakeCounter("posts/p1", ExtensionLayout("count"))));
         }},
        {"migrate",
         [&] {
           return MigrateCounter::Start(context_, MakeCounter("posts/p1", ExtensionLayout("count")),
                                        node(), 2);
         }},
        {"clean up",
         [&] {
           return made(CleanUpCounter::Start(context_, node(), Timestamp{Timestamp::kMaxMicros}));
         }},
    };
    for (const auto& [name, start] : operations) {
      SCOPED_TRACE(name);
      OperationDriver driver(start());
      driver
          .Serve([&](const SentRequest& request) {
            if (request.verb() == "commit") return Refusal("ALREADY_EXISTS");
            if (request.verb() != "runQuery") return Refusal("NOT_FOUND");
            const std::string id = request.body["structuredQuery"]["from"][0]["collectionId"];
            const std::size_t start_of_path = request.path.find("/documents/") + 11;
            const std::string parent =
                request.path.substr(start_of_path, request.path.rfind(':') - start_of_path);
            return list(parent + '/' + id);
          })
          .Run();
      const Error error = driver.error();
      EXPECT_EQ(error.code, Code::kInternal) << error.message;
      EXPECT_LT(error.message.size(), 400U);
      EXPECT_LT(driver.sent().size(), 30U);
    }
  }

  OperationContext context_ = TestContext();
};

TEST_F(LyingServerTest, OnePageOverAndOver) {
  ExpectServersError([](const std::string& collection) { return FullPage(collection, 0); });
}

TEST_F(LyingServerTest, MoreThanWasAskedFor) {
  std::map<std::string, Reply> pages;
  ExpectServersError([&](const std::string& collection) {
    if (const auto made = pages.find(collection); made != pages.end()) return made->second;
    json page = json::parse(FullPage(collection, 0).body);
    for (const json& more : json::parse(FullPage(collection, 500).body)) page.push_back(more);
    return pages.emplace(collection, Ok(page)).first->second;
  });
}

TEST_F(LyingServerTest, AnotherCollection) {
  ExpectServersError([](const std::string& collection) {
    return Listed(collection + "_of_others", {{"0", IntegerValue(1)}});
  });
  ExpectServersError([](const std::string&) {
    return Listed("posts/p2/shards", {{"0", IntegerValue(1)}});
  });
}

TEST_F(LyingServerTest, OutOfOrderOrTwice) {
  ExpectServersError([](const std::string& collection) {
    return Listed(collection, {{"5", IntegerValue(1)}, {"4", IntegerValue(1)}});
  });
  ExpectServersError([](const std::string& collection) {
    return Listed(collection, {{"5", IntegerValue(1)}, {"5", IntegerValue(1)}});
  });
}

TEST_F(LyingServerTest, WithoutTheTimesThatAreReliedOn) {
  ExpectServersError([](const std::string& collection) {
    json page = json::parse(FullPage(collection, 0).body);
    page[7]["document"].erase("updateTime");
    return Ok(page);
  });
}

}  // namespace
}  // namespace shardline::shard_listing_test
