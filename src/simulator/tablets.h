// A queueing model of the tablets of one index: ranges of its keys, each with a capacity of its
// own, split by load.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "firestore/timestamp.h"
#include "firestore/value.h"
#include "simulator/limits.h"

namespace shardline::simulator {

inline constexpr std::int64_t kSecondMicros = 1'000'000;

// A token bucket: it passes `rate` units a second, and `burst` units at once after a rest.
class Queue {
 public:
  // The wait of a unit that comes now, in microseconds.
  std::int64_t WaitAt(Timestamp now, double rate, double burst) const;
  void Enter(Timestamp now, double rate);

 private:
  // The time when all units that have entered are done.
  std::int64_t busy_until_ = 0;
};

// An entry of an index: the values of its fields, then the document's path.
struct IndexKey {
  std::vector<Value> values;
  std::string path;
};
bool operator<(const IndexKey& a, const IndexKey& b);

class Tablet {
 public:
  Tablet(IndexKey start, Timestamp now) : start_(std::move(start)), since_(now), window_(now) {}

  const IndexKey& start() const { return start_; }
  Queue& queue() { return queue_; }
  const Queue& queue() const { return queue_; }
  // Writes a second, averaged over about the last second, or over the shorter time since the
  // tablet began or was split.
  double LoadAt(Timestamp now) const;

  void Note(const IndexKey& key, Timestamp now);
  // True if it has been hot for long enough, and if its recent keys have a median to split at.
  bool WantsSplit(const Limits& limits, Timestamp now) const;
  // Keeps the keys before the median; the new tablet has the rest.
  Tablet Split(Timestamp now);

 private:
  static constexpr std::size_t kRecent = 63;

  IndexKey Median() const;
  double Average(std::int64_t micros) const;

  IndexKey start_;
  Queue queue_;
  Timestamp since_;  // The time of the last split.
  Timestamp window_;
  std::int64_t in_window_ = 0;
  std::optional<double> load_;  // Unknown in the first second.
  std::vector<IndexKey> recent_;
  std::size_t next_ = 0;
};

class Tablets {
 public:
  // The tablet that holds the key.
  Tablet& Find(const IndexKey& key, Timestamp now);
  // Records a write of the key, which may split its tablet.
  void Write(const IndexKey& key, const Limits& limits, Timestamp now);

  const std::vector<Tablet>& all() const { return tablets_; }

 private:
  std::vector<Tablet> tablets_;  // By their starts.
};

}  // namespace shardline::simulator
