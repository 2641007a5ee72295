#include "firestore/timestamp.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdio>
#include <string>

#include "base/random.h"
#include "unit/support/run_size.h"

namespace shardline::timestamp_test {
namespace {

using namespace std::literals;
using std::chrono::sys_days;
using std::chrono::year_month_day;
using testing::Optional;

constexpr std::int64_t kMicrosPerDay = 86'400'000'000;

Timestamp At(std::int64_t micros) { return Timestamp{micros}; }

// The standard library's idea of the same moment.
std::string Printed(Timestamp timestamp) {
  const std::chrono::sys_time<std::chrono::microseconds> moment(
      std::chrono::microseconds(timestamp.micros));
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const year_month_day date(day);
  const std::chrono::hh_mm_ss time(moment - day);
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ", int{date.year()},
                unsigned{date.month()}, unsigned{date.day()},
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                static_cast<int>(time.seconds().count()),
                static_cast<int>(time.subseconds().count()));
  return text;
}

TEST(Timestamp, WritesTheFractionInGroupsOfThree) {
  EXPECT_EQ(At(0).ToString(), "1970-01-01T00:00:00Z");
  EXPECT_EQ(At(1).ToString(), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(At(1'000).ToString(), "1970-01-01T00:00:00.001Z");
  EXPECT_EQ(At(500'000).ToString(), "1970-01-01T00:00:00.500Z");
  EXPECT_EQ(At(500'010).ToString(), "1970-01-01T00:00:00.500010Z");
  EXPECT_EQ(At(1'000'000).ToString(), "1970-01-01T00:00:01Z");
}

TEST(Timestamp, WritesTimesBefore1970) {
  EXPECT_EQ(At(-1).ToString(), "1969-12-31T23:59:59.999999Z");
  EXPECT_EQ(At(-1'000'000).ToString(), "1969-12-31T23:59:59Z");
  EXPECT_EQ(At(-500'000).ToString(), "1969-12-31T23:59:59.500Z");
}

TEST(Timestamp, ReachesFromYear1ToYear9999) {
  EXPECT_EQ(At(Timestamp::kMinMicros).ToString(), "0001-01-01T00:00:00Z");
  EXPECT_EQ(At(Timestamp::kMaxMicros).ToString(), "9999-12-31T23:59:59.999999Z");
  EXPECT_THAT(Timestamp::Parse("0001-01-01T00:00:00Z"), Optional(At(Timestamp::kMinMicros)));
  EXPECT_THAT(Timestamp::Parse("9999-12-31T23:59:59.999999Z"), Optional(At(Timestamp::kMaxMicros)));
}

TEST(Timestamp, SplitsIntoSecondsRoundedDownAndNanoseconds) {
  EXPECT_EQ(At(1'500'000).seconds(), 1);
  EXPECT_EQ(At(1'500'000).nanoseconds(), 500'000'000);
  EXPECT_EQ(At(-1).seconds(), -1);
  EXPECT_EQ(At(-1).nanoseconds(), 999'999'000);
  EXPECT_EQ(At(-1'000'000).seconds(), -1);
  EXPECT_EQ(At(-1'000'000).nanoseconds(), 0);
  EXPECT_EQ(At(Timestamp::kMinMicros).seconds(), -62'135'596'800);
}

TEST(Timestamp, SortsByTime) {
  EXPECT_LT(At(-1), At(0));
  EXPECT_LT(At(Timestamp::kMinMicros), At(Timestamp::kMaxMicros));
  EXPECT_EQ(At(5), At(5));
}

TEST(Timestamp, CutsOffWhatIsFinerThanAMicrosecond) {
  EXPECT_THAT(Timestamp::Parse("1970-01-01T00:00:00.123456789Z"), Optional(At(123'456)));
  EXPECT_THAT(Timestamp::Parse("1970-01-01T00:00:00.999999999Z"), Optional(At(999'999)));
  EXPECT_THAT(Timestamp::Parse("1969-12-31T23:59:59.999999999Z"), Optional(At(-1)));
}

TEST(Timestamp, ReadsOneToNineFractionalDigits) {
  EXPECT_THAT(Timestamp::Parse("1970-01-01T00:00:00.1Z"), Optional(At(100'000)));
  EXPECT_THAT(Timestamp::Parse("1970-01-01T00:00:00.000001Z"), Optional(At(1)));
  EXPECT_THAT(Timestamp::Parse("1970-01-01T00:00:00.0000001Z"), Optional(At(0)));
  EXPECT_EQ(Timestamp::Parse("1970-01-01T00:00:00.Z"), std::nullopt);
  EXPECT_EQ(Timestamp::Parse("1970-01-01T00:00:00.1234567890Z"), std::nullopt);
}

TEST(Timestamp, ReadsOffsets) {
  const auto noon = Timestamp::Parse("2024-01-02T12:00:00Z");
  EXPECT_EQ(Timestamp::Parse("2024-01-02T14:00:00+02:00"), noon);
  EXPECT_EQ(Timestamp::Parse("2024-01-02T06:30:00-05:30"), noon);
  EXPECT_EQ(Timestamp::Parse("2024-01-02T12:00:00+00:00"), noon);
  EXPECT_EQ(Timestamp::Parse("2024-01-03T11:59:00.0+23:59"), noon);
}

TEST(Timestamp, RefusesOffsetsThatLeaveTheRange) {
  EXPECT_EQ(Timestamp::Parse("0001-01-01T00:00:00+00:01"), std::nullopt);
  EXPECT_EQ(Timestamp::Parse("9999-12-31T23:59:59-00:01"), std::nullopt);
  EXPECT_THAT(Timestamp::Parse("0001-01-01T00:01:00+00:01"), Optional(At(Timestamp::kMinMicros)));
}

TEST(Timestamp, RefusesWhatIsNotRfc3339) {
  for (const std::string_view text : {"",
                                      "Z",
                                      "2024-01-02",
                                      "2024-01-02T03:04Z",
                                      "2024-01-02T03:04:05",
                                      "2024-01-02 03:04:05Z",
                                      "2024-01-02t03:04:05Z",
                                      "2024-01-02T03:04:05z",
                                      "24-01-02T03:04:05Z",
                                      "2024-1-2T03:04:05Z",
                                      "02024-01-02T03:04:05Z",
                                      "10000-01-01T00:00:00Z",
                                      "-001-01-01T00:00:00Z",
                                      "2024/01/02T03:04:05Z",
                                      "2024-01-02T03-04-05Z",
                                      "2024-01-02T03:04:05,5Z",
                                      "2024-01-02T03:04:05Zx",
                                      " 2024-01-02T03:04:05Z",
                                      "2024-01-02T03:04:05Z ",
                                      "2024-01-02T03:04:05+2:00",
                                      "2024-01-02T03:04:05+0200",
                                      "2024-01-02T03:04:05+02:00Z",
                                      "2024-01-02T03:04:05+24:00",
                                      "2024-01-02T03:04:05+02:60",
                                      "2024-01-02T03:04:05+",
                                      "2024-0a-02T03:04:05Z",
                                      "2024-01-02T03:04:0\xB2Z"}) {
    EXPECT_EQ(Timestamp::Parse(text), std::nullopt) << text;
  }
}

TEST(Timestamp, RefusesZeroBytes) {
  EXPECT_EQ(Timestamp::Parse("2024-01-02T03:04:05Z\0"sv), std::nullopt);
  EXPECT_EQ(Timestamp::Parse("2024-01-02T03:04:05+99:00\0"sv), std::nullopt);
  EXPECT_EQ(Timestamp::Parse("2024-01-02T03:04:05\0"sv), std::nullopt);
}

TEST(Timestamp, RefusesDaysAndTimesThatDoNotExist) {
  for (const std::string_view text :
       {"0000-12-31T00:00:00Z", "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z",
        "2024-01-00T00:00:00Z", "2024-01-32T00:00:00Z", "2024-04-31T00:00:00Z",
        "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
        "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2016-12-31T23:59:60Z"}) {
    EXPECT_EQ(Timestamp::Parse(text), std::nullopt) << text;
  }
}

TEST(Timestamp, KnowsLeapDays) {
  for (const std::string_view text :
       {"2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0004-02-29T00:00:00Z"}) {
    EXPECT_EQ(Timestamp::Parse(text).value().ToString(), text);
  }
}

TEST(Timestamp, RefusesEveryTruncation) {
  const std::string_view text = "2024-01-02T03:04:05.123456+02:00";
  ASSERT_NE(Timestamp::Parse(text), std::nullopt);
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_EQ(Timestamp::Parse(text.substr(0, size)), std::nullopt) << size;
  }
}

// Each day with a time of its own.
// In the default run, on every fifth day: within 2,000 years that is every date of every kind of
// year.
TEST(Timestamp, AgreesWithTheStandardLibraryOnEveryDay) {
  Random random(1);
  const std::int64_t first = sys_days(std::chrono::year(1) / 1 / 1).time_since_epoch().count();
  const std::int64_t last = sys_days(std::chrono::year(9999) / 12 / 31).time_since_epoch().count();
  const std::string midnight = "T00:00:00Z";
  ASSERT_EQ(first * kMicrosPerDay, Timestamp::kMinMicros);
  for (std::int64_t day = first; day <= last; day += InRun(5, 1)) {
    const Timestamp timestamp = At(day * kMicrosPerDay);
    const year_month_day date{sys_days(std::chrono::days(day))};
    const std::string text = timestamp.ToString();
    const auto digits = [&](std::size_t at, std::size_t count) {
      unsigned value = 0;
      for (std::size_t i = at; i < at + count; ++i) {
        value = value * 10 + static_cast<unsigned>(text[i] - '0');
      }
      return value;
    };
    ASSERT_EQ(text.size(), 20u);
    ASSERT_EQ(digits(0, 4), static_cast<unsigned>(int{date.year()})) << text;
    ASSERT_EQ(digits(5, 2), unsigned{date.month()}) << text;
    ASSERT_EQ(digits(8, 2), unsigned{date.day()}) << text;
    ASSERT_EQ(Timestamp::Parse(text), timestamp) << text;
  }
}

TEST(Timestamp, AgreesWithTheStandardLibraryAtRandomTimes) {
  Random random(2);
  constexpr auto kRange = static_cast<std::uint64_t>(Timestamp::kMaxMicros - Timestamp::kMinMicros);
  for (int i = 0; i < InRun(20'000, 100'000); ++i) {
    const Timestamp timestamp =
        At(Timestamp::kMinMicros + static_cast<std::int64_t>(random.Below(kRange)));
    ASSERT_THAT(Timestamp::Parse(Printed(timestamp)), Optional(timestamp)) << Printed(timestamp);
    ASSERT_THAT(Timestamp::Parse(timestamp.ToString()), Optional(timestamp));
    ASSERT_EQ(timestamp.ToString().substr(0, 19), Printed(timestamp).substr(0, 19));
  }
}

}  // namespace
}  // namespace shardline::timestamp_test
