// Google's emulator's own answers, recorded in tests/fixtures: the queries that are refused, and
// the results of the others; and its order of values and names.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "client.h"

namespace shardline::simulator::query_rules_test {
namespace {

Json Fixture(const std::string& name) {
  std::ifstream file(std::string(SHARDLINE_FIXTURES) + "/" + name);
  return Json::parse(file);
}

// The emulator's full names are of another project.
Json InOurProject(Json json) {
  std::string text = json.dump();
  static const std::string kTheirs = "projects/demo/";
  for (std::size_t at = 0; (at = text.find(kTheirs, at)) != std::string::npos;) {
    text.replace(at, kTheirs.size(), "projects/p/");
  }
  return Json::parse(text);
}

TEST(QueryRules, AsTheEmulatorAnswers) {
  const Json fixture = Fixture("query_rules.json");
  Client client;
  for (const auto& [id, fields] : fixture["documents"].items()) {
    ASSERT_EQ(client.Commit({Update("rules/" + id, fields)}).status, 200) << id;
  }
  for (const Json& rule : fixture["queries"]) {
    SCOPED_TRACE(rule["name"]);
    const Json query = InOurProject(rule["query"]);
    if (rule.contains("error")) {
      EXPECT_EQ(client.Post("runQuery", {{"structuredQuery", query}}).Error(),
                rule["error"].get<std::string>());
    } else {
      EXPECT_EQ(client.Find(query), rule["ids"].get<std::vector<std::string>>());
    }
  }
}

// Enough other documents that queries go through an index.
TEST(QueryRules, TheSameThroughIndexes) {
  const Json fixture = Fixture("query_rules.json");
  Client client;
  for (const auto& [id, fields] : fixture["documents"].items()) {
    ASSERT_EQ(client.Commit({Update("rules/" + id, fields)}).status, 200) << id;
  }
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(
        client.Commit({Update("rules/~" + std::to_string(i), {{"other", Integer(i)}})}).status,
        200);
  }
  for (int round = 0; round < 3; ++round) {
    for (const Json& rule : fixture["queries"]) {
      SCOPED_TRACE(rule["name"]);
      const Json query = InOurProject(rule["query"]);
      if (rule.contains("error")) continue;
      std::vector<std::string> found = client.Find(query);
      found.erase(std::remove_if(found.begin(), found.end(),
                                 [](const std::string& id) { return id[0] == '~'; }),
                  found.end());
      if (!query.contains("limit")) {
        EXPECT_EQ(found, rule["ids"].get<std::vector<std::string>>());
      }
    }
  }
}

}  // namespace
}  // namespace shardline::simulator::query_rules_test
