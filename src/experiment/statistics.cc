#include "experiment/statistics.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "base/number.h"

namespace shardline::experiment {

void WriteNumber(JsonWriter& writer, double number) {
  std::string text;
  AppendDouble(text, number);
  writer.Raw(text);
}

void WriteMillis(JsonWriter& writer, Duration duration) {
  constexpr double kMicrosPerMilli = 1'000;
  WriteNumber(writer, static_cast<double>(duration.count()) / kMicrosPerMilli);
}

std::size_t Histogram::BucketOf(std::uint64_t micros) {
  if (micros < kSteps) return static_cast<std::size_t>(micros);
  const int shift = static_cast<int>(std::bit_width(micros)) - 1 - kStepBits;
  const auto power = static_cast<std::size_t>(shift + 1) * kSteps;
  return std::min(power + static_cast<std::size_t>((micros >> shift) - kSteps), kBuckets - 1);
}

std::int64_t Histogram::EndOf(std::size_t bucket) {
  if (bucket < kSteps) return static_cast<std::int64_t>(bucket);
  const std::size_t shift = bucket / kSteps - 1;
  const auto steps = static_cast<std::int64_t>(bucket % kSteps + kSteps + 1);
  return (steps << shift) - 1;
}

void Histogram::Add(Duration duration) {
  ++buckets_[BucketOf(static_cast<std::uint64_t>(std::max<std::int64_t>(duration.count(), 0)))];
  ++count_;
  max_ = std::max(max_, duration);
}

Duration Histogram::Quantile(double share) const {
  const auto rank =
      std::max<std::int64_t>(std::llround(std::ceil(share * static_cast<double>(count_))), 1);
  std::int64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) return std::min(Duration(EndOf(bucket)), max_);
  }
  return max_;
}

void Histogram::Write(JsonWriter& writer) const {
  writer.BeginObject();
  WriteMillis(writer.Key("p50"), Quantile(0.5));
  WriteMillis(writer.Key("p95"), Quantile(0.95));
  WriteMillis(writer.Key("p99"), Quantile(0.99));
  WriteMillis(writer.Key("max"), max_);
  writer.EndObject();
}

Series::Second* Series::At(Instant at) {
  const auto second = std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
  if (second < 0 || static_cast<std::size_t>(second) >= seconds_.size()) return nullptr;
  return &seconds_[static_cast<std::size_t>(second)];
}

void Series::CountStarted(Instant at) {
  if (Second* second = At(at)) ++second->started;
}

void Series::CountAcknowledged(Instant at, Duration latency) {
  if (Second* second = At(at)) {
    ++second->acknowledged;
    second->latency += latency;
  }
}

void Series::CountFailed(Instant at) {
  if (Second* second = At(at)) ++second->failed;
}

std::int64_t Series::acknowledged() const {
  std::int64_t sum = 0;
  for (const Second& second : seconds_) sum += second.acknowledged;
  return sum;
}

void Series::Write(JsonWriter& writer, Instant now) const {
  const auto begun = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count() + 1;
  const std::size_t shown = std::min(seconds_.size(), static_cast<std::size_t>(begun));
  const auto write = [&](std::string_view name, auto value) {
    writer.Key(name).BeginArray();
    for (std::size_t i = 0; i < shown; ++i) value(seconds_[i]);
    writer.EndArray();
  };
  writer.BeginObject();
  write("started", [&](const Second& second) { writer.Int(second.started); });
  write("acknowledged", [&](const Second& second) { writer.Int(second.acknowledged); });
  write("failed", [&](const Second& second) { writer.Int(second.failed); });
  write("meanLatencyMs", [&](const Second& second) {
    WriteMillis(writer, second.latency / std::max<std::int64_t>(second.acknowledged, 1));
  });
  writer.EndObject();
}

}  // namespace shardline::experiment
