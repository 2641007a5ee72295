// The invariants of a seed's counters when all faults are over and nothing is under way.
#pragma once

#include <memory>
#include <vector>

#include "simulation/counter_model.h"
#include "simulation/part.h"

namespace shardline::simulation {

// Their totals; that cleanUp() takes expired markers and nothing else; and that deleting one of
// them leaves the others as they are. Requires that every outbox is empty.
void CheckCounters(const std::vector<std::unique_ptr<CounterModel>>& counters, Observer& observer,
                   const Complain& complain);

}  // namespace shardline::simulation
