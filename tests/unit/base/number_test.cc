#include "base/number.h"

#include <gmock/gmock.h>

#include <cfloat>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"

namespace shardline::number_test {
namespace {

using namespace std::literals;  // "text"s may hold zero bytes.

using testing::Optional;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::string ToText(double value) {
  std::string text;
  AppendDouble(text, value);
  return text;
}

std::string ToText(std::int64_t value) {
  std::string text;
  AppendInt64(text, value);
  return text;
}

// What printf makes of it, with that many digits behind the point.
std::string Printf(int precision, double value) {
  char buffer[1600];
  const int size = std::snprintf(buffer, sizeof buffer, "%.*e", precision, value);
  return {buffer, static_cast<std::size_t>(size)};
}

std::uint64_t Bits(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

double FromBits(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

// Any finite double: all exponents alike.
double RandomDouble(Random& random) {
  for (;;) {
    const double value = FromBits(random.Next());
    if (std::isfinite(value)) return value;
  }
}

// The C library's reading of the same text.
void ExpectParsedAsByStrtod(const std::string& text) {
  const std::optional<double> value = ParseDouble(text);
  ASSERT_TRUE(value.has_value()) << text;
  ASSERT_EQ(Bits(*value), Bits(std::strtod(text.c_str(), nullptr))) << text;
}

std::string RandomDigits(Random& random, std::uint64_t count) {
  std::string digits;
  for (; count > 0; --count) digits += static_cast<char>('0' + random.Below(10));
  return digits;
}

// The significant digits, without zeros at either end.
std::size_t CountDigits(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c != '.' && (c != '0' || !digits.empty())) digits += c;
  }
  return digits.find_last_not_of('0') + 1;
}

// Requires a positive value.
void ExpectShortestRoundTrip(double value) {
  const std::string text = ToText(value);
  ASSERT_TRUE(nlohmann::json::accept(text)) << text;
  ASSERT_EQ(Bits(std::strtod(text.c_str(), nullptr)), Bits(value)) << text;
  int digits = 15;
  while (digits < 17 && std::strtod(Printf(digits - 1, value).c_str(), nullptr) != value) ++digits;
  ASSERT_LE(CountDigits(text), static_cast<std::size_t>(digits)) << text;
}

TEST(ParseInt64, ReadsTheWholeRange) {
  EXPECT_THAT(ParseInt64("0"), Optional(0));
  EXPECT_THAT(ParseInt64("-0"), Optional(0));
  EXPECT_THAT(ParseInt64("-7"), Optional(-7));
  EXPECT_THAT(ParseInt64("9223372036854775807"), Optional(INT64_MAX));
  EXPECT_THAT(ParseInt64("-9223372036854775808"), Optional(INT64_MIN));
}

TEST(ParseInt64, RefusesWhatIsJustOutside) {
  EXPECT_EQ(ParseInt64("9223372036854775808"), std::nullopt);
  EXPECT_EQ(ParseInt64("-9223372036854775809"), std::nullopt);
  EXPECT_EQ(ParseInt64("9999999999999999999"), std::nullopt);
  EXPECT_EQ(ParseInt64("18446744073709551616"), std::nullopt);
  EXPECT_EQ(ParseInt64("18446744073709551617"), std::nullopt);
  EXPECT_EQ(ParseInt64("-99999999999999999999999"), std::nullopt);
}

TEST(ParseInt64, RefusesWhatIsNoDecimalInteger) {
  for (const std::string_view text :
       {"", "-", "+1", " 1", "1 ", "1.0", "1e3", "0x1", "--1", "1-", "a", "\xB2"}) {
    EXPECT_EQ(ParseInt64(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseInt64("1\0"sv), std::nullopt);
}

TEST(AppendInt64, ReadsBack) {
  Random random(1);
  for (int i = 0; i < 50'000; ++i) {
    const auto value = static_cast<std::int64_t>(random.Next() >> random.Below(64));
    for (const std::int64_t signed_value : {value, -value}) {
      const std::string text = ToText(signed_value);
      ASSERT_EQ(text, std::to_string(signed_value));
      ASSERT_THAT(ParseInt64(text), Optional(signed_value));
    }
  }
}

TEST(AppendInt64, WritesTheEnds) {
  EXPECT_EQ(ToText(INT64_MIN), "-9223372036854775808");
  EXPECT_EQ(ToText(INT64_MAX), "9223372036854775807");
  EXPECT_EQ(ToText(std::int64_t{0}), "0");
}

TEST(ParseDouble, RefusesWhatIsNotJsonsGrammar) {
  for (const std::string_view text :
       {"",     "-",        "+1",        "01",  "-01",   "00",    "1.",   ".5",  "-.5",
        "1.e5", "1e",       "1e+",       "1e-", " 1",    "1 ",    "1e5 ", "1,5", "0x10",
        "NaN",  "Infinity", "-Infinity", "inf", "1e1e1", "1.2.3", "--1"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
  EXPECT_EQ(ParseDouble("1\0"sv), std::nullopt);
}

TEST(ParseDouble, KeepsTheSignOfZero) {
  EXPECT_TRUE(std::signbit(ParseDouble("-0").value()));
  EXPECT_TRUE(std::signbit(ParseDouble("-0.0e5").value()));
  EXPECT_FALSE(std::signbit(ParseDouble("0").value()));
}

TEST(ParseDouble, TakesZeroWithAnyExponent) {
  for (const std::string_view text :
       {"0e0", "0e400", "0e-400", "0.000e999999999", "0E+30", "0e99999999999999999999", "-0e400"}) {
    EXPECT_THAT(ParseDouble(text), Optional(0)) << text;
  }
}

TEST(ParseDouble, OverflowsToInfinityWhereIeeeDoes) {
  EXPECT_THAT(ParseDouble("1.7976931348623157e308"), Optional(DBL_MAX));
  EXPECT_THAT(ParseDouble("1.7976931348623158e308"), Optional(DBL_MAX));
  EXPECT_THAT(ParseDouble("1.797693134862315807e308"), Optional(DBL_MAX));
  EXPECT_THAT(ParseDouble("1.797693134862315808e308"), Optional(kInfinity));
  EXPECT_THAT(ParseDouble("-1e309"), Optional(-kInfinity));
  EXPECT_THAT(ParseDouble("1e99999999999999999999"), Optional(kInfinity));
}

TEST(ParseDouble, UnderflowsToZeroWhereIeeeDoes) {
  EXPECT_THAT(ParseDouble("4.9406564584124654e-324"), Optional(5e-324));
  EXPECT_THAT(ParseDouble("2.4703282292062328e-324"), Optional(5e-324));
  EXPECT_THAT(ParseDouble("2.4703282292062327e-324"), Optional(0));
  EXPECT_THAT(ParseDouble("1e-99999999999999999999"), Optional(0));
  EXPECT_THAT(ParseDouble("2.2250738585072011e-308"), Optional(2.225073858507201e-308));
  EXPECT_THAT(ParseDouble("2.2250738585072014e-308"), Optional(DBL_MIN));
}

// The middle between two neighbours, with all its digits.
TEST(ParseDouble, RoundsAMiddleToEven) {
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    const double value = std::abs(RandomDouble(random));
    const double next = std::nextafter(value, kInfinity);
    if (!std::isfinite(next)) continue;
    // Exact: long double has 64 bits of mantissa here, and more exponents.
    const long double middle =
        (static_cast<long double>(value) + static_cast<long double>(next)) / 2;
    char text[2000];
    std::snprintf(text, sizeof text, "%.1100Le", middle);
    const double even = Bits(value) % 2 == 0 ? value : next;
    ASSERT_THAT(ParseDouble(text), Optional(even)) << value;
    ExpectParsedAsByStrtod(text);
  }
}

// A digit far behind the middle decides.
TEST(ParseDouble, LooksAtEveryDigit) {
  const std::string middle = "9007199254740993";  // Between 2^53 and 2^53 + 2.
  for (const std::size_t zeros : {0u, 1u, 30u, 760u, 790u, 800u, 801u, 1'900u}) {
    const std::string text = middle + '.' + std::string(zeros, '0');
    EXPECT_THAT(ParseDouble(text + '0'), Optional(9007199254740992.0)) << zeros;
    EXPECT_THAT(ParseDouble(text + '1'), Optional(9007199254740994.0)) << zeros;
    EXPECT_THAT(ParseDouble(text + "0001000"), Optional(9007199254740994.0)) << zeros;
  }
}

TEST(ParseDouble, TakesLongRunsOfDigits) {
  Random random(3);
  for (const std::uint64_t size : {18u, 19u, 20u, 50u, 309u, 799u, 800u, 801u, 1'900u}) {
    for (int i = 0; i < 20; ++i) {
      const std::string digits = '1' + RandomDigits(random, size);
      ExpectParsedAsByStrtod(digits);
      ExpectParsedAsByStrtod("0." + digits);
      ExpectParsedAsByStrtod("-0.000000" + digits + "e-300");
      ExpectParsedAsByStrtod(digits + "e-" + std::to_string(size));
      ExpectParsedAsByStrtod(digits + "e-" + std::to_string(size + 320));
    }
  }
}

TEST(ParseDouble, TakesLongRunsOfZeros) {
  const std::string zeros(1'900, '0');
  EXPECT_THAT(ParseDouble("0." + zeros + "1e1901"), Optional(1));
  EXPECT_THAT(ParseDouble("1" + zeros + "e-1900"), Optional(1));
  EXPECT_THAT(ParseDouble("0." + zeros), Optional(0));
  EXPECT_THAT(ParseDouble("1" + zeros), Optional(kInfinity));
}

// Millions of digits would take seconds, and no server writes them.
TEST(ParseDouble, RefusesMoreThanTwoThousandCharacters) {
  EXPECT_THAT(ParseDouble(std::string(2'000, '1')), Optional(kInfinity));
  EXPECT_EQ(ParseDouble(std::string(2'001, '1')), std::nullopt);
}

TEST(ParseDouble, AgreesWithStrtodOnShortDecimals) {
  Random random(4);
  for (int i = 0; i < 100'000; ++i) {
    std::string text = std::to_string(random.Below(100'000));
    text += '.' + RandomDigits(random, 1 + random.Below(8));
    if (random.Below(2) == 0) text += 'e' + std::to_string(static_cast<int>(random.Below(60)) - 30);
    ASSERT_NO_FATAL_FAILURE(ExpectParsedAsByStrtod(text));
  }
}

TEST(ParseDouble, AgreesWithStrtodOnRandomDigitsAndExponents) {
  Random random(5);
  for (int i = 0; i < 40'000; ++i) {
    std::string text = random.Below(2) == 0 ? "-" : "";
    text += static_cast<char>('1' + random.Below(9));
    text += '.' + RandomDigits(random, 1 + random.Below(24));
    text += 'e' + std::to_string(static_cast<int>(random.Below(660)) - 340);
    ASSERT_NO_FATAL_FAILURE(ExpectParsedAsByStrtod(text));
  }
}

TEST(ParseDouble, ReadsBack17DigitsOfAnyDouble) {
  Random random(6);
  for (int i = 0; i < 40'000; ++i) {
    const double value = RandomDouble(random);
    const std::string text = Printf(16, value);
    ASSERT_THAT(ParseDouble(text), Optional(value)) << text;
  }
}

TEST(ParseDouble, ReadsBackSubnormals) {
  Random random(7);
  for (int i = 0; i < 10'000; ++i) {
    const double value = FromBits(random.Below(std::uint64_t{1} << (1 + random.Below(53))));
    const std::string text = Printf(16, value);
    ASSERT_EQ(Bits(ParseDouble(text).value()), Bits(value)) << text;
  }
}

TEST(ParseDouble, ReadsIntegersExactly) {
  Random random(8);
  for (int i = 0; i < 50'000; ++i) {
    const auto value = static_cast<std::int64_t>(random.Next());
    ASSERT_THAT(ParseDouble(std::to_string(value)), Optional(static_cast<double>(value)));
  }
}

TEST(AppendDouble, WritesPlainNumbersPlainly) {
  EXPECT_EQ(ToText(0.0), "0");
  EXPECT_EQ(ToText(-0.0), "-0");
  EXPECT_EQ(ToText(1.0), "1");
  EXPECT_EQ(ToText(-1.5), "-1.5");
  EXPECT_EQ(ToText(0.1), "0.1");
  EXPECT_EQ(ToText(100.0), "100");
  EXPECT_EQ(ToText(34.79), "34.79");
  EXPECT_EQ(ToText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(ToText(9007199254740993.0), "9007199254740992");
  EXPECT_EQ(ToText(123456789.012345), "123456789.012345");
}

TEST(AppendDouble, ReadsBackAtTheEndsOfTheRange) {
  for (const double value : {DBL_MAX, DBL_MIN, 5e-324, 1e20, 1e21, 1e-6, 1e-7, 1.25e-9}) {
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(value));
    EXPECT_EQ(ToText(-value), "-" + ToText(value));
  }
}

TEST(AppendDouble, AppendsBehindWhatIsThere) {
  std::string text = "a";
  AppendDouble(text, 2.5);
  EXPECT_EQ(text, "a2.5");
}

TEST(AppendDouble, CarriesThroughNines) {
  EXPECT_EQ(ToText(9.999999999999999), "9.999999999999998");
  EXPECT_EQ(ToText(0.99999999999999989), "0.9999999999999999");
  EXPECT_EQ(ToText(999999999999999.9), "999999999999999.9");
  ExpectShortestRoundTrip(std::nextafter(1e22, 0));
}

TEST(AppendDouble, IsTheShortestThatReadsBack) {
  Random random(9);
  for (int i = 0; i < 8'000; ++i) {
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(std::abs(RandomDouble(random))));
  }
}

TEST(AppendDouble, IsTheShortestThatReadsBackForEverydayNumbers) {
  Random random(10);
  for (int i = 0; i < 8'000; ++i) {
    const auto digits =
        static_cast<double>(1 + random.Below(std::uint64_t{1} << (1 + random.Below(60))));
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(digits / std::pow(10, random.Below(12))));
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(std::ldexp(digits, -17)));
  }
}

TEST(AppendDouble, IsTheShortestThatReadsBackForPowersOfTwoAndTheirNeighbours) {
  for (int exponent = -1074; exponent < 1024; ++exponent) {
    const double power = std::ldexp(1, exponent);
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(power));
    const double below = std::nextafter(power, 0);
    ASSERT_TRUE(below == 0 || ToText(below) != ToText(power));
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(below == 0 ? power : below));
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(std::nextafter(power, kInfinity)));
  }
}

TEST(AppendDouble, IsTheShortestThatReadsBackForPowersOfTen) {
  for (int exponent = -323; exponent < 309; ++exponent) {
    const double power = std::strtod(("1e" + std::to_string(exponent)).c_str(), nullptr);
    ASSERT_NO_FATAL_FAILURE(ExpectShortestRoundTrip(power));
  }
}

TEST(ParseDouble, RefusesWhatWouldTakeSeconds) {
  EXPECT_EQ(ParseDouble("0." + std::string(1500, '3')), 1.0 / 3);
  EXPECT_EQ(ParseDouble(std::string(3000, '7')), std::nullopt);
  EXPECT_EQ(ParseDouble(std::string(8'000'000, '7')), std::nullopt);
}

}  // namespace
}  // namespace shardline::number_test
