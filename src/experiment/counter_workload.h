// Experiments in which all users work on one counter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "experiment/workload.h"

namespace shardline::experiment {

// What the users do with the counter, and what the report says of it.
class CounterUsers {
 public:
  virtual ~CounterUsers() = default;

  // As those of Workload.
  virtual Started Begin(const User& user) = 0;
  virtual Started Continue(const User& user, int step, const Operation& done);
  virtual std::optional<std::int64_t> TakeValue();

  // Writes members of the report. `found` is the total in the end; nullopt as long as it has not
  // been read. Writes the count alone, unless overridden.
  virtual void Report(JsonWriter& writer, std::optional<std::int64_t> found,
                      const Outcomes& outcomes) const;
};

// The workload of these users: it makes the counter before the first of them comes, and reads its
// total in the end. `delivery` is the counter's.
std::unique_ptr<Workload> MakeCounterWorkload(const Options& options, std::string_view delivery,
                                              std::unique_ptr<CounterUsers> users);

// The arguments of counter.increment for one more, and those of counter.total by reading every
// shard.
PaddedText IncrementArguments(const Options& options, std::string_view delivery);
PaddedText TotalArguments(const Options& options, std::string_view delivery);

}  // namespace shardline::experiment
