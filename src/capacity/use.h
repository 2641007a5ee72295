#pragma once

namespace shardline {

inline constexpr double kHoursPerMonth = 730;
inline constexpr double kDaysPerMonth = kHoursPerMonth / 24;
// A document whose `expireAt` is ExpiryOf() expires after 30 to 60 days, and a TTL policy deletes
// it within a day.
inline constexpr double kExpiringDays = 46;

// The storage of a document in GiB, for a month.
constexpr double StoredGib(double bytes, double days) {
  constexpr double kBytesPerGib = 1'073'741'824;
  return bytes / kBytesPerGib * days / kDaysPerMonth;
}

// The use of an item, in documents or, in the enterprise edition, in units.
struct Use {
  double reads = 0;
  double writes = 0;
  double deletes = 0;
  double stored_gib = 0;  // For a month.

  Use operator*(double times) const {
    return {reads * times, writes * times, deletes * times, stored_gib * times};
  }
  Use& operator+=(const Use& other) {
    reads += other.reads;
    writes += other.writes;
    deletes += other.deletes;
    stored_gib += other.stored_gib;
    return *this;
  }
};

}  // namespace shardline
