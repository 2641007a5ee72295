// The face that JavaScript sees: handles, frames, and refusals before anything is sent.

#include "api/runtime.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "api/tables.h"

namespace shardline::runtime_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

const Instant kStart{};

Instant After(int millis) { return kStart + std::chrono::milliseconds(millis); }

// A runtime with one connection, and its frames as a person would read them.
class RuntimeTest : public ::testing::Test {
 protected:
  static PaddedText Config(const json& more = json::object()) {
    json config = {
        {"projectId", "demo"}, {"databaseId", "(default)"}, {"seed", {1, 2, 3, 4, 5, 6, 7, 8}}};
    config.update(more);
    return PaddedText(config.dump());
  }

  int Connect(const json& more = json::object()) { return runtime_.Connect(Config(more)); }

  int Start(const std::string& name, const json& arguments) {
    // By hand, as the order of the two keys is part of the contract.
    return runtime_.Start(connection_, PaddedText("{\"name\":" + json(name).dump() +
                                                  ",\"arguments\":" + arguments.dump() + "}"));
  }

  int StartIncrement() {
    return Start("counter.commit",
                 {{"counter", {{"path", "c/1"}, {"shards", 3}, {"delivery", "at-least-once"}}},
                  {"delta", {{"integerValue", "1"}}},
                  {"id", "m1"},
                  {"sentBefore", false},
                  {"serverNow", 1'800'000'000'000}});
  }

  json Header() const { return json::parse(runtime_.frame().substr(0, runtime_.header_size())); }

  std::string Body(const json& request) const {
    return std::string(runtime_.frame().substr(
        runtime_.header_size() + request[3].get<std::size_t>(), request[4].get<std::size_t>()));
  }

  json Poll(int operation, Instant now = kStart) {
    runtime_.Poll(operation, now);
    return Header();
  }

  Runtime runtime_{kAllTables};
  int connection_ = Connect();
};

TEST_F(RuntimeTest, ConnectRefusesBadOptionsByName) {
  const std::pair<json, const char*> cases[] = {
      {{{"projectId", ""}}, "projectId"},
      {{{"projectId", "a/b"}}, "projectId"},
      {{{"databaseId", ".."}}, "databaseId"},
      {{{"retry", {{"maxAttempts", 0}}}}, "retry.maxAttempts"},
      {{{"retry", {{"maxAttempts", "six"}}}}, "retry.maxAttempts"},
      {{{"retry", {{"initialDelayMs", -1}}}}, "retry.initialDelayMs"},
      {{{"retry", {{"multiplier", 0.9}}}}, "retry.multiplier"},
      {{{"retry", {{"timeoutMs", 0}}}}, "retry.timeoutMs"},
      {{{"retry", {{"attempts", 3}}}}, "retry.attempts"},
      {{{"retry", 7}}, "object"},
  };
  for (const auto& [config, expected] : cases) {
    EXPECT_EQ(Connect(config), 0) << config;
    EXPECT_EQ(Header()["error"]["code"], "invalid-argument") << config;
    EXPECT_THAT(Header()["error"]["message"].get<std::string>(), HasSubstr(expected));
  }
}

TEST_F(RuntimeTest, ConnectRefusesWhatIsNoJson) {
  const std::string config(Config().view());
  for (std::size_t size = 0; size < config.size(); ++size) {
    EXPECT_EQ(runtime_.Connect(PaddedText(config.substr(0, size))), 0) << size;
    EXPECT_EQ(Header()["done"], true);
  }
}

TEST_F(RuntimeTest, ConnectRefusesWhatIsNotUtf8) {
  EXPECT_EQ(runtime_.Connect(PaddedText("{\"\xff\":1}")), 0);
  EXPECT_EQ(Header()["error"]["code"], "invalid-argument");
}

TEST_F(RuntimeTest, StartKnowsOnlyWhatItsModuleHas) {
  EXPECT_EQ(Start("counter.explode", json::object()), Runtime::kNotInModule);
  Runtime counters(kCounterTables);
  Runtime admin(kAdminTables);
  const PaddedText create(R"({"name":"counter.create","arguments":{"counter":{"path":"c/1"}}})");
  EXPECT_EQ(counters.Start(counters.Connect(Config()), create), Runtime::kNotInModule);
  EXPECT_GT(admin.Start(admin.Connect(Config()), create), 0);
}

TEST_F(RuntimeTest, StartRefusesWhatIsNoRequest) {
  for (const char* request :
       {"", "{", "[]", "{}", "null", R"({"name":7})", R"({"arguments":{}})",
        "{\"name\":\"counter.total\",\"arguments\":{\"counter\":{\"\xff\":1}}}"}) {
    EXPECT_EQ(runtime_.Start(connection_, PaddedText(request)), 0) << request;
    EXPECT_EQ(Header()["error"]["code"], "invalid-argument") << request;
  }
}

TEST_F(RuntimeTest, StartRefusesAClosedConnection) {
  runtime_.Disconnect(connection_);
  EXPECT_EQ(StartIncrement(), 0);
  EXPECT_EQ(Header()["error"]["code"], "failed-precondition");
}

TEST_F(RuntimeTest, FrameHoldsTheRequestAndItsBody) {
  const int operation = StartIncrement();
  const json header = Poll(operation);
  ASSERT_EQ(header["requests"].size(), 1u);
  const json& request = header["requests"][0];
  EXPECT_EQ(request[1], "POST");
  EXPECT_EQ(request[2], "/v1/projects/demo/databases/(default)/documents:commit");
  EXPECT_EQ(request[5], false);
  const json body = json::parse(Body(request));
  EXPECT_THAT(body["writes"][0]["update"]["name"].get<std::string>(), HasSubstr("/c/1/shards/"));
  EXPECT_EQ(header["wake"], 30'000);
  EXPECT_FALSE(header.contains("done"));
}

TEST_F(RuntimeTest, RequestsAreGivenOutOnce) {
  const int operation = StartIncrement();
  EXPECT_TRUE(Poll(operation).contains("requests"));
  EXPECT_FALSE(Poll(operation).contains("requests"));
}

TEST_F(RuntimeTest, PollSaysWhetherThereIsAnythingToDo) {
  const int operation = StartIncrement();
  EXPECT_TRUE(runtime_.Poll(operation, kStart));
  const auto id = Header()["requests"][0][0].get<RequestId>();
  EXPECT_FALSE(runtime_.Poll(operation, kStart));
  EXPECT_EQ(Header()["wake"], 30'000);
  // There is a pause, which ends before the time that was named.
  runtime_.FailRequest(operation, id, After(5));
  EXPECT_TRUE(runtime_.Poll(operation, After(5)));
  const Instant wake{std::chrono::milliseconds(Header()["wake"].get<int>())};
  EXPECT_FALSE(runtime_.Poll(operation, wake - std::chrono::milliseconds(1)));
  EXPECT_TRUE(runtime_.Poll(operation, wake));
  EXPECT_TRUE(Header().contains("requests"));
  runtime_.Cancel(operation);
  EXPECT_TRUE(runtime_.Poll(operation, wake));
  EXPECT_TRUE(runtime_.Poll(operation, wake));
}

TEST_F(RuntimeTest, AnswerEndsTheOperationAndItsHandle) {
  const int operation = StartIncrement();
  const auto id = Poll(operation)["requests"][0][0].get<RequestId>();
  const char* answer =
      R"({"writeResults":[{"updateTime":"2026-01-01T00:00:00Z","transformResults":[{"integerValue":"1"}]}],
          "commitTime":"2026-01-01T00:00:00Z"})";
  runtime_.Respond(operation, id, {200, PaddedText(answer)}, After(5));
  const json header = Poll(operation, After(5));
  EXPECT_EQ(header["done"], true);
  EXPECT_EQ(header["billed"], json({0, 1, 0}));
  EXPECT_TRUE(header.contains("result"));
  EXPECT_EQ(Poll(operation)["error"]["code"], "internal");
}

TEST_F(RuntimeTest, ServerErrorCarriesItsHttpStatus) {
  const int operation = Start("counter.total", {{"counter", {{"path", "c/1"}}}});
  const auto id = Poll(operation)["requests"][0][0].get<RequestId>();
  runtime_.Respond(
      operation, id,
      {403, PaddedText(R"({"error":{"code":403,"message":"no","status":"PERMISSION_DENIED"}})")},
      After(5));
  const json error = Poll(operation, After(5))["error"];
  EXPECT_EQ(error["code"], "permission-denied");
  EXPECT_EQ(error["status"], 403);
}

TEST_F(RuntimeTest, TimeoutAbortsTheRequestAndTriesAgainLater) {
  const int operation = StartIncrement();
  const auto id = Poll(operation)["requests"][0][0].get<int>();
  json header = Poll(operation, After(30'000));
  EXPECT_EQ(header["aborts"], json({id}));
  ASSERT_TRUE(header.contains("wake"));
  const int wake = header["wake"].get<int>();
  EXPECT_GE(wake, 30'500);
  EXPECT_LE(wake, 31'501);
  header = Poll(operation, After(wake));
  ASSERT_EQ(header["requests"].size(), 1u);
  EXPECT_NE(header["requests"][0][0].get<int>(), id);
}

TEST_F(RuntimeTest, CancelAbortsWhatIsUnderWay) {
  const int operation = StartIncrement();
  const auto id = Poll(operation)["requests"][0][0].get<int>();
  runtime_.Cancel(operation);
  const json header = Poll(operation);
  EXPECT_EQ(header["aborts"], json({id}));
  EXPECT_EQ(header["error"]["code"], "cancelled");
}

TEST_F(RuntimeTest, ProgressIsInTheFrameThatIsDue) {
  const json collection = {{"path", "events"}, {"shards", 2}};
  const int operation = Start("collection.backfill", {{"collection", collection}});
  const json first = Poll(operation);
  EXPECT_FALSE(first.contains("progress")) << "nothing has been done";
  const auto answer = [&](const json& header, const json& body) {
    runtime_.Respond(operation, header["requests"][0][0], {200, PaddedText(body.dump())}, kStart);
    EXPECT_TRUE(runtime_.Poll(operation, kStart));
    return Header();
  };
  const char* const time = "2026-01-01T00:00:00Z";
  const json page =
      answer(first, {{{"result", {{"aggregateFields", {{"count", {{"integerValue", "0"}}}}}}},
                      {"readTime", time}}});
  EXPECT_FALSE(page.contains("progress"));
  const json last = answer(page, {{{"readTime", time}}});
  EXPECT_EQ(last["progress"], last["result"]);
  EXPECT_EQ(last["progress"]["billed"]["reads"], 2) << "with this answer";
  EXPECT_EQ(last["done"], true);
}

TEST_F(RuntimeTest, WhatIsPastIsIgnored) {
  runtime_.Respond(99, 1, {200, PaddedText("{}")}, kStart);
  runtime_.FailRequest(99, 1, kStart);
  runtime_.Cancel(99);
  const int operation = StartIncrement();
  Poll(operation);
  runtime_.Respond(operation, 12345, {200, PaddedText("nonsense")}, kStart);
  EXPECT_FALSE(Poll(operation).contains("done"));
}

TEST_F(RuntimeTest, HandlesAreNeverUsedTwice) {
  int last = 0;
  for (int i = 0; i < 100; ++i) {
    const int operation = StartIncrement();
    EXPECT_GT(operation, last);
    last = operation;
    runtime_.Cancel(operation);
    Poll(operation);
  }
}

}  // namespace
}  // namespace shardline::runtime_test
