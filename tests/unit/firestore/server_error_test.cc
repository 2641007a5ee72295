#include "firestore/server_error.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/json_scanner.h"
#include "unit/support/fixtures.h"
#include "unit/support/text.h"

namespace shardline::server_error_test {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Error Decode(int http_status, std::string_view body) {
  return DecodeServerError(http_status, Text(body));
}

Error DecodeRecorded(const std::string& name) {
  const Exchange exchange = LoadExchange("errors", name);
  return Decode(exchange.status, exchange.body);
}

// The error object in a recorded body, also inside an array; null if there is none.
json ErrorIn(const std::string& body) {
  const json document = json::parse(body, nullptr, false);
  for (const json& element : document.is_array() ? document : json::array({document})) {
    if (element.is_object() && element.value("error", json()).is_object()) return element["error"];
  }
  return nullptr;
}

// Of all recorded errors: `error.status` is the code, and the message begins with the server's own.
TEST(DecodeServerError, TakesCodeAndMessageFromTheBody) {
  int seen = 0;
  for (const Exchange& exchange : LoadExchanges("errors")) {
    const json said = ErrorIn(exchange.body);
    if (said.is_null()) continue;
    SCOPED_TRACE(exchange.name);
    const Error error = Decode(exchange.status, exchange.body);
    EXPECT_EQ(error.http_status, exchange.status);
    if (said.contains("message")) {
      EXPECT_THAT(error.message, StartsWith(said["message"].get<std::string>()));
    }
    const Code code = CodeFromServerStatus(said.value("status", ""));
    if (code != Code::kUnknown) {
      EXPECT_EQ(error.code, code);
    }
    ++seen;
  }
  EXPECT_GT(seen, 30);
}

TEST(DecodeServerError, TellsApartWhatSharesAnHttpStatus) {
  EXPECT_EQ(DecodeRecorded("ABORTED").code, Code::kAborted);
  EXPECT_EQ(DecodeRecorded("ABORTED in an array").code, Code::kAborted);
  EXPECT_EQ(DecodeRecorded("ABORTED in an array, streamed").code, Code::kAborted);
  EXPECT_EQ(DecodeRecorded("ALREADY_EXISTS").code, Code::kAlreadyExists);
  EXPECT_EQ(DecodeRecorded("OUT_OF_RANGE").code, Code::kOutOfRange);
  EXPECT_EQ(DecodeRecorded("FAILED_PRECONDITION: update time").code, Code::kFailedPrecondition);
}

TEST(DecodeServerError, ResolvesEscapesInTheMessage) {
  EXPECT_EQ(DecodeRecorded("escapes in the message").message, "a \"quoted\" é😀\n\tline/");
}

TEST(DecodeServerError, IsNotMisledByDetails) {
  const Error error = DecodeRecorded("members in another order");
  EXPECT_EQ(error.code, Code::kAborted);
  EXPECT_EQ(error.message, "x");
}

TEST(DecodeServerError, FallsBackToTheHttpStatusWithoutABodyOfOurs) {
  const std::pair<int, Code> codes[] = {
      {400, Code::kInternal},         {401, Code::kUnauthenticated},
      {403, Code::kPermissionDenied}, {404, Code::kUnimplemented},
      {408, Code::kDeadlineExceeded}, {409, Code::kAborted},
      {405, Code::kInternal},         {412, Code::kInternal},
      {413, Code::kOutOfRange},       {429, Code::kResourceExhausted},
      {499, Code::kCancelled},        {500, Code::kInternal},
      {501, Code::kUnimplemented},    {502, Code::kUnavailable},
      {503, Code::kUnavailable},      {504, Code::kDeadlineExceeded},
      {599, Code::kInternal},         {302, Code::kUnknown},
      {100, Code::kUnknown},
  };
  for (const auto& [status, code] : codes) {
    // A hotel or a proxy forbids, and knows no rules.
    const Code without_words = status == 403 ? Code::kUnavailable : code;
    EXPECT_EQ(Decode(status, "").code, without_words) << status;
    EXPECT_EQ(Decode(status, "<html>").code, without_words) << status;
    EXPECT_EQ(Decode(status, R"({"error":"invalid_token"})").code, without_words) << status;
    EXPECT_EQ(Decode(status, R"({"error":{"code":1,"message":"m"}})").code, code) << status;
    EXPECT_EQ(Decode(status, R"({"error":{"status":"TEAPOT"}})").code, code) << status;
    EXPECT_EQ(Decode(status, R"({"error":{"status":"UNKNOWN"}})").code, code) << status;
    EXPECT_EQ(Decode(status, "").http_status, status);
  }
}

// As Google's servers answer: with an ErrorInfo, or in older answers without.
TEST(DecodeServerError, SaysWhatIsWrongWithTheProjectAndNothingOfRules) {
  struct Case {
    int status;
    const char* name;
    const char* message;
    const char* reason;
    const char* advice;
  };
  const Case cases[] = {
      {403, "PERMISSION_DENIED", "Requests from referer https://a.example/ are blocked.",
       "API_KEY_HTTP_REFERRER_BLOCKED", "website restrictions"},
      {403, "PERMISSION_DENIED", "Requests to this API are blocked.", "API_KEY_SERVICE_BLOCKED",
       "check `apiKey`"},
      {400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
       "API_KEY_INVALID", "check `apiKey`"},
      {403, "PERMISSION_DENIED",
       "Cloud Firestore API has not been used in project 7 before or it is disabled.",
       "SERVICE_DISABLED", "API is not enabled"},
      {403, "PERMISSION_DENIED", "This API method requires billing to be enabled.",
       "BILLING_DISABLED", "no open billing account"},
  };
  for (const Case& c : cases) {
    json error = {{"code", c.status}, {"message", c.message}, {"status", c.name}};
    const bool has_words = std::string(c.reason) != "API_KEY_SERVICE_BLOCKED";
    if (has_words) {
      const Error old = Decode(c.status, json{{"error", error}}.dump());
      EXPECT_THAT(old.message, AllOf(StartsWith(c.message), HasSubstr(c.advice)));
      EXPECT_FALSE(old.by_rules);
    }
    error["message"] = "m";
    error["details"] = {
        "a text",
        {{"@type", "type.googleapis.com/google.rpc.Help"}},
        {{"@type", "type.googleapis.com/google.rpc.ErrorInfo"}, {"reason", c.reason}}};
    const Error now = Decode(c.status, json{{"error", error}}.dump());
    EXPECT_THAT(now.message, AllOf(StartsWith("m. "), HasSubstr(c.advice)));
    EXPECT_FALSE(now.by_rules);
    EXPECT_EQ(now.code, CodeFromServerStatus(c.name));
  }
  const Error rules = Decode(
      403,
      R"({"error":{"code":403,"message":"Missing permissions.","status":"PERMISSION_DENIED"}})");
  EXPECT_TRUE(rules.by_rules);
  EXPECT_EQ(rules.message, "Missing permissions.");
  EXPECT_TRUE(Decode(403, R"({"error":{"code":403,"status":"PERMISSION_DENIED","message":"no",
      "details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",
                  "reason":"PERMISSION_DENIED","domain":"firestore.googleapis.com"}]}})")
                  .by_rules);
  EXPECT_FALSE(Decode(403, "<html>").by_rules);
}

// Before the cut, it may have been NOT_FOUND: only the next answer can tell.
TEST(DecodeServerError, IsTransientWhereA404BreaksOff) {
  const std::string whole =
      R"({"error":{"code":404,"message":"No document.","status":"NOT_FOUND"}})";
  const std::size_t known = whole.find("NOT_FOUND") + std::string("NOT_FOUND\"").size();
  for (const std::string& text : {whole, "[" + whole + "]"}) {
    for (std::size_t size = 1; size <= text.size(); ++size) {
      const bool is_known = size >= known + (text.size() - whole.size()) / 2;
      EXPECT_EQ(Decode(404, text.substr(0, size)).code,
                is_known ? Code::kNotFound : Code::kInternal)
          << text.substr(0, size);
    }
  }
}

TEST(DecodeServerError, TakesTheBeginningOfALongMessage) {
  std::string long_text = "x";
  while (long_text.size() < 8'000'000) long_text += "é";
  const Error error =
      Decode(500, R"({"error":{"status":"INTERNAL","message":")" + long_text + R"("}})");
  EXPECT_EQ(error.code, Code::kInternal);
  EXPECT_LT(error.message.size(), 900U);
  EXPECT_EQ(error.message.substr(0, 5), "xéé");
  EXPECT_EQ(error.message.substr(error.message.size() - 6), "é …");

  const std::string nobody = Decode(500, R"({"error":{"status":")" + long_text + R"("}})").message;
  EXPECT_LT(nobody.size(), 200U);
}

// Firestore puts it into the message when a composite index is missing.
TEST(DecodeServerError, KeepsALinkToAMissingIndexWhole) {
  const std::string link = "https://console.firebase.google.com/v1/r/project/" +
                           std::string(30, 'p') +
                           "/firestore/indexes?create_composite=" + std::string(500, 'C');
  const std::string text = "The query requires an index. You can create it here: " + link;
  const Error error =
      Decode(400, R"({"error":{"status":"FAILED_PRECONDITION","message":")" + text + R"("}})");
  EXPECT_EQ(error.message, text);
}

TEST(DecodeServerError, BlamesTheServerForASuccessThatHoldsAnError) {
  EXPECT_EQ(Decode(200, R"([{"error":{"message":"m"}}])").code, Code::kInternal);
}

TEST(DecodeServerError, SaysWhatCameInsteadOfJson) {
  EXPECT_THAT(Decode(502, "\n<!DOCTYPE html>").message,
              AllOf(HasSubstr("HTTP status 502"), HasSubstr("web page"), HasSubstr("`host`")));
  EXPECT_THAT(Decode(500, " \r\n").message, HasSubstr("empty body"));
  EXPECT_THAT(Decode(404, "Not Found\n").message, HasSubstr("not Firestore's JSON"));
}

TEST(DecodeServerError, HasAMessageEvenIfTheServerHasNone) {
  const Error error = DecodeRecorded("no message at all");
  EXPECT_THAT(error.message, AllOf(HasSubstr("HTTP status 500"), HasSubstr("UNKNOWN"),
                                   Not(HasSubstr("not Firestore's JSON"))));
}

TEST(DecodeServerError, TakesTheErrorThoughOtherElementsFollow) {
  const Error error = Decode(200, R"([{},{"error":{"message":"m"}},{"readTime":"x"}])");
  EXPECT_EQ(error.message, "m");
}

TEST(DecodeServerError, TakesWhatItCanFromABrokenBody) {
  const Error error = Decode(503, R"({"error":{"status":"ABORTED","message":"m","details":[)");
  EXPECT_EQ(error.code, Code::kAborted);
  EXPECT_EQ(error.message, "m");
  EXPECT_EQ(DecodeRecorded("truncated error").code, Code::kUnavailable);
}

TEST(DecodeServerError, SurvivesEveryTruncationOfEveryRecordedError) {
  for (const Exchange& exchange : LoadExchanges("errors")) {
    for (std::size_t size = 0; size < exchange.body.size(); ++size) {
      const Error error = Decode(503, exchange.body.substr(0, size));
      ASSERT_FALSE(error.message.empty());
      ASSERT_EQ(error.http_status, 503);
    }
  }
}

TEST(UnreadableAnswer, ExplainsASuccessThatIsNoAnswer) {
  const PaddedText body = Text("<html>Please sign in</html>");
  JsonScanner scanner(body);
  scanner.BeginArray();
  const Error error = UnreadableAnswer(200, body, scanner.failure("the documents").error());
  EXPECT_EQ(error.code, Code::kUnavailable);
  EXPECT_EQ(error.http_status, 200);
  EXPECT_THAT(error.message, AllOf(HasSubstr("HTTP status 200"), HasSubstr("web page"),
                                   HasSubstr("`host`"), Not(HasSubstr("Cannot read"))));
}

TEST(UnreadableAnswer, SaysWhatIsWrongWithJson) {
  const PaddedText body = Text(R"({"documents":1})");
  JsonScanner scanner(body);
  scanner.BeginArray();
  const Error error = UnreadableAnswer(200, body, scanner.failure("the documents").error());
  EXPECT_EQ(error.code, Code::kInternal);
  EXPECT_THAT(error.message, HasSubstr("Cannot read the documents"));
}

}  // namespace
}  // namespace shardline::server_error_test
