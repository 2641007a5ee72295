// The totals that a counter may show: bounds from each side, at every read.
//
//   acknowledged before the read began  ≤  total  ≤  asked before it ended, less what was refused
//
// Increments may be negative, so each bound has a part of each sign. A delete takes the whole count
// away: from its end on, only increments that were asked later are sure to be counted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace shardline::simulation {

class Tally {
 public:
  // Which deletes had begun and ended when something was asked.
  using Epoch = std::int64_t;
  // Taken when a read begins.
  struct Mark {
    Epoch epoch = 0;
    std::int64_t ups = 0;
    std::int64_t downs = 0;
  };

  // An increment has been asked for: from now on it may be counted.
  Epoch Ask(std::int64_t delta);
  // It has surely been counted. `asked` is the result of Ask().
  void Acknowledge(std::int64_t delta, Epoch asked);
  // It has surely not been counted, and never will be.
  void Refuse(std::int64_t delta);

  void BeginDelete();
  // Also when the page that deleted has died.
  void EndDelete();
  bool is_being_deleted() const { return deletes_ > 0; }
  Epoch epoch() const { return epoch_; }

  // Increments may be counted more often than once: there is no upper bound.
  void AllowRepeats() { may_repeat_ = true; }
  bool may_repeat() const { return may_repeat_; }

  Mark Begin() const { return {epoch_, acknowledged_.ups, acknowledged_.downs}; }
  // The complaint about a total that was read since; nullopt if it is right.
  std::optional<std::string> Check(const Mark& begun, std::int64_t total) const;
  // True if only one total is possible now.
  bool is_exact() const;

 private:
  struct Sums {
    std::int64_t ups = 0;
    std::int64_t downs = 0;  // A positive number.
    void Add(std::int64_t delta) { (delta > 0 ? ups : downs) += delta > 0 ? delta : -delta; }
    void Subtract(std::int64_t delta) { (delta > 0 ? ups : downs) -= delta > 0 ? delta : -delta; }
  };

  Sums asked_;
  Sums acknowledged_;  // Since the last delete.
  Epoch epoch_ = 0;  // Odd or even says nothing: it changes when a delete begins, and when it ends.
  int deletes_ = 0;
  bool may_repeat_ = false;
};

}  // namespace shardline::simulation
