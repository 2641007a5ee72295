// The parts of a request besides documents: enumerators by their numbers, the user, the project,
// and paths without a document.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client.h"

namespace shardline::simulator::request_test {
namespace {

using ::testing::ElementsAre;

Json Unary(const Json& op) {
  return {{"from", From("a")},
          {"where", {{"unaryFilter", {{"field", {{"fieldPath", "v"}}}, {"op", op}}}}}};
}

TEST(Request, TakesEnumeratorsAsNumbers) {
  Client client;
  ASSERT_EQ(client
                .Commit({Update("a/nan", {{"v", {{"doubleValue", "NaN"}}}}),
                         Update("a/null", {{"v", {{"nullValue", 0}}}}),
                         Update("a/one", {{"v", Integer(1)}})})
                .status,
            200);
  EXPECT_THAT(client.Find(Unary(2)), ElementsAre("nan"));
  EXPECT_THAT(client.Find(Unary("3")), ElementsAre("null"));
  EXPECT_THAT(client.Find(Unary(4)), ElementsAre("one"));
  EXPECT_THAT(client.Find(Unary(5)), ElementsAre("nan", "one"));
  for (const Json& none : {Json(-1), Json(0), Json(1), Json(6), Json(""), Json("6"), Json(true)}) {
    EXPECT_THAT(client.Find(Unary(none)), ElementsAre("INVALID_ARGUMENT")) << none;
  }
}

TEST(Request, RefusesNumbersThatStandForNoDirection) {
  Client client;
  ASSERT_EQ(client.Commit({Update("a/1", {{"v", Integer(1)}}), Update("a/2", {{"v", Integer(2)}})})
                .status,
            200);
  const auto ordered = [&](const Json& direction) {
    Json order = Order("v");
    order["direction"] = direction;
    return client.Find({{"from", From("a")}, {"orderBy", {order}}});
  };
  EXPECT_THAT(ordered(0), ElementsAre("1", "2"));
  EXPECT_THAT(ordered(2), ElementsAre("2", "1"));
  EXPECT_THAT(ordered(3), ElementsAre("INVALID_ARGUMENT"));
}

TEST(Request, KnowsItsCaller) {
  EXPECT_EQ(CallerOf(""), Caller::kUser);
  for (const char* admin : {"Bearer owner", "bearer OWNER", "Bearer ya29.abc"}) {
    EXPECT_EQ(CallerOf(admin), Caller::kAdmin) << admin;
  }
  EXPECT_EQ(CallerOf("Bearer e30.e30."), Caller::kUser);
  EXPECT_EQ(CallerOf("Bearer eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1In0.xx"), Caller::kUser);
  for (const char* unknown : {"Bearer not-a-jwt", "Bearer", "Bearer ", "owner", "Basic e30.e30.",
                              "Bearer e30.e30", "Bearer e30.e30.e30.e30", "Bearer e30..",
                              "Bearer W10.e30.", "Bearer e30.zz.", "Bearer e30.e30.!"}) {
    EXPECT_EQ(CallerOf(unknown), Caller::kUnknown) << unknown;
  }
}

TEST(Request, IsRefusedWithATokenThatIsNone) {
  Client client;
  const std::string target = "/v1/" + kRoot + "/a/b";
  const Answer answer = client.backend().Handle({"PATCH", target, simulator::Caller::kUnknown},
                                                PaddedText("{}"), Timestamp{client.now});
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, ::testing::HasSubstr("invalid jwt"));
  EXPECT_EQ(client.backend().size(), 0U);
}

TEST(Request, NeedsAProjectThatCanBe) {
  Client client;
  const auto status = [&](const std::string& project) {
    return client.SendTo("PATCH", "/v1/projects/" + project + "/databases/d/documents/a/b", "{}")
        .status;
  };
  for (const char* project : {"a", "a-", "1", "example.com:p"}) {
    EXPECT_EQ(status(project), 200) << project;
  }
  for (const char* project : {"a_b", "A", "a.b", "-a", "a:b:c", "a%20b"}) {
    EXPECT_EQ(status(project), 404) << project;
  }
}

TEST(Request, ForAMethodThatIsNotThereIsAnsweredInJson) {
  Client client;
  EXPECT_EQ(client.Post("partitionQuery", Json::object()).Error(), "UNIMPLEMENTED");
  EXPECT_EQ(client.Post("executePipeline", Json::object()).Error(), "UNKNOWN");
  EXPECT_EQ(client.Post("partitionQuery", {{"nonsense", 1}}).Error(), "INVALID_ARGUMENT");
}

TEST(Request, WithAVerbOfTheDatabaseBelowItCreatesInACollectionOfThatName) {
  Client client;
  const Reply reply = client.Send("POST", "/a:commit?documentId=b", "{}");
  EXPECT_EQ(reply.json["name"], Name("a:commit/b"));
}

}  // namespace
}  // namespace shardline::simulator::request_test
