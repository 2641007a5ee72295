#include "sharded_query/chunk_requests.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "base/padded_text.h"

namespace shardline::chunk_requests_test {
namespace {

// A plan of so many chunks: no `in` may stand beside a not-in, so each has one shard value.
std::unique_ptr<QueryPlan> PlanOf(int chunks, bool at_one_instant) {
  const PaddedText collection(R"({"path":"c","shards":)" + std::to_string(chunks) +
                              R"(,"shardField":"s","orderField":"t"})");
  const PaddedText query(
      std::string(R"({"filters":[{"field":"f","op":"not-in","value":)"
                  R"({"arrayValue":{"values":[{"integerValue":"1"}]}}}],"consistentRead":)") +
      (at_one_instant ? "true}" : "false}"));
  return QueryPlan::Read(ShardedCollection::Read(collection.view()).value(), query.view()).value();
}

// Sends what may be sent; the call's number is the chunk's and 100.
std::vector<std::size_t> SendAll(ChunkRequests& requests) {
  std::vector<std::size_t> sent;
  while (const auto chunk = requests.Next()) {
    sent.push_back(*chunk);
    requests.Sent(*chunk, static_cast<CallId>(*chunk + 100));
  }
  return sent;
}

TEST(ChunkRequests, SendsInOrderAndALimitedNumberAtATime) {
  const auto plan = PlanOf(40, false);
  ASSERT_EQ(plan->chunk_count(), 40U);
  ChunkRequests requests(*plan);
  EXPECT_TRUE(requests.idle());
  requests.AskAll();
  EXPECT_FALSE(requests.idle());
  EXPECT_EQ(SendAll(requests).size(), 32U);
  EXPECT_EQ(requests.count(), 32);
  EXPECT_EQ(requests.ChunkOf(107), 7U);
  requests.Answered(107);
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(32));
  for (CallId call = 100; call < 133; ++call) {
    if (call != 107) requests.Answered(call);
  }
  EXPECT_FALSE(requests.idle());
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(33, 34, 35, 36, 37, 38, 39));
  for (CallId call = 133; call < 140; ++call) requests.Answered(call);
  EXPECT_TRUE(requests.idle());
  EXPECT_EQ(requests.count(), 40);
}

TEST(ChunkRequests, AsksAnAnsweredChunkAgainBehindTheOthers) {
  const auto plan = PlanOf(2, false);
  ChunkRequests requests(*plan);
  requests.AskAll();
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(0, 1));
  requests.Answered(100);
  requests.Ask(0);
  EXPECT_FALSE(requests.idle());
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(0));
}

TEST(ChunkRequests, TheFirstAnswerFixesTheInstantOfTheOthers) {
  const auto plan = PlanOf(3, true);
  ChunkRequests requests(*plan);
  requests.AskAll();
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(0));
  EXPECT_EQ(requests.read_time(), "");
  requests.FixInstant("2026-01-01T00:00:00Z");
  requests.FixInstant("2026-01-02T00:00:00Z");
  requests.Answered(100);
  EXPECT_EQ(requests.read_time(), "2026-01-01T00:00:00Z");
  EXPECT_THAT(SendAll(requests), testing::ElementsAre(1, 2));
}

TEST(ChunkRequests, WithoutOneInstantNoneIsFixed) {
  const auto plan = PlanOf(2, false);
  ChunkRequests requests(*plan);
  requests.FixInstant("2026-01-01T00:00:00Z");
  EXPECT_EQ(requests.read_time(), "");
}

}  // namespace
}  // namespace shardline::chunk_requests_test
