// The workloads of experiments whose users all work on one counter.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "counter/counter.h"
#include "experiment/workload.h"

namespace shardline::experiment {

// The users' work with the counter, and the report about it.
class CounterUsers {
 public:
  virtual ~CounterUsers() = default;

  // The same as in Workload.
  virtual Started Begin(const User& user) = 0;
  virtual Started Continue(const User& user, int step, const Operation& done);
  virtual bool IsDone(std::size_t user) const;
  virtual std::optional<std::int64_t> TakeValue();

  // Writes members of the report. `found` is the total at the end; nullopt until it is read. By
  // default writes the count alone.
  virtual void Report(JsonWriter& writer, std::optional<std::int64_t> found,
                      const Outcomes& outcomes) const;
};

// The workload of these users: it makes the counter before the first user arrives, and reads its
// total at the end. `delivery` is the counter's option.
std::unique_ptr<Workload> MakeCounterWorkload(const Options& options, std::string_view delivery,
                                              std::unique_ptr<CounterUsers> users);

// Adds one to the counter like the outbox of web/library, which sends a waiting batch again.
class OneMore {
 public:
  OneMore(const Options& options, std::string_view delivery)
      : shards_(options.shards), delivery_(DeliveryNamed(delivery)) {}

  Started Begin(const User& user);
  // Takes an ended operation. Returns the next one; null if it has added one; or the error if it
  // cannot.
  Started Continue(const User& user, const Operation& done);

 private:
  struct Batch {
    std::string id;
    Timestamp made;
    bool sent = false;
    int rounds = 0;
  };

  static Delivery DeliveryNamed(std::string_view name);
  Started Send(const User& user);

  std::int64_t shards_;
  Delivery delivery_;
  std::unordered_map<std::size_t, Batch> batches_;  // By the user's number.
};

// The arguments of a counter.total that reads every shard.
PaddedText TotalArguments(const Options& options, std::string_view delivery);

}  // namespace shardline::experiment
