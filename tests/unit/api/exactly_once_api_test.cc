// JavaScript's calls of increments and members.

#include "api/exactly_once_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "api/choices_api.h"
#include "api/field_totals_api.h"
#include "base/reason.h"
#include "unit/counter/builders.h"
#include "unit/support/operation_driver.h"
#include "unit/support/status.h"

namespace shardline::exactly_once_api_test {
namespace {

using nlohmann::json;
using ::testing::AnyOf;
using ::testing::HasSubstr;

class ExactlyOnceApiTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Operation>> StartText(std::string_view name, const std::string& text) {
    const PaddedText arguments(text);
    JsonScanner scanner(arguments);
    for (const ApiEntry& entry : kExactlyOnceApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    for (const ApiEntry& entry : kChoicesApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    for (const ApiEntry& entry : kChoicesAdminApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    for (const ApiEntry& entry : kFieldTotalsApi) {
      if (entry.name == name) return entry.start(scanner, context_);
    }
    return Fail(kInternalFault, "There is no such entry.");
  }
  Result<std::unique_ptr<Operation>> Start(std::string_view name, const json& arguments) {
    return StartText(name, arguments.dump());
  }
  json Commit(json more = json::object()) const {
    json arguments = {{"counter", counter_},
                      {"delta", {{"integerValue", "5"}}},
                      {"id", "abcdefghijABCDEFGHIJ"},
                      {"sentBefore", false},
                      {"serverNow", 1'800'000'000'000}};
    arguments.update(more);
    return arguments;
  }

  OperationContext context_ = TestContext();
  const json counter_ = {{"path", "posts/p1"}, {"shards", 3}};
};

TEST_F(ExactlyOnceApiTest, CommitSendsOneCommitAtOnce) {
  OperationDriver driver(Start("counter.commit", Commit({{"ageMs", 5}, {"sentBefore", true}})));
  driver.Send();
  EXPECT_EQ(driver.verbs(), "commit");
  const json& writes = Writes(driver.sent()[0]);
  EXPECT_EQ(PathOf(writes[0]), "shardline_markers/abcdefghijABCDEFGHIJ");
  const std::string expires = writes[0]["update"]["fields"]["expireAt"]["timestampValue"];
  EXPECT_EQ(expires.substr(0, 5), "2027-") << "by the clock that was passed in";
  EXPECT_EQ(writes[1]["updateTransforms"][0]["increment"], json({{"integerValue", "5"}}));
}

TEST_F(ExactlyOnceApiTest, CommitTakesTheAge) {
  OperationDriver old(Start("counter.commit", Commit({{"ageMs", 30LL * 24 * 3600 * 1000}})));
  old.Send();
  EXPECT_EQ(old.verbs(), "batchGet");
}

TEST_F(ExactlyOnceApiTest, WhoElseMayHaveSentIt) {
  const auto outcome = [&](const json& more) {
    OperationDriver driver(Start("counter.commit", Commit(more)));
    driver.Serve([](const SentRequest&) { return Refusal("PERMISSION_DENIED"); });
    return driver.Run().result()["outcome"].get<std::string>();
  };
  EXPECT_EQ(outcome({{"sentBefore", false}}), "refused");
  EXPECT_EQ(outcome({{"sentBefore", true}}), "unknown");
}

TEST_F(ExactlyOnceApiTest, CommitUsesTheDelivery) {
  json counter = counter_;
  counter["delivery"] = "at-least-once";
  OperationDriver driver(Start("counter.commit", Commit({{"counter", counter}})));
  driver.Send();
  EXPECT_EQ(Writes(driver.sent()[0]).size(), 1U);
  counter["delivery"] = "transaction";
  EXPECT_THAT(Start("counter.commit", Commit({{"counter", counter}})),
              IsRefused(HasSubstr("counter.increment")));
  EXPECT_THAT(
      Start("counter.commit", Commit({{"counter", {{"path", "a/b"}, {"layout", "node-sample"}}}})),
      IsRefused(HasSubstr("pass the option `shards`")));
}

TEST_F(ExactlyOnceApiTest, CommitRefusesByName) {
  for (const char* name : {"counter", "delta", "id", "sentBefore", "serverNow"}) {
    json arguments = Commit();
    arguments.erase(name);
    EXPECT_THAT(Start("counter.commit", arguments), IsRefused(HasSubstr(name))) << name;
  }
  EXPECT_THAT(Start("counter.commit", Commit({{"id", "a/b"}})), IsRefused(HasSubstr("batch id")));
  EXPECT_THAT(Start("counter.commit", Commit({{"ageMs", -1}})), IsRefused(HasSubstr("ageMs")));
  EXPECT_THAT(Start("counter.commit", Commit({{"client", "c"}})), IsRefused(HasSubstr("client")));
}

TEST_F(ExactlyOnceApiTest, Deltas) {
  const auto start = [&](const std::string& delta) {
    std::string text = Commit({{"delta", "D"}}).dump();
    return StartText("counter.commit", text.replace(text.find("\"D\""), 3, delta));
  };
  for (const char* delta :
       {R"({"integerValue":"5"})", R"({"integerValue":"-9223372036854775808"})",
        R"({"integerValue":"0"})", R"({"doubleValue":0.5})", R"({"doubleValue":-1e-300})"}) {
    OperationDriver driver(start(delta));
    driver.Send();
    EXPECT_EQ(Writes(driver.sent()[0])[1]["updateTransforms"][0]["increment"], json::parse(delta));
  }
  for (const char* delta :
       {R"({"doubleValue":"NaN"})", R"({"doubleValue":"Infinity"})", R"({"doubleValue":1e999})",
        R"({"doubleValue":null})", R"({"stringValue":"5"})", R"({"nullValue":null})", R"({})",
        R"({"integerValue":"5.5"})", R"({"integerValue":"9223372036854775808"})", "5", "\"5\"",
        "null", R"({"integerValue":"1","doubleValue":2})"}) {
    EXPECT_THAT(start(delta),
                IsRefused(AnyOf(HasSubstr("Cannot read"), HasSubstr("`delta` must be"))))
        << delta;
  }
}

TEST_F(ExactlyOnceApiTest, Members) {
  const std::string members = "posts/p1/shardline/shards.count/shardline_members/";
  OperationDriver add(Start("key.add", {{"counter", counter_}, {"key", "a/b"}}));
  add.Send();
  EXPECT_EQ(PathOf(Writes(add.sent()[0])[0]), members + "a%2Fb");
  OperationDriver remove(Start("key.remove", {{"counter", counter_}, {"key", "u1"}}));
  remove.Send();
  EXPECT_EQ(remove.sent()[0].body["documents"], json::array({Name(members + "u1")}));
  OperationDriver keys(Start("keys.has", {{"counter", counter_}, {"keys", {"u1", "a/b"}}}));
  keys.Send();
  EXPECT_EQ(keys.sent()[0].body["documents"],
            json::array({Name(members + "u1"), Name(members + "a%2Fb")}));
  const json other = {{"path", "tallies"}, {"layout", "collection"}};
  OperationDriver counters(Start("keys.has", {{"counters", {counter_, other}}, {"key", "u1"}}));
  counters.Send();
  EXPECT_EQ(counters.sent()[0].body["documents"],
            json::array({Name(members + "u1"),
                         Name("tallies/shardline/shardline/count/shardline_members/u1")}));
}

TEST_F(ExactlyOnceApiTest, MembersRefuseByName) {
  for (const json& arguments :
       {json::object(), json({{"keys", {"u1"}}}), json({{"counters", {counter_}}}),
        json({{"counter", counter_}, {"key", "u1"}}), json({{"counter", counter_}, {"keys", {""}}}),
        json({{"counter", counter_}, {"keys", {1}}}), json({{"counters", {1}}, {"key", "u1"}}),
        json({{"counter", counter_}, {"keys", {"u1"}}, {"counters", {counter_}}})}) {
    EXPECT_THAT(Start("keys.has", arguments), IsRefused(HasSubstr(""))) << arguments;
  }
  EXPECT_THAT(Start("key.add", {{"counter", counter_}, {"key", ""}}), IsRefused(HasSubstr("key")));
}

TEST_F(ExactlyOnceApiTest, Fields) {
  const auto commit = [&](const json& fields, const json& amounts) {
    return Start("counter.commit", Commit({{"fields", fields}, {"delta", {{"fields", amounts}}}}));
  };
  const json kinds = {"like", "love"};
  OperationDriver driver(commit(kinds, {{"love", IntegerValue(-3)}}));
  driver.Send();
  json moves = json::object();
  for (const json& transform : Writes(driver.sent()[0])[1]["updateTransforms"]) {
    moves[transform["fieldPath"].get<std::string>()] = transform["increment"];
  }
  EXPECT_EQ(moves, json({{"like", IntegerValue(0)}, {"love", IntegerValue(-3)}}));
  for (const json& bad :
       {json({{"hate", IntegerValue(1)}}), json({{"love", 1}}), json({"love"}),
        json({{"love", {{"stringValue", "1"}}}}), json({{"love", json::object()}}),
        json({{"love", {{"doubleValue", "NaN"}}}}), json(nullptr)}) {
    EXPECT_THAT(commit(kinds, bad), IsRefused(HasSubstr("delta"))) << bad;
  }
  EXPECT_THAT(Start("counter.commit", Commit({{"fields", kinds}, {"delta", 5}})),
              IsRefused(HasSubstr("delta")));
  const json without = {{"delta", {{"fields", {{"love", IntegerValue(1)}}}}}};
  EXPECT_THAT(Start("counter.commit", Commit(without)), IsRefused(HasSubstr("delta")));
  for (const json& bad : {json::array(), json({1}), json({"a.b"}), json({"__name__"}), json({""}),
                          json(std::vector<std::string>(21, "like"))}) {
    EXPECT_THAT(commit(bad, json::object()), IsRefused(HasSubstr("fields"))) << bad;
    EXPECT_THAT(Start("counter.fieldTotals", {{"counter", counter_}, {"fields", bad}}),
                IsRefused(HasSubstr("fields")));
  }
  EXPECT_THAT(Start("counter.fieldTotals", {{"counter", counter_}}),
              IsRefused(HasSubstr("fields")));
}

TEST_F(ExactlyOnceApiTest, Choices) {
  const json arguments = {{"counter", counter_}, {"key", "u1"}, {"choices", {"like", "love"}}};
  const auto add = [&](const json& more) {
    json all = arguments;
    all.update(more);
    return Start("key.add", all);
  };
  OperationDriver love(add({{"choice", "love"}}));
  love.Send();
  EXPECT_EQ(Writes(love.sent()[0])[0]["update"]["fields"]["choice"]["stringValue"], "love");
  EXPECT_EQ(Writes(love.sent()[0])[1]["updateTransforms"].size(), 2U);
  EXPECT_THAT(add(json::object()), IsRefused(HasSubstr("choice")));
  EXPECT_THAT(add({{"choice", "hate"}}), IsRefused(HasSubstr("choice")));
  const json counter = {{"counter", counter_}, {"key", "u1"}, {"choice", "love"}};
  EXPECT_THAT(Start("key.add", counter), IsRefused(HasSubstr("choice")));
  for (const json& bad : {json::array(), json({1}), json({"a.b"}), json({"__name__"}), json({""}),
                          json({"like", "__x__"}), json(std::vector<std::string>(21, "like"))}) {
    for (const char* call : {"key.remove", "choices.summary", "choices.publish"}) {
      json all = {{"counter", counter_}, {"choices", bad}};
      if (std::string_view(call) == "key.remove") all["key"] = "u1";
      EXPECT_THAT(Start(call, all), IsRefused(HasSubstr("choices"))) << call << bad;
    }
  }
  EXPECT_THAT(Start("choices.summary", {{"counter", counter_}}), IsRefused(HasSubstr("choices")));
}

TEST_F(ExactlyOnceApiTest, ThePublicationOfChoices) {
  const auto publish = [&](json arguments) {
    arguments.update({{"counter", counter_}, {"choices", {"r1", "r2"}}});
    return Start("choices.publish", arguments);
  };
  for (const json& good :
       {json({{"count", "votes"}}), json({{"average", "stars.mean"}, {"count", "stars.votes"}}),
        json({{"average", "a"}, {"count", "b"}, {"counts", "c"}, {"from", 1}})}) {
    EXPECT_TRUE(publish(good)) << good;
  }
  EXPECT_TRUE(publish({{"count", "votes"}, {"everyMs", 1000}}));
  for (const json& bad : {json(999), json(86'400'001), json(1500.5), json("5000"), json()}) {
    EXPECT_THAT(publish({{"count", "votes"}, {"everyMs", bad}}), IsRefused(HasSubstr("everyMs")));
  }
  for (const char* name : {"average", "count", "counts", "field"}) {
    for (const char* bad : {"", "__name__", "a..b", "__x__"}) {
      EXPECT_THAT(publish({{name, bad}}), IsRefused(HasSubstr(name))) << name << bad;
    }
  }
  // A counter with fields has fields of its own in the document.
  EXPECT_TRUE(publish({{"field", "totals"}}));
  EXPECT_THAT(publish({{"field", "num_shards"}}), IsRefused(HasSubstr("option `field` must")));
  EXPECT_THAT(publish(json::object()), IsRefused(HasSubstr("count")));
  EXPECT_THAT(publish({{"average", "a"}, {"count", "a"}}), IsRefused(HasSubstr("count")));
  EXPECT_THAT(publish({{"average", "a"}, {"counts", "a.b"}}), IsRefused(HasSubstr("count")));
  EXPECT_THAT(publish({{"count", "a.b"}, {"counts", "a"}}), IsRefused(HasSubstr("count")));
  EXPECT_THAT(publish({{"count", "a"}, {"from", -1}}), IsRefused(HasSubstr("from")));
}

}  // namespace
}  // namespace shardline::exactly_once_api_test
