#include "simulation/tally.h"

namespace shardline::simulation {

Tally::Epoch Tally::Ask(std::int64_t delta) {
  asked_.Add(delta);
  return epoch_;
}

void Tally::Acknowledge(std::int64_t delta, Epoch asked) {
  // Asked before a delete, it may have been counted and deleted since.
  if (asked == epoch_ && deletes_ == 0) acknowledged_.Add(delta);
}

void Tally::Refuse(std::int64_t delta) { asked_.Subtract(delta); }

void Tally::BeginDelete() {
  ++deletes_;
  ++epoch_;
  acknowledged_ = {};
}

void Tally::EndDelete() {
  --deletes_;
  ++epoch_;
  acknowledged_ = {};
}

std::optional<std::string> Tally::Check(const Mark& begun, std::int64_t total) const {
  const bool is_same = begun.epoch == epoch_ && deletes_ == 0;
  const std::int64_t least = (is_same ? begun.ups : 0) - asked_.downs;
  const std::int64_t most = asked_.ups - (is_same ? begun.downs : 0);
  if (total >= least && (may_repeat_ || total <= most)) return std::nullopt;
  return std::to_string(total) + " were counted; possible are " + std::to_string(least) + " to " +
         (may_repeat_ ? "any" : std::to_string(most));
}

bool Tally::is_exact() const {
  return epoch_ == 0 && !may_repeat_ && asked_.ups == acknowledged_.ups &&
         asked_.downs == acknowledged_.downs;
}

}  // namespace shardline::simulation
