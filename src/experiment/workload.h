// What the users of an experiment do, and what must be true in the end.
#pragma once

#include <memory>

#include "base/json_writer.h"
#include "experiment/options.h"
#include "operation/operation.h"

namespace shardline::experiment {

using Started = Result<std::unique_ptr<Operation>>;

// How users' work has ended.
struct Outcomes {
  std::int64_t acknowledged = 0;
  // It may have been done.
  std::int64_t unknown = 0;
};

// Whoever does a piece of work.
struct User {
  std::size_t number;  // From 0 on.
  OperationContext& context;
  Timestamp now;
};

class Workload {
 public:
  static std::unique_ptr<Workload> Make(const Options& options);
  virtual ~Workload() = default;

  // What must be there before the first user comes; null for nothing. Fails if the options are such
  // that no user could do anything.
  virtual Started Prepare(OperationContext& context) = 0;

  // A user begins: the first of the operations that a piece of work takes, or null if it takes
  // none.
  virtual Started Begin(const User& user) = 0;
  // Operation number `step` of a piece of work has succeeded: the next one, or null if that was
  // all; or why the work has failed.
  virtual Started Continue(const User& user, int step, const Operation& done);

  // Reads what the database holds in the end.
  virtual Started Verify(OperationContext& context) = 0;
  // What Verify() has found.
  virtual void OnVerified(const Operation& done) = 0;

  // Writes members of the report.
  virtual void Report(JsonWriter& writer, const Outcomes& outcomes) const = 0;
};

// With the delivery 'exactly-once', each user's client keeps a queue of what it has to send.
std::unique_ptr<Workload> MakeDeliveryWorkload(const Options& options);
std::unique_ptr<Workload> MakeCounterWorkload(const Options& options);
std::unique_ptr<Workload> MakeInsertWorkload(const Options& options);
std::unique_ptr<Workload> MakeIdWorkload(const Options& options);

// An operation of src/api, with its arguments as JSON.
Started Start(Started (*start)(JsonScanner&, OperationContext&), const PaddedText& arguments,
              OperationContext& context);

inline constexpr std::string_view kCounterPath = "experiments/counter";

// The arguments of an operation on the counter, and the members `more`: `,"delta":…`.
PaddedText CounterArguments(const Options& options, std::string_view delivery,
                            std::string_view more);

// A member of a result that is an integer, as a number or in quotes; 0 if there is none.
std::int64_t ResultInteger(const Operation& done, std::string_view member);

// "count": {"found", "lost", "extra"}: what the database holds; how many of those acknowledged are
// missing; and how many there are beyond those that were acknowledged or may have been done.
void WriteCount(JsonWriter& writer, std::optional<std::int64_t> found, const Outcomes& outcomes);

}  // namespace shardline::experiment
