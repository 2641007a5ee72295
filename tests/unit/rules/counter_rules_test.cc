// What the rules allow and refuse is asked of Google's emulator (tests/emulator/rules.test.js);
// here, what they are made from.

#include "rules/counter_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/support/text.h"

namespace shardline {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

Result<std::string> Make(const json& options) { return MakeCounterRules(Text(options.dump())); }

std::string Rules(const json& options) {
  const Result<std::string> rules = Make(options);
  EXPECT_TRUE(rules) << options << ": " << rules.error().message;
  return rules.value_or("");
}

TEST(CounterRules, NothingIsLeftToFillIn) {
  for (const char* access : {"public", "signed-in", "one-vote"}) {
    for (const char* layout : {"web", "mobile", "node", "go", "ruby", "collection"}) {
      const bool is_collection = layout[0] == 'r' || layout[0] == 'c';
      const std::string rules = Rules({{"path", is_collection ? "votes" : "posts/{post}"},
                                       {"layout", layout},
                                       {"access", access}});
      EXPECT_THAT(rules, Not(HasSubstr("@"))) << access << ' ' << layout;
      EXPECT_EQ(std::count(rules.begin(), rules.end(), '{'),
                std::count(rules.begin(), rules.end(), '}'));
    }
  }
}

TEST(CounterRules, WhatUsersWriteIsNotFilledIn) {
  const std::string rules =
      Rules({{"path", "posts/{post}"}, {"admin", "request.auth.token.email == 'a@limit@b.c'"}});
  EXPECT_THAT(rules, HasSubstr("if (request.auth.token.email == 'a@limit@b.c');"));
}

TEST(CounterRules, PathsAreTheCounters) {
  const std::string rules =
      Rules({{"path", "a/{b}/c/{d}"}, {"access", "signed-in"}, {"shards", 7}, {"maxDelta", 2.5}});
  EXPECT_THAT(rules, HasSubstr("match /a/{b}/c/{d} {"));
  EXPECT_THAT(rules, HasSubstr("/a/$(b)/c/$(d)/shards/$(entry.shard)"));
  EXPECT_THAT(rules, HasSubstr("/a/$(b)/c/$(d)/shardline/shards.count/shardline_ledger/$(request.auth.uid)"));
  EXPECT_THAT(rules, HasSubstr("int(shard) < 7"));
  EXPECT_THAT(rules, HasSubstr("change() <= 2.5"));
}

TEST(CounterRules, BadOptionsAreRefusedByName) {
  const json good = {{"path", "posts/{post}"}};
  const auto message = [&](const char* key, const json& value) {
    json options = good;
    options[key] = value;
    const Result<std::string> rules = Make(options);
    EXPECT_FALSE(rules) << options;
    return rules ? std::string() : rules.error().message;
  };
  for (const json& path : {json(7), json(""), json("posts"), json("posts/{post}/x"), json("/posts"),
                           json("posts/{shard}"), json("posts/{1}"), json("posts/a b"),
                           json("posts/{a}; allow write: if true; match /x"), json("posts/..")}) {
    EXPECT_THAT(message("path", path), HasSubstr("path")) << path;
  }
  for (const json& shards : {json(0), json(10'001), json(1.5), json("3"), json()}) {
    EXPECT_THAT(message("shards", shards), HasSubstr("shards"));
  }
  for (const json& delta : {json(0), json(-1), json("1"), json(1e300)}) {
    EXPECT_THAT(message("maxDelta", delta), HasSubstr("maxDelta"));
  }
  EXPECT_THAT(message("access", "all"), HasSubstr("access"));
  EXPECT_THAT(message("layout", "extension"), HasSubstr("firestore-counter"));
  EXPECT_THAT(message("access", 1), HasSubstr("access"));
  EXPECT_THAT(message("admin", true), HasSubstr("admin"));
  EXPECT_THAT(message("layout", "strange"), HasSubstr("layout"));
  EXPECT_THAT(message("layout", 1), HasSubstr("layout"));
  EXPECT_THAT(message("layout", {{"countField", "stats.likes"}}), HasSubstr("countField"));
  EXPECT_THAT(message("layout", {{"countField", 1}}), HasSubstr("countField"));
  EXPECT_THAT(message("layout", {{"shardCollection", "a/b"}}), HasSubstr("shardCollection"));
  EXPECT_THAT(message("layout", "ruby"), HasSubstr("collection"));
  EXPECT_THAT(message("max", 1), HasSubstr("max"));
  for (const char* text : {"", "[]", "7", "{", "null"}) {
    EXPECT_FALSE(MakeCounterRules(Text(text))) << text;
  }
  EXPECT_FALSE(Make(json::object()));
}

}  // namespace
}  // namespace shardline
