// What reading a whole collection costs, page by page, with documents spread over the shards at
// random: billed reads and round trips.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>

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

  // `pause` is what passes between two pages.
  Cost Run(Duration pause, const json& options = json::object()) {
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
      query["after"] = page.result["next"];
      caller.Pass(pause);
    } while (!query["after"].is_null());
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

TEST(ReadThrough, BillsLittleMoreThanItReturns) {
  for (const std::size_t chunks : {3u, 4u, 10u}) {
    Cost sum;
    const std::uint64_t runs = SeedsInRun(1, 2);
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      const Cost cost = ReadThrough(chunks, 1'500, seed).Run({});
      sum.reads += cost.reads / static_cast<double>(runs);
      sum.round_trips += cost.round_trips / static_cast<double>(runs);
    }
    EXPECT_LE(sum.reads, 1.25 * kLimit + static_cast<double>(chunks)) << chunks;
    EXPECT_LE(sum.round_trips, 1.4) << chunks;
  }
}

// Pages that are read anew, as nobody knows what has happened since the one before.
TEST(ReadThrough, BillsLittleMoreForPagesThatComeLate) {
  for (const std::size_t chunks : {3u, 4u}) {
    const Cost cost = ReadThrough(chunks, 3'000, chunks).Run(std::chrono::seconds(60));
    EXPECT_LE(cost.reads, 1.25 * kLimit + static_cast<double>(chunks)) << chunks;
    EXPECT_LE(cost.round_trips, 1.5) << chunks;
  }
}

// A snapshot shows one instant, however late its pages are asked for.
TEST(ReadThrough, PagesOfASnapshotUseWhatIsLeftWheneverTheyCome) {
  const Cost cost = ReadThrough(4, 1'000, 7).Run(std::chrono::minutes(3), {{"snapshot", true}});
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
    return page.result["next"];
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
  std::function<void()> before_;  // Each answer.
  ApiCaller caller_{[this](const SentRequest& request) {
    if (before_) before_();
    return server_(request);
  }};
};

TEST_F(KeptTest, APageThatComesLateIsReadAnew) {
  const json next = Next(Read({{"limit", 20}}));
  for (int i = 20; i < 60; ++i) Put(i, "new");
  caller_.Pass(std::chrono::seconds(2));
  const Outcome page = Read({{"limit", 20}, {"after", next}});
  ASSERT_TRUE(page.ok()) << page.message;
  for (const json& document : page.result["docs"]) EXPECT_EQ(document[1]["note"], "new");
}

TEST_F(KeptTest, APageBehindAWriteOfOnesOwnIsReadAnew) {
  const json next = Next(Read({{"limit", 20}}));
  json arguments = {{"collection", Instruments(60)}, {"id", "d120"}};
  arguments["changes"] = {{"fields", {{"note", {{"stringValue", "new"}}}}}};
  const Outcome written = caller_.Ask("collection.update", Arguments(arguments).dump());
  ASSERT_TRUE(written.ok()) << written.message;
  const Outcome page = Read({{"limit", 20}, {"after", next}});
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["docs"][0][1]["note"], "new");
}

TEST_F(KeptTest, APageBehindAWriteOfAnotherModuleIsReadAnew) {
  const json next = Next(Read({{"limit", 20}}));
  for (int i = 20; i < 60; ++i) Put(i, "new");
  caller_.NoteWrite();
  const Outcome page = Read({{"limit", 20}, {"after", next}});
  ASSERT_TRUE(page.ok()) << page.message;
  for (const json& document : page.result["docs"]) EXPECT_EQ(document[1]["note"], "new");
}

TEST_F(KeptTest, APageOfAnotherUserIsReadAnew) {
  for (const bool snapshot : {false, true}) {
    const json next = Next(Read({{"limit", 20}, {"snapshot", snapshot}}));
    caller_.NoteUser();
    const Outcome page = Read({{"limit", 20}, {"after", next}, {"snapshot", snapshot}});
    ASSERT_TRUE(page.ok()) << page.message;
    EXPECT_GE(page.billed.reads, 20) << snapshot;
  }
}

// The users change places while the page is read.
TEST_F(KeptTest, NothingIsKeptOfAPageOfTwoUsers) {
  for (const bool snapshot : {false, true}) {
    before_ = [this] { caller_.NoteUser(); };
    const json next = Next(Read({{"limit", 20}, {"snapshot", snapshot}}));
    before_ = nullptr;
    const Outcome page = Read({{"limit", 20}, {"after", next}, {"snapshot", snapshot}});
    ASSERT_TRUE(page.ok()) << page.message;
    EXPECT_GE(page.billed.reads, 20) << snapshot;
  }
}

TEST_F(KeptTest, ASnapshotIsKeptForAnHour) {
  const json query = {{"limit", 20}, {"snapshot", true}};
  const auto requests_after = [&](std::chrono::minutes pause) {
    json behind = query;
    behind["after"] = Next(Read(query));
    caller_.Pass(pause);
    return Read(behind).sent.size();
  };
  const std::size_t at_once = requests_after(std::chrono::minutes(0));
  EXPECT_EQ(requests_after(std::chrono::minutes(59)), at_once);
  // The server is asked, which does not remember it any more.
  EXPECT_GT(requests_after(std::chrono::minutes(61)), at_once);
}

TEST_F(KeptTest, WhatIsLeftOverIsOfThePageThatWasReadLast) {
  Read({{"limit", 20}});
  for (int i = 20; i < 60; ++i) Put(i, "new");
  const json next = Next(Read({{"limit", 20}}));
  const Outcome page = Read({{"limit", 20}, {"after", next}});
  ASSERT_TRUE(page.ok()) << page.message;
  for (const json& document : page.result["docs"]) EXPECT_EQ(document[1]["note"], "new");
}

TEST_F(KeptTest, AnEagerPageIsReadAnew) {
  const json next = Next(Read({{"limit", 20}}));
  Put(20, "new");
  const Outcome page = Read({{"limit", 20}, {"after", next}, {"fetch", "eager"}});
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["docs"][0][1]["note"], "new");
}

TEST_F(KeptTest, AnotherSelectionIsReadAnew) {
  const json next = Next(Read({{"limit", 20}}));
  const Outcome page = Read({{"limit", 20}, {"after", next}, {"select", {"note"}}});
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["docs"][0][1], json({{"note", "old"}}));
  EXPECT_EQ(page.result["docs"].size(), 20u);
}

TEST_F(KeptTest, APageAskedForTwiceIsTheSame) {
  const json next = Next(Read({{"limit", 20}}));
  const Outcome once = Read({{"limit", 20}, {"after", next}});
  const Outcome again = Read({{"limit", 20}, {"after", next}});
  ASSERT_TRUE(once.ok() && again.ok());
  EXPECT_EQ(once.result["docs"], again.result["docs"]);
  EXPECT_LT(once.billed.reads, again.billed.reads);
}

}  // namespace
}  // namespace shardline::read_through_test
