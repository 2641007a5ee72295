#include "firestore/timestamp.h"

#include <cstddef>

namespace shardline {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kSecondsPerDay = 86'400;

// Days since 1970-01-01 in the proleptic Gregorian calendar, and back. Both count in eras of 400
// years that begin on 1 March, so that the leap day is the last of its year.
constexpr std::int64_t kDaysPerEra = 146'097;
constexpr std::int64_t kDaysToEpoch = 719'468;

std::int64_t DaysFromCivil(std::int64_t year, std::int64_t month, std::int64_t day) {
  if (month <= 2) --year;
  const std::int64_t era = year / 400;  // Never negative: the smallest year is 0001, here 0000.
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  const std::int64_t day_of_era =
      year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * kDaysPerEra + day_of_era - kDaysToEpoch;
}

struct Civil {
  std::int64_t year, month, day;
};

Civil CivilFromDays(std::int64_t days) {
  days += kDaysToEpoch;
  const std::int64_t era = days / kDaysPerEra;
  const std::int64_t day_of_era = days - era * kDaysPerEra;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
  const std::int64_t month = shifted_month < 10 ? shifted_month + 3 : shifted_month - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

std::int64_t DaysInMonth(std::int64_t year, std::int64_t month) {
  if (month == 2) return (year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

// Takes text apart from the front; the first thing that does not fit makes it fail for good.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::int64_t Digits(std::size_t count) {
    std::int64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const char c = Take();
      if (c < '0' || c > '9') failed_ = true;
      value = value * 10 + (c - '0');
    }
    return value;
  }
  void Expect(char c) {
    if (Take() != c) failed_ = true;
  }
  bool Skip(char c) {
    if (text_.empty() || text_[0] != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Fail() { failed_ = true; }
  bool AtDigit() const { return !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; }
  bool Finished() const { return !failed_ && text_.empty(); }

 private:
  char Take() {
    if (text_.empty()) {
      failed_ = true;
      return '0';
    }
    const char c = text_[0];
    text_.remove_prefix(1);
    return c;
  }

  std::string_view text_;
  bool failed_ = false;
};

// The fraction behind the decimal point, in microseconds.
std::int64_t ReadFraction(Reader& reader) {
  std::int64_t micros = 0;
  int count = 0;
  for (; count < 9 && (count == 0 || reader.AtDigit()); ++count) {
    const std::int64_t digit = reader.Digits(1);
    if (count < 6) micros = micros * 10 + digit;
  }
  for (; count < 6; ++count) micros *= 10;
  return micros;
}

// What to subtract to arrive at UTC, in seconds.
std::int64_t ReadOffset(Reader& reader) {
  if (reader.Skip('Z')) return 0;
  const bool east = reader.Skip('+');
  if (!east) reader.Expect('-');
  const std::int64_t hours = reader.Digits(2);
  reader.Expect(':');
  const std::int64_t minutes = reader.Digits(2);
  if (hours > 23 || minutes > 59) reader.Fail();
  const std::int64_t offset = (hours * 60 + minutes) * 60;
  return east ? offset : -offset;
}

void AppendDigits(std::string& out, std::int64_t value, int count) {
  std::int64_t divisor = 1;
  for (int i = 1; i < count; ++i) divisor *= 10;
  for (; divisor > 0; divisor /= 10) out += static_cast<char>('0' + value / divisor % 10);
}

}  // namespace

std::optional<Timestamp> Timestamp::Parse(std::string_view text) {
  Reader reader(text);
  const std::int64_t year = reader.Digits(4);
  reader.Expect('-');
  const std::int64_t month = reader.Digits(2);
  reader.Expect('-');
  const std::int64_t day = reader.Digits(2);
  reader.Expect('T');
  const std::int64_t hour = reader.Digits(2);
  reader.Expect(':');
  const std::int64_t minute = reader.Digits(2);
  reader.Expect(':');
  const std::int64_t second = reader.Digits(2);
  const std::int64_t micros = reader.Skip('.') ? ReadFraction(reader) : 0;
  const std::int64_t offset = ReadOffset(reader);
  if (!reader.Finished() || year < 1 || month < 1 || month > 12 || day < 1 ||
      day > DaysInMonth(year, month) || hour > 23 || minute > 59 || second > 59) {
    return std::nullopt;
  }
  const std::int64_t seconds = DaysFromCivil(year, month, day) * kSecondsPerDay + hour * 3600 +
                               minute * 60 + second - offset;
  const Timestamp timestamp{seconds * kMicrosPerSecond + micros};
  if (timestamp.micros < kMinMicros || timestamp.micros > kMaxMicros) return std::nullopt;
  return timestamp;
}

std::int64_t Timestamp::seconds() const {
  const std::int64_t quotient = micros / kMicrosPerSecond;
  return micros % kMicrosPerSecond < 0 ? quotient - 1 : quotient;
}

std::int32_t Timestamp::nanoseconds() const {
  return static_cast<std::int32_t>(micros - seconds() * kMicrosPerSecond) * 1000;
}

std::string Timestamp::ToString() const {
  // Counted from the year 0001, so that nothing is negative.
  const std::int64_t since_min = seconds() - kMinMicros / kMicrosPerSecond;
  const std::int64_t second_of_day = since_min % kSecondsPerDay;
  const Civil civil =
      CivilFromDays(since_min / kSecondsPerDay + kMinMicros / kMicrosPerSecond / kSecondsPerDay);
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

}  // namespace shardline
