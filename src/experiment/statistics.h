// The statistics that sum up a load test.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/instant.h"
#include "base/json_writer.h"

namespace shardline::experiment {

// A log-linear histogram (like HDR Histogram) of durations, to within 2 %, in constant space.
class Histogram {
 public:
  void Add(Duration duration);

  std::int64_t count() const { return count_; }
  // The duration that `share` (0 to 1) of them do not exceed; 0 if there are none.
  Duration Quantile(double share) const;
  Duration max() const { return max_; }

  // {"p50", "p95", "p99", "max"} in milliseconds.
  void Write(JsonWriter& writer) const;

 private:
  // Each power of two is divided into 2^kStepBits buckets of equal width.
  static constexpr int kStepBits = 5;
  static constexpr std::size_t kSteps = std::size_t{1} << kStepBits;
  static constexpr std::size_t kBuckets = 40 * kSteps;  // Up to 2^44 µs: half a year.

  static std::size_t BucketOf(std::uint64_t micros);
  // The upper end.
  static std::int64_t EndOf(std::size_t bucket);

  std::array<std::int64_t, kBuckets> buckets_{};
  std::int64_t count_ = 0;
  Duration max_{};
};

// The events of each second of virtual time.
class Series {
 public:
  explicit Series(std::size_t seconds) : seconds_(seconds) {}

  // These count if `at` is within the series.
  void CountStarted(Instant at);
  void CountAcknowledged(Instant at, Duration latency);
  void CountFailed(Instant at);

  // The number of acknowledgements within the series.
  std::int64_t acknowledged() const;

  // {"started": […], "acknowledged": […], "failed": […], "meanLatencyMs": […]}: one number for each
  // second that has begun by `now`.
  void Write(JsonWriter& writer, Instant now) const;

 private:
  struct Second {
    std::int64_t started = 0;
    std::int64_t acknowledged = 0;
    std::int64_t failed = 0;
    Duration latency{};
  };

  Second* At(Instant at);

  std::vector<Second> seconds_;
};

// Writes milliseconds with up to three decimals.
void WriteMillis(JsonWriter& writer, Duration duration);
// Writes a finite number in its shortest form.
void WriteNumber(JsonWriter& writer, double number);

}  // namespace shardline::experiment
