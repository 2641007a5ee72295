// What must be true of the counters of a seed when all has healed and nothing is under way.
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
