#include "api/describe_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "api/tables.h"

namespace shardline::describe_calls_test {
namespace {

using nlohmann::json;

json Described(const std::string& name) {
  for (const json& call : json::parse(DescribeCalls())) {
    if (call["name"] == name) return call;
  }
  ADD_FAILURE() << name << " is not described";
  return nullptr;
}

json Argument(const json& arguments, const std::string& name) {
  for (const json& argument : arguments) {
    if (argument["name"] == name) return argument;
  }
  ADD_FAILURE() << name << " is not in " << arguments;
  return nullptr;
}

TEST(DescribeCalls, HasEveryCallOnce) {
  std::multiset<std::string> described;
  for (const json& call : json::parse(DescribeCalls())) described.insert(call["name"]);
  std::multiset<std::string> callable;
  for (const ApiTable& table : kAllTables) {
    for (const ApiEntry& entry : table) callable.emplace(entry.name);
  }
  EXPECT_EQ(described, callable);
}

void ExpectDocumented(const json& argument, const std::string& where) {
  const std::string name = where + "." + argument["name"].get<std::string>();
  EXPECT_TRUE(argument["description"].get<std::string>().ends_with('.')) << name;
  EXPECT_NE(argument["range"], "") << name;
  if (!argument.contains("members")) return;
  for (const json& member : argument["members"]) ExpectDocumented(member, name);
}

TEST(DescribeCalls, HasASentenceForEveryArgument) {
  for (const json& call : json::parse(DescribeCalls())) {
    EXPECT_TRUE(call["description"].get<std::string>().ends_with('.')) << call["name"];
    for (const json& argument : call["arguments"]) ExpectDocumented(argument, call["name"]);
  }
}

TEST(DescribeCalls, SaysTypesRangesAndDefaults) {
  const json create = Described("counter.create");
  EXPECT_EQ(create["module"], "admin");
  const json if_exists = Argument(create["arguments"], "ifExists");
  EXPECT_EQ(if_exists["type"], "word");
  EXPECT_EQ(if_exists["range"], "'keep' or 'error'");
  EXPECT_EQ(if_exists["words"], json({"keep", "error"}));
  EXPECT_EQ(if_exists["default"], "keep");
  EXPECT_EQ(if_exists["required"], false);
  const json counter = Argument(create["arguments"], "counter");
  EXPECT_EQ(counter["internal"], true);
  EXPECT_EQ(counter["required"], true);
  const json shards = Argument(counter["members"], "shards");
  EXPECT_EQ(shards["type"], "integer");
  EXPECT_EQ(shards["range"], "an integer from 1 to 10,000");
  EXPECT_EQ(shards["least"], 1);
  EXPECT_EQ(shards["most"], 10'000);
  EXPECT_EQ(shards["default"], nullptr);
  EXPECT_EQ(Argument(counter["members"], "layout")["default"], "web-sample");
  const json block = Argument(Described("ids.check")["arguments"], "block");
  EXPECT_EQ(block["default"], 20);
  const json query = Argument(Described("collection.query")["arguments"], "query");
  EXPECT_EQ(Argument(Argument(query["members"], "filters")["members"], "op")["words"][9],
            "array-contains-any");
}

}  // namespace
}  // namespace shardline::describe_calls_test
