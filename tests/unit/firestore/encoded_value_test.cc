#include "firestore/encoded_value.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <vector>

#include "firestore/field_place.h"
#include "firestore/fields_writer.h"
#include "unit/support/status.h"
#include "unit/support/text.h"
#include "unit/support/values.h"

namespace shardline::encoded_value_test {
namespace {

using testing::HasSubstr;

FieldPath Path(std::string_view text) { return FieldPath::Parse(text).value(); }

TEST(EncodedValue, IsWhatATypedValueSays) {
  EXPECT_EQ(Amount::Integer(-7).Encode().json(), R"({"integerValue":"-7"})");
  EXPECT_EQ(Amount::Double(0.5).Encode().json(), R"({"doubleValue":0.5})");
  EXPECT_EQ(EncodedValue::OfPlain(R"("a\"b")").json(), R"({"stringValue":"a\"b"})");
  EXPECT_EQ(EncodedValue::OfPlain("-9223372036854775808").json(),
            R"({"integerValue":"-9223372036854775808"})");
  EXPECT_EQ(EncodedValue::Reference("a/\"b").json(), R"({"referenceValue":"a/\"b"})");
  EXPECT_EQ(EncodedValue::Map(FieldsWriter().Text("a", "b").Take()).json(),
            R"({"mapValue":{"fields":{"a":{"stringValue":"b"}}}})");
  EXPECT_TRUE(EncodedValue().empty());
}

TEST(EncodedValues, MakeAListOfAllOrSome) {
  EncodedValues values;
  EXPECT_EQ(values.List().json(), R"({"arrayValue":{"values":[]}})");
  EXPECT_EQ(values.Elements().json(), R"({"values":[]})");
  for (const char* json : {"1", "2", "3"}) values.Add(EncodedValue::OfPlain(json));
  EXPECT_EQ(values.size(), 3U);
  EXPECT_EQ(values.List(1, 3).json(),
            R"({"arrayValue":{"values":[{"integerValue":"2"},{"integerValue":"3"}]}})");
  EXPECT_EQ(values.List(0, 1).json(), R"({"arrayValue":{"values":[{"integerValue":"1"}]}})");
  EXPECT_FALSE(values.Read(Text("0").view(), "price"));
  EXPECT_TRUE(values.Read(Text(R"({"nullValue":null})").view(), "price"));
  EXPECT_EQ(values.size(), 4U);
  EXPECT_EQ(values.json(3), R"({"nullValue":null})");
}

TEST(EncodedValue, TakesNothingThatFirestoreCannotHold) {
  EncodedValue value;
  EXPECT_TRUE(value.Read(Text(R"({"integerValue":"1"})").view(), "price"));
  EXPECT_EQ(value.json(), R"({"integerValue":"1"})");
  for (const std::string_view wire :
       {"", "1", "{}", R"({"integerValue":"x"})", R"({"integerValue":"1","doubleValue":1})",
        R"({"stringValue":"\ud800"})", R"({"referenceValue":"nowhere"})"}) {
    const Status status = value.Read(Text(wire).view(), "price");
    ASSERT_FALSE(status) << wire;
    EXPECT_THAT(status.error().message, HasSubstr("price")) << wire;
    EXPECT_EQ(value.json(), R"({"integerValue":"1"})") << wire;
  }
}

TEST(EncodedFields, TakeNothingThatFirestoreCannotHold) {
  std::size_t size = 0;
  EncodedFields fields;
  EXPECT_TRUE(fields.Read(Text(R"({"a":{"booleanValue":true}})").view(), size));
  EXPECT_EQ(fields.json(), R"({"a":{"booleanValue":true}})");
  EXPECT_EQ(size, 3U);
  EXPECT_FALSE(fields.Read(Text(R"({"__a__":{"booleanValue":true}})").view(), size));
  EXPECT_FALSE(fields.Read(Text(R"([])").view(), size));
  EXPECT_EQ(fields.json(), R"({"a":{"booleanValue":true}})");
}

TEST(FieldsOf, PutsAValueIntoTheMapsOfItsPath) {
  const EncodedValue one = EncodedValue::OfPlain("1");
  EXPECT_EQ(FieldsOf(Path("a"), one).json(), R"({"a":{"integerValue":"1"}})");
  EXPECT_EQ(FieldsOf(Path("a.`b c`"), one).json(),
            R"({"a":{"mapValue":{"fields":{"b c":{"integerValue":"1"}}}}})");
}

TEST(FieldsOf, PutsChangesOfOneMapTogether) {
  const std::string_view one = R"({"integerValue":"1"})";
  const std::vector<FieldChange> changes = {
      {Path("a"), one}, {Path("m.n.x"), one}, {Path("m.n.y"), {}}, {Path("m.z"), one}};
  EXPECT_EQ(
      FieldsOf(changes).json(),
      R"({"a":{"integerValue":"1"},"m":{"mapValue":{"fields":{)"
      R"("n":{"mapValue":{"fields":{"x":{"integerValue":"1"}}}},"z":{"integerValue":"1"}}}}})");
  const std::vector<FieldChange> removals = {
      {Path("m.n.x"), {}}, {Path("m.z"), {}}, {Path("o"), {}}};
  EXPECT_EQ(FieldsOf(removals).json(), "{}") << "no map is there that is empty";
  EXPECT_EQ(FieldsOf(std::vector<FieldChange>()).json(), "{}");
}

TEST(FieldPlace, FindsOrInsertsAField) {
  struct Row {
    const char* fields;
    const char* path;
    const char* found;     // The value that is there;
    const char* inserted;  // or the fields with 1 put in. Neither: something is in the way.
  };
  const Row rows[] = {
      {R"({})", "a", nullptr, R"({"a":{"integerValue":"1"}})"},
      {R"({"b":{"nullValue":null}})", "a", nullptr,
       R"({"a":{"integerValue":"1"},"b":{"nullValue":null}})"},
      {R"({"a":{"nullValue":null}})", "a", R"({"nullValue":null})", nullptr},
      {R"({"\u0061":{"nullValue":null}})", "a", R"({"nullValue":null})", nullptr},
      {R"({})", "a.b", nullptr, R"({"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}}})"},
      {R"({"a":{"mapValue":{"fields":{}}}})", "a.b", nullptr,
       R"({"a":{"mapValue":{"fields":{"b":{"integerValue":"1"}}}}})"},
      {R"({"a":{"mapValue":{"fields":{"c":{"nullValue":null}}}}})", "a.b", nullptr,
       R"({"a":{"mapValue":{"fields":{"b":{"integerValue":"1"},"c":{"nullValue":null}}}}})"},
      {R"({"a":{"mapValue":{"fields":{"b":{"nullValue":null}}}}})", "a.b", R"({"nullValue":null})",
       nullptr},
      {R"({"a":{"nullValue":null}})", "a.b", nullptr, nullptr},
      {R"({"a":{"mapValue":{}}})", "a.b", nullptr, nullptr},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(std::string(row.fields) + " " + row.path);
    const PaddedText fields = Text(row.fields);
    const FieldPath path = Path(row.path);
    const FieldPlace place = FieldPlace::Find(fields.view(), path);
    EXPECT_EQ(place.is_found(), row.found != nullptr);
    EXPECT_EQ(place.is_free(), row.inserted != nullptr);
    if (row.found) EXPECT_EQ(place.value(), row.found);
    if (row.inserted) EXPECT_EQ(place.Insert(EncodedValue::OfPlain("1")).json(), row.inserted);
  }
}

TEST(FieldPlace, LooksBehindTheFirstNames) {
  const PaddedText fields = Text(R"({"b":{"nullValue":null}})");
  const FieldPath path = Path("a.b");
  EXPECT_TRUE(FieldPlace::Find(fields.view(), path, 1).is_found());
}

#ifndef NDEBUG
TEST(EncodedValueDeathTest, RequiresWhatItSays) {
  EXPECT_DEATH(EncodedValue::OfChecked(R"({"integerValue":"x"})"), "IsValue");
  EXPECT_DEATH(EncodedValue::OfPlain(R"("a")"
                                     "b"),
               "IsPlain");
  EXPECT_DEATH(EncodedValue::OfPlain("0.5"), "IsPlain");
  const std::vector<FieldChange> changes = {{Path("a"), "0"}};
  EXPECT_DEATH(FieldsOf(changes), "IsValue");
}
#endif

}  // namespace
}  // namespace shardline::encoded_value_test
