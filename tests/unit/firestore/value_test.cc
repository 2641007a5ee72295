#include "firestore/value.h"

#include <gmock/gmock.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"
#include "unit/support/fixtures.h"
#include "unit/support/random_value.h"
#include "unit/support/values.h"

namespace shardline::value_test {
namespace {

using std::weak_ordering;
using testing::ElementsAre;
using testing::Field;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

weak_ordering Reversed(weak_ordering order) { return 0 <=> order; }

// Each one is smaller than all that follow it.
void ExpectAscending(const std::vector<Value>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      EXPECT_EQ(CompareValues(values[i], values[j]), i <=> j)
          << Wire(values[i]) << " and " << Wire(values[j]);
    }
  }
}

TEST(CompareValues, SortsByTypeFirst) {
  ExpectAscending({Null(), Bool(true), Int(INT64_MAX), Time("0001-01-01T00:00:00Z"), Str(""),
                   Blob(""), Ref("projects/p/databases/d/documents/a/b"), Geo(-90, -180), List({}),
                   Vec({1}), Obj({})});
}

TEST(CompareValues, SortsWithinSimpleTypes) {
  ExpectAscending({Bool(false), Bool(true)});
  ExpectAscending({Time("1969-12-31T23:59:59.999999Z"), Time("1970-01-01T00:00:00Z")});
  ExpectAscending({Geo(-1, 5), Geo(0, -5), Geo(0, 5), Geo(0.5, -180)});
  ExpectAscending({Blob(""), Blob(std::string(1, '\0')), Blob("\x7F"), Blob("\x80"), Blob("\xFF"),
                   Blob("\xFF\x01")});
}

TEST(CompareValues, MixesIntegersAndDoubles) {
  ExpectAscending({Double(kNan), Double(-kInfinity), Double(-1e300), Int(INT64_MIN), Double(-2.5),
                   Int(-2), Double(-0.5), Int(0), Double(5e-324), Double(0.5), Int(1), Double(1.5),
                   Int(INT64_MAX), Double(0x1p63), Double(kInfinity)});
}

TEST(CompareValues, TakesEqualNumbersForEqual) {
  EXPECT_EQ(CompareValues(Int(1), Double(1)), weak_ordering::equivalent);
  EXPECT_EQ(CompareValues(Int(0), Double(-0.0)), weak_ordering::equivalent);
  EXPECT_EQ(CompareValues(Double(0.0), Double(-0.0)), weak_ordering::equivalent);
  EXPECT_EQ(CompareValues(Double(kNan), Double(-kNan)), weak_ordering::equivalent);
  EXPECT_EQ(CompareValues(Int(INT64_MIN), Double(-0x1p63)), weak_ordering::equivalent);
}

TEST(CompareValues, SortsStringsByUtf8BytesNotByUtf16Units) {
  // In UTF-16 the emoji begins with the smaller unit, 0xD83D.
  ExpectAscending({Str(""), Str("A"), Str("Z"), Str("a"), Str("aa"), Str("b"), Str("é"),
                   Str("\uFFFD"), Str("\uFFFF"), Str("😀")});
}

TEST(CompareValues, SortsArraysElementByElementThenByLength) {
  ExpectAscending({List({}), List({Null()}), List({Int(1)}), List({Int(1), Null()}),
                   List({Int(1), Int(2)}), List({Int(2)}), List({Str("a")}), List({List({})})});
}

TEST(CompareValues, SortsVectorsByDimensionThenByElement) {
  ExpectAscending({Vec({2}), Vec({100}), Vec({-1, 5}), Vec({1, -5}), Vec({0, 0, 0})});
}

TEST(CompareValues, SortsMapsByNameThenValueThenLength) {
  ExpectAscending({Obj({}), Obj({{"a", Null()}}), Obj({{"a", Int(1)}}),
                   Obj({{"a", Int(1)}, {"b", Null()}}), Obj({{"a", Int(1)}, {"c", Null()}}),
                   Obj({{"a", Int(2)}}), Obj({{"aa", Null()}}), Obj({{"b", Null()}}),
                   Obj({{"\uFFFD", Null()}}), Obj({{"😀", Null()}})});
}

TEST(CompareValues, ComparesIntegersExactly) {
  ExpectAscending({Int((std::int64_t{1} << 53) - 1), Int(std::int64_t{1} << 53),
                   Int((std::int64_t{1} << 53) + 1), Int((std::int64_t{1} << 53) + 2)});
  ExpectAscending({Int(INT64_MAX - 1), Int(INT64_MAX), Double(0x1p63)});
}

// x87's long double holds every int64 and every double exactly.
TEST(CompareNumbers, AgreesWithLongDouble) {
  Random random(1);
  const auto sign = [](std::partial_ordering order) { return order < 0 ? -1 : order > 0 ? 1 : 0; };
  for (int i = 0; i < 200'000; ++i) {
    const auto integer = static_cast<std::int64_t>(random.Next()) >> random.Below(64);
    // Doubles near the integer, at it, and anywhere.
    double number = static_cast<double>(integer);
    if (random.Below(3) == 0) number = std::nextafter(number, random.Below(2) == 0 ? -1e30 : 1e30);
    if (random.Below(4) == 0) number += 0.5;
    if (random.Below(8) == 0)
      number = std::ldexp(random.Fraction() - 0.5, static_cast<int>(random.Below(70)));
    const long double exact_integer = static_cast<long double>(integer);
    const long double exact_number = static_cast<long double>(number);
    ASSERT_EQ(sign(CompareNumbers(integer, number)), sign(exact_integer <=> exact_number))
        << integer << ' ' << number;
  }
}

TEST(CompareNumbers, IsExactAroundTwoToThe53) {
  constexpr std::int64_t kTwo53 = std::int64_t{1} << 53;
  EXPECT_EQ(CompareNumbers(kTwo53 - 1, 0x1p53), weak_ordering::less);
  EXPECT_EQ(CompareNumbers(kTwo53, 0x1p53), weak_ordering::equivalent);
  EXPECT_EQ(CompareNumbers(kTwo53 + 1, 0x1p53), weak_ordering::greater);
  EXPECT_EQ(CompareNumbers(kTwo53 + 1, 0x1p53 + 2), weak_ordering::less);
  EXPECT_EQ(CompareNumbers(-kTwo53 - 1, -0x1p53), weak_ordering::less);
}

TEST(CompareNumbers, IsExactAtTheEndsOfInt64) {
  EXPECT_EQ(CompareNumbers(INT64_MAX, 0x1p63), weak_ordering::less);
  EXPECT_EQ(CompareNumbers(INT64_MAX, std::nextafter(0x1p63, 0)), weak_ordering::greater);
  EXPECT_EQ(CompareNumbers(INT64_MIN, -0x1p63), weak_ordering::equivalent);
  EXPECT_EQ(CompareNumbers(INT64_MIN + 1, -0x1p63), weak_ordering::greater);
  EXPECT_EQ(CompareNumbers(INT64_MIN, std::nextafter(-0x1p63, -1e30)), weak_ordering::greater);
}

TEST(CompareNumbers, PutsNanFirstAndInfinitiesAtTheEnds) {
  EXPECT_EQ(CompareNumbers(INT64_MIN, kNan), weak_ordering::greater);
  EXPECT_EQ(CompareNumbers(INT64_MIN, -kInfinity), weak_ordering::greater);
  EXPECT_EQ(CompareNumbers(INT64_MAX, kInfinity), weak_ordering::less);
  EXPECT_EQ(CompareNumbers(INT64_MAX, DBL_MAX), weak_ordering::less);
}

TEST(CompareDoubles, PutsNanFirst) {
  EXPECT_EQ(CompareDoubles(kNan, -kInfinity), weak_ordering::less);
  EXPECT_EQ(CompareDoubles(-kInfinity, kNan), weak_ordering::greater);
  EXPECT_EQ(CompareDoubles(kNan, kNan), weak_ordering::equivalent);
  EXPECT_EQ(CompareDoubles(-0.0, 0.0), weak_ordering::equivalent);
}

TEST(CompareValues, IsAntisymmetricAndReflexiveOnRandomValues) {
  RandomValues random(2);
  for (int i = 0; i < 20'000; ++i) {
    const Value a = random.Value();
    const Value b = random.Value();
    ASSERT_EQ(CompareValues(a, b), Reversed(CompareValues(b, a))) << Wire(a) << ' ' << Wire(b);
    ASSERT_EQ(CompareValues(a, a), weak_ordering::equivalent) << Wire(a);
  }
}

TEST(CompareValues, IsTransitiveOnRandomValues) {
  RandomValues random(3);
  for (int i = 0; i < 40'000; ++i) {
    const Value a = random.Value();
    const Value b = random.Value();
    const Value c = random.Value();
    const weak_ordering ab = CompareValues(a, b);
    const weak_ordering bc = CompareValues(b, c);
    const weak_ordering ac = CompareValues(a, c);
    const std::string all = Wire(a) + ' ' + Wire(b) + ' ' + Wire(c);
    if (ab == bc) {
      ASSERT_EQ(ac, ab) << all;
    }
    if (ab == 0) {
      ASSERT_EQ(ac, bc) << all;
    }
  }
}

// tests/fixtures/value_order.json: recorded from Google's emulator.
TEST(CompareValues, IsTheServersOrder) {
  struct Placed {
    std::size_t line;
    Value value;
  };
  std::vector<Placed> all;
  const nlohmann::json lines = LoadFixture("value_order").at("values");
  for (std::size_t line = 0; line < lines.size(); ++line) {
    for (const auto& value : lines[line]) all.push_back({line, FromWire(value.dump())});
  }
  ASSERT_GT(all.size(), 150u);
  for (const Placed& a : all) {
    for (const Placed& b : all) {
      ASSERT_EQ(CompareValues(a.value, b.value), a.line <=> b.line)
          << Wire(a.value) << " and " << Wire(b.value);
    }
  }
}

TEST(CompareNames, IsTheServersOrder) {
  const nlohmann::json paths = LoadFixture("value_order").at("paths");
  ASSERT_GT(paths.size(), 20u);
  const std::string root = "projects/demo/databases/(default)/documents/";
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (std::size_t j = 0; j < paths.size(); ++j) {
      const std::string a = paths[i];
      const std::string b = paths[j];
      ASSERT_EQ(CompareNames(a, b), i <=> j) << a << ' ' << b;
      ASSERT_EQ(CompareNames(root + a, root + b), i <=> j) << a << ' ' << b;
    }
  }
}

TEST(CompareNames, PutsNumericIdsFirstAndByNumber) {
  const std::vector<std::string> names = {
      "__id-9223372036854775808__", "__id-3__", "__id7__", "__id10__", "__id9223372036854775807__",
      // These are no numbers.
      "-", "__id7_", "__id99999999999999999999__", "__id__", "__ida__", "a"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      EXPECT_EQ(CompareNames(names[i], names[j]), i <=> j) << names[i] << ' ' << names[j];
    }
  }
}

TEST(CompareNames, ComparesSegmentsNotWholeTexts) {
  // As one text "a-b/x" would come first, as '-' is smaller than '/'.
  EXPECT_EQ(CompareNames("a/x", "a-b/x"), weak_ordering::less);
  EXPECT_EQ(CompareNames("a/b", "a/b/c/d"), weak_ordering::less);
  EXPECT_EQ(CompareNames("", "a"), weak_ordering::less);
  EXPECT_EQ(CompareNames("a/b", "a/b"), weak_ordering::equivalent);
}

TEST(Map, KeepsItsFieldsSortedByUtf8Bytes) {
  Map map;
  for (const char* name : {"b", "😀", "a", "\uFFFD", ""}) map.Set(name, Null());
  EXPECT_THAT(
      map.fields,
      ElementsAre(Field(&shardline::Field::name, ""), Field(&shardline::Field::name, "a"),
                  Field(&shardline::Field::name, "b"), Field(&shardline::Field::name, "\uFFFD"),
                  Field(&shardline::Field::name, "😀")));
}

TEST(Map, ReplacesAFieldOfTheSameName) {
  Map map;
  map.Set("a", Int(1));
  map.Set("a", Int(2));
  ASSERT_EQ(map.fields.size(), 1u);
  EXPECT_THAT(*map.Find("a"), IsValue(Int(2)));
}

TEST(Map, FindsOnlyWhatIsThere) {
  const Map map = Fields({{"a", Int(1)}, {"c", Int(2)}});
  EXPECT_EQ(map.Find("b"), nullptr);
  EXPECT_EQ(map.Find("d"), nullptr);
  EXPECT_EQ(map.Find(""), nullptr);
  EXPECT_THAT(*map.Find("c"), IsValue(Int(2)));
}

TEST(Value, KnowsItsType) {
  EXPECT_TRUE(Null().IsNull());
  EXPECT_FALSE(Bool(false).IsNull());
  EXPECT_EQ(*Int(7).As<std::int64_t>(), 7);
  EXPECT_EQ(Int(7).As<double>(), nullptr);
}

}  // namespace
}  // namespace shardline::value_test
