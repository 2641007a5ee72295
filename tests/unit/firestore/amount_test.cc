#include "firestore/amount.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "base/random.h"
#include "unit/support/values.h"

namespace shardline::amount_test {
namespace {

using ::testing::Optional;

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Amount Integer(std::int64_t value) { return Amount::Integer(value); }
Amount Number(double value) { return Amount::Double(value); }

std::string Written(const Amount& amount) {
  JsonWriter writer;
  amount.Write(writer);
  return writer.Take();
}

// What is read, and whether the scanner is content.
std::pair<std::optional<Amount>, bool> Read(std::string_view json) {
  const PaddedText text(json);
  JsonScanner scanner(text);
  const std::optional<Amount> amount = Amount::Read(scanner);
  return {amount, scanner.Finish()};
}

TEST(Amount, ReadsFirestoresNumbers) {
  EXPECT_EQ(Read(R"({"integerValue":"-7"})"), std::pair(std::optional(Integer(-7)), true));
  EXPECT_EQ(Read(R"({"integerValue":7})"), std::pair(std::optional(Integer(7)), true));
  EXPECT_EQ(Read(R"( { "doubleValue" : 0.5 } )"), std::pair(std::optional(Number(0.5)), true));
  EXPECT_EQ(Read(R"({"doubleValue":2})"), std::pair(std::optional(Number(2)), true));
  EXPECT_EQ(Read(R"({"doubleValue":"-Infinity"})"),
            std::pair(std::optional(Number(-kInfinity)), true));
  EXPECT_TRUE(std::isnan(Read(R"({"doubleValue":"NaN"})").first->number()));
}

TEST(Amount, OnlyNumbersAreAmounts) {
  for (const Value& value :
       {Null(), Bool(true), Str("7"), Blob("7"), Time("2026-01-01T00:00:00Z"), List({Int(1)}),
        Obj({{"integerValue", Int(1)}}), Vec({1}), Geo(1, 2), Ref("x")}) {
    EXPECT_EQ(Read(Wire(value)), std::pair(std::optional<Amount>(), true)) << Wire(value);
  }
  EXPECT_EQ(Read("{}"), std::pair(std::optional<Amount>(), true));
}

TEST(Amount, WhatIsNoValueIsAnError) {
  for (const char* json : {"", "7", "null", "[]", R"({"integerValue":"x"})",
                           R"({"integerValue":"9223372036854775808"})", R"({"integerValue":true})",
                           R"({"doubleValue":"x"})", R"({"integerValue":"1")"}) {
    EXPECT_FALSE(Read(json).second) << json;
  }
}

TEST(Amount, IntegersAddExactlyOrNotAtAll) {
  EXPECT_THAT(Add(Integer(2), Integer(3)), Optional(Integer(5)));
  EXPECT_THAT(Add(Integer(kMax), Integer(kMin)), Optional(Integer(-1)));
  EXPECT_THAT(Add(Integer(kMax - 1), Integer(1)), Optional(Integer(kMax)));
  EXPECT_THAT(Add(Integer(kMin + 1), Integer(-1)), Optional(Integer(kMin)));
  EXPECT_FALSE(Add(Integer(kMax), Integer(1)));
  EXPECT_FALSE(Add(Integer(kMin), Integer(-1)));
  EXPECT_FALSE(Add(Integer(kMax), Integer(kMax)));
  EXPECT_FALSE(Add(Integer(kMin), Integer(kMin)));
}

TEST(Amount, OneDoubleMakesADouble) {
  EXPECT_THAT(Add(Integer(1), Number(0.5)), Optional(Number(1.5)));
  EXPECT_THAT(Add(Number(0.5), Integer(2)), Optional(Number(2.5)));
  EXPECT_THAT(Add(Number(0.5), Number(0.5)), Optional(Number(1)));
  EXPECT_THAT(Add(Integer(9007199254740993), Number(0)), Optional(Number(9007199254740992)));
  EXPECT_THAT(Add(Number(1.7976931348623157e308), Number(1.7976931348623157e308)),
              Optional(Number(kInfinity)));
  EXPECT_TRUE(std::isnan(Add(Number(kInfinity), Number(-kInfinity))->number()));
}

TEST(Amount, IsEncodedAsFirestoreTakesIt) {
  EXPECT_EQ(Integer(kMin).Encode().json(), R"({"integerValue":"-9223372036854775808"})");
  EXPECT_EQ(Number(0.5).Encode().json(), R"({"doubleValue":0.5})");
  EXPECT_EQ(Number(2).Encode().json(), R"({"doubleValue":2})");
  EXPECT_EQ(Number(-kInfinity).Encode().json(), R"({"doubleValue":"-Infinity"})");
}

TEST(Amount, IsWrittenSoThatJavaScriptLosesNothing) {
  EXPECT_EQ(Written(Integer(0)), R"("0")");
  EXPECT_EQ(Written(Integer(kMin)), R"("-9223372036854775808")");
  EXPECT_EQ(Written(Integer(kMax)), R"("9223372036854775807")");
  EXPECT_EQ(Written(Number(0.1)), "0.1");
  EXPECT_EQ(Written(Number(3)), "3");
  EXPECT_EQ(Written(Number(kNaN)), R"("NaN")");
  EXPECT_EQ(Written(Number(-kNaN)), R"("NaN")");
  EXPECT_EQ(Written(Number(kInfinity)), R"("Infinity")");
  EXPECT_EQ(Written(Number(-kInfinity)), R"("-Infinity")");
}

TEST(Sum, OfNothingIsTheIntegerZero) { EXPECT_THAT(Sum().Total(), Optional(Integer(0))); }

TEST(Sum, MayLeaveInt64OnTheWay) {
  for (const std::int64_t sign : {1, -1}) {
    const std::int64_t end = sign > 0 ? kMax : kMin;
    Sum sum;
    for (int i = 0; i < 10'000; ++i) sum.Add(Integer(end));
    EXPECT_FALSE(sum.Total());
    // In two steps, as the lower end has no counterpart.
    for (int i = 0; i < 9'998; ++i) sum.Add(Integer(-(end - sign)));
    EXPECT_FALSE(sum.Total());
    sum.Add(Integer(-(end - sign)));
    for (int i = 0; i < 9'999; ++i) sum.Add(Integer(-sign));
    EXPECT_EQ(sum.Total(), Integer(end)) << "none of it was rounded";
    sum.Add(Integer(sign));
    EXPECT_FALSE(sum.Total());
    sum.Add(Integer(-sign));
    EXPECT_EQ(sum.Total(), Integer(end));
  }
}

TEST(Sum, AgreesWith128Bits) {
  Random random(5);
  for (int round = 0; round < 2'000; ++round) {
    Sum sum;
    __extension__ __int128 expected = 0;
    const int shift = static_cast<int>(random.Below(64));
    for (std::uint64_t left = random.Below(20); left > 0; --left) {
      const auto value = static_cast<std::int64_t>(random.Next()) >> shift;
      sum.Add(Integer(value));
      expected += value;
    }
    if (expected >= kMin && expected <= kMax) {
      EXPECT_EQ(sum.Total(), Integer(static_cast<std::int64_t>(expected)));
    } else {
      EXPECT_FALSE(sum.Total());
    }
  }
}

TEST(Sum, OneDoubleMakesADouble) {
  Sum sum;
  sum.Add(Integer(1));
  sum.Add(Number(0.5));
  EXPECT_EQ(sum.Total(), Number(1.5));
  // Then no total is out of range.
  for (int i = 0; i < 4; ++i) sum.Add(Integer(kMax));
  EXPECT_EQ(sum.Total(), Number(0x1.0p65));
  for (int i = 0; i < 8; ++i) sum.Add(Integer(kMin));
  EXPECT_EQ(sum.Total(), Number(-0x1.0p65));
  sum.Add(Number(kNaN));
  EXPECT_TRUE(std::isnan(sum.Total()->number()));
}

}  // namespace
}  // namespace shardline::amount_test
