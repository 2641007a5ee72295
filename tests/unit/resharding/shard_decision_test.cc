#include "resharding/shard_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "unit/support/status.h"

namespace shardline::shard_decision_test {
namespace {

using nlohmann::json;

std::shared_ptr<const ShardedCollection> Collection(const json& options) {
  const PaddedText text(options.dump());
  auto read = ShardedCollection::Read(text.view());
  EXPECT_THAT(read, IsOk());
  return read ? *read : nullptr;
}

ShardState StateOf(const json& fields, const char* field, std::string* shard = nullptr) {
  const auto collection = Collection({{"path", "c"},
                                      {"shards", {"x", "y", 7}},
                                      {"alsoRead", {"old", "x", 8}},
                                      {"shardField", field}});
  const PaddedText text(fields.dump());
  JsonScanner scanner(text);
  const ShardState state = ReadShardState(JsonView(scanner), *collection, shard);
  EXPECT_TRUE(scanner.ok()) << fields;
  return state;
}

TEST(ShardDecision, WhatStandsInTheShardField) {
  struct Row {
    const char* field;
    const char* fields;
    ShardState state;
  };
  using enum ShardState;
  const Row rows[] = {
      {"s", R"({})", kMissing},
      {"s", R"({"other":{"stringValue":"x"}})", kMissing},
      {"s", R"({"s":{"stringValue":"x"}})", kWritten},
      {"s", R"({"s":{"integerValue":"7"}})", kWritten},
      {"s", R"({"s":{"doubleValue":7}})", kWritten},
      {"s", R"({"s":{"stringValue":"7"}})", kStrange},
      {"s", R"({"s":{"stringValue":"old"}})", kRead},
      {"s", R"({"s":{"integerValue":"8"}})", kRead},
      {"s", R"({"s":{"stringValue":"X"}})", kStrange},
      {"s", R"({"s":{"stringValue":""}})", kStrange},
      {"s", R"({"s":{"nullValue":null}})", kStrange},
      {"s", R"({"s":{"arrayValue":{}}})", kStrange},
      {"a.s", R"({"a":{"mapValue":{"fields":{"s":{"stringValue":"y"}}}}})", kWritten},
      {"a.s", R"({"a":{"mapValue":{"fields":{"t":{"stringValue":"y"}}}}})", kMissing},
      {"a.s", R"({"a":{"mapValue":{}}})", kMissing},
      {"a.s", R"({})", kMissing},
      {"a.s", R"({"a":{"stringValue":"y"}})", kStrange},
      {"a.s", R"({"a":{"nullValue":null}})", kStrange},
      {"a.b.s", R"({"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}}})", kStrange},
      {"`a.s`", R"({"a.s":{"stringValue":"y"}})", kWritten},
      {"`a.s`", R"({"a":{"mapValue":{"fields":{"s":{"stringValue":"y"}}}}})", kMissing},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(StateOf(json::parse(row.fields), row.field), row.state) << row.field << row.fields;
  }
}

TEST(ShardDecision, ADocumentWithoutFieldsHasNoShard) {
  const auto collection = Collection({{"path", "c"}, {"shards", 3}});
  EXPECT_EQ(ReadShardState(JsonView(), *collection), ShardState::kMissing);
}

TEST(ShardDecision, TellsTheValueThatItHasFound) {
  std::string shard;
  StateOf({{"s", {{"integerValue", "8"}}}}, "s", &shard);
  EXPECT_EQ(shard, "8");
  StateOf({{"s", {{"stringValue", "y"}}}}, "s", &shard);
  EXPECT_EQ(shard, "\"y\"");
}

TEST(ShardDecision, TheTable) {
  struct Row {
    ShardState state;
    ShardFate backfill;
    ShardFate reshard;
  };
  using enum ShardState;
  using enum ShardFate;
  const Row rows[] = {{kMissing, kGetsShard, kOutside},
                      {kWritten, kSkipped, kSkipped},
                      {kRead, kSkipped, kGetsShard},
                      {kStrange, kOutside, kOutside}};
  for (const Row& row : rows) {
    EXPECT_EQ(DecideShard(ShardTask::kBackfill, row.state), row.backfill);
    EXPECT_EQ(DecideShard(ShardTask::kReshard, row.state), row.reshard);
  }
}

}  // namespace
}  // namespace shardline::shard_decision_test
