// The cost of reading a whole collection, page by page, with documents spread over the shards at
// random: billed reads and round trips.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "unit/sharded_query/api_caller.h"
#include "unit/support/run_size.h"
#include "unit/support/simulated_server.h"

namespace shardline::read_through_test {
namespace {

constexpr int kLimit = 100;

struct Cost {
  double reads = 0;        // For each page,
  double round_trips = 0;  // likewise.
};

class ReadThrough {
 public:
  ReadThrough(std::size_t chunks, int documents, std::uint64_t seed)
      : shards_(30 * chunks), documents_(documents), server_(seed) {
    Random random(seed);
    json writes = json::array();
    for (int i = 0; i < documents; ++i) {
      const std::string shard = std::to_string(random.Below(shards_));
      writes.push_back(
          {{"update",
            {{"name", Name("instruments/d" + std::to_string(100'000 + i))},
             {"fields", {{"shard", {{"stringValue", shard}}}, {"timestamp", Number(i)}}}}}});
      if (writes.size() < 500 && i + 1 < documents) continue;
      server_.Commit(writes);
      writes.clear();
    }
  }

  Cost Run(const json& options = json::object()) {
    ApiCaller caller([&](const SentRequest& request) { return server_(request); });
    json query = {{"limit", kLimit}};
    query.update(options);
    Cost cost;
    int pages = 0;
    int next = 0;
    do {
      const Outcome page =
          caller.Ask("collection.query",
                     Arguments({{"collection", Instruments(shards_)}, {"query", query}}).dump());
      EXPECT_TRUE(page.ok()) << page.message;
      if (!page.ok()) break;
      for (const json& document : page.result["docs"]) {
        EXPECT_EQ(document[0], "d" + std::to_string(100'000 + next++));
      }
      cost.reads += static_cast<double>(page.billed.reads);
      std::set<Instant> waves;
      for (const SentRequest& request : page.sent) waves.insert(request.at);
      cost.round_trips += static_cast<double>(waves.size());
      ++pages;
      query["continueFrom"] = page.result["nextToken"];
    } while (!query["continueFrom"].is_null());
    EXPECT_EQ(next, documents_);
    cost.reads /= pages;
    cost.round_trips /= pages;
    return cost;
  }

 private:
  std::size_t shards_;
  int documents_;
  SimulatedServer server_;
};

TEST(ReadThrough, AStreamBillsWhatItReturns) {
  for (const std::size_t chunks : {3u, 4u, 10u}) {
    Cost sum;
    const std::uint64_t runs = SeedsInRun(1, 2);
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const Cost cost = ReadThrough(chunks, 1'500, seed).Run({{"stream", "a"}});
      sum.reads += cost.reads / static_cast<double>(runs);
      sum.round_trips += cost.round_trips / static_cast<double>(runs);
    }
    EXPECT_LE(sum.reads, 1.05 * kLimit + static_cast<double>(chunks)) << chunks;
    EXPECT_LE(sum.round_trips, 1.4) << chunks;
  }
}

TEST(ReadThrough, PagesByThemselvesBillLittleMoreThanTheyReturn) {
  for (const std::size_t chunks : {3u, 4u}) {
    const Cost cost = ReadThrough(chunks, 3'000, chunks).Run();
    EXPECT_LE(cost.reads, 1.25 * kLimit + static_cast<double>(chunks)) << chunks;
    EXPECT_LE(cost.round_trips, 1.5) << chunks;
  }
}

TEST(ReadThrough, AStreamOfASnapshotBillsWhatItReturns) {
  const Cost cost = ReadThrough(4, 1'000, 7).Run({{"stream", "a"}, {"consistentRead", true}});
  EXPECT_LE(cost.reads, 1.1 * kLimit);
}

class KeptTest : public ::testing::Test {
 protected:
  Outcome Read(const json& query) {
    return caller_.Ask("collection.query",
                       Arguments({{"collection", Instruments(60)}, {"query", query}}).dump());
  }
  json Next(const Outcome& page) {
    EXPECT_TRUE(page.ok()) << page.message;
    return page.result["nextToken"];
  }
  static json Docs(const Outcome& page) {
    EXPECT_TRUE(page.ok()) << page.message;
    return page.ok() ? page.result["docs"] : json::array();
  }
  void Put(int number, const std::string& note) {
    server_.Put("instruments/d" + std::to_string(100 + number),
                {{"shard", {{"stringValue", std::to_string(number % 60)}}},
                 {"timestamp", Number(number)},
                 {"note", {{"stringValue", note}}}});
  }
  void SetUp() override {
    for (int i = 0; i < 60; ++i) Put(i, "old");
  }

  SimulatedServer server_{1};
  ApiCaller caller_{[this](const SentRequest& request) { return server_(request); }};
};

TEST_F(KeptTest, APageOfNoStreamIsReadFromTheServer) {
  for (const json& stream : {json{{"stream", "a"}}, json::object()}) {
    SetUp();
    json query = {{"limit", 20}};
    query["continueFrom"] = Next(Read(query));
    for (int i = 20; i < 60; ++i) Put(i, "new");
    query.update(stream);
    for (const json& document : Docs(Read(query))) EXPECT_EQ(document[1]["note"], "new");
  }
}

TEST_F(KeptTest, AStreamGoesOnWithWhatItHasFetched) {
  json query = {{"limit", 20}, {"stream", "a"}};
  const Outcome first = Read(query);
  for (int i = 20; i < 60; ++i) Put(i, "new");
  query["continueFrom"] = Next(first);
  const Outcome second = Read(query);
  const auto old = static_cast<std::int64_t>(first.billed.reads) - 20;
  ASSERT_GT(old, 0);
  std::int64_t found = 0;
  for (const json& document : Docs(second)) found += document[1]["note"] == "old" ? 1 : 0;
  EXPECT_GT(found, 0);
  EXPECT_LE(found, old);
  EXPECT_EQ(Docs(second).size(), 20u);
  EXPECT_EQ(Docs(second)[0][0], "d120");
}

TEST_F(KeptTest, AnotherStreamIsReadFromTheServer) {
  json query = {{"limit", 20}, {"stream", "a"}};
  query["continueFrom"] = Next(Read(query));
  for (int i = 20; i < 60; ++i) Put(i, "new");
  query["stream"] = "b";
  for (const json& document : Docs(Read(query))) EXPECT_EQ(document[1]["note"], "new");
}

TEST_F(KeptTest, AnEagerStreamIsReadFromTheServer) {
  json query = {{"limit", 20}, {"stream", "a"}, {"chunkReads", "whole-page"}};
  query["continueFrom"] = Next(Read(query));
  Put(20, "new");
  EXPECT_EQ(Docs(Read(query))[0][1]["note"], "new");
}

TEST_F(KeptTest, WhatIsTakenIsForgotten) {
  json query = {{"limit", 20}, {"stream", "a"}};
  query["continueFrom"] = Next(Read(query));
  const Outcome once = Read(query);
  const Outcome again = Read(query);
  EXPECT_EQ(Docs(once), Docs(again));
  EXPECT_LT(once.billed.reads, again.billed.reads);
}

TEST_F(KeptTest, OnlyTheLastStreamsAreRemembered) {
  json query = {{"limit", 20}};
  std::vector<json> next;
  for (int stream = 0; stream < 5; ++stream) {
    query["stream"] = std::to_string(stream);
    next.push_back(Next(Read(query)));
  }
  const auto reads = [&](int stream) {
    query["stream"] = std::to_string(stream);
    query["continueFrom"] = next[static_cast<std::size_t>(stream)];
    const Outcome page = Read(query);
    EXPECT_TRUE(page.ok()) << page.message;
    return page.billed.reads;
  };
  EXPECT_LT(reads(4), reads(0));
}

}  // namespace
}  // namespace shardline::read_through_test
