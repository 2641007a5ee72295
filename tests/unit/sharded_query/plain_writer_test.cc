// Documents on their way out: every kind of value, in plain JSON and in stand-ins.

#include <string>
#include <utility>

#include "unit/sharded_query/fake_collection.h"
#include "unit/sharded_query/revive.h"
#include "unit/support/random_value.h"

namespace shardline::plain_writer_test {
namespace {

using ::testing::HasSubstr;

// The page of one document with these fields, given as text, beside the one it is sorted by.
Outcome Page(const std::string& fields, const json& query = {{"limit", 5}}) {
  const std::string body =
      R"([{"document":{"name":")" + Name("instruments/a") + R"(","fields":{)" + fields +
      R"(,"shard":{"stringValue":"x"},"timestamp":{"integerValue":"1"}},)" + R"("createTime":)" +
      R"("2026-01-01T00:00:00Z","updateTime":"2026-01-01T00:00:00Z"},)" +
      R"("readTime":"2026-01-01T00:00:01Z"}])";
  return Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", query}},
             InTurn({OkText(body)}));
}

// The plain form of one value on the wire, and its stand-ins, as texts.
std::pair<std::string, std::string> Plain(const std::string& wire) {
  const Outcome page = Page("\"v\":" + wire);
  EXPECT_TRUE(page.ok()) << wire << ": " << page.message;
  if (!page.ok()) return {};
  return {page.result["docs"][0][1]["v"].dump(), page.result["shapes"][0].dump()};
}

std::string Scalar(const std::string& kind, const std::string& value) {
  return "{\"" + kind + "\":" + value + "}";
}

std::pair<std::string, std::string> Is(const std::string& plain, const std::string& shape = "[]") {
  return {plain, shape};
}

TEST(PlainWriter, WhatJsonCanSayIsSaidPlainly) {
  EXPECT_EQ(Plain(R"({"nullValue":null})"), Is("null"));
  EXPECT_EQ(Plain(R"({"nullValue":"NULL_VALUE"})"), Is("null"));
  EXPECT_EQ(Plain(R"({"booleanValue":true})"), Is("true"));
  EXPECT_EQ(Plain(R"({ "booleanValue" : false })"), Is("false"));
  EXPECT_EQ(Plain(R"({"stringValue":""})"), Is(R"("")"));
  EXPECT_EQ(Plain(R"({"stringValue":"a\"\\\/\n\u00e9é😀\ud83d\ude00\u0000"})"),
            Is(R"("a\"\\/\néé😀😀\u0000")"));
  EXPECT_EQ(Plain(R"({"integerValue":"-7"})"), Is("-7"));
  EXPECT_EQ(Plain(R"({"integerValue":7})"), Is("7"));
  EXPECT_EQ(Plain(R"({"integerValue":"9007199254740991"})"), Is("9007199254740991"));
  EXPECT_EQ(Plain(R"({"integerValue":"-9007199254740991"})"), Is("-9007199254740991"));
  EXPECT_EQ(Plain(R"({"doubleValue":0.5})"), Is("0.5"));
  EXPECT_EQ(Plain(R"({"doubleValue":-0.0})"), Is("-0.0"));
  EXPECT_EQ(Plain(R"({"doubleValue":1.5E300})"), Is("1.5e+300"));
  EXPECT_EQ(Plain(R"({"doubleValue":3})"), Is("3"));
}

TEST(PlainWriter, StandInsForTheRest) {
  EXPECT_EQ(Plain(R"({"timestampValue":"2026-01-01T00:00:00.123456Z"})"),
            Is("[1767225600,123456000]", R"([[0,"v"]])"));
  EXPECT_EQ(Plain(R"({"timestampValue":"1969-12-31T23:59:59.5Z"})"),
            Is("[-1,500000000]", R"([[0,"v"]])"));
  EXPECT_EQ(Plain(R"({"timestampValue":"0001-01-01T00:00:00Z"})"),
            Is("[-62135596800,0]", R"([[0,"v"]])"));
  EXPECT_EQ(Plain(R"({"bytesValue":"AQI="})"), Is(R"("AQI=")", R"([[1,"v"]])"));
  EXPECT_EQ(Plain(R"({"bytesValue":""})"), Is(R"("")", R"([[1,"v"]])"));
  const std::string name = "\"" + Name("c/d") + "\"";
  EXPECT_EQ(Plain(Scalar("referenceValue", name)), Is(name, R"([[2,"v"]])"));
  EXPECT_EQ(Plain(R"({"geoPointValue":{"latitude":1.5,"longitude":-2}})"),
            Is("[1.5,-2]", R"([[3,"v"]])"));
  EXPECT_EQ(Plain(R"({"geoPointValue":{"longitude":-2}})"), Is("[0,-2]", R"([[3,"v"]])"));
  EXPECT_EQ(Plain(R"({"geoPointValue":{"latitude":9}})"), Is("[9,0]", R"([[3,"v"]])"));
  EXPECT_EQ(Plain(R"({"geoPointValue":{}})"), Is("[0,0]", R"([[3,"v"]])"));
  EXPECT_EQ(Plain(R"({"integerValue":"9007199254740992"})"),
            Is(R"("9007199254740992")", R"([[5,"v"]])"));
  EXPECT_EQ(Plain(R"({"integerValue":"-9223372036854775808"})"),
            Is(R"("-9223372036854775808")", R"([[5,"v"]])"));
  for (const char* odd : {R"("NaN")", R"("Infinity")", R"("-Infinity")", R"("-0")"}) {
    EXPECT_EQ(Plain(Scalar("doubleValue", odd)), Is(odd, R"([[6,"v"]])"));
  }
}

TEST(PlainWriter, ArraysAndMaps) {
  EXPECT_EQ(Plain(R"({"arrayValue":{}})"), Is("[]"));
  EXPECT_EQ(Plain("{\"arrayValue\":{\n}}"), Is("[]"));
  EXPECT_EQ(Plain(R"({"arrayValue":{"values":[]}})"), Is("[]"));
  EXPECT_EQ(Plain(R"({"mapValue":{}})"), Is("{}"));
  EXPECT_EQ(Plain(R"({"mapValue":{"fields":{}}})"), Is("{}"));
  EXPECT_EQ(Plain(R"({"arrayValue":{"values":[{"integerValue":"1"},{"doubleValue":"NaN"},
                      {"mapValue":{"fields":{"t":{"bytesValue":""}}}}]}})"),
            Is(R"([1,"NaN",{"t":""}])", R"([[6,"v",1],[1,"v",2,"t"]])"));
  EXPECT_EQ(Plain(R"({"mapValue":{"fields":{"a.b":{"mapValue":{"fields":{"\"":
                      {"timestampValue":"1970-01-01T00:00:00Z"}}}}}}})"),
            Is(R"({"a.b":{"\"":[0,0]}})", R"([[0,"v","a.b","\""]])"));
}

TEST(PlainWriter, Vectors) {
  const std::string type = R"("__type__":{"stringValue":"__vector__"})";
  const auto values = [](const std::string& inside) {
    return R"("value":{"arrayValue":{"values":[)" + inside + "]}}";
  };
  const auto map = [](const std::string& inside) {
    return R"({"mapValue":{"fields":{)" + inside + "}}}";
  };
  const std::string numbers = R"({"doubleValue":1.5},{"doubleValue":-2})";
  EXPECT_EQ(Plain(map(type + "," + values(numbers))), Is("[1.5,-2]", R"([[4,"v"]])"));
  EXPECT_EQ(Plain(map(values(numbers) + " , " + type)), Is("[1.5,-2]", R"([[4,"v"]])"));
  const std::string infinite =
      numbers + R"(,{"doubleValue":"Infinity"},{"doubleValue":"-Infinity"})";
  EXPECT_EQ(Plain(map(type + "," + values(infinite))),
            Is(R"([1.5,-2,"Infinity","-Infinity"])", R"([[4,"v"]])"));
  EXPECT_EQ(Plain(map(values(infinite) + "," + type)),
            Is(R"([1.5,-2,"Infinity","-Infinity"])", R"([[4,"v"]])"));
  // Maps that only look like one.
  EXPECT_EQ(Plain(map(type)), Is(R"({"__type__":"__vector__"})"));
  EXPECT_EQ(Plain(map(values(numbers))), Is(R"({"value":[1.5,-2]})"));
  EXPECT_EQ(Plain(map(type + "," + values(numbers) + R"(,"x":{"nullValue":null})")),
            Is(R"({"__type__":"__vector__","value":[1.5,-2],"x":null})"));
  EXPECT_EQ(Plain(map(type + "," + values(R"({"stringValue":"1"})"))),
            Is(R"({"__type__":"__vector__","value":["1"]})"));
  EXPECT_EQ(Plain(map(R"("__type__":{"stringValue":"other"},)" + values(numbers))),
            Is(R"({"__type__":"other","value":[1.5,-2]})"));
}

TEST(PlainWriter, AnyFieldNameWillDo) {
  const Outcome page = Page(
      R"("__proto__":{"mapValue":{"fields":{"__proto__":{"bytesValue":"AQ=="}}}},)"
      R"("constructor":{"integerValue":"1"},"":{"integerValue":"2"},"a.b":{"integerValue":"3"},)"
      R"("\u00e9\n\"":{"doubleValue":"NaN"},"fields":{"mapValue":{}},"0":{"integerValue":"4"})");
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["docs"][0][1], json::parse(R"({
      "__proto__": {"__proto__": "AQ=="}, "constructor": 1, "": 2, "a.b": 3, "é\n\"": "NaN",
      "fields": {}, "0": 4, "shard": "x", "timestamp": 1})"));
  EXPECT_EQ(page.result["shapes"],
            json::parse(R"([[[1, "__proto__", "__proto__"], [6, "é\n\""]]])"));
}

TEST(PlainWriter, DocumentsOfOneShapeShareIt) {
  std::vector<Document> documents;
  for (int i = 0; i < 40; ++i) {
    const Value odd = i % 2 == 0 ? Blob("x") : Time("2026-01-01T00:00:00Z");
    documents.push_back({"d" + std::to_string(i),
                         Fields({{"shard", Str("x")}, {"timestamp", Int(i)}, {"odd", odd}})});
  }
  FakeCollection collection(documents);
  const Outcome page =
      Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 40}}}},
          collection.server());
  ASSERT_TRUE(page.ok()) << page.message;
  EXPECT_EQ(page.result["shapes"], json::parse(R"([[[1, "odd"]], [[0, "odd"]]])"));
  ReviveDocuments(page.result);
}

// Forty documents that hold anything, which the server writes in forty ways.
TEST(PlainWriter, RandomDocumentsComeBackAsTheyWere) {
  RandomValues values(7);
  for (int round = 0; round < 20; ++round) {
    std::vector<Document> documents;
    for (int i = 0; i < 40; ++i) {
      Map fields = values.Fields();
      fields.Set("shard", Str("x"));
      fields.Set("timestamp", Int(i));
      fields.Set("deep", Obj({{"deep", values.Value(2)}, {"value", values.Value(2)}}));
      documents.push_back({"d" + std::to_string(i), fields});
    }
    FakeCollection collection(documents, static_cast<std::uint64_t>(round));
    const Outcome page =
        Ask("collection.query", {{"collection", Instruments({"x"})}, {"query", {{"limit", 40}}}},
            collection.server());
    ASSERT_TRUE(page.ok()) << page.message;
    const std::vector<Document> revived = ReviveDocuments(page.result);
    ASSERT_EQ(revived.size(), 40u);
    for (std::size_t i = 0; i < 40; ++i) {
      const Map& expected = collection.documents()[i].fields;
      EXPECT_TRUE(CompareValues({revived[i].fields}, {expected}) == 0)
          << Wire(revived[i].fields) << "\nshould be\n"
          << Wire(expected);
    }
  }
}

TEST(PlainWriter, SelectionLeavesTheRestOut) {
  const std::string fields =
      R"("a":{"mapValue":{"fields":{"b":{"bytesValue":"AQ=="},"c":{"integerValue":"1"}}}},)"
      R"("d":{"mapValue":{"fields":{"e":{"integerValue":"2"}}}},"f":{"integerValue":"3"})";
  const auto selected = [&](const json& select) {
    const Outcome page = Page(fields, {{"limit", 5}, {"select", select}});
    EXPECT_TRUE(page.ok()) << page.message;
    return page.ok() ? page.result["docs"][0][1] : json();
  };
  EXPECT_EQ(selected({"a.b"}), json::parse(R"({"a": {"b": "AQ=="}})"));
  EXPECT_EQ(selected({"a.c", "f"}), json::parse(R"({"a": {"c": 1}, "f": 3})"));
  EXPECT_EQ(selected({"a.b", "a"}), json::parse(R"({"a": {"b": "AQ==", "c": 1}})"));
  EXPECT_EQ(selected({"a.x", "d.e.x", "nothing", "f.x"}), json::object());
  EXPECT_EQ(selected(json::array()), json::object());
}

TEST(PlainWriter, NamesMayBeWrittenWithEscapes) {
  EXPECT_EQ(Plain(R"({"mapValue":{"fields":{"\u0061":{"nullValue":null}}}})"), Is(R"({"a":null})"));
  EXPECT_EQ(Plain(R"({"mapValue":{"fields":{"\u005f_type__":{"stringValue":"__vector__"},)"
                  R"("v\u0061lue":{"arrayValue":{"values":[{"doubleValue":1}]}}}}})"),
            Is("[1]", R"([[4,"v"]])"));
}

TEST(PlainWriter, UnknownKindsOfValueAreRefused) {
  for (const char* bad : {"{}",
                          "7",
                          "null",
                          "\"x\"",
                          "[]",
                          R"({"newKindValue":1})",
                          R"({"string\u0056alue":"x"})",
                          R"({"integerValue":"x"})",
                          R"({"integerValue":"9223372036854775808"})",
                          R"({"integerValue":null})",
                          R"({"booleanValue":"true"})",
                          R"({"booleanValue":1})",
                          R"({"stringValue":7})",
                          R"({"nullValue":7})",
                          R"({"timestampValue":"soon"})",
                          R"({"timestampValue":7})",
                          R"({"doubleValue":true})",
                          R"({"mapValue":[]})",
                          R"({"mapValue":{"fields":[]}})",
                          R"({"arrayValue":[]})",
                          R"({"arrayValue":{"values":{}}})",
                          R"({"geoPointValue":[]})",
                          R"({"geoPointValue":{"latitude":"x"}})",
                          R"({"geoPointValue":{"latitude":90.5}})",
                          R"({"geoPointValue":{"longitude":"NaN"}})",
                          R"({"geoPointValue":{"latitude":1,"latitude":[]}})",
                          R"({"bytesValue":null})",
                          R"({"bytesValue":"?"})",
                          R"({"bytesValue":"AAAAA"})",
                          R"({"doubleValue":"seven"})",
                          R"({"doubleValue":"nan"})",
                          R"({"doubleValue":1e999})",
                          R"({"doubleValue":"1e999"})",
                          R"({"integerValue":"12345678901234567x"})",
                          R"({"stringValue":"\ud800"})",
                          R"({"arrayValue":{"values":[],"values":[]}})",
                          R"({"arrayValue":{"values":[{"nullValue":null}],"values":[]}})",
                          R"({"mapValue":{"fields":{},"fields":{}}})",
                          R"({"mapValue":{"fields":{"a":{"nullValue":null},"a":{"mapValue":{}}}}})",
                          R"({"stringValue":"a","integerValue":"1"})",
                          R"({"mapValue":{"other":1}})",
                          R"({"referenceValue":{}})"}) {
    EXPECT_FALSE(Page(std::string("\"v\":") + bad).ok()) << bad;
  }
}

TEST(PlainWriter, BytesComeInTheOneFormThatBrowsersTake) {
  for (const char* form : {"+/8=", "+/8", "-_8", "-_8=", "+\\/8="}) {
    EXPECT_EQ(Plain(Scalar("bytesValue", std::string("\"") + form + "\"")),
              Is("\"+/8=\"", R"([[1,"v"]])"))
        << form;
  }
}

// JavaScript would keep the last of two, and give it the stand-in of the first.
TEST(PlainWriter, NoObjectHasANameTwice) {
  const std::string map = R"({"mapValue":{"fields":{"__proto__":{"bytesValue":"AQ=="}}}})";
  for (const char* twice : {R"("a":{"integerValue":"1"},"a":{"stringValue":"b"})",
                            R"("a":{"bytesValue":""},"\u0061":{"nullValue":null})",
                            R"("__proto__":{"mapValue":{}},"__proto__":{"bytesValue":""})",
                            R"("b":{"nullValue":null},"shard":{"stringValue":"x"})"}) {
    EXPECT_THAT(Page(twice), FailsWith("internal", HasSubstr("a field twice"))) << twice;
  }
  EXPECT_THAT(Page("\"a\":" + map + ",\"a\":" + map),
              FailsWith("internal", HasSubstr("a field twice")));
  std::string many;
  for (int i = 0; i < 3'000; ++i) {
    many += "\"f" + std::to_string(i * 7 % 3'000) + "\":{\"nullValue\":null},";
  }
  EXPECT_TRUE(Page(many + R"("last":{"nullValue":null})").ok());
  EXPECT_FALSE(Page(many + R"("f77":{"nullValue":null})").ok());
  EXPECT_FALSE(
      Page("\"m\":{\"mapValue\":{\"fields\":{" + many + R"("f77":{"nullValue":null}}}})").ok());
}

TEST(PlainWriter, EndlessNumbersAreRefusedAtOnce) {
  const std::string digits(8'000'000, '7');
  for (const char* kind : {"integerValue", "doubleValue"}) {
    EXPECT_FALSE(Page("\"v\":" + Scalar(kind, digits)).ok());
    EXPECT_FALSE(Page("\"v\":" + Scalar(kind, "\"" + digits + "\"")).ok());
  }
}

// What is left out may be anything, but what comes is JSON.
TEST(PlainWriter, SelectedMapsAreCheckedToo) {
  for (
      const char* fields :
      {R"("a":{"mapValue":{"fields":{"b":{"nullValue":null}},"fields":{"b":{"nullValue":null}}}})",
       R"("a":{"mapValue":{"fields":{"b":{"nullValue":null}}},"mapValue":{"fields":{"b":{"nullValue":null}}}})",
       R"("a":{"newKindValue":{"fields":{"b":{"nullValue":null}}}})",
       R"("a":{"\u006dapValue":{"fields":{"b":{"nullValue":null}}}})",
       R"("a":{"mapValue":{"fields":{"b":{"nullValue":null},"b":{"bytesValue":""}}}})"}) {
    EXPECT_FALSE(Page(fields, {{"limit", 5}, {"select", {"a.b"}}}).ok()) << fields;
  }
}

TEST(PlainWriter, NestingHasAnEnd) {
  const auto nested = [](int depth) {
    std::string value = "\"v\":";
    for (int i = 0; i < depth; ++i) value += R"({"mapValue":{"fields":{"a":)";
    value += R"({"integerValue":"1"})";
    for (int i = 0; i < depth; ++i) value += "}}}";
    return value;
  };
  EXPECT_TRUE(Page(nested(20)).ok());
  EXPECT_FALSE(Page(nested(10'000)).ok());
}

}  // namespace
}  // namespace shardline::plain_writer_test
