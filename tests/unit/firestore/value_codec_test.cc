#include "firestore/value_codec.h"

#include <gmock/gmock.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "base/base64.h"
#include "unit/support/fixtures.h"
#include "unit/support/random_value.h"
#include "unit/support/values.h"

namespace shardline::value_codec_test {
namespace {

using testing::HasSubstr;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What is wrong with a value in wire form; empty if nothing is.
std::string Refusal(std::string_view json) {
  const PaddedText text = Text(json);
  JsonScanner scanner(text);
  DecodeValue(scanner);
  scanner.Finish();
  return Complaint(scanner);
}

// Nested so deep: 0 is an integer alone.
std::string NestedMaps(int depth) {
  std::string start;
  std::string end;
  for (; depth > 0; --depth) {
    start += R"({"mapValue":{"fields":{"a":)";
    end += "}}}";
  }
  return start + R"({"integerValue":"1"})" + end;
}

TEST(EncodeValue, WritesEveryType) {
  EXPECT_EQ(Wire(Null()), R"({"nullValue":null})");
  EXPECT_EQ(Wire(Bool(true)), R"({"booleanValue":true})");
  EXPECT_EQ(Wire(Int(INT64_MIN)), R"({"integerValue":"-9223372036854775808"})");
  EXPECT_EQ(Wire(Double(1.5)), R"({"doubleValue":1.5})");
  EXPECT_EQ(Wire(Time("2024-01-02T03:04:05.1Z")),
            R"({"timestampValue":"2024-01-02T03:04:05.100Z"})");
  EXPECT_EQ(Wire(Str("a\"b")), R"({"stringValue":"a\"b"})");
  EXPECT_EQ(Wire(Blob(std::string("\0\xFF", 2))), R"({"bytesValue":"AP8="})");
  EXPECT_EQ(Wire(Ref("projects/p")), R"({"referenceValue":"projects/p"})");
  EXPECT_EQ(Wire(Geo(1.5, -2)), R"({"geoPointValue":{"latitude":1.5,"longitude":-2}})");
  EXPECT_EQ(Wire(List({Int(1), Null()})),
            R"({"arrayValue":{"values":[{"integerValue":"1"},{"nullValue":null}]}})");
  EXPECT_EQ(Wire(Obj({{"b", Int(1)}, {"a", Obj({})}})),
            R"({"mapValue":{"fields":{"a":{"mapValue":{}},"b":{"integerValue":"1"}}}})");
}

TEST(EncodeValue, LeavesOutWhatServersLeaveOut) {
  EXPECT_EQ(Wire(List({})), R"({"arrayValue":{}})");
  EXPECT_EQ(Wire(Obj({})), R"({"mapValue":{}})");
  EXPECT_EQ(Wire(Geo(0, -2)), R"({"geoPointValue":{"longitude":-2}})");
  EXPECT_EQ(Wire(Geo(1, 0)), R"({"geoPointValue":{"latitude":1}})");
  EXPECT_EQ(Wire(Geo(0, 0)), R"({"geoPointValue":{}})");
  EXPECT_THAT(FromWire(R"({"geoPointValue":{}})"), IsValue(Geo(0, 0)));
  EXPECT_THAT(FromWire(R"({"arrayValue":{}})"), IsValue(List({})));
}

TEST(EncodeValue, WritesAVectorAsTheMapThatItIsOnTheWire) {
  EXPECT_EQ(Wire(Vec({1, -0.5})),
            R"({"mapValue":{"fields":{"__type__":{"stringValue":"__vector__"},)"
            R"("value":{"arrayValue":{"values":[{"doubleValue":1},{"doubleValue":-0.5}]}}}}})");
}

TEST(EncodeValue, WritesWhatJsonHasNoNumbersForAsStrings) {
  EXPECT_EQ(Wire(Double(std::nan(""))), R"({"doubleValue":"NaN"})");
  EXPECT_EQ(Wire(Double(kInfinity)), R"({"doubleValue":"Infinity"})");
  EXPECT_EQ(Wire(Double(-kInfinity)), R"({"doubleValue":"-Infinity"})");
  EXPECT_EQ(Wire(Double(-0.0)), R"({"doubleValue":-0})");
}

TEST(EncodeFields, WritesAnObjectOfValues) {
  EXPECT_EQ(Wire(Fields({{"b", Int(1)}, {"a\n", Null()}})),
            R"({"a\u000a":{"nullValue":null},"b":{"integerValue":"1"}})");
}

TEST(DecodeValue, ReadsEveryType) {
  EXPECT_THAT(FromWire(R"({"nullValue":null})"), IsValue(Null()));
  EXPECT_THAT(FromWire(R"({"booleanValue":false})"), IsValue(Bool(false)));
  EXPECT_THAT(FromWire(R"({"integerValue":"-7"})"), IsValue(Int(-7)));
  EXPECT_THAT(FromWire(R"({"doubleValue":0.1})"), IsValue(Double(0.1)));
  EXPECT_THAT(FromWire(R"({"timestampValue":"2024-01-02T03:04:05Z"})"),
              IsValue(Time("2024-01-02T03:04:05Z")));
  EXPECT_THAT(FromWire(R"({"stringValue":"\u00e9\n"})"), IsValue(Str("é\n")));
  EXPECT_THAT(FromWire(R"({"bytesValue":"AP8="})"), IsValue(Blob(std::string("\0\xFF", 2))));
  EXPECT_THAT(FromWire(R"({"referenceValue":"projects\/p"})"), IsValue(Ref("projects/p")));
  EXPECT_THAT(FromWire(R"({"geoPointValue":{"longitude":3,"latitude":-4.5}})"),
              IsValue(Geo(-4.5, 3)));
  EXPECT_THAT(FromWire(R"( { "arrayValue" : { "values" : [ { "integerValue" : "1" } ] } } )"),
              IsValue(List({Int(1)})));
  EXPECT_THAT(
      FromWire(R"({"mapValue":{"fields":{"b":{"integerValue":"1"},"a":{"nullValue":null}}}})"),
      IsValue(Obj({{"a", Null()}, {"b", Int(1)}})));
}

TEST(DecodeValue, FillsInWhatServersLeaveOut) {
  EXPECT_THAT(FromWire(R"({"geoPointValue":{}})"), IsValue(Geo(0, 0)));
  EXPECT_THAT(FromWire(R"({"geoPointValue":{"longitude":1}})"), IsValue(Geo(0, 1)));
  EXPECT_THAT(FromWire(R"({"arrayValue":{}})"), IsValue(List({})));
  EXPECT_THAT(FromWire(R"({"mapValue":{}})"), IsValue(Obj({})));
}

TEST(DecodeValue, TakesIntegersInEveryNotation) {
  EXPECT_THAT(FromWire(R"({"integerValue":123})"), IsValue(Int(123)));
  EXPECT_THAT(FromWire(R"({"integerValue":1e3})"), IsValue(Int(1000)));
  EXPECT_THAT(FromWire(R"({"integerValue":"5.0"})"), IsValue(Int(5)));
  EXPECT_THAT(FromWire(R"({"integerValue":"9223372036854775807"})"), IsValue(Int(INT64_MAX)));
  EXPECT_THAT(FromWire(R"({"integerValue":9007199254740993})"), IsValue(Int(9007199254740993)));
}

TEST(DecodeValue, RefusesIntegersThatAreNone) {
  for (const std::string_view json :
       {R"({"integerValue":"9223372036854775808"})", R"({"integerValue":"-9223372036854775809"})",
        R"({"integerValue":9223372036854775808})", R"({"integerValue":1.5})",
        R"({"integerValue":"1.5"})", R"({"integerValue":""})", R"({"integerValue":" 1"})",
        R"({"integerValue":"x"})", R"({"integerValue":true})", R"({"integerValue":1e300})",
        R"({"integerValue":1e999})", R"({"integerValue":"NaN"})"}) {
    EXPECT_NE(Refusal(json), "") << json;
  }
  EXPECT_THAT(Refusal(R"({"integerValue":1.5})"), HasSubstr("no integer of 64 bits"));
}

TEST(DecodeValue, TakesDoublesInEveryNotation) {
  EXPECT_THAT(FromWire(R"({"doubleValue":3})"), IsValue(Double(3)));
  EXPECT_THAT(FromWire(R"({"doubleValue":-0.0})"), IsValue(Double(-0.0)));
  EXPECT_THAT(FromWire(R"({"doubleValue":4.9E-324})"), IsValue(Double(5e-324)));
  EXPECT_THAT(FromWire(R"({"doubleValue":1.7976931348623157E308})"), IsValue(Double(DBL_MAX)));
  EXPECT_THAT(FromWire(R"({"doubleValue":"1.5"})"), IsValue(Double(1.5)));
  EXPECT_THAT(FromWire(R"({"doubleValue":"NaN"})"), IsValue(Double(std::nan(""))));
  EXPECT_THAT(FromWire(R"({"doubleValue":"Infinity"})"), IsValue(Double(kInfinity)));
  EXPECT_THAT(FromWire(R"({"doubleValue":"-Infinity"})"), IsValue(Double(-kInfinity)));
}

TEST(DecodeValue, RefusesDoublesThatAreNone) {
  for (const std::string_view json :
       {R"({"doubleValue":NaN})", R"({"doubleValue":Infinity})", R"({"doubleValue":"nan"})",
        R"({"doubleValue":""})", R"({"doubleValue":null})", R"({"doubleValue":1e999})",
        R"({"doubleValue":"+Infinity"})", R"({"doubleValue":"1e999"})", R"({"doubleValue":[1]})"}) {
    EXPECT_NE(Refusal(json), "") << json;
  }
}

TEST(DecodeValue, RefusesOtherMalformedValues) {
  for (const std::string_view json : {R"({"booleanValue":"true"})",
                                      R"({"booleanValue":1})",
                                      R"({"nullValue":0})",
                                      R"({"nullValue":{}})",
                                      R"({"nullValue":"null"})",
                                      R"({"stringValue":1})",
                                      R"({"stringValue":"\ud800"})",
                                      R"({"bytesValue":"*"})",
                                      R"({"bytesValue":"A"})",
                                      R"({"timestampValue":"2024-01-02"})",
                                      R"({"timestampValue":0})",
                                      R"({"referenceValue":null})",
                                      R"({"geoPointValue":{"latitude":90.1}})",
                                      R"({"geoPointValue":{"longitude":-180.5}})",
                                      R"({"geoPointValue":{"latitude":"NaN"}})",
                                      R"({"geoPointValue":[1,2]})",
                                      R"({"arrayValue":[]})",
                                      R"({"arrayValue":{"values":{}}})",
                                      R"({"arrayValue":{"values":[1]}})",
                                      R"({"mapValue":{"fields":[]}})",
                                      R"({"mapValue":{"fields":{"a":1}}})",
                                      R"({"mapValue":{"fields":{"\udc00":{"nullValue":null}}}})"}) {
    EXPECT_NE(Refusal(json), "") << json;
  }
}

TEST(DecodeValue, TakesTheNullEnumsName) {
  EXPECT_THAT(FromWire(R"({"nullValue":"NULL_VALUE"})"), IsValue(Null()));
}

TEST(DecodeValue, WantsExactlyOneType) {
  EXPECT_THAT(Refusal("{}"), HasSubstr("exactly one type"));
  EXPECT_THAT(Refusal(R"({"integerValue":"1","stringValue":"a"})"), HasSubstr("exactly one type"));
}

TEST(DecodeValue, RefusesUnknownTypes) {
  EXPECT_THAT(Refusal(R"({"integerValues":"1"})"), HasSubstr("unknown type"));
  EXPECT_THAT(Refusal(R"({"":"1"})"), HasSubstr("unknown type"));
}

TEST(DecodeValue, RefusesWhatIsNoObject) {
  for (const std::string_view json : {"null", "1", "\"a\"", "[]", ""}) EXPECT_NE(Refusal(json), "");
}

TEST(DecodeValue, BoundsTheNesting) {
  EXPECT_EQ(Refusal(NestedMaps(kMaxNesting)), "");
  EXPECT_THAT(Refusal(NestedMaps(kMaxNesting + 1)), HasSubstr("too deeply"));
  EXPECT_THAT(Refusal(NestedMaps(10'000)), HasSubstr("too deeply"));
}

TEST(DecodeValue, RefusesEqualFieldNames) {
  EXPECT_THAT(
      Refusal(R"({"mapValue":{"fields":{"a":{"integerValue":1},"\u0061":{"integerValue":2}}}})"),
      HasSubstr("a field twice"));
}

TEST(DecodeValue, SortsFieldsInAnyOrder) {
  std::string fields;
  for (int i = 20'000; i > 0; --i) {
    fields += "\"f" + std::to_string(i) + "\":{\"nullValue\":null}" + (i > 1 ? "," : "");
  }
  const Value value = FromWire("{\"mapValue\":{\"fields\":{" + fields + "}}}");
  ASSERT_NE(value.As<Map>(), nullptr);
  EXPECT_EQ(value.As<Map>()->fields.size(), 20'000u);
  EXPECT_NE(value.As<Map>()->Find("f77"), nullptr);
}

TEST(DecodeValue, MakesVectorsOfTheirMaps) {
  EXPECT_NE(FromWire(Wire(Vec({1, 2}))).As<Vector>(), nullptr);
  // In any order.
  EXPECT_THAT(FromWire(R"({"mapValue":{"fields":{
                "value":{"arrayValue":{"values":[{"doubleValue":3}]}},
                "__type__":{"stringValue":"__vector__"}}}})"),
              IsValue(Vec({3})));
}

TEST(DecodeValue, LeavesMapsAloneThatAreNoVectors) {
  const Value type = Str("__vector__");
  const Value value = List({Double(1)});
  for (const Value& map : {Obj({{"__type__", type}}), Obj({{"value", value}}),
                           Obj({{"__type__", Str("vector")}, {"value", value}}),
                           Obj({{"__type__", Int(1)}, {"value", value}}),
                           Obj({{"__type__", type}, {"value", Double(1)}}),
                           Obj({{"__type__", type}, {"value", List({Str("a")})}}),
                           Obj({{"__type__", type}, {"value", List({Int(1)})}}),
                           Obj({{"__type__", type}, {"value", value}, {"z", Null()}})}) {
    EXPECT_NE(FromWire(Wire(map)).As<Map>(), nullptr) << Wire(map);
    EXPECT_THAT(FromWire(Wire(map)), IsValue(map));
  }
}

TEST(DecodeFields, ReadsADocumentsFields) {
  const PaddedText text = Text(R"({"b":{"integerValue":"1"},"\u00e9":{"nullValue":null}})");
  JsonScanner scanner(text);
  EXPECT_EQ(Wire(DecodeFields(scanner)), Wire(Fields({{"b", Int(1)}, {"é", Null()}})));
  EXPECT_TRUE(scanner.Finish());
}

TEST(DecodeValueOf, ReadsWhatStandsBehindAKey) {
  const PaddedText text = Text(R"(["7",{"latitude":1},{"fields":{}}])");
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_THAT(DecodeValueOf(WireKind::kInteger, scanner), IsValue(Int(7)));
  scanner.NextElement();
  EXPECT_THAT(DecodeValueOf(WireKind::kGeoPoint, scanner), IsValue(Geo(1, 0)));
  scanner.NextElement();
  EXPECT_THAT(DecodeValueOf(WireKind::kMap, scanner), IsValue(Obj({})));
  EXPECT_FALSE(scanner.NextElement());
  EXPECT_TRUE(scanner.Finish());
}

TEST(WireKindOf, KnowsEveryKey) {
  EXPECT_EQ(WireKindOf("nullValue"), WireKind::kNull);
  EXPECT_EQ(WireKindOf("booleanValue"), WireKind::kBoolean);
  EXPECT_EQ(WireKindOf("integerValue"), WireKind::kInteger);
  EXPECT_EQ(WireKindOf("doubleValue"), WireKind::kDouble);
  EXPECT_EQ(WireKindOf("timestampValue"), WireKind::kTimestamp);
  EXPECT_EQ(WireKindOf("stringValue"), WireKind::kString);
  EXPECT_EQ(WireKindOf("bytesValue"), WireKind::kBytes);
  EXPECT_EQ(WireKindOf("referenceValue"), WireKind::kReference);
  EXPECT_EQ(WireKindOf("geoPointValue"), WireKind::kGeoPoint);
  EXPECT_EQ(WireKindOf("arrayValue"), WireKind::kArray);
  EXPECT_EQ(WireKindOf("mapValue"), WireKind::kMap);
}

TEST(WireKindOf, TakesNothingElse) {
  for (const std::string_view key : {"", "value", "NullValue", "nullValue ", "integerValu"}) {
    EXPECT_EQ(WireKindOf(key), WireKind::kUnknown) << key;
  }
}

TEST(ValueCodec, ReadsBackWhatItWrites) {
  RandomValues random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Value value = random.Value();
    const std::string wire = Wire(value);
    ASSERT_THAT(FromWire(wire), IsValue(value));
  }
}

// Other white space, other escapes.
TEST(ValueCodec, ReadsBackWhatNlohmannMakesOfIt) {
  RandomValues random(2);
  for (int i = 0; i < 3'000; ++i) {
    const Value value = random.Value();
    const std::string wire = Wire(value);
    if (wire.find(":-0}") != std::string::npos) continue;  // It would take it for the integer 0.
    const auto json = nlohmann::json::parse(wire);
    ASSERT_THAT(FromWire(json.dump(2)), IsValue(value));
    ASSERT_THAT(FromWire(json.dump(-1, ' ', true)), IsValue(value));
  }
}

TEST(ValueCodec, RefusesEveryTruncation) {
  RandomValues random(3);
  for (int i = 0; i < 200; ++i) {
    const std::string wire = Wire(random.Value());
    for (std::size_t size = 0; size < wire.size(); ++size) {
      ASSERT_NE(Refusal(wire.substr(0, size)), "") << wire.substr(0, size);
    }
  }
}

// Facts recorded from Google's emulator: what it made of values that were written in odd notations.
TEST(ValueCodec, ReadsEveryTypeOfARecordedDocument) {
  const auto answer = nlohmann::json::parse(LoadExchange("batch_get", "every type").body);
  const auto& fields = answer.at(0).at("found").at("fields");
  const auto read = [&](const char* name) { return FromWire(fields.at(name).dump()); };
  EXPECT_THAT(read("lowest"), IsValue(Int(INT64_MIN)));
  EXPECT_THAT(read("large"), IsValue(Int(9007199254740993)));
  EXPECT_THAT(read("tiny"), IsValue(Double(5e-324)));
  EXPECT_THAT(read("huge"), IsValue(Double(DBL_MAX)));
  EXPECT_THAT(read("minusInfinity"), IsValue(Double(-kInfinity)));
  EXPECT_THAT(read("lastMicro"), IsValue(Time("9999-12-31T23:59:59.999999Z")));
  EXPECT_THAT(read("geoZero"), IsValue(Geo(0, 0)));
  EXPECT_THAT(read("geoHalf"), IsValue(Geo(0, 1)));
  EXPECT_THAT(read("emptyArray"), IsValue(List({})));
  EXPECT_THAT(read("emptyMap"), IsValue(Obj({})));
  EXPECT_THAT(read("vector"), IsValue(Vec({1, -0.5, 2.25})));
}

}  // namespace
}  // namespace shardline::value_codec_test
