#include "simulator/tablets.h"

#include <algorithm>
#include <utility>

namespace shardline::simulator {
namespace {

constexpr std::size_t kMaxTablets = 1'000;
// A shorter time tells too little: two writes in a millisecond are not 2,000 a second.
constexpr std::int64_t kShortestMeasure = 100'000;

}  // namespace

std::int64_t Queue::WaitAt(Timestamp now, double rate, double burst) const {
  const auto ahead = static_cast<std::int64_t>(burst / rate * kSecondMicros);
  return std::max<std::int64_t>(0, busy_until_ - ahead - now.micros);
}

void Queue::Enter(Timestamp now, double rate) {
  busy_until_ = std::max(busy_until_, now.micros) + static_cast<std::int64_t>(kSecondMicros / rate);
}

bool operator<(const IndexKey& a, const IndexKey& b) {
  const std::size_t common = std::min(a.values.size(), b.values.size());
  for (std::size_t i = 0; i < common; ++i) {
    const std::weak_ordering order = CompareValues(a.values[i], b.values[i]);
    if (order != 0) return order < 0;
  }
  if (a.values.size() != b.values.size()) return a.values.size() < b.values.size();
  return CompareNames(a.path, b.path) < 0;
}

double Tablet::LoadAt(Timestamp now) const {
  const std::int64_t elapsed = now.micros - window_.micros;
  if (elapsed < kSecondMicros && load_) return *load_;
  return Average(std::max(elapsed, kShortestMeasure));
}

double Tablet::Average(std::int64_t micros) const {
  return static_cast<double>(in_window_) * kSecondMicros / static_cast<double>(micros);
}

void Tablet::Note(const IndexKey& key, Timestamp now) {
  const std::int64_t elapsed = now.micros - window_.micros;
  if (elapsed >= kSecondMicros) {
    load_ = Average(elapsed);
    in_window_ = 0;
    window_ = now;
  }
  ++in_window_;
  if (recent_.size() < kRecent) {
    recent_.push_back(key);
  } else {
    recent_[next_] = key;
    next_ = (next_ + 1) % kRecent;
  }
}

IndexKey Tablet::Median() const {
  std::vector<IndexKey> sorted = recent_;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle;
}

bool Tablet::WantsSplit(const Limits& limits, Timestamp now) const {
  const auto patience = static_cast<std::int64_t>(limits.split_after_seconds * kSecondMicros);
  return recent_.size() == kRecent && now.micros - since_.micros >= patience && load_ &&
         *load_ >= limits.split_load * limits.tablet_writes_per_second && start_ < Median();
}

Tablet Tablet::Split(Timestamp now) {
  Tablet upper(Median(), now);
  // A write that waits for this tablet waits for both: a split helps later writes.
  upper.queue_ = queue_;
  since_ = now;
  window_ = now;
  in_window_ = 0;
  load_.reset();
  recent_.clear();
  next_ = 0;
  return upper;
}

Tablet& Tablets::Find(const IndexKey& key, Timestamp now) {
  if (tablets_.empty()) tablets_.emplace_back(IndexKey{}, now);
  const auto above =
      std::upper_bound(tablets_.begin() + 1, tablets_.end(), key,
                       [](const IndexKey& k, const Tablet& tablet) { return k < tablet.start(); });
  return *(above - 1);
}

void Tablets::Write(const IndexKey& key, const Limits& limits, Timestamp now) {
  Tablet& tablet = Find(key, now);
  tablet.queue().Enter(now, limits.tablet_writes_per_second);
  tablet.Note(key, now);
  if (tablets_.size() >= kMaxTablets || !tablet.WantsSplit(limits, now)) return;
  Tablet upper = tablet.Split(now);
  tablets_.insert(tablets_.begin() + (&tablet - tablets_.data()) + 1, std::move(upper));
}

}  // namespace shardline::simulator
