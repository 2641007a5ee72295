// A queueing model of Firestore's limits, for the waiting time of a commit.
//
// A commit happens at once or not at all; the model adds the delay of its answer. Each document,
// each tablet of an index entry that it writes, and each collection's ramp is a queue of limited
// speed. The commit waits for the slowest. If that takes longer than the deadline, it is ABORTED
// and leaves no trace.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "simulator/database.h"
#include "simulator/gate.h"
#include "simulator/limits.h"
#include "simulator/tablets.h"

namespace shardline::simulator {

class Contention : public Gate {
 public:
  // `indexes` may be null.
  Contention(Limits limits, std::shared_ptr<const IndexFile> indexes)
      : limits_(limits), indexes_(std::move(indexes)) {}

  // Sets other limits. All queues are empty afterwards, and every index is one tablet again.
  void Reset(const Limits& limits) { *this = Contention(limits, std::move(indexes_)); }

  Status Admit(const std::vector<Change>& changes, Timestamp now) override;

  // The wait of the last commit, in microseconds. Reading resets it to zero.
  std::int64_t TakeWait() { return std::exchange(wait_, 0); }

  std::int64_t aborted() const { return aborted_; }
  // The number of commits that had to wait.
  std::int64_t waited() const { return waited_; }
  // [{index, start, writesPerSecond}], the hottest first.
  void WriteTablets(JsonWriter& writer, std::size_t most, Timestamp now) const;
  // [{path, waitMs}]: the documents for which a write would have to wait now, the longest wait
  // first.
  void WriteDocuments(JsonWriter& writer, std::size_t most, Timestamp now) const;

 private:
  struct Ramp {
    Queue queue;
    Timestamp begun;
  };
  struct Entry {
    Tablets* tablets;
    IndexKey key;
  };

  // The index entries that a change writes.
  void AddEntries(const Change& change, std::vector<Entry>& entries);
  void AddFields(std::string_view collection, const Change& change, const Map* before,
                 const Map* after, std::vector<std::string>& names, std::vector<Entry>& entries);
  double RampRate(const Ramp& ramp, Timestamp now) const;

  Limits limits_;
  std::shared_ptr<const IndexFile> indexes_;
  std::map<std::string, Queue, std::less<>> documents_;
  std::map<std::string, Ramp, std::less<>> ramps_;
  std::map<std::string, Tablets> tablets_;
  std::int64_t wait_ = 0;
  std::int64_t aborted_ = 0;
  std::int64_t waited_ = 0;
};

}  // namespace shardline::simulator
