#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "base/json_scanner.h"
#include "unit/support/json_walk.h"
#include "unit/support/random_json.h"

namespace shardline::json_writer_test {
namespace {

using namespace std::literals;  // "text"s may hold zero bytes.

std::string Quoted(std::string_view text) {
  JsonWriter writer;
  return writer.String(text).Take();
}

// Writes a document through the writer, one call per node.
void Write(JsonWriter& writer, const nlohmann::json& node) {
  if (node.is_object()) {
    writer.BeginObject();
    for (const auto& [key, value] : node.items()) Write(writer.Key(key), value);
    writer.EndObject();
  } else if (node.is_array()) {
    writer.BeginArray();
    for (const auto& element : node) Write(writer, element);
    writer.EndArray();
  } else if (node.is_string()) {
    writer.String(node.get<std::string>());
  } else if (node.is_boolean()) {
    writer.Boolean(node.get<bool>());
  } else if (node.is_number_integer() && !node.is_number_unsigned()) {
    writer.Int(node.get<std::int64_t>());
  } else {
    writer.Raw(node.dump());
  }
}

TEST(JsonWriter, PutsCommasWhereTheyBelong) {
  JsonWriter writer;
  writer.BeginObject().Key("a").BeginArray().Int(1).String("x").Boolean(true).EndArray();
  writer.Key("b").BeginObject().EndObject().Key("c").BeginArray().EndArray();
  writer.Key("d").Raw("null").Key("e").Boolean(false).EndObject();
  EXPECT_EQ(writer.text(), R"({"a":[1,"x",true],"b":{},"c":[],"d":null,"e":false})");
}

TEST(JsonWriter, PutsCommasBehindStringsThatEndLikeAnOpening) {
  JsonWriter writer;
  writer.BeginArray().String("{").String("[").String(":").String("").EndArray();
  EXPECT_EQ(writer.text(), R"(["{","[",":",""])");
}

TEST(JsonWriter, PutsCommasBetweenContainers) {
  JsonWriter writer;
  writer.BeginArray().BeginObject().EndObject().BeginArray().EndArray().BeginObject().EndObject();
  EXPECT_EQ(writer.EndArray().text(), "[{},[],{}]");
}

TEST(JsonWriter, EscapesWhatItMust) {
  EXPECT_EQ(Quoted("\"\\/"), R"("\"\\/")");
  EXPECT_EQ(Quoted("\0\b\t\n\f\r\x1f\x20\x7f"sv),
            "\"\\u0000\\u0008\\u0009\\u000a\\u000c\\u000d\\u001f \x7f\"");
}

TEST(JsonWriter, EscapesKeysToo) {
  JsonWriter writer;
  EXPECT_EQ(writer.BeginObject().Key(std::string("a\"\n")).Int(1).EndObject().text(),
            R"({"a\"\u000a":1})");
}

TEST(JsonWriter, KeepsUtf8) { EXPECT_EQ(Quoted("日本😀"), "\"日本😀\""); }

TEST(JsonWriter, WritesTheWholeRangeOfIntegers) {
  JsonWriter writer;
  writer.BeginArray().Int(INT64_MIN).Int(-1).Int(0).Int(INT64_MAX).EndArray();
  EXPECT_EQ(writer.text(), "[-9223372036854775808,-1,0,9223372036854775807]");
}

TEST(JsonWriter, PassesRawStringsThrough) {
  JsonWriter writer;
  writer.BeginArray().RawString(R"(a\u00e9)").RawString("").EndArray();
  EXPECT_EQ(writer.text(), R"(["a\u00e9",""])");
}

TEST(JsonWriter, GivesAwayItsText) {
  JsonWriter writer;
  writer.BeginArray().EndArray();
  EXPECT_EQ(writer.Take(), "[]");
}

TEST(JsonWriter, IsReadBackByNlohmannAndByTheScanner) {
  RandomJson random(1);
  for (int i = 0; i < 2'000; ++i) {
    const nlohmann::json document = nlohmann::json::parse(random.Document());
    JsonWriter writer;
    Write(writer, document);
    ASSERT_EQ(nlohmann::json::parse(writer.text()), document) << writer.text();
    ASSERT_EQ(ReadStrictly(writer.text()), document) << writer.text();
  }
}

TEST(JsonWriter, IsAsCompactAsNlohmann) {
  const auto document = nlohmann::json::parse(R"({"a": [1, {"b": "c"}, [], true], "d": {}})");
  JsonWriter writer;
  Write(writer, document);
  EXPECT_EQ(writer.text(), document.dump());
}

}  // namespace
}  // namespace shardline::json_writer_test
