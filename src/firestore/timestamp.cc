#include "firestore/timestamp.h"

#include <cstddef>

namespace shardline {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Days since 1970-01-01 in the proleptic Gregorian calendar, and back. Both count in eras of 400
// years that begin on 1 March, so that the leap day is the last of its year.
constexpr std::int32_t kDaysPerEra = 146'097;
constexpr std::int32_t kDaysToEpoch = 719'468;

std::int32_t DaysFromCivil(std::int32_t year, std::int32_t month, std::int32_t day) {
  if (month <= 2) --year;
  const std::int32_t era = year / 400;  // Never negative: the smallest year is 0001, here 0000.
  const std::int32_t year_of_era = year - era * 400;
  const std::int32_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int32_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysToEpoch;
}

struct Civil {
  std::int32_t year, month, day;
};

Civil CivilFromDays(std::int32_t days) {
  days += kDaysToEpoch;
  const std::int32_t era = days / kDaysPerEra;
  const std::int32_t day_of_era = days - era * kDaysPerEra;
  const std::int32_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int32_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int32_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int32_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const std::int32_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

std::int32_t DaysInMonth(std::int32_t year, std::int32_t month) {
  if (month == 2) return (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Takes text apart from the front; the first thing that does not fit makes it fail for good.
class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  // Requires this many further characters.
  std::int32_t Digits(int count) {
    std::int32_t value = 0;
    for (int i = 0; i < count; ++i, ++at_) {
      const std::int32_t digit = *at_ - '0';
      if (digit < 0 || digit > 9) failed_ = true;
      value = value * 10 + digit;
    }
    return value;
  }
  // And the character behind them, which must be there, too.
  std::int32_t DigitsAnd(char c, int count) {
    const std::int32_t value = Digits(count);
    if (*at_++ != c) failed_ = true;
    return value;
  }
  bool Has(std::ptrdiff_t count) {
    if (end_ - at_ < count) failed_ = true;
    return !failed_;
  }
  bool Skip(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }
  void Fail() { failed_ = true; }
  bool AtDigit() const { return at_ < end_ && *at_ >= '0' && *at_ <= '9'; }
  bool Finished() const { return !failed_ && at_ == end_; }

 private:
  const char* at_;
  const char* end_;
  bool failed_ = false;
};

// The fraction behind the decimal point, in microseconds.
std::int64_t ReadFraction(Reader& reader) {
  std::int64_t micros = 0;
  int count = 0;
  if (!reader.AtDigit()) reader.Fail();
  for (; count < 9 && reader.AtDigit(); ++count) {
    const std::int64_t digit = reader.Digits(1);
    if (count < 6) micros = micros * 10 + digit;
  }
  for (; count < 6; ++count) micros *= 10;
  return micros;
}

// The seconds to subtract to arrive at UTC.
std::int64_t ReadOffset(Reader& reader) {
  if (reader.Skip('Z')) return 0;
  const bool east = reader.Skip('+');
  if (!east && !reader.Skip('-')) reader.Fail();
  if (!reader.Has(5)) return 0;
  const std::int64_t hours = reader.DigitsAnd(':', 2);
  const std::int64_t minutes = reader.Digits(2);
  if (hours > 23 || minutes > 59) reader.Fail();
  const std::int64_t offset = (hours * 60 + minutes) * 60;
  return east ? offset : -offset;
}

[[gnu::noinline]] void AppendDigits(std::string& out, std::int64_t value, int count) {
  std::int64_t divisor = 1;
  for (int i = 1; i < count; ++i) divisor *= 10;
  for (; divisor > 0; divisor /= 10) out += static_cast<char>('0' + value / divisor % 10);
}

}  // namespace

std::optional<Timestamp> Timestamp::Parse(std::string_view text) {
  Reader reader(text);
  if (!reader.Has(19)) return std::nullopt;
  const std::int32_t year = reader.DigitsAnd('-', 4);
  const std::int32_t month = reader.DigitsAnd('-', 2);
  const std::int32_t day = reader.DigitsAnd('T', 2);
  const std::int32_t hour = reader.DigitsAnd(':', 2);
  const std::int32_t minute = reader.DigitsAnd(':', 2);
  const std::int32_t second = reader.Digits(2);
  const std::int64_t micros = reader.Skip('.') ? ReadFraction(reader) : 0;
  const std::int64_t offset = ReadOffset(reader);
  if (!reader.Finished() || year < 1 || month < 1 || month > 12 || day < 1 ||
      day > DaysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const std::int64_t seconds = DaysFromCivil(year, month, day) * kSecondsPerDay +
                               std::int64_t{hour} * 3600 + std::int64_t{minute} * 60 + second -
                               offset;
  const Timestamp timestamp{seconds * kMicrosPerSecond + micros};
  if (timestamp.micros < kMinMicros || timestamp.micros > kMaxMicros) return std::nullopt;
  return timestamp;
}

std::int64_t Timestamp::seconds() const {
  const std::int64_t quotient = micros / kMicrosPerSecond;
  return quotient - (micros < quotient * kMicrosPerSecond ? 1 : 0);
}

std::int32_t Timestamp::nanoseconds() const {
  return static_cast<std::int32_t>(micros - seconds() * kMicrosPerSecond) * 1000;
}

std::string Timestamp::ToString() const {
  // Counted from the year 0001, so that nothing is negative.
  const std::int64_t since_min = seconds() - kMinMicros / kMicrosPerSecond;
  const std::int64_t second_of_day = since_min % kSecondsPerDay;
  const Civil civil = CivilFromDays(static_cast<std::int32_t>(
      since_min / kSecondsPerDay + kMinMicros / kMicrosPerSecond / kSecondsPerDay));
  std::string out;
  AppendDigits(out, civil.year, 4);
  out += '-';
  AppendDigits(out, civil.month, 2);
  out += '-';
  AppendDigits(out, civil.day, 2);
  out += 'T';
  AppendDigits(out, second_of_day / 3600, 2);
  out += ':';
  AppendDigits(out, second_of_day / 60 % 60, 2);
  out += ':';
  AppendDigits(out, second_of_day % 60, 2);
  const std::int64_t fraction = nanoseconds() / 1000;
  if (fraction != 0) {
    out += '.';
    if (fraction % 1000 == 0) {
      AppendDigits(out, fraction / 1000, 3);
    } else {
      AppendDigits(out, fraction, 6);
    }
  }
  out += 'Z';
  return out;
}

std::optional<Duration> FreshAge(std::optional<Timestamp> then, std::optional<Timestamp> now,
                                 Duration max_age) {
  if (!then || !now) return std::nullopt;
  const Duration age(now->micros - then->micros);
  if (age > max_age || age < Duration(0)) return std::nullopt;
  return age;
}

}  // namespace shardline
