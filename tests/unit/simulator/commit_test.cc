#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client.h"

namespace shardline::simulator::commit_test {
namespace {

using ::testing::ElementsAre;

Json Increment(std::string_view path, const Json& operand) {
  Json write = Update(path, Json::object());
  write["updateMask"] = Json::object();
  write["updateTransforms"] = List({{{"fieldPath", "n"}, {"increment", operand}}});
  return write;
}

Json FieldsOf(Client& client, std::string_view path) {
  const Reply reply = client.Get(path);
  return reply.status == 200 ? reply.json.value("fields", Json::object()) : Json(reply.Error());
}

TEST(Commit, IsAtomic) {
  Client client;
  Json refused = Update("a/2", {{"v", Integer(1)}});
  refused["currentDocument"] = {{"exists", true}};
  EXPECT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}}), refused}).Error(), "NOT_FOUND");
  EXPECT_EQ(client.Get("a/1").Error(), "NOT_FOUND");
}

TEST(Commit, LaterWritesSeeEarlierOnes) {
  Client client;
  const Reply reply = client.Commit({Increment("a/1", Integer(1)), Increment("a/1", Integer(2))});
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json["writeResults"][0]["transformResults"][0], Integer(1));
  EXPECT_EQ(reply.json["writeResults"][1]["transformResults"][0], Integer(3));
  EXPECT_EQ(reply.json["writeResults"][0]["updateTime"], reply.json["commitTime"]);
}

TEST(Commit, PreconditionsHaveTheirOwnErrors) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).status, 200);
  const auto with = [&](std::string_view path, const Json& precondition) {
    Json write = Update(path, {{"v", Integer(2)}});
    write["currentDocument"] = precondition;
    return client.Commit({write}).Error();
  };
  EXPECT_EQ(with("a/1", {{"exists", false}}), "ALREADY_EXISTS");
  EXPECT_EQ(with("a/2", {{"exists", true}}), "NOT_FOUND");
  EXPECT_EQ(with("a/1", {{"updateTime", "2020-01-01T00:00:00.000001Z"}}), "FAILED_PRECONDITION");
  EXPECT_EQ(with("a/2", {{"updateTime", "2020-01-01T00:00:00.000001Z"}}), "FAILED_PRECONDITION");
  EXPECT_EQ(with("a/1", {{"updateTime", "2020-01-01T00:00:00.0000001Z"}}), "INVALID_ARGUMENT");
  EXPECT_EQ(with("a/1", {{"updateTime", client.Get("a/1").json["updateTime"]}}), "OK");
  EXPECT_EQ(with("a/1", Json::object()), "OK");
}

std::int64_t Micros(const Json& time) {
  return Timestamp::Parse(time.get<std::string>()).value().micros;
}

TEST(Commit, AVerifyOnlyAsksItsPrecondition) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).status, 200);
  const std::string version = client.Get("a/1").json["updateTime"];
  const auto verify = [](std::string_view path, const Json& precondition) {
    return Json{{"verify", Name(path)}, {"currentDocument", precondition}};
  };
  const Json other = Update("a/2", {{"v", Integer(1)}});
  EXPECT_EQ(client.Commit({verify("a/1", {{"exists", false}}), other}).Error(), "ALREADY_EXISTS");
  EXPECT_EQ(client.Commit({verify("a/3", {{"exists", true}}), other}).Error(), "NOT_FOUND");
  EXPECT_EQ(client.Get("a/2").Error(), "NOT_FOUND");

  client.now += 1'000;
  const Reply reply = client.Commit(
      {verify("a/1", {{"updateTime", version}}), verify("a/3", {{"exists", false}}), other});
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json["writeResults"][0]["updateTime"], version);
  EXPECT_LT(Micros(reply.json["writeResults"][1]["updateTime"]), Micros(reply.json["commitTime"]));
  EXPECT_EQ(reply.answer.billed.writes, 1);
  EXPECT_EQ(reply.answer.billed.reads, 2);
  EXPECT_EQ(client.Get("a/1").json["updateTime"], version);
  EXPECT_EQ(client.Get("a/3").Error(), "NOT_FOUND");

  const Json one = verify("a/1", {{"exists", true}});
  for (const Json& write : {Update("a/1", Json::object()), Delete("a/1"), one}) {
    EXPECT_EQ(client.Commit({one, write}).Error(), "INVALID_ARGUMENT");
    EXPECT_EQ(client.Commit({write, one}).Error(), "INVALID_ARGUMENT");
  }
  EXPECT_EQ(client.Commit({verify("a/1", Json::object())}).Error(), "INVALID_ARGUMENT");
}

TEST(Commit, AWriteThatChangesNothingKeepsTheVersion) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).status, 200);
  const std::string before = client.Get("a/1").json["updateTime"];
  client.now += 1'000'000;
  const Reply same = client.Commit({Update("a/1", {{"v", Integer(1)}})});
  EXPECT_EQ(same.json["writeResults"][0]["updateTime"], before);
  EXPECT_NE(same.json["commitTime"], before);
  const Reply other_type = client.Commit({Update("a/1", {{"v", Double(1)}})});
  EXPECT_EQ(other_type.json["writeResults"][0]["updateTime"], other_type.json["commitTime"]);
}

TEST(Commit, DeletingAndSettingMakesANewDocument) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}})}).status, 200);
  const std::string created = client.Get("a/1").json["createTime"];
  client.now += 1'000'000;
  ASSERT_EQ(client.Commit({Delete("a/1"), Update("a/1", {{"v", Integer(1)}})}).status, 200);
  EXPECT_NE(client.Get("a/1").json["createTime"], created);
}

TEST(Commit, TimesIncreaseThoughTheClockStandsStill) {
  Client client;
  client.now += 100'001;  // So that all have six digits.
  std::string last;
  for (int i = 0; i < 10; ++i) {
    const std::string time = client.Commit({Update("a/1", {{"v", Integer(i)}})}).json["commitTime"];
    EXPECT_GT(time, last);
    last = time;
  }
}

TEST(Commit, MasksChangeOnlyWhatTheyName) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"x", Integer(1)}, {"y", Integer(2)}})}).status, 200);
  Json write = Update("a/1", {{"z", {{"mapValue", {{"fields", {{"k", Integer(3)}}}}}}}});
  write["updateMask"] = {{"fieldPaths", {"x", "z.k", "q.r"}}};
  ASSERT_EQ(client.Commit({write}).status, 200);
  EXPECT_EQ(FieldsOf(client, "a/1"),
            Json({{"y", Integer(2)}, {"z", {{"mapValue", {{"fields", {{"k", Integer(3)}}}}}}}}));
}

TEST(Commit, IncrementsSaturateAndChangeType) {
  Client client;
  const auto add = [&](const Json& operand) {
    return client.Commit({Increment("a/1", operand)})
        .json["writeResults"][0]["transformResults"][0];
  };
  EXPECT_EQ(add(Integer(INT64_MAX)), Integer(INT64_MAX));
  EXPECT_EQ(add(Integer(1)), Integer(INT64_MAX));
  EXPECT_EQ(add(Double(0.5)), Json({{"doubleValue", 9223372036854775807.0}}));
  ASSERT_EQ(client.Commit({Update("a/1", {{"n", String("x")}})}).status, 200);
  EXPECT_EQ(add(Integer(2)), Integer(2));
  EXPECT_EQ(client.Commit({Increment("a/1", String("x"))}).Error(), "INVALID_ARGUMENT");
}

TEST(Commit, ArrayTransforms) {
  Client client;
  const auto transform = [&](std::string_view kind, const Json& values) {
    Json write = Update("a/1", Json::object());
    write["updateMask"] = Json::object();
    write["updateTransforms"] =
        List({{{"fieldPath", "list"}, {std::string(kind), {{"values", values}}}}});
    return client.Commit({write}).Error();
  };
  EXPECT_EQ(transform("appendMissingElements", {Integer(1), Double(1), String("x")}), "OK");
  EXPECT_EQ(transform("removeAllFromArray", List({Double(1)})), "OK");
  EXPECT_EQ(FieldsOf(client, "a/1")["list"],
            Json({{"arrayValue", {{"values", Json::array({String("x")})}}}}));
}

TEST(Commit, ServerTimestampsAreOfMilliseconds) {
  Client client;
  client.now += 123'456;
  Json write = Update("a/1", Json::object());
  write["updateTransforms"] = List({{{"fieldPath", "t"}, {"setToServerValue", "REQUEST_TIME"}}});
  ASSERT_EQ(client.Commit({write}).status, 200);
  EXPECT_EQ(FieldsOf(client, "a/1")["t"], Json({{"timestampValue", "2026-11-20T18:00:00.123Z"}}));
}

TEST(Commit, RefusesWhatFirestoreCannotHold) {
  Client client;
  const auto error = [&](const Json& fields) {
    return client.Commit({Update("a/1", fields)}).Error();
  };
  EXPECT_EQ(error({{"__x__", Integer(1)}}), "INVALID_ARGUMENT");
  EXPECT_EQ(error({{"", Integer(1)}}), "INVALID_ARGUMENT");
  EXPECT_EQ(error({{std::string(1501, 'x'), Integer(1)}}), "INVALID_ARGUMENT");
  EXPECT_EQ(error({{"v", Json::object()}}), "INVALID_ARGUMENT");
  EXPECT_EQ(
      error({{"v", {{"arrayValue", {{"values", List({{{"arrayValue", Json::object()}}})}}}}}}),
      "INVALID_ARGUMENT");
  EXPECT_EQ(error({{"v", {{"geoPointValue", {{"latitude", 91}}}}}}), "INVALID_ARGUMENT");
  EXPECT_EQ(error({{"v", String(std::string(1'048'576, 'x'))}}), "INVALID_ARGUMENT");
  Json nested = Integer(1);
  for (int i = 0; i < 20; ++i) nested = {{"mapValue", {{"fields", {{"a", nested}}}}}};
  EXPECT_EQ(error({{"v", nested}}), "OK");
  EXPECT_EQ(error({{"v", {{"mapValue", {{"fields", {{"a", nested}}}}}}}}), "INVALID_ARGUMENT");
}

// https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
TEST(Commit, TransformsFiveHundredFieldsOfADocumentAtTheMost) {
  const auto transforms = [](int first, int count) {
    Json write = Update("c/d", Json::object());
    for (int i = first; i < first + count; ++i) {
      write["updateTransforms"].push_back(
          {{"fieldPath", "f" + std::to_string(i)}, {"increment", Integer(1)}});
    }
    return write;
  };
  Client client;
  EXPECT_EQ(client.Commit({transforms(0, 500)}).Error(), "OK");
  EXPECT_EQ(client.Commit({transforms(0, 501)}).Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Commit({transforms(0, 300), transforms(300, 201)}).Error(), "INVALID_ARGUMENT");
  Json other = transforms(300, 201);
  other["update"]["name"] = Name("c/e");
  EXPECT_EQ(client.Commit({transforms(0, 300), other}).Error(), "OK");
}

TEST(Commit, RefusesBadNames) {
  Client client;
  for (const std::string path : {"a", "a/b/c", "a/.", "a/..", "a/__x__", "__x__/a", "a//b/c"}) {
    EXPECT_EQ(client.Commit({Update(path, Json::object())}).Error(), "INVALID_ARGUMENT") << path;
  }
  EXPECT_EQ(client.Commit({Update("a/__id7__", Json::object())}).Error(), "OK");
  EXPECT_EQ(client.Commit({Update("a/____", Json::object())}).Error(), "OK");
}

TEST(Commit, RefusesWhatIsNoRequest) {
  Client client;
  const auto error = [&](std::string_view body) {
    return client.Send("POST", ":commit", body).Error();
  };
  EXPECT_EQ(error(""), "OK");
  EXPECT_EQ(error("{}"), "OK");
  EXPECT_EQ(error("["), "INVALID_ARGUMENT");
  EXPECT_EQ(error("null"), "INVALID_ARGUMENT");
  EXPECT_EQ(error(R"({"foo":1})"), "INVALID_ARGUMENT");
  EXPECT_EQ(error(R"({"writes":[{}]})"), "INVALID_ARGUMENT");
  EXPECT_EQ(error("{\"writes\":[],\"transaction\":\"\xff\"}"), "INVALID_ARGUMENT");
}

TEST(Commit, IsBilledByWrites) {
  Client client;
  const Reply reply = client.Commit({Update("a/1", Json::object()), Delete("a/2")});
  EXPECT_EQ(reply.answer.billed.writes, 1);
  EXPECT_EQ(reply.answer.billed.deletes, 1);
}

TEST(BatchWrite, IsForAdministratorsAndNotAtomic) {
  Client client;
  Json refused = Update("a/2", Json::object());
  refused["currentDocument"] = {{"exists", true}};
  const Json body = {{"writes", {Update("a/1", Json::object()), refused}}};
  EXPECT_EQ(client.Post("batchWrite", body).Error(), "PERMISSION_DENIED");
  client.caller = Caller::kAdmin;
  const Reply reply = client.Post("batchWrite", body);
  ASSERT_EQ(reply.status, 200);
  EXPECT_EQ(reply.json["status"][0], Json::object());
  EXPECT_EQ(reply.json["status"][1]["code"], 5);
  EXPECT_EQ(client.Get("a/1").status, 200);
}

// Each write of a batchWrite is a commit of its own; all that verify have read at one moment.
TEST(BatchWrite, WritesThatVerifyHaveOneTimeThatNoChangeHas) {
  Client client;
  client.caller = Caller::kAdmin;
  const auto absent = [](std::string_view path) {
    return Json{{"verify", Name(path)}, {"currentDocument", {{"exists", false}}}};
  };
  const Json fields = {{"v", Integer(1)}};
  const Reply reply = client.Post(
      "batchWrite",
      {{"writes", {Update("a/1", fields), absent("a/2"), absent("a/3"), Update("a/4", fields)}}});
  const Json& results = reply.json["writeResults"];
  ASSERT_EQ(results.size(), 4u) << reply.json;
  const Json& verified = results[1]["updateTime"];
  EXPECT_EQ(results[2]["updateTime"], verified);
  EXPECT_NE(results[0]["updateTime"], verified);
  EXPECT_NE(results[3]["updateTime"], verified);
  EXPECT_NE(results[0]["updateTime"], results[3]["updateTime"]);
}

std::string Begin(Client& client, const Json& options = Json::object()) {
  return client.Post("beginTransaction", {{"options", options}}).json["transaction"];
}

TEST(Transactions, WhatOneHasReadNobodyElseWrites) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"n", Integer(1)}})}).status, 200);
  const std::string first = Begin(client);
  const std::string second = Begin(client);
  const Json documents = List({Name("a/1")});
  for (const std::string& token : {first, second}) {
    const Json body = {{"documents", documents}, {"transaction", token}};
    EXPECT_EQ(client.Post("batchGet", body).status, 200);
  }
  const Reply plain = client.Commit({Increment("a/1", Integer(1))});
  EXPECT_EQ(plain.Error(), "ABORTED");
  EXPECT_TRUE(plain.answer.blocked);
  const auto commit = [&](const std::string& token) {
    return client
        .Post("commit", {{"writes", List({Increment("a/1", Integer(1))})}, {"transaction", token}})
        .Error();
  };
  EXPECT_EQ(commit(first), "ABORTED");
  EXPECT_EQ(commit(second), "OK");
  EXPECT_EQ(commit(second), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Commit({Increment("a/1", Integer(1))}).Error(), "OK");
}

TEST(Transactions, ReadOnlyOnesSeeOneMoment) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"n", Integer(1)}})}).status, 200);
  const std::string token = Begin(client, {{"readOnly", Json::object()}});
  client.now += 1'000'000;
  ASSERT_EQ(client.Commit({Update("a/1", {{"n", Integer(2)}})}).status, 200);
  const Json body = {{"documents", List({Name("a/1")})}, {"transaction", token}};
  EXPECT_EQ(client.Post("batchGet", body).json[0]["found"]["fields"]["n"], Integer(1));
  EXPECT_EQ(
      client.Post("commit", {{"writes", List({Delete("a/1")})}, {"transaction", token}}).Error(),
      "INVALID_ARGUMENT");
}

TEST(Transactions, EndByRollbackAndByTime) {
  Client client;
  const std::string token = Begin(client);
  EXPECT_EQ(client.Post("rollback", {{"transaction", token}}).status, 200);
  EXPECT_EQ(client.Post("commit", {{"transaction", token}}).Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Post("rollback", {{"transaction", "AAAA"}}).Error(), "INVALID_ARGUMENT");
  const std::string idle = Begin(client);
  client.now += 61'000'000;
  EXPECT_EQ(client.Post("commit", {{"transaction", idle}}).Error(), "INVALID_ARGUMENT");
}

TEST(Transactions, EndByTimeAlsoWhereTheClockHasGoneBack) {
  Client client;
  const auto hour = std::int64_t{3'600'000'000};
  ASSERT_EQ(client.Commit({Update("a/1", {{"n", Integer(1)}})}).status, 200);
  for (const bool later : {false, true}) {
    const std::string before = later ? Begin(client) : "";
    client.now -= 6 * hour;
    const std::string token = later ? before : Begin(client);
    const Json body = {{"documents", List({Name("a/1")})}, {"transaction", token}};
    EXPECT_EQ(client.Post("batchGet", body).status, 200);
    EXPECT_EQ(client.Commit({Increment("a/1", Integer(1))}).Error(), "ABORTED");
    client.now += 61'000'000;
    EXPECT_EQ(client.Commit({Increment("a/1", Integer(1))}).Error(), "OK");
  }
}

TEST(Documents, FollowRestVerbs) {
  Client client;
  const Json body = {{"fields", {{"v", Integer(1)}}}};
  EXPECT_EQ(client.Send("POST", "/a?documentId=1", body.dump()).json["name"], Name("a/1"));
  EXPECT_EQ(client.Send("POST", "/a?documentId=1", body.dump()).Error(), "ALREADY_EXISTS");
  const std::string made = client.Send("POST", "/a", body.dump()).json["name"];
  EXPECT_EQ(made.size(), Name("a/").size() + 20);
  EXPECT_EQ(client
                .Send("PATCH", "/a/1?updateMask.fieldPaths=w&mask.fieldPaths=v",
                      R"({"fields":{"w":{"integerValue":"2"}}})")
                .json["fields"],
            Json({{"v", Integer(1)}}));
  EXPECT_EQ(client.Send("PATCH", "/a/9?currentDocument.exists=true", "{}").Error(), "NOT_FOUND");
  EXPECT_EQ(client.Send("GET", "/a/1?mask.fieldPaths=w").json["fields"], Json({{"w", Integer(2)}}));
  EXPECT_EQ(client.Send("DELETE", "/a/1").json, Json::object());
  EXPECT_EQ(client.Send("DELETE", "/a/1?currentDocument.exists=true").Error(), "NOT_FOUND");
  EXPECT_EQ(client.Send("PUT", "/a/1").status, 404);
  EXPECT_EQ(client.Send("POST", ":nonsense").status, 404);
  EXPECT_EQ(client.SendTo("GET", "/v1/foo", "").status, 404);
}

TEST(Documents, NamesMayBeEscaped) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/x y:z", Json::object())}).status, 200);
  EXPECT_EQ(client.Send("GET", "/a/x%20y%3Az").status, 200);
  EXPECT_EQ(client.Send("GET", "/a/x%20y:z").status, 200);
  EXPECT_EQ(client.Send("GET", "%2Fa%2Fx%20y:z").status, 200);
  EXPECT_EQ(client.Send("GET", "/a/%ff").Error(), "INVALID_ARGUMENT");
}

TEST(List, GoesPageByPage) {
  Client client;
  client.caller = Caller::kAdmin;
  for (const std::string id : {"b", "a", "__id7__", "c"}) {
    ASSERT_EQ(client.Commit({Update("l/" + id, {{"v", Integer(id[0])}})}).status, 200);
  }
  ASSERT_EQ(client.Commit({Update("l/bb/sub/x", Json::object())}).status, 200);
  const auto all = [&](const std::string& parameters) {
    std::vector<std::string> ids;
    std::string token;
    for (int pages = 0; pages < 9; ++pages) {
      const Reply reply = client.Send("GET", "/l?pageSize=2" + parameters + "&pageToken=" + token);
      for (const Json& document : reply.json.value("documents", Json::array())) {
        const std::string name = document["name"];
        ids.push_back(name.substr(name.rfind('/') + 1));
      }
      token = reply.json.value("nextPageToken", "");
      if (token.empty()) break;
    }
    return ids;
  };
  EXPECT_THAT(all(""), ElementsAre("__id7__", "a", "b", "c"));
  EXPECT_THAT(all("&showMissing=true"), ElementsAre("__id7__", "a", "b", "bb", "c"));
  EXPECT_THAT(all("&orderBy=v%20desc"), ElementsAre("c", "b", "a", "__id7__"));
  EXPECT_EQ(client.Send("GET", "/l?pageSize=-1").Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Send("GET", "/l?pageToken=x").Error(), "INVALID_ARGUMENT");
  EXPECT_EQ(client.Post("listCollectionIds", Json::object()).json["collectionIds"],
            Json::array({"l"}));
  EXPECT_EQ(client.Post("listCollectionIds", Json::object(), "/l/bb").json["collectionIds"],
            Json::array({"sub"}));
}

}  // namespace
}  // namespace shardline::simulator::commit_test
