#include "firestore/check_fields.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firestore/value_codec.h"
#include "unit/support/random_value.h"
#include "unit/support/status.h"
#include "unit/support/values.h"

namespace shardline::check_fields_test {
namespace {

using testing::AllOf;
using testing::Eq;
using testing::HasSubstr;
using testing::Not;

Result<std::size_t> Check(std::string_view json) {
  const PaddedText text = Text(json);
  JsonScanner scanner(text);
  return CheckFields(scanner);
}

Result<std::size_t> Check(const Map& fields) { return Check(Wire(fields)); }

// One field, x.
Result<std::size_t> CheckX(const Value& value) { return Check(Fields({{"x", value}})); }
Result<std::size_t> CheckX(std::string_view wire) {
  return Check(R"({"x":)" + std::string(wire) + "}");
}

// Firestore's size of one value: what a field x takes, without its name.
std::size_t SizeOf(const Value& value) {
  const Result<std::size_t> size = CheckX(value);
  EXPECT_THAT(size, IsOk()) << Wire(value);
  return size.value_or(2) - 2;
}

Value NestedMaps(int depth, Value value) {
  for (; depth > 0; --depth) value = Obj({{"a", value}});
  return value;
}

TEST(CheckFields, CountsTheSizeOfSimpleValues) {
  EXPECT_EQ(SizeOf(Null()), 1u);
  EXPECT_EQ(SizeOf(Bool(true)), 1u);
  EXPECT_EQ(SizeOf(Int(INT64_MAX)), 8u);
  EXPECT_EQ(SizeOf(Double(0.1)), 8u);
  EXPECT_EQ(SizeOf(Time("2024-01-01T00:00:00.123Z")), 8u);
  EXPECT_EQ(SizeOf(Geo(1, 2)), 16u);
}

TEST(CheckFields, CountsStringsInUtf8WithOneByteMore) {
  EXPECT_EQ(SizeOf(Str("")), 1u);
  EXPECT_EQ(SizeOf(Str("Learn")), 6u);
  EXPECT_EQ(SizeOf(Str("é😀")), 7u);
  EXPECT_THAT(CheckX(R"({"stringValue":"\u00e9\n"})"), IsOkAnd(Eq(2u + 4u)));
}

TEST(CheckFields, CountsBytesAsTheyAreStored) {
  for (std::size_t size = 0; size < 10; ++size) {
    EXPECT_EQ(SizeOf(Blob(std::string(size, 'x'))), size);
  }
  EXPECT_THAT(CheckX(R"({"bytesValue":"\/w=="})"), IsOkAnd(Eq(2u + 1u)));
}

// The documentation's example: 6 + 5 + 6 + 11 + 16.
TEST(CheckFields, CountsReferencesAsDocumentNames) {
  EXPECT_EQ(SizeOf(Ref("projects/p/databases/d/documents/users/jeff/tasks/my_task_id")), 44u);
}

TEST(CheckFields, CountsArraysAndMapsByTheirContents) {
  EXPECT_EQ(SizeOf(List({})), 0u);
  EXPECT_EQ(SizeOf(List({Int(1), Str("ab"), Null()})), 8u + 3u + 1u);
  EXPECT_EQ(SizeOf(Obj({})), 0u);
  EXPECT_EQ(SizeOf(Obj({{"ab", Int(1)}, {"é", Bool(true)}})), 3u + 8u + 3u + 1u);
}

TEST(CheckFields, CountsVectorsByTheirDimension) {
  EXPECT_EQ(SizeOf(Vec({1, 2, 3})), 24u);
  EXPECT_EQ(SizeOf(Obj({{"v", Vec({1})}})), 2u + 8u);
}

// The documentation's example: 71 bytes.
TEST(CheckFields, AddsUpFieldsWithTheirNames) {
  EXPECT_THAT(Check(Fields({{"type", Str("Personal")},
                            {"done", Bool(false)},
                            {"priority", Int(1)},
                            {"description", Str("Learn Cloud Firestore")}})),
              IsOkAnd(Eq(71u)));
}

TEST(CheckFields, TakesNoFieldsAtAll) { EXPECT_THAT(Check("{}"), IsOkAnd(Eq(0u))); }

TEST(CheckFields, StandsBehindTheObjectAfterwards) {
  const PaddedText text = Text(R"([{"x":{"integerValue":"1"}},7])");
  JsonScanner scanner(text);
  scanner.BeginArray();
  scanner.NextElement();
  EXPECT_THAT(CheckFields(scanner), IsOk());
  ASSERT_TRUE(scanner.NextElement());
  EXPECT_EQ(scanner.RawNumber(), "7");
}

TEST(CheckFields, RefusesBadFieldNames) {
  const auto name = [](const std::string& text) { return Check(Fields({{text, Null()}})); };
  EXPECT_THAT(name(""), IsRefused(HasSubstr("name is empty")));
  EXPECT_THAT(name("__a__"), IsRefused(HasSubstr("\"__a__\" is reserved")));
  EXPECT_THAT(name("__type__"), IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(name(std::string(1'501, 'a')), IsRefused(HasSubstr("1,500 bytes")));
  EXPECT_THAT(name(std::string(1'500, 'a')), IsOk());
  EXPECT_THAT(CheckX(Obj({{"a", Obj({{"", Null()}})}})), IsRefused(HasSubstr("empty")));
}

TEST(CheckFields, RefusesNamesThatAreNoUnicode) {
  EXPECT_THAT(Check(R"({"\ud800":{"nullValue":null}})"), IsRefused(HasSubstr("not valid Unicode")));
  EXPECT_THAT(Check("{\"\xFF\":{\"nullValue\":null}}"), IsRefused(HasSubstr("not valid Unicode")));
}

TEST(CheckFields, RefusesAnArrayDirectlyInsideAnArray) {
  EXPECT_THAT(CheckX(List({List({})})),
              IsRefused(HasSubstr("Field \"x\" is an array directly inside an array")));
  EXPECT_THAT(CheckX(List({Obj({{"a", List({Int(1)})}})})), IsOk());
}

TEST(CheckFields, RefusesAVectorInsideAnArray) {
  EXPECT_THAT(CheckX(List({Vec({1})})), IsRefused(HasSubstr("vector inside an array")));
  EXPECT_THAT(CheckX(List({Obj({{"v", Vec({1})}})})), IsOk());
}

TEST(CheckFields, RefusesVectorsOfImpossibleDimensions) {
  EXPECT_THAT(CheckX(Vec({})), IsRefused(HasSubstr("2,048 dimensions")));
  EXPECT_THAT(CheckX(Vec(std::vector<double>(2'048, 0.5))), IsOk());
  EXPECT_THAT(CheckX(Vec(std::vector<double>(2'049, 0.5))),
              IsRefused(HasSubstr("2,048 dimensions")));
}

TEST(CheckFields, RefusesWhatOnlyLooksLikeAVector) {
  const Value type = Str("__vector__");
  EXPECT_THAT(CheckX(Obj({{"__type__", type}, {"value", List({Int(1)})}})),
              IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(CheckX(Obj({{"__type__", type}, {"value", List({Double(1)})}, {"z", Null()}})),
              IsRefused(HasSubstr("reserved")));
  EXPECT_THAT(CheckX(Str("__type__")), IsOk());
  EXPECT_THAT(CheckX(Obj({{"a", Str("__type__")}})), IsOk());
}

TEST(CheckFields, RefusesMoreThan20Levels) {
  EXPECT_THAT(CheckX(NestedMaps(20, Int(1))), IsOk());
  EXPECT_THAT(CheckX(NestedMaps(21, Int(1))), IsRefused(HasSubstr("more than 20 levels deep")));
  EXPECT_THAT(CheckX(NestedMaps(19, List({Int(1)}))), IsOk());
  EXPECT_THAT(CheckX(NestedMaps(20, List({Int(1)}))), IsRefused(HasSubstr("20 levels")));
}

TEST(CheckFields, StopsAtTheFirstLevelTooMany) {
  std::string wire = R"({"nullValue":null})";
  for (int i = 0; i < 2'000; ++i) wire = R"({"mapValue":{"fields":{"a":)" + wire + "}}}";
  EXPECT_THAT(CheckX(wire), IsRefused(HasSubstr("20 levels")));
}

TEST(CheckFields, CountsNoLevelForAVector) {
  EXPECT_THAT(CheckX(NestedMaps(20, Vec({1}))), IsOk());
  EXPECT_THAT(CheckX(NestedMaps(21, Vec({1}))), Not(IsOk()));
}

TEST(CheckFields, NamesTheFieldThatIsTooDeep) {
  EXPECT_THAT(CheckX(NestedMaps(21, Int(1))), IsRefused(HasSubstr("Field \"x.a.a.a.a")));
}

TEST(CheckFields, RefusesValuesOutOfRangeByNameOfTheField) {
  const auto in_a_map = [](std::string_view wire) {
    return CheckX(R"({"mapValue":{"fields":{"y":)" + std::string(wire) + "}}}");
  };
  const auto names_the_field = HasSubstr("field \"x.y\"");
  EXPECT_THAT(in_a_map(R"({"integerValue":"9223372036854775808"})"),
              IsRefused(AllOf(names_the_field, HasSubstr("no integer of 64 bits"))));
  EXPECT_THAT(in_a_map(R"({"timestampValue":"10000-01-01T00:00:00Z"})"),
              IsRefused(AllOf(names_the_field, HasSubstr("years 0001 to 9999"))));
  EXPECT_THAT(in_a_map(R"({"geoPointValue":{"latitude":91,"longitude":0}})"),
              IsRefused(AllOf(names_the_field, HasSubstr("-90..90"))));
  EXPECT_THAT(in_a_map(R"({"bytesValue":"*"})"),
              IsRefused(AllOf(names_the_field, HasSubstr("base64"))));
  EXPECT_THAT(in_a_map(R"({"doubleValue":1e999})"),
              IsRefused(AllOf(names_the_field, HasSubstr("no number"))));
  EXPECT_THAT(in_a_map(R"({"stringValue":"\ud800"})"),
              IsRefused(AllOf(names_the_field, HasSubstr("Unicode"))));
}

TEST(CheckFields, RefusesReferencesToNothing) {
  EXPECT_THAT(CheckX(Ref("foo")), IsRefused(HasSubstr("Field \"x\" refers to")));
}

TEST(CheckFields, RefusesWhatIsNoValue) {
  EXPECT_THAT(CheckX("{}"),
              IsRefused(AllOf(HasSubstr("field \"x\""), HasSubstr("exactly one type"))));
  EXPECT_THAT(CheckX(R"({"nullValue":null,"integerValue":"1"})"), IsRefused(HasSubstr("one type")));
  EXPECT_THAT(CheckX(R"({"intValue":"1"})"), IsRefused(HasSubstr("unknown type")));
  EXPECT_THAT(CheckX("7"), IsRefused(HasSubstr("an object was expected")));
  EXPECT_THAT(CheckX(R"({"booleanValue":"true"})"), IsRefused(HasSubstr("true or false")));
  EXPECT_THAT(CheckX(R"({"arrayValue":{"value":[]}})"), IsRefused(HasSubstr("unknown name")));
  EXPECT_THAT(CheckX(R"({"mapValue":{"field":{}}})"), IsRefused(HasSubstr("unknown name")));
}

TEST(CheckFields, RefusesWhatIsNoObject) {
  EXPECT_THAT(Check("[]"), IsRefused(HasSubstr("Cannot read the fields: an object was expected")));
  EXPECT_THAT(Check(""), IsRefused(HasSubstr("it ends too early")));
}

TEST(CheckFields, ForgetsTheWayOnceAFieldIsDone) {
  EXPECT_THAT(Check(R"({"a":{"mapValue":{"fields":{"b":{"nullValue":null}}}},"c":{}})"),
              IsRefused(HasSubstr("field \"c\"")));
}

TEST(CheckValue, ChecksOneValueUnderAGivenName) {
  const auto check = [](std::string_view json) {
    const PaddedText text = Text(json);
    JsonScanner scanner(text);
    return CheckValue(scanner, "price");
  };
  EXPECT_THAT(check(R"({"integerValue":"1"})"), IsOkAnd(Eq(8u)));
  EXPECT_THAT(check(R"({"arrayValue":{"values":[{"arrayValue":{}}]}})"),
              IsRefused(HasSubstr("Field \"price\" is an array")));
  EXPECT_THAT(check(R"({"mapValue":{"fields":{"a":{"integerValue":"x"}}}})"),
              IsRefused(HasSubstr("field \"price.a\"")));
}

// Computed from the values instead of from their text.
std::size_t ExpectedSize(const Value& value);

std::size_t ExpectedSize(const Map& map) {
  std::size_t size = 0;
  for (const Field& field : map.fields) size += field.name.size() + 1 + ExpectedSize(field.value);
  return size;
}

std::size_t ExpectedSize(const Value& value) {
  if (value.IsNull() || value.As<bool>()) return 1;
  if (const auto* text = value.As<std::string>()) return text->size() + 1;
  if (const auto* bytes = value.As<Bytes>()) return bytes->data.size();
  if (value.As<GeoPoint>()) return 16;
  if (const auto* vector = value.As<Vector>()) return vector->elements.size() * 8;
  if (const auto* map = value.As<Map>()) return ExpectedSize(*map);
  if (const auto* reference = value.As<Reference>()) {
    const std::string path = reference->name.substr(reference->name.find("/documents/") + 11);
    return path.size() + 1 + 16;
  }
  if (const auto* array = value.As<Array>()) {
    std::size_t size = 0;
    for (const Value& element : array->elements) size += ExpectedSize(element);
    return size;
  }
  return 8;
}

TEST(CheckFields, TakesAndMeasuresRandomDocuments) {
  RandomValues random(1);
  for (int i = 0; i < 10'000; ++i) {
    const Map fields = random.Fields();
    ASSERT_THAT(Check(fields), IsOkAnd(Eq(ExpectedSize(fields)))) << Wire(fields);
  }
}

TEST(CheckFields, RefusesEveryTruncation) {
  RandomValues random(2);
  for (int i = 0; i < 200; ++i) {
    const std::string wire = Wire(random.Fields());
    for (std::size_t size = 0; size < wire.size(); ++size) {
      ASSERT_THAT(Check(wire.substr(0, size)), Not(IsOk())) << wire.substr(0, size);
    }
  }
}

}  // namespace
}  // namespace shardline::check_fields_test
