#include "firestore/response.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "unit/support/fixtures.h"
#include "unit/support/status.h"
#include "unit/support/text.h"
#include "unit/support/values.h"

namespace shardline {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// A decoded value as nlohmann/json, for which 1 equals 1.0. What servers may leave out of a value
// is filled in on both sides.
json Plain(const Value& value) { return json::parse(Wire(value)); }
json Plain(const json& wire) { return Plain(FromWire(wire.dump())); }

// The fields of a document as nlohmann/json sees them.
void ExpectFields(const Map& fields, const json& expected) {
  ASSERT_EQ(fields.fields.size(), expected.size());
  for (const Field& field : fields.fields) {
    ASSERT_TRUE(expected.contains(field.name)) << field.name;
    EXPECT_EQ(Plain(field.value), Plain(expected.at(field.name))) << field.name;
  }
}

void ExpectDocument(const DocumentAnswer& document, const json& expected) {
  EXPECT_TRUE(document.exists);
  EXPECT_EQ(document.name, expected.at("name"));
  EXPECT_EQ(document.create_time, expected.value("createTime", ""));
  EXPECT_EQ(document.update_time, expected.value("updateTime", ""));
  ExpectFields(document.fields, expected.value("fields", json::object()));
}

TEST(DecodeCommit, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const Exchange& exchange : LoadExchanges("commit")) {
    SCOPED_TRACE(exchange.name);
    if (exchange.name == "no writes") continue;  // Which is never asked; the answer says nothing.
    const Result<CommitAnswer> answer = DecodeCommit(Text(exchange.body));
    ASSERT_THAT(answer, IsOk());
    const json expected = json::parse(exchange.body);
    EXPECT_EQ(answer->commit_time, expected.value("commitTime", ""));
    const json writes = expected.value("writeResults", json::array());
    ASSERT_EQ(answer->write_results.size(), writes.size());
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const WriteResult& result = answer->write_results[i];
      EXPECT_EQ(result.update_time, writes[i].value("updateTime", ""));
      const json transforms = writes[i].value("transformResults", json::array());
      ASSERT_EQ(result.transform_results.size(), transforms.size());
      for (std::size_t k = 0; k < transforms.size(); ++k) {
        EXPECT_EQ(Plain(result.transform_results[k]), Plain(transforms[k]));
      }
    }
  }
}

TEST(DecodeCommit, ReadsTheValueAfterAnIncrement) {
  const auto answer = DecodeCommit(Text(LoadExchange("commit", "increment").body));
  ASSERT_THAT(answer, IsOk());
  ASSERT_THAT(answer->write_results, SizeIs(1));
  ASSERT_THAT(answer->write_results[0].transform_results, SizeIs(1));
  EXPECT_THAT(answer->write_results[0].transform_results[0], IsValue(Int(3)));
}

TEST(DecodeCommit, YieldsTheErrorThatASuccessHolds) {
  const auto answer =
      DecodeCommit(Text(R"({"error":{"code":409,"message":"busy","status":"ABORTED"}})"));
  EXPECT_THAT(answer, Fails(Code::kAborted, "busy"));
  EXPECT_EQ(answer.error().http_status, 200);
}

TEST(DecodeCommit, RefusesWhatIsNoCommit) {
  for (const std::string_view body :
       {"", " ", "[]", "null", "<html>", "{", "{}", R"({"other":7})", "\xEF\xBB\xBF{}",
        "{\"commitTime\":\"\xff\"}", R"({"writeResults":{}})", R"({"writeResults":[1]})",
        R"({"commitTime":7})", R"({"writeResults":[{"transformResults":[{}]}]})", "{} x"}) {
    EXPECT_THAT(DecodeCommit(Text(body)),
                IsRefused(HasSubstr("Cannot read the answer to the commit")))
        << body;
  }
}

TEST(DecodeBatchGet, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const Exchange& exchange : LoadExchanges("batch_get")) {
    SCOPED_TRACE(exchange.name);
    if (exchange.name == "no documents") continue;  // Likewise.
    const auto answer = DecodeBatchGet(Text(exchange.body));
    ASSERT_THAT(answer, IsOk());
    std::vector<json> elements;
    for (const json& element : json::parse(exchange.body)) {
      if (element.contains("found") || element.contains("missing")) elements.push_back(element);
    }
    ASSERT_EQ(answer->size(), elements.size());
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const DocumentAnswer& document = (*answer)[i];
      EXPECT_EQ(document.read_time, elements[i].value("readTime", ""));
      if (elements[i].contains("found")) {
        ExpectDocument(document, elements[i]["found"]);
      } else {
        EXPECT_FALSE(document.exists);
        EXPECT_EQ(document.name, elements[i]["missing"]);
        EXPECT_THAT(document.fields.fields, IsEmpty());
      }
    }
  }
}

TEST(DecodeBatchGet, KeepsEachReadTimeWithItsDocument) {
  const auto answer = DecodeBatchGet(Text(R"([{"readTime":"2026-01-01T00:00:00Z","transaction":"x"},
      {"readTime":"2026-01-01T00:00:01Z","missing":"a"},
      {"missing":"b","readTime":"2026-01-01T00:00:02Z"},{"missing":"c"}])"));
  ASSERT_THAT(answer, IsOkAnd(SizeIs(3)));
  EXPECT_EQ((*answer)[0].read_time, "2026-01-01T00:00:01Z");
  EXPECT_EQ((*answer)[1].read_time, "2026-01-01T00:00:02Z");
  EXPECT_EQ((*answer)[2].read_time, "");
}

TEST(DecodeBatchGet, RefusesWhatNamesNoDocument) {
  for (const std::string_view body :
       {"[]", "[{}]", R"([{"readTime":"t"}])", R"([{"transaction":"x"}])", "[{\"\xff\xfe\":1}]"}) {
    EXPECT_THAT(DecodeBatchGet(Text(body)), IsRefused(HasSubstr("Cannot read the documents")))
        << body;
  }
}

TEST(DecodeBatchGet, RefusesADocumentWithoutAName) {
  EXPECT_THAT(DecodeBatchGet(Text(R"([{"found":{"fields":{}}}])")),
              IsRefused(HasSubstr("a document has no name")));
}

TEST(DecodeRunQuery, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const Exchange& exchange : LoadExchanges("run_query")) {
    SCOPED_TRACE(exchange.name);
    // No server sends these.
    if (exchange.name == "empty array" || exchange.name == "empty array with a line") {
      EXPECT_FALSE(DecodeRunQuery(Text(exchange.body)));
      continue;
    }
    const auto answer = DecodeRunQuery(Text(exchange.body));
    ASSERT_THAT(answer, IsOk());
    std::vector<json> documents;
    std::string read_time;
    for (const json& element : json::parse(exchange.body)) {
      if (element.contains("document")) documents.push_back(element["document"]);
      read_time = element.value("readTime", read_time);
    }
    EXPECT_EQ(answer->read_time, read_time);
    ASSERT_EQ(answer->documents.size(), documents.size());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      ExpectDocument(answer->documents[i], documents[i]);
    }
  }
}

TEST(DecodeRunQuery, RefusesEveryMalformedBody) {
  for (const Exchange& exchange : LoadExchanges("malformed")) {
    EXPECT_THAT(DecodeRunQuery(Text(exchange.body)),
                IsRefused(HasSubstr("Cannot read the answer to the query")))
        << exchange.name;
  }
}

// Dialects of production and of proxies.
TEST(DecodeRunQuery, ReadsElementsThatTellOfProgress) {
  const auto answer = DecodeRunQuery(Text(R"([
    {"transaction": "x"},
    {"readTime": "2026-01-01T00:00:01Z", "skippedResults": 7},
    {"readTime": "2026-01-01T00:00:02Z", "news": {},
     "document": {"fields": {}, "name": "a", "updateTime": "2026-01-01T00:00:00Z"}},
    {"explainMetrics": {}, "readTime": "2026-01-01T00:00:03Z"}])"));
  ASSERT_THAT(answer, IsOk());
  EXPECT_EQ(answer->read_time, "2026-01-01T00:00:03Z");
  ASSERT_THAT(answer->documents, SizeIs(1));
  EXPECT_EQ(answer->documents[0].name, "a");
}

TEST(DecodeRunQuery, RefusesAnAnswerThatSaysNothing) {
  for (const std::string_view body :
       {"[]", "[{}]", R"([{"transaction":"x"}])", R"([{"news":1}])", R"([{"readTime":"t"},{}])"}) {
    EXPECT_THAT(DecodeRunQuery(Text(body)),
                IsRefused(HasSubstr("Cannot read the answer to the query")))
        << body;
  }
}

TEST(DecodeRunQuery, YieldsTheErrorThatASuccessHolds) {
  const auto decode = [](const char* name) {
    return DecodeRunQuery(Text(LoadExchange("errors", name).body));
  };
  EXPECT_THAT(decode("status 200, error alone"), Fails(Code::kAborted, HasSubstr("contention")));
  EXPECT_THAT(decode("status 200, error after a document"),
              Fails(Code::kUnavailable, HasSubstr("unavailable")));
  EXPECT_EQ(decode("status 200, error alone").error().http_status, 200);
}

TEST(DecodeRunQuery, YieldsAnErrorWithoutAnArrayAroundIt) {
  EXPECT_THAT(DecodeRunQuery(Text(R"({"error":{"message":"m","status":"NOT_FOUND"}})")),
              Fails(Code::kNotFound, "m"));
}

TEST(DecodeRunQuery, YieldsTheErrorThoughTheBodyBreaksOffBehindIt) {
  EXPECT_THAT(DecodeRunQuery(Text(R"([{"error":{"message":"m","status":"ABORTED"}})")),
              Fails(Code::kAborted, "m"));
}

TEST(DecodeAggregation, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const Exchange& exchange : LoadExchanges("aggregation")) {
    SCOPED_TRACE(exchange.name);
    const auto answer = DecodeAggregation(Text(exchange.body));
    ASSERT_THAT(answer, IsOk());
    json values = json::object();
    for (const json& element : json::parse(exchange.body)) {
      if (element.contains("result")) values = element["result"].at("aggregateFields");
      EXPECT_EQ(answer->read_time, element.at("readTime"));
    }
    ExpectFields(answer->values, values);
  }
}

TEST(DecodeAggregation, KeepsIntegersBeyondTwoToThe53) {
  const auto answer =
      DecodeAggregation(Text(LoadExchange("aggregation", "sum of integers beyond 2^53").body));
  ASSERT_THAT(answer, IsOk());
  EXPECT_THAT(*answer->values.Find("sum"), IsValue(Int(9007199254740995)));
}

TEST(DecodeAggregation, RefusesWhatIsNoAggregation) {
  for (const std::string_view body :
       {"", "{}", "[]", "[{}]", "[1]", R"([{"readTime":"t"}])", R"([{"result":{}}])",
        R"([{"result":{"aggregateFields":{}}}])", "[{\"\xff\xfe\":1}]", R"([{"result":[]}])",
        R"([{"result":{"aggregateFields":[]}}])",
        R"([{"result":{"aggregateFields":{"sum":3}}}])"}) {
    EXPECT_THAT(DecodeAggregation(Text(body)), IsRefused(HasSubstr("Cannot read the aggregation")))
        << body;
  }
}

// A body that ends early is never taken for a complete answer. What can be read of an error may
// stand for it.
TEST(Decoders, RefuseEveryTruncationOfEveryRecordedAnswer) {
  const auto truncations = [](const std::string& fixture, auto decode) {
    for (const Exchange& exchange : LoadExchanges(fixture)) {
      const std::size_t end = exchange.body.find_last_of("]}");
      for (std::size_t size = 0; size < end; size += size < 200 ? 1 : 7) {
        const auto answer = decode(Text(exchange.body.substr(0, size)));
        ASSERT_FALSE(answer.has_value()) << exchange.body.substr(0, size);
        ASSERT_EQ(answer.error().http_status, 0);
      }
    }
  };
  truncations("commit", DecodeCommit);
  truncations("batch_get", DecodeBatchGet);
  truncations("run_query", DecodeRunQuery);
  truncations("aggregation", DecodeAggregation);
}

// Sent back in a request, they would be refused, and the caller be blamed for it.
TEST(Decoders, RefuseTimesThatAreNone) {
  for (const std::string time :
       {R"("")", R"("now")", R"("[object Object]")", R"("2026-01-01")", R"("2026-02-30T00:00:00Z")",
        R"("2026-01-01T00:00:00")", R"("10000-01-01T00:00:00Z")", "7", "null", "{}"}) {
    const std::string good = R"("2026-01-01T00:00:00Z")";
    const auto refused = [](const auto& answer) { return !answer.has_value(); };
    EXPECT_TRUE(refused(DecodeCommit(Text(R"({"commitTime":)" + time + "}")))) << time;
    EXPECT_TRUE(refused(DecodeCommit(
        Text(R"({"writeResults":[{"updateTime":)" + time + R"(}],"commitTime":)" + good + "}"))))
        << time;
    EXPECT_TRUE(refused(DecodeBatchGet(Text(R"([{"missing":"a","readTime":)" + time + "}]"))))
        << time;
    EXPECT_TRUE(refused(DecodeBatchGet(
        Text(R"([{"found":{"name":"a","updateTime":)" + time + R"(},"readTime":)" + good + "}]"))))
        << time;
    EXPECT_TRUE(refused(DecodeRunQuery(Text(R"([{"readTime":)" + time + "}]")))) << time;
    EXPECT_TRUE(refused(DecodeAggregation(Text(
        R"([{"result":{"aggregateFields":{"n":{"integerValue":"1"}}},"readTime":)" + time + "}]"))))
        << time;
  }
}

TEST(Decoders, RefuseADocumentWithoutAnUpdateTime) {
  EXPECT_THAT(DecodeBatchGet(Text(R"([{"found":{"name":"a"},"readTime":"2026-01-01T00:00:00Z"}])")),
              IsRefused(HasSubstr("update time")));
}

TEST(Decoders, SayThatATruncatedBodyEndsTooEarly) {
  EXPECT_THAT(DecodeRunQuery(Text(R"([{"document":{"name":"a)")),
              IsRefused(HasSubstr("it ends too early")));
}

}  // namespace
}  // namespace shardline
