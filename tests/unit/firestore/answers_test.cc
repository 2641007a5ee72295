#include "firestore/answers.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "firestore/value_codec.h"
#include "unit/support/fixtures.h"
#include "unit/support/status.h"
#include "unit/support/text.h"
#include "unit/support/values.h"

namespace shardline::answers_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::SizeIs;

// A decoded value as nlohmann/json, for which 1 equals 1.0. What servers may leave out of a value
// is filled in on both sides.
json Plain(const Value& value) { return json::parse(Wire(value)); }
json Plain(const json& wire) { return Plain(FromWire(wire.dump())); }

struct Document {
  std::string name;
  std::string update_time;
  Map fields;
};
struct Documents {
  std::vector<Document> documents;
  std::string read_time;
};

Result<Documents> ReadDocuments(const PaddedText& body) {
  Documents all;
  DocumentsAnswer answer(body);
  while (answer.Next()) {
    const DocumentAnswer& document = answer.document();
    all.documents.push_back(
        {document.name, document.update_time, document.fields.Read(DecodeFields)});
  }
  SHARDLINE_CHECK(answer.Finish());
  all.read_time = answer.read_time();
  return all;
}

Result<SumAndCount> ReadAggregation(const PaddedText& body) {
  SumAndCount result;
  SHARDLINE_CHECK(DecodeAggregation(body, false, result));
  return result;
}

Result<CommitAnswer> ReadCommit(const PaddedText& body) {
  CommitAnswer answer;
  SHARDLINE_CHECK(DecodeCommit(body, 1, &answer));
  return answer;
}

// The fields of a document as nlohmann/json sees them.
void ExpectFields(const Map& fields, const json& expected) {
  ASSERT_EQ(fields.fields.size(), expected.size());
  for (const Field& field : fields.fields) {
    ASSERT_TRUE(expected.contains(field.name)) << field.name;
    EXPECT_EQ(Plain(field.value), Plain(expected.at(field.name))) << field.name;
  }
}

// ---- Documents ----

TEST(DocumentsAnswer, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const char* fixture : {"batch_get", "run_query"}) {
    for (const Exchange& exchange : LoadExchanges(fixture)) {
      SCOPED_TRACE(exchange.name);
      std::vector<json> documents;
      std::string read_time;
      for (const json& element : json::parse(exchange.body)) {
        for (const char* kind : {"document", "found", "missing"}) {
          if (element.contains(kind)) documents.push_back(element[kind]);
        }
        read_time = element.value("readTime", read_time);
      }
      const Result<Documents> answer = ReadDocuments(Text(exchange.body));
      // No server says nothing at all to what the library asks.
      if (read_time.empty()) {
        EXPECT_FALSE(answer);
        continue;
      }
      ASSERT_THAT(answer, IsOk());
      EXPECT_EQ(answer->read_time, read_time);
      ASSERT_EQ(answer->documents.size(), documents.size());
      for (std::size_t i = 0; i < documents.size(); ++i) {
        const Document& document = answer->documents[i];
        const bool found = documents[i].is_object();
        const json& name = found ? documents[i].at("name") : documents[i];
        EXPECT_EQ(document.name, name.get<std::string>());
        EXPECT_EQ(document.update_time,
                  found ? documents[i].at("updateTime").get<std::string>() : "");
        ExpectFields(document.fields,
                     found ? documents[i].value("fields", json::object()) : json::object());
      }
    }
  }
}

TEST(DocumentsAnswer, ReadsTheOneDocumentThatWasAskedFor) {
  const auto read = [](const char* body) -> Result<DocumentAnswer> {
    const PaddedText text = Text(body);
    DocumentsAnswer answer(text);
    DocumentAnswer document = answer.ReadOnly("a");
    SHARDLINE_CHECK(answer.Finish());
    document.fields = {};  // Its text is about to go.
    return document;
  };
  const auto found = read(
      R"([{"readTime":"2026-01-01T00:00:00Z","transaction":"x"},
          {"found":{"name":"a","updateTime":"2026-01-01T00:00:00Z"}},{"transaction":"y"}])");
  ASSERT_THAT(found, IsOk());
  EXPECT_TRUE(found->exists());
  const auto missing = read(R"([{"missing":"a","readTime":"2026-01-01T00:00:00Z"}])");
  ASSERT_THAT(missing, IsOk());
  EXPECT_EQ(missing->name, "a");
  EXPECT_FALSE(missing->exists());
  for (const char* body :
       {R"([{"missing":"b","readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"missing":"a","readTime":"2026-01-01T00:00:00Z"},{"missing":"a"}])"}) {
    EXPECT_THAT(read(body), IsRefused(HasSubstr("asked for"))) << body;
  }
}

TEST(DocumentsAnswer, RefusesEveryMalformedBody) {
  for (const Exchange& exchange : LoadExchanges("malformed")) {
    EXPECT_THAT(ReadDocuments(Text(exchange.body)),
                IsRefused(HasSubstr("Cannot read the documents")))
        << exchange.name;
  }
}

// Dialects of production and of proxies.
TEST(DocumentsAnswer, ReadsElementsThatTellOfProgress) {
  const auto answer = ReadDocuments(Text(R"([
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

TEST(DocumentsAnswer, RefusesAnAnswerThatSaysNothing) {
  for (const std::string_view body :
       {"[]", "[{}]", R"([{"transaction":"x"}])", R"([{"news":1}])", R"([{"readTime":"t"},{}])",
        R"([{"missing":"a"}])", "[{\"\xff\xfe\":1}]"}) {
    EXPECT_THAT(ReadDocuments(Text(body)), IsRefused(HasSubstr("Cannot read the documents")))
        << body;
  }
}

TEST(DocumentsAnswer, RefusesADocumentWithoutItsNameOrTime) {
  const std::string time = R"(,"readTime":"2026-01-01T00:00:00Z"}])";
  EXPECT_THAT(ReadDocuments(Text(R"([{"found":{"fields":{}})" + time)),
              IsRefused(HasSubstr("a document has no name")));
  EXPECT_THAT(ReadDocuments(Text(R"([{"found":{"name":"a"})" + time)),
              IsRefused(HasSubstr("update time")));
  EXPECT_THAT(ReadDocuments(Text(R"([{"found":{"name":"a","name":"b"})" + time)),
              IsRefused(HasSubstr("twice")));
}

TEST(DocumentsAnswer, YieldsTheErrorThatASuccessHolds) {
  const auto decode = [](const char* name) {
    return ReadDocuments(Text(LoadExchange("errors", name).body));
  };
  EXPECT_THAT(decode("status 200, error alone"), Fails(Code::kAborted, HasSubstr("contention")));
  EXPECT_THAT(decode("status 200, error after a document"),
              Fails(Code::kUnavailable, HasSubstr("unavailable")));
  EXPECT_EQ(decode("status 200, error alone").error().http_status, 200);
  EXPECT_THAT(ReadDocuments(Text(R"({"error":{"message":"m","status":"NOT_FOUND"}})")),
              Fails(Code::kNotFound, "m"));
  EXPECT_THAT(ReadDocuments(Text(R"([{"error":{"message":"m","status":"ABORTED"}})")),
              Fails(Code::kAborted, "m"))
      << "though the body breaks off behind it";
}

// ---- Sums and counts ----

TEST(DecodeAggregation, ReadsTheSumAndTheCount) {
  SumAndCount result;
  ASSERT_THAT(DecodeAggregation(Text(R"([{"result":{"aggregateFields":{"count":{"integerValue":"3"},
      "sum":{"integerValue":"9007199254740995"}}},"readTime":"2026-01-01T00:00:00Z"}])"),
                                true, result),
              IsOk());
  EXPECT_EQ(result.sum, Amount::Integer(9007199254740995));
  EXPECT_EQ(result.count, 3);
  EXPECT_EQ(result.read_time, "2026-01-01T00:00:00Z");
}

TEST(DecodeAggregation, RefusesWhatIsNoAggregation) {
  for (const std::string_view body :
       {"", "{}", "[]", "[{}]", "[1]", R"([{"readTime":"t"}])", R"([{"result":{}}])",
        R"([{"result":{"aggregateFields":{}}}])", "[{\"\xff\xfe\":1}]", R"([{"result":[]}])",
        R"([{"result":{"aggregateFields":[]}}])", R"([{"result":{"aggregateFields":{"count":3}}}])",
        R"([{"result":{"aggregateFields":{"count":{"integerValue":"1"}}}}])",
        R"([{"result":{"aggregateFields":{"count":{"integerValue":"-1"}}},
            "readTime":"2026-01-01T00:00:00Z"}])",
        R"([{"result":{"aggregateFields":{"count":{"doubleValue":1}}},
            "readTime":"2026-01-01T00:00:00Z"}])"}) {
    EXPECT_THAT(ReadAggregation(Text(body)), IsRefused(HasSubstr("Cannot read the aggregation")))
        << body;
  }
  SumAndCount result;
  EXPECT_FALSE(
      DecodeAggregation(Text(R"([{"result":{"aggregateFields":{"count":{"integerValue":"1"}}},
               "readTime":"2026-01-01T00:00:00Z"}])"),
                        true, result))
      << "the sum was asked for";
}

// ---- Commits ----

TEST(DecodeCommit, AgreesWithNlohmannOnAllRecordedAnswers) {
  for (const Exchange& exchange : LoadExchanges("commit")) {
    SCOPED_TRACE(exchange.name);
    const json expected = json::parse(exchange.body);
    const json writes = expected.value("writeResults", json::array());
    CommitAnswer answer;
    ASSERT_THAT(DecodeCommit(Text(exchange.body), writes.size(), &answer), IsOk());
    EXPECT_FALSE(DecodeCommit(Text(exchange.body), writes.size() + 1));
    if (writes.empty()) continue;
    EXPECT_FALSE(DecodeCommit(Text(exchange.body), writes.size() - 1));
    EXPECT_EQ(answer.update_time, writes[0].value("updateTime", ""));
    std::vector<json> transforms;
    for (const json& write : writes) {
      for (const json& result : write.value("transformResults", json::array())) {
        transforms.push_back(result);
      }
    }
    ASSERT_EQ(answer.results.size(), transforms.size());
    for (std::size_t i = 0; i < transforms.size(); ++i) {
      const std::optional<Amount>& result = answer.results[i];
      const bool is_number =
          transforms[i].contains("integerValue") || transforms[i].contains("doubleValue");
      ASSERT_EQ(result.has_value(), is_number);
      if (result) EXPECT_EQ(Plain(json::parse(result->Encode().json())), Plain(transforms[i]));
    }
  }
}

TEST(DecodeCommit, YieldsTheErrorThatASuccessHolds) {
  for (const char* body : {R"({"error":{"code":409,"message":"busy","status":"ABORTED"}})",
                           R"({"error":{"code":409,"message":"busy","status":"ABORTED"})"}) {
    const auto answer = ReadCommit(Text(body));
    EXPECT_THAT(answer, Fails(Code::kAborted, "busy"));
    EXPECT_EQ(answer.error().http_status, 200);
  }
}

TEST(DecodeCommit, RefusesWhatIsNoCommit) {
  for (const std::string_view body :
       {"", " ", "[]", "null", "<html>", "{", "{}", R"({"other":7})", "\xEF\xBB\xBF{}",
        "{\"commitTime\":\"\xff\"}", R"({"writeResults":{}})", R"({"writeResults":[1]})",
        R"({"writeResults":[{},{}]})", R"({"writeResults":[{}],"writeResults":[{}]})",
        R"({"writeResults":[{}]} x)", R"({"writeResults":[{"transformResults":[7]}]})"}) {
    EXPECT_THAT(ReadCommit(Text(body)),
                IsRefused(HasSubstr("Cannot read the answer to the commit")))
        << body;
  }
}

// ---- All of them ----

// A body that ends early is never taken for a complete answer. What can be read of an error may
// stand for it.
TEST(Answers, AreNeverTakenForCompleteIfTheyEndEarly) {
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
  truncations("commit", ReadCommit);
  truncations("batch_get", ReadDocuments);
  truncations("run_query", ReadDocuments);
  truncations("aggregation", ReadAggregation);
}

// Sent back in a request, they would be refused, and the caller be blamed for it.
TEST(Answers, HoldTimes) {
  for (const std::string time :
       {R"("")", R"("now")", R"("[object Object]")", R"("2026-01-01")", R"("2026-02-30T00:00:00Z")",
        R"("2026-01-01T00:00:00")", R"("10000-01-01T00:00:00Z")", "7", "null", "{}"}) {
    const std::string good = R"("2026-01-01T00:00:00Z")";
    const auto refused = [](const auto& answer) { return !answer.has_value(); };
    EXPECT_TRUE(refused(ReadCommit(
        Text(R"({"writeResults":[{"updateTime":)" + time + R"(}],"commitTime":)" + good + "}"))))
        << time;
    EXPECT_TRUE(refused(ReadDocuments(Text(R"([{"missing":"a","readTime":)" + time + "}]"))))
        << time;
    EXPECT_TRUE(refused(ReadDocuments(
        Text(R"([{"found":{"name":"a","updateTime":)" + time + R"(},"readTime":)" + good + "}]"))))
        << time;
    EXPECT_TRUE(refused(ReadAggregation(
        Text(R"([{"result":{"aggregateFields":{"count":{"integerValue":"1"}}},"readTime":)" + time +
             "}]"))))
        << time;
  }
}

TEST(Answers, SayThatATruncatedBodyEndsTooEarly) {
  EXPECT_THAT(ReadDocuments(Text(R"([{"document":{"name":"a)")),
              IsRefused(HasSubstr("it ends too early")));
}

}  // namespace
}  // namespace shardline::answers_test
