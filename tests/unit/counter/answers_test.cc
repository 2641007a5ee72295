#include "counter/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "unit/support/operation_driver.h"
#include "unit/support/status.h"

namespace shardline::answers_test {
namespace {

using ::testing::HasSubstr;

Result<CountedDocument> Read(const std::string& fields, const char* field,
                             const std::string& id = "0") {
  const std::string body = R"([{"document":{"name":"c/)" + id +
                           R"(","updateTime":"2026-01-01T00:00:00Z","fields":)" + fields +
                           R"(},"readTime":"2026-01-01T00:00:00Z"}])";
  CountedDocuments counts;
  SHARDLINE_CHECK(
      DecodeCounts(PaddedText(body), *FieldPath::Parse(field), counts, StreamedAnswer::kDocuments));
  return std::move(counts.documents.at(0));
}

// A whole document, and what is the counter's in it.
TEST(DecodeCounts, WhatElseStandsInADocument) {
  const std::string n = R"({"integerValue":"1"})";
  const std::string text = R"({"stringValue":"x"})";
  const auto map = [](const std::string& inside) {
    return R"({"mapValue":{"fields":)" + inside + "}}";
  };
  struct Row {
    const char* field;
    std::string fields;
    bool has_field;
    std::size_t own_names;
    bool counts_for_others;
  };
  const Row rows[] = {
      {"a", R"({"a":)" + n + "}", true, 0, false},
      {"a", R"({"a":)" + text + "}", true, 0, false},
      {"a", R"({"a":)" + n + R"(,"b":)" + text + "}", true, 1, false},
      {"a", R"({"b":)" + n + R"(,"a":)" + n + "}", true, 1, true},
      {"a", R"({"b":)" + map(R"({"c":)" + n + "}") + "}", false, 1, true},
      {"a", R"({"b":{"doubleValue":0.5},"a":)" + n + "}", true, 1, true},
      {"a", "{}", false, 0, false},
      {"a.b", R"({"a":)" + map(R"({"b":)" + n + "}") + "}", true, 0, false},
      {"a.b", R"({"a":)" + map(R"({"b":)" + n + "}") + R"(,"c":)" + text + "}", true, 1, false},
      {"a.b", R"({"a":)" + map(R"({"b":)" + n + R"(,"c":)" + n + "}") + "}", true, 2, true},
      {"a.b", R"({"a":)" + map(R"({"c":)" + text + R"(,"b":)" + n + "}") + R"(,"d":)" + n + "}",
       true, 2, true},
      {"a.b.c",
       R"({"a":)" + map(R"({"b":)" + map(R"({"c":)" + n + "}") + R"(,"d":)" + n + "}") + "}", true,
       2, true},
      // What is no map stands where the field's map would.
      {"a.b", R"({"a":)" + text + "}", false, 1, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.fields);
    const Result<CountedDocument> document = Read(row.fields, row.field);
    ASSERT_THAT(document, IsOk());
    EXPECT_EQ(document->has_field, row.has_field);
    EXPECT_EQ(document->own_names, row.own_names);
    EXPECT_EQ(document->counts_for_others, row.counts_for_others);
  }
}

TEST(DecodeCounts, RefusesAFieldThatStandsTwice) {
  EXPECT_FALSE(Read(R"({"a":{"integerValue":"1"},"a":{"integerValue":"2"}})", "a"));
  EXPECT_FALSE(Read(R"({"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}},)"
                    R"("a":{"mapValue":{"fields":{"b":{"integerValue":"2"}}}}})",
                    "a.b"));
}

TEST(DecodeCount, TakesTheDocumentThatWasAskedForAlone) {
  const std::string body =
      R"([{"missing":"projects/p/databases/d/documents/c/1","readTime":"2026-01-01T00:00:00Z"}])";
  CountedDocument document;
  const FieldPath field = *FieldPath::Parse("a");
  const auto read = [&](const char* name) {
    return DecodeCount(PaddedText(body), name, field, document);
  };
  EXPECT_THAT(read("projects/p/databases/d/documents/c/1"), IsOk());
  EXPECT_THAT(read("projects/p/databases/d/documents/c/2"), IsRefused(HasSubstr("asked for")));
  EXPECT_THAT(read("projects/q/databases/d/documents/c/1"), IsRefused(HasSubstr("asked for")));
}

}  // namespace
}  // namespace shardline::answers_test
