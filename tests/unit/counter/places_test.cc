#include "counter/places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "unit/counter/builders.h"
#include "unit/support/status.h"

namespace shardline::places_test {
namespace {

using ::testing::HasSubstr;

// The own document's path; `shards` is nullopt where `path` is the shards' collection.
std::string Own(const std::string& path, const std::optional<std::string>& shards,
                const std::string& field) {
  const auto counter =
      Counter::Make(TestContext().database,
                    {.path = path, .layout = {.shard_collection = shards, .count_field = field}});
  EXPECT_THAT(counter, IsOk()) << path << ' ' << field;
  return counter ? (*counter)->OwnDocument().substr(Name("").size()) : std::string();
}

TEST(Places, OfEachLayout) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"web-sample", "posts/p1/shardline/shards.count"},
      {"mobile-sample", "posts/p1/shardline/shards.count"},
      {"node-sample", "posts/p1/shardline/shards.count"},
      {"go-sample", "posts/p1/shardline/shards.Count"},
      {"php-sample", "tallies/shardline/shardline/Cnt"},
      {"ruby-sample", "tallies/shardline/shardline/count"},
      {"collection", "tallies/shardline/shardline/count"}};
  for (const auto& [preset, own] : rows) {
    const bool below = Preset(preset).shard_collection.has_value();
    const auto counter = MakeCounter(below ? "posts/p1" : "tallies", Preset(preset));
    EXPECT_EQ(counter->OwnDocument(), Name(own)) << preset;
    EXPECT_EQ(counter->TotalName(), Name(std::string(own) + "/shardline_totals/shared"));
    EXPECT_EQ(counter->OwnCollection(kKeyCollection).text(), std::string(own) + "/shardline_keys");
  }
}

TEST(Places, NamesAreEscaped) {
  EXPECT_EQ(Own("a/b", "s", "n"), "a/b/shardline/s.n");
  EXPECT_EQ(Own("a/b", "s.t", "n"), "a/b/shardline/s%2Et.n");
  EXPECT_EQ(Own("a/b", "s%2Et", "n"), "a/b/shardline/s%252Et.n");
  EXPECT_EQ(Own("a/b", "s", "n.m"), "a/b/shardline/s.n.m");
  EXPECT_EQ(Own("a/b", "s", "`n.m`"), "a/b/shardline/s.`n.m`");
  EXPECT_EQ(Own("a/b", "s", "n/m"), "a/b/shardline/s.`n%2Fm`");
  EXPECT_EQ(Own("a/b", "s", "50%"), "a/b/shardline/s.`50%25`");
  EXPECT_EQ(Own("a/b", "ä", "ö"), "a/b/shardline/ä.`ö`");
  EXPECT_EQ(Own("a/b", "__s", "n__"), "a/b/shardline/%5F_s.n__");
  EXPECT_EQ(Own("a", std::nullopt, "n.m"), "a/shardline/shardline/n%2Em");
  EXPECT_EQ(Own("a", std::nullopt, "__n.m__"), "a/shardline/shardline/%5F_n%2Em__");
}

TEST(Places, AFieldSpelledDifferentlyIsTheSameCounter) {
  EXPECT_EQ(Own("a/b", "s", "`n`"), Own("a/b", "s", "n"));
  EXPECT_EQ(Own("a/b", "s", "`n`.`m`"), Own("a/b", "s", "n.m"));
  EXPECT_EQ(Own("a/b", "s", "like-count"), Own("a/b", "s", "`like-count`"));
  EXPECT_EQ(Own("a/b", "s", "`\\n`"), Own("a/b", "s", "n"));
}

// Every pair of these differs in path, collection or field.
TEST(Places, NoTwoCountersShareOne) {
  const std::vector<std::string> names = {
      "a", "b",         "a.b",       "`a.b`",        "a%2Eb", "a%2F",  "`a/`",
      "%", "%25",       "shards",    "shards.count", "__a",   "a__",   "_",
      "ü", "u\xCC\x88", "shardline", "%5F_a",        "`\\``", "`\\\\`"};
  std::map<std::string, std::string> seen;
  const auto see = [&](const std::string& path, const std::optional<std::string>& shards,
                       const std::string& field) {
    const std::string who = path + " | " + shards.value_or("-") + " | " + field;
    const auto [at, fresh] = seen.emplace(Own(path, shards, field), who);
    EXPECT_TRUE(fresh) << at->first << " is of " << who << " and of " << at->second;
  };
  const std::vector<std::string> documents = {"c/d", "c/shardline", "shardline/shardline",
                                              "c/shardline/shardline/shardline"};
  for (const std::string& field : names) {
    for (const std::string& shards : names) {
      const bool is_id = shards.find('/') == std::string::npos;
      for (const std::string& path : documents) {
        if (is_id) see(path, shards, field);
      }
    }
    for (const char* path : {"c", "c/d/shards", "shardline", "c/shardline/shardline"}) {
      see(path, std::nullopt, field);
    }
  }
}

TEST(Places, TooLongNamesAreRefused) {
  const auto make = [](std::size_t shards, std::size_t field, char letter) {
    return Counter::Make(TestContext().database,
                         {.path = "a/b",
                          .layout = {.shard_collection = std::string(shards, letter),
                                     .count_field = std::string(field, 'n')}});
  };
  EXPECT_THAT(make(749, 750, 's'), IsOk());
  EXPECT_THAT(make(750, 750, 's'), IsRefused(HasSubstr("too long")));
  EXPECT_THAT(make(499, 2, '%'), IsOk());
  EXPECT_THAT(make(500, 2, '%'), IsRefused(HasSubstr("too long")));
}

TEST(Places, KeysHaveIdsOfTheirOwn) {
  EXPECT_EQ(KeyId("a1B2-user@example.com").value(), "a1B2-user@example.com");
  std::map<std::string, std::string> seen;
  for (const char* key : {"a/b", "a%2Fb", "a%252Fb", "/", "%", "%2F", "%25", ".", "..", "%2E",
                          "%2E%2E", "...", "a.b", "__a__", "%5F_a__", "__", "____", "_", "ü"}) {
    const std::string id = KeyId(key).value();
    EXPECT_THAT(CheckId(id, "id"), IsOk()) << key;
    const auto [at, fresh] = seen.emplace(id, key);
    EXPECT_TRUE(fresh) << id << " is of " << key << " and of " << at->second;
  }
  EXPECT_THAT(KeyId(std::string(500, '/')), IsOk());
  for (const std::string& key : {std::string(), std::string(501, '/'), std::string("\xff")}) {
    EXPECT_FALSE(KeyId(key));
  }
}

}  // namespace
}  // namespace shardline::places_test
