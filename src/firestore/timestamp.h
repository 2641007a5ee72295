#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/instant.h"

namespace shardline {

// A moment in Firestore's precision: microseconds since 1970-01-01T00:00:00Z, from the year 0001 to
// the end of 9999 (google/protobuf/timestamp.proto; Firestore drops the digits below a
// microsecond).
struct Timestamp {
  std::int64_t micros = 0;

  static constexpr std::int64_t kMinMicros = -62'135'596'800'000'000;
  static constexpr std::int64_t kMaxMicros = 253'402'300'799'999'999;

  // Reads RFC 3339: "2019-01-01T13:45:23.010Z", with `Z` or an offset, and up to nine fractional
  // digits, of which it keeps six. nullopt for anything else, and outside the range.
  static std::optional<Timestamp> Parse(std::string_view text);

  // "2019-01-01T13:45:23.010Z": like Firestore, with no fraction, three or six digits.
  std::string ToString() const;

  // Whole seconds, rounded down, and the nanoseconds (0 to 999,999,000) on top of them.
  std::int64_t seconds() const;
  std::int32_t nanoseconds() const;

  auto operator<=>(const Timestamp&) const = default;
};

// How old a note of the time `then` is at `now`. nullopt if one of the times is unknown, if the
// note is older than `max_age`, or if `then` is in the future, which says nothing about the age.
std::optional<Duration> FreshAge(std::optional<Timestamp> then, std::optional<Timestamp> now,
                                 Duration max_age);

}  // namespace shardline
