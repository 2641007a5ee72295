#include "simulation/counters_end.h"

#include "api/counter_admin_api.h"
#include "api/counter_api.h"
#include "simulation/coverage.h"

namespace shardline::simulation {
namespace {

std::int64_t Total(const CounterModel& counter, Observer& observer, const char* source = "sum") {
  return ValueOf(observer.Run(
      StartWith(StartCounterTotal, counter.With({{"source", source}}), observer.context())));
}

void CheckInTheEnd(const CounterModel& counter, Observer& observer, const Complain& complain) {
  for (const char* source : {"sum", "shards"}) {
    const std::int64_t value = Total(counter, observer, source);
    const std::optional<std::string> wrong = counter.tally.Check(counter.tally.Begin(), value);
    if (wrong) complain(counter.name + ": in the end, " + *wrong + " (" + source + ")");
  }
}

// When all markers have expired, they go, and nothing else changes.
void CheckCleanUp(Observer& observer, const Complain& complain) {
  for (const bool is_again : {false, true}) {
    const json result = observer.Run(StartWith(StartMarkersCleanUp, "{}", observer.context()));
    if (!result.is_object()) return;
    const std::int64_t deleted = result.value("deleted", std::int64_t{-1});
    if (deleted > 0) Reached(State::kCleanedUp);
    if (is_again && deleted != 0) complain("cleanUp() left markers that have expired");
  }
}

}  // namespace

void CheckCounters(const std::vector<std::unique_ptr<CounterModel>>& counters, Observer& observer,
                   const Complain& complain) {
  for (const auto& counter : counters) CheckInTheEnd(*counter, observer, complain);
  observer.Wait(std::chrono::hours(24 * 70));
  CheckCleanUp(observer, complain);
  for (const auto& counter : counters) {
    observer.Run(StartWith(StartCounterCleanUp, counter->With(), observer.context()));
    CheckInTheEnd(*counter, observer, complain);
  }
  // One after the other; those that are left must stay as they are.
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i]->shares_shards) Reached(State::kDeletedBesideNeighbour);
    observer.Run(StartWith(StartCounterDelete, counters[i]->With(), observer.context()));
    if (Total(*counters[i], observer) != 0) complain(counters[i]->name + " counts when deleted");
    for (std::size_t j = i + 1; j < counters.size(); ++j) {
      CheckInTheEnd(*counters[j], observer, complain);
    }
  }
}

}  // namespace shardline::simulation
