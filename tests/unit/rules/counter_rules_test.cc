// The text of the rules, and its options. Google's emulator tests the accesses that the rules allow
// and refuse (tests/emulator/rules.test.js).

#include "rules/counter_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "unit/support/text.h"

namespace shardline::counter_rules_test {
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

TEST(CounterRules, OfRatingsAndReactions) {
  for (const json& choices :
       {json({{"ratings", {{"from", 1}, {"to", 5}}}}), json({{"reactions", {"like", "love"}}})}) {
    json options = {{"path", "posts/{post}"}, {"shards", 7}, {"admin", "isBoss()"}};
    options.update(choices);
    const std::string rules = Rules(options);
    EXPECT_THAT(rules, Not(HasSubstr("@")));
    EXPECT_EQ(std::count(rules.begin(), rules.end(), '{'),
              std::count(rules.begin(), rules.end(), '}'));
    const bool are_ratings = choices.contains("ratings");
    EXPECT_THAT(rules,
                HasSubstr(are_ratings ? "['r1', 'r2', 'r3', 'r4', 'r5']" : "['like', 'love']"));
    EXPECT_THAT(rules, HasSubstr(are_ratings ? "// [shardline posts/{post}/shardline_ratings]"
                                             : "// [shardline posts/{post}/shardline_reactions]"));
    EXPECT_THAT(rules, HasSubstr("int(shardId) < 7"));
    EXPECT_THAT(rules, HasSubstr("isBoss()"));
  }
}

TEST(CounterRules, BadRatingsAndReactions) {
  const auto refuses = [](const json& more, const char* name) {
    json options = {{"path", "posts/{post}"}};
    options.update(more);
    const Result<std::string> rules = Make(options);
    EXPECT_FALSE(rules) << options;
    if (!rules) EXPECT_THAT(rules.error().message, HasSubstr(name)) << options;
  };
  for (const json& bad :
       {json(5), json::object(), json({{"from", 1}}), json({{"from", 5}, {"to", 1}}),
        json({{"from", -1}, {"to", 3}}), json({{"from", 1}, {"to", 21}}),
        json({{"from", 1.5}, {"to", 3}}), json({{"from", 1}, {"to", 3}, {"by", 1}})}) {
    refuses({{"ratings", bad}}, "ratings");
  }
  for (const json& bad : {json("like"), json::array(), json({"a b"}), json({1}), json({"'"}),
                          json(std::vector<std::string>(21, "like"))}) {
    refuses({{"reactions", bad}}, "reactions");
  }
  refuses({{"reactions", {"like"}}, {"access", "public"}}, "access");
  refuses({{"reactions", {"like"}}, {"layout", "web-sample"}}, "layout");
  refuses({{"reactions", {"like"}}, {"ratings", {{"from", 1}, {"to", 5}}}}, "reactions");
  refuses({{"reactions", {"like"}}, {"path", "posts"}}, "path");
}

TEST(CounterRules, OfCountersWithFields) {
  const json options = {{"path", "posts/{post}"},
                        {"fields", {"like", "love"}},
                        {"maxDelta", 5},
                        {"shards", 7},
                        {"admin", "isBoss()"}};
  const std::string rules = Rules(options);
  EXPECT_THAT(rules, Not(HasSubstr("@")));
  EXPECT_EQ(std::count(rules.begin(), rules.end(), '{'),
            std::count(rules.begin(), rules.end(), '}'));
  EXPECT_THAT(rules, HasSubstr("// [shardline posts/{post}/shards]"));
  EXPECT_THAT(rules, HasSubstr("hasOnly(['like', 'love'])"));
  EXPECT_THAT(rules, HasSubstr("&& isWithinBounds('love', countsBefore, countsAfter);"));
  EXPECT_THAT(rules, HasSubstr("math.abs(countMoved) <= 5"));
  EXPECT_THAT(rules, HasSubstr("match /shardline/shards.love/{keptIn}/{keptId}"));
  const char* const note = "match /shardline/shards.shardline_fields.like.love/{keptIn}/{keptId}";
  EXPECT_THAT(rules, HasSubstr(note));
  json turned = options;
  turned["fields"] = {"love", "like"};
  EXPECT_THAT(Rules(turned), HasSubstr(note)) << "whatever order the app names them in";
  turned["fields"] = json::array();
  for (int i = 10; i < 30; ++i)
    turned["fields"].push_back(std::string(98, 'x') + std::to_string(i));
  EXPECT_THAT(Rules(turned), Not(HasSubstr("shardline_fields")));
  EXPECT_THAT(rules, HasSubstr("int(shardId) < 7"));
  EXPECT_THAT(Rules({{"path", "claps"}, {"layout", "collection"}, {"fields", {"like"}}}),
              HasSubstr("// [shardline claps/fields]"));
  for (const json& bad : {json("like"), json::array(), json({"a b"}), json({1}), json({"'"}),
                          json(std::vector<std::string>(21, "like")), json({"like", "count"})}) {
    const Result<std::string> refused = Make({{"path", "posts/{post}"}, {"fields", bad}});
    EXPECT_FALSE(refused) << bad;
    if (!refused) EXPECT_THAT(refused.error().message, HasSubstr("fields"));
  }
  const json own = {{"shardCollection", "parts"}, {"countField", "like"}};
  EXPECT_FALSE(Make({{"path", "posts/{post}"}, {"layout", own}, {"fields", {"like"}}}));
  for (const char* access : {"one-like", "one-vote"}) {
    EXPECT_FALSE(Make({{"path", "posts/{post}"}, {"fields", {"like"}}, {"access", access}}));
  }
  EXPECT_FALSE(Make({{"path", "posts/{post}"}, {"fields", {"like"}}, {"reactions", {"like"}}}));
  EXPECT_FALSE(Make({{"path", "posts/{fieldId}"}}));
}

TEST(CounterRules, NothingIsLeftToFillIn) {
  for (const char* access : {"public", "signed-in", "one-vote", "one-like"}) {
    for (const char* layout :
         {"web-sample", "mobile-sample", "node-sample", "go-sample", "ruby-sample", "collection"}) {
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
  EXPECT_THAT(rules, HasSubstr("return (request.auth.token.email == 'a@limit@b.c');"));
}

TEST(CounterRules, ADefaultCountersFitOnOneScreen) {
  const std::string rules = Rules({{"path", "posts/{post}"}});
  EXPECT_LE(std::count(rules.begin(), rules.end(), '\n'), 60) << rules;
  // Counting looks nothing up; only who makes a shard asks whether there is a counter.
  EXPECT_EQ(rules.find("get(/"), rules.rfind("get(/"));
  EXPECT_THAT(rules, Not(HasSubstr("exists(")));
}

TEST(CounterRules, PathsAreTheCounters) {
  const std::string rules = Rules({{"path", "a/{b}/c/{d}"}, {"access", "one-like"}, {"shards", 7}});
  EXPECT_THAT(rules, HasSubstr("match /a/{b}/c/{d} {"));
  EXPECT_THAT(rules, HasSubstr("/a/$(b)/c/$(d)/shards/$(memberEntry.shard)"));
  EXPECT_THAT(
      rules,
      HasSubstr("/a/$(b)/c/$(d)/shardline/shards.count/shardline_members/$(request.auth.uid)"));
  EXPECT_THAT(rules, HasSubstr("int(shardId) < 7"));
  EXPECT_THAT(Rules({{"path", "a/{b}"}, {"maxDelta", 2.5}}),
              HasSubstr("countAfter <= countBefore + 2.5"));
}

TEST(CounterRules, PlacesAreTheLibrarys) {
  // Rules decode what is escaped, so an escape is escaped once more.
  EXPECT_THAT(
      Rules({{"path", "x/{y}"}, {"layout", {{"shardCollection", "a.b"}, {"countField", "n"}}}}),
      HasSubstr("match /shardline/a%252Eb.n/shardline_totals/{totalId} {"));
  EXPECT_THAT(Rules({{"path", "likes"}, {"layout", "php-sample"}}),
              HasSubstr("match /shardline/shardline/Cnt/shardline_totals/{totalId} {"));
  for (const char* access : {"one-vote", "one-like"}) {
    EXPECT_THAT(Rules({{"path", "x/{y}"}, {"access", access}}),
                HasSubstr("match /shardline/shards.count/shardline_members/{memberId} {"));
  }
}

TEST(CounterRules, WhoMayCountMayCreateMarkers) {
  const std::string open =
      "match /shardline_markers/{markerId} {\n      allow get: if true;\n      allow create: if ";
  EXPECT_THAT(Rules({{"path", "posts/{post}"}}), HasSubstr(open + "markerId.matches("));
  for (const char* access : {"signed-in", "one-like", "one-vote"}) {
    EXPECT_THAT(Rules({{"path", "posts/{post}"}, {"access", access}}),
                HasSubstr(open + "request.auth != null && markerId.matches("));
  }
}

TEST(CounterRules, AdministratorsOfAllCountersCleanUpMarkers) {
  const auto rules = [](const char* admin) {
    return Rules({{"path", "posts/{post}"}, {"admin", admin}});
  };
  EXPECT_THAT(rules("request.auth.token.admin"),
              HasSubstr("allow list, delete: if (request.auth.token.admin);"));
  EXPECT_THAT(rules("request.auth.uid == post"), Not(HasSubstr("allow list")));
  EXPECT_THAT(rules("request.auth.token.poster"), HasSubstr("allow list"));
  EXPECT_THAT(Rules({{"path", "posts/{post}"}}), Not(HasSubstr("allow list")));
}

TEST(CounterRules, TheNumberOfShardsIsProtected) {
  EXPECT_THAT(Rules({{"path", "x/{y}"}, {"layout", "mobile-sample"}}),
              HasSubstr("affectedKeys().hasAny(['numShards'])"));
  EXPECT_THAT(Rules({{"path", "x/{y}"}, {"layout", "node-sample"}}), Not(HasSubstr("hasAny")));
}

TEST(CounterRules, AUserCountsOnce) {
  for (const char* access : {"one-like", "one-vote"}) {
    for (const json& more :
         {json{{"maxDelta", 2}}, json{{"maxDelta", 0.5}}, json{{"fractions", true}}}) {
      json options = {{"path", "x/{y}"}, {"access", access}};
      options.update(more);
      const Result<std::string> rules = Make(options);
      ASSERT_FALSE(rules) << options;
      EXPECT_THAT(rules.error().message, HasSubstr("maxDelta must be 1"));
    }
  }
  EXPECT_THAT(Rules({{"path", "x/{y}"}, {"access", "one-like"}}),
              HasSubstr("allow update: if isOwner()"));
  EXPECT_THAT(Rules({{"path", "x/{y}"}, {"access", "one-vote"}}),
              Not(HasSubstr("allow update: if isOwner()")));
}

TEST(CounterRules, NumbersAreWrittenWithoutExponents) {
  const auto limit = [](const json& max_delta) {
    const std::string rules = Rules({{"path", "posts/{post}"}, {"maxDelta", max_delta}});
    const std::size_t start = rules.find("countBefore + ") + 14;
    return rules.substr(start, rules.find('\n', start) - start);
  };
  EXPECT_EQ(limit(1e-7), "0.0000001");
  EXPECT_EQ(limit(1e-12), "0.000000000001");
  EXPECT_EQ(limit(0.1), "0.1");
  EXPECT_EQ(limit(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(limit(2.0), "2");
  EXPECT_EQ(limit(9007199254740991), "9007199254740991");
}

TEST(CounterRules, WildcardsMayHaveAnyNameThatTheRulesDoNotUse) {
  for (const char* name :
       {"entry", "shard", "client", "path", "change", "isIncrement", "get", "a1_"}) {
    EXPECT_THAT(Rules({{"path", std::string("posts/{") + name + "}"}}),
                HasSubstr(std::string("/posts/$(") + name + ")"));
  }
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
  for (const json& path : {json(7),
                           json(""),
                           json("posts"),
                           json("posts/{post}/x"),
                           json("/posts"),
                           json("posts/{shardId}"),
                           json("posts/{1}"),
                           json("posts/a b"),
                           json("posts/{math}"),
                           json("posts/{if}"),
                           json("posts/{true}"),
                           json("posts/{request}"),
                           json("posts/{database}"),
                           json("posts/{a=**}"),
                           json("a/{b}/c/{b}"),
                           json("posts/__p__"),
                           json("posts/a%2Fb"),
                           json("posts/\n"),
                           json("posts/\u00e9"),
                           json(std::string(3000, 'a')),
                           json("posts/"),
                           json("posts/{a"),
                           json("posts/{}"),
                           json("posts/a}"),
                           json("posts/{a}; allow write: if true; match /x"),
                           json("posts/..")}) {
    EXPECT_THAT(message("path", path), HasSubstr("path")) << path;
  }
  for (const json& shards : {json(0), json(10'001), json(1.5), json("3"), json()}) {
    EXPECT_THAT(message("shards", shards), HasSubstr("shards"));
  }
  for (const json& delta : {json(0), json(-1), json("1"), json(1e300), json(1e-300), json(nullptr),
                            json(true), json(1e16)}) {
    EXPECT_THAT(message("maxDelta", delta), HasSubstr("maxDelta"));
  }
  EXPECT_THAT(message("access", "all"), HasSubstr("access"));
  EXPECT_THAT(message("layout", "extension"), HasSubstr("firestore-counter"));
  EXPECT_THAT(message("access", 1), HasSubstr("access"));
  EXPECT_THAT(message("admin", true), HasSubstr("admin"));
  EXPECT_THAT(message("layout", "strange"), HasSubstr("layout"));
  EXPECT_THAT(message("layout", 1), HasSubstr("layout"));
  EXPECT_THAT(message("layout", {{"shardCollection", "s"}, {"countField", "stats.likes"}}),
              HasSubstr("countField"));
  EXPECT_THAT(message("layout", {{"shardCollection", "s"}, {"countField", 1}}),
              HasSubstr("countField"));
  EXPECT_THAT(message("layout", {{"shardCollection", "a/b"}, {"countField", "n"}}),
              HasSubstr("shardCollection"));
  EXPECT_THAT(message("layout", {{"shardCollection", "s"}}), HasSubstr("countField"));
  EXPECT_THAT(message("layout", {{"shardCollection", "s"}, {"countField", "__n__"}}),
              HasSubstr("countField"));
  EXPECT_THAT(message("layout",
                      {{"shardCollection", "s"}, {"countField", "n"}, {"shardCountField", "a.b"}}),
              HasSubstr("shardCountField"));
  EXPECT_THAT(message("layout", "ruby-sample"), HasSubstr("collection"));
  EXPECT_THAT(message("admin", "isCounterAdmin()"), HasSubstr("admin"));
  EXPECT_THAT(message("admin", ""), HasSubstr("admin"));
  EXPECT_THAT(message("admin", "(true"), HasSubstr("admin"));
  EXPECT_THAT(message("admin", "'" + std::string(3000, 'a') + "' == ''"), HasSubstr("admin"));
  EXPECT_THAT(message("fractions", 1), HasSubstr("fractions"));
  EXPECT_THAT(message("missingShards", true), HasSubstr("missingShards"));
  EXPECT_THAT(message("max", 1), HasSubstr("max"));
  for (const char* text : {"", "[]", "7", "{", "null"}) {
    EXPECT_FALSE(MakeCounterRules(Text(text))) << text;
  }
  EXPECT_FALSE(Make(json::object()));
}

}  // namespace
}  // namespace shardline::counter_rules_test
