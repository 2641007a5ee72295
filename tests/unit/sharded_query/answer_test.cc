// Answers to queries as networks and servers damage them: never a crash, always a result or an
// error, and no document lost in silence.

#include <cstddef>
#include <string>
#include <vector>

#include "base/random.h"
#include "sharded_query/chunk_answer.h"
#include "unit/sharded_query/fake_collection.h"
#include "unit/support/fixtures.h"
#include "unit/support/run_size.h"
#include "unit/support/text.h"

namespace shardline::answer_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

std::string DocumentText(int number, const std::string& more = "") {
  const std::string text = std::to_string(number);
  return R"({"document":{"name":")" + Name("instruments/d" + text) +
         R"(","fields":{"timestamp":{"integerValue":")" + text +
         R"("},"shard":{"stringValue":"x"},"text":{"stringValue":"a \"quoted\" \\ ]}"})" + more +
         R"(},"createTime":"2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"},)" +
         R"("readTime":"2026-01-01T00:00:01Z"})";
}

Outcome Read(const Server& server, const json& query = {{"limit", 5}}, const json& shards = {"x"}) {
  return Ask("collection.query", {{"collection", Instruments(shards)}, {"query", query}}, server);
}

Outcome ReadText(const std::string& body) { return Read(InTurn({OkText(body)})); }

// Of many documents the text between them is compared only; each change of it must be noticed.
TEST(Answer, WhatStandsBetweenDocumentsMayChange) {
  const auto document = [](int number) {
    return R"({"document":{"name":")" + Name("instruments/d" + std::to_string(number)) +
           R"(","fields":{"timestamp":{"integerValue":")" + std::to_string(number) +
           R"("},"shard":{"stringValue":"x"}},"createTime":"2026-01-01T00:00:00Z",)" +
           R"("updateTime":"2026-01-01T00:00:00Z"})";
  };
  constexpr const char* kUsual = R"(,"readTime":"2026-01-01T00:00:01Z"},)";
  const auto read = [&](const std::string& between, const std::string& end) {
    std::string text = "[";
    for (const int number : {1, 2, 3}) text += document(number) + kUsual;
    text += document(4) + between + document(5) + kUsual + document(6) + end;
    return Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 9}}}},
               InTurn({OkText(text)}));
  };
  const std::string end = R"(,"readTime":"2026-01-01T00:00:01Z"}])";
  for (const char* fine : {kUsual, R"(},)", R"(,"readTime":"2026-01-01T00:00:02Z"},)",
                           R"(,"readTime":"2026-01-01T00:00:01Z","done":false} , )",
                           R"(},{"readTime":"2026-01-01T00:00:02Z"},)"}) {
    const Outcome page = read(fine, end);
    ASSERT_TRUE(page.ok()) << fine << page.message;
    EXPECT_EQ(page.result["docs"].size(), 6u) << fine;
    const bool later = std::string(fine).find(":02Z") != std::string::npos;
    EXPECT_EQ(page.result["readTimes"][0][0], 1767225601 + (later ? 1 : 0)) << fine;
  }
  for (const char* bad :
       {R"(,)", R"(},,)", R"(,"document":{}},)", R"(,"readTime":"soon"},)", R"(},{},)",
        R"(,"error":{"status":"ABORTED","message":"m"}},)", R"(}],)", R"(} )", ""}) {
    EXPECT_FALSE(read(bad, end).ok()) << bad;
  }
  for (const char* cut : {"", "}", R"(,"readTime":"2026-01-01T00:00:01Z"},)", "}]]", "}}",
                          R"(},{"error":{"status":"ABORTED","message":"m"}}])"}) {
    EXPECT_FALSE(read(kUsual, cut).ok()) << cut;
  }
}

TEST(Answer, CutAtAnyByteIsAnError) {
  for (const char* end : {"", R"(,{"readTime":"2026-01-01T00:00:00Z","done":true})"}) {
    const std::string whole = "[" + DocumentText(1) + ",\n" + DocumentText(2) + end + "]";
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Outcome outcome = ReadText(whole.substr(0, size));
      EXPECT_THAT(outcome.code, AnyOf("internal", "unavailable", "unknown", "data-loss"))
          << whole.substr(0, size);
      EXPECT_EQ(outcome.billed, Billed{});
    }
    EXPECT_THAT(ReadText(whole).result["docs"], SizeIs(2));
    EXPECT_THAT(ReadText(whole + " \r\n").result["docs"], SizeIs(2));
  }
}

TEST(Answer, WhatBreaksOffIsAskedForAgain) {
  const std::string whole = "[" + DocumentText(1) + "]";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const Outcome outcome = Read(InTurn({OkText(whole.substr(0, size)), OkText(whole)}));
    ASSERT_TRUE(outcome.ok()) << size << ": " << outcome.message;
    EXPECT_THAT(outcome.result["docs"], SizeIs(1));
    EXPECT_THAT(outcome.sent, SizeIs(2));
    EXPECT_EQ(outcome.billed.reads, 1);
  }
}

// In the frame: every result must still be JSON, which ApiCaller checks.
TEST(Answer, DamagedBytesDoNoHarm) {
  const std::string whole =
      "[" +
      DocumentText(1, R"(,"when":{"timestampValue":"2026-01-01T00:00:00Z"},)"
                      R"("list":{"arrayValue":{"values":[{"nullValue":null}]}})") +
      "," + DocumentText(2) + "]";
  const std::string damages("\"\\{}[],:0\x01 \0x", 13);
  // In the default run, the damages take turns.
  const std::size_t damages_of_a_byte = InRun<std::size_t>(2, damages.size());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (std::size_t i = 0; i < damages_of_a_byte; ++i) {
      std::string bad = whole;
      bad[at] = damages[(at * damages_of_a_byte + i) % damages.size()];
      ReadText(bad);
    }
  }
}

TEST(Answer, MalformedFixturesAreRefused) {
  for (const Exchange& exchange : LoadExchanges("malformed")) {
    const Outcome outcome = ReadText(exchange.body);
    EXPECT_FALSE(outcome.ok()) << exchange.name << ": " << outcome.result;
  }
}

TEST(Answer, ErrorFixturesAreErrorsInAnyForm) {
  for (const Exchange& exchange : LoadExchanges("errors")) {
    const Outcome outcome = Read(InTurn({Answer(exchange.status, exchange.body)}));
    EXPECT_FALSE(outcome.ok()) << exchange.name << ": " << outcome.result;
  }
}

TEST(Answer, HtmlIsRefusedAtOnce) {
  const Outcome outcome = ReadText("<!DOCTYPE html><title>Log in</title>");
  EXPECT_FALSE(outcome.ok());
  EXPECT_THAT(outcome.sent, SizeIs(1));
  EXPECT_THAT(outcome.message, HasSubstr("web page"));
}

TEST(Answer, AnErrorInTheMiddleIsTheServersError) {
  const std::string error =
      R"({"error":{"code":403,"message":"No more.","status":"PERMISSION_DENIED"}})";
  for (const std::string& body :
       {"[" + error + "]", error, "[" + DocumentText(1) + "," + error + "]",
        "[" + DocumentText(1) + "," + error, "[" + error + "," + DocumentText(1)}) {
    EXPECT_THAT(ReadText(body), FailsWith("permission-denied", HasSubstr("No more."))) << body;
  }
  // With something that looks like a proper end behind it, it is an error all the same.
  EXPECT_FALSE(ReadText("[" + DocumentText(1) + "," + error + "," + DocumentText(2) + "]").ok());
}

TEST(Answer, ATransientErrorInsideIsTriedAgain) {
  const std::string error = R"([{"error":{"code":503,"message":"Busy.","status":"UNAVAILABLE"}}])";
  const Outcome outcome = Read(InTurn({OkText(error), OkText("[" + DocumentText(1) + "]")}));
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_THAT(outcome.result["docs"], SizeIs(1));
}

TEST(Answer, ADocumentWithoutItsSortFieldIsRefused) {
  const std::string body =
      R"([{"document":{"name":")" + Name("instruments/a") +
      R"(","fields":{"shard":{"stringValue":"x"}},"createTime":"2026-01-01T00:00:00Z",)" +
      R"("updateTime":"2026-01-01T00:00:00Z"},"readTime":"2026-01-01T00:00:00Z"}])";
  EXPECT_FALSE(ReadText(body).ok());
}

// In the answers that were recorded, `timestamp` is what they are sorted by.
TEST(Answer, RecordedAnswersAreUnderstood) {
  for (const Exchange& exchange : LoadExchanges("run_query")) {
    if (exchange.name.find("sharded query") == std::string::npos) continue;
    const json expected = json::parse(exchange.body);
    const Outcome outcome = Read(InTurn({OkText(exchange.body)}),
                                 {{"limit", 5}, {"orders", InDirection("desc")}}, {"x", "y", "z"});
    ASSERT_TRUE(outcome.ok()) << exchange.name << ": " << outcome.message;
    std::size_t documents = 0;
    for (const json& element : expected) documents += element.contains("document") ? 1U : 0U;
    EXPECT_THAT(outcome.result["docs"], SizeIs(documents)) << exchange.name;
    EXPECT_EQ(outcome.billed.reads, static_cast<std::int64_t>(documents));
  }
}

// Only a server's own createTime is a document; not a field of that name, nor a text about it.
TEST(Answer, ReadsAreCountedByDocuments) {
  const std::string decoys =
      R"(,"createTime":{"stringValue":"\"createTime\":\"x\""},)"
      R"("m":{"mapValue":{"fields":{"createTime":{"timestampValue":"2026-01-01T00:00:00Z"}}}})";
  const Outcome outcome =
      ReadText("[" + DocumentText(1, decoys) + "," + DocumentText(2, decoys) + "]");
  ASSERT_TRUE(outcome.ok()) << outcome.message;
  EXPECT_EQ(outcome.billed.reads, 2);
  EXPECT_EQ(outcome.result["billed"]["reads"], 2);
  EXPECT_THAT(outcome.sent, SizeIs(1));
}

// Damage behind what a page needs does no harm; in front of it, it is an error.
TEST(Answer, EveryPlaceOfDamageIsToldInTheWholeAnswer) {
  const std::string whole = "[" + DocumentText(1) + "," + DocumentText(2) + "]";
  const std::size_t at = whole.rfind("\"integerValue\"");
  std::string bad = whole;
  bad[at + 1] = 'I';
  EXPECT_THAT(ReadText(bad), FailsWith("internal", HasSubstr("unknown type at position")));
}

TEST(Answer, NothingIsNoEmptyPage) {
  for (const char* body :
       {"[]", "[{}]", "[{\"\xff\xfe\":1}]", "[{\"other\":1}]", "[{\"transaction\":\"x\"}]",
        "[{\"readTime\":\"soon\"}]", "[{\"readTime\":\"2026-01-01T00:00:00Z\"},{}]"}) {
    const Outcome outcome = ReadText(body);
    EXPECT_THAT(outcome, FailsWith("internal", HasSubstr("Cannot read the answer"))) << body;
    EXPECT_THAT(outcome.sent, SizeIs(6)) << body;  // Reading again does no harm.
    // It may have been a moment's weakness.
    const Outcome again = Read(InTurn({OkText(body), OkText("[" + DocumentText(1) + "]")}));
    EXPECT_TRUE(again.ok()) << again.message;
  }
}

TEST(Answer, AByteOrderMarkIsRefused) {
  EXPECT_THAT(ReadText("\xEF\xBB\xBF[" + DocumentText(1) + "]"),
              FailsWith("internal", HasSubstr("begins with a byte order mark")));
}

TEST(Answer, ASnapshotNeedsAReadTime) {
  EXPECT_FALSE(Read(InTurn({OkText("[]")}), {{"consistentRead", true}}).ok());
}

}  // namespace
}  // namespace shardline::answer_test
