// The work of an experiment's users, and the condition that must hold in the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

// A user does pieces of work.
struct User {
  std::size_t number;  // From 0 on.
  OperationContext& context;
  Timestamp now;
};

class Workload {
 public:
  static std::unique_ptr<Workload> Make(const Options& options);
  virtual ~Workload() = default;

  // Prepares the database before the first user comes; null for nothing. Fails if the options are
  // such that no user could do anything.
  virtual Started Prepare(OperationContext& context) = 0;

  // A user begins: the first of the operations that a piece of work takes, or null if it takes
  // none.
  virtual Started Begin(const User& user) = 0;
  // Operation number `step` of a piece of work has succeeded: the next one, or null if that was
  // all; or why the work has failed.
  virtual Started Continue(const User& user, int step, const Operation& done);

  // Whether the user has no more work. By default users work until the load ends.
  virtual bool IsDone(std::size_t user) const;

  // Which of the shards a request is for, from 0 on; nullopt for all of them, or none.
  virtual std::optional<std::int64_t> ShardOf(const HttpRequest& request) const;
  // The path of the document whose field `count` is the shard's; empty if there is none.
  virtual std::string CountDocument(std::int64_t shard) const;
  // The outcome of the piece of work that has just succeeded, an id or a total; nullopt for
  // nothing.
  virtual std::optional<std::int64_t> TakeValue();

  // Reads what the database holds in the end.
  virtual Started Verify(OperationContext& context) = 0;
  // Takes the result of Verify().
  virtual void OnVerified(const Operation& done) = 0;

  // Writes members of the report.
  virtual void Report(JsonWriter& writer, const Outcomes& outcomes) const = 0;
};

std::unique_ptr<Workload> MakeIncrementWorkload(const Options& options);
std::unique_ptr<Workload> MakeTotalsWorkload(const Options& options);
std::unique_ptr<Workload> MakePagesWorkload(const Options& options);
std::unique_ptr<Workload> MakeInsertWorkload(const Options& options);
std::unique_ptr<Workload> MakeIdWorkload(const Options& options);
std::unique_ptr<Workload> MakeStockWorkload(const Options& options);

// An operation of src/api, with its arguments as JSON.
Started Start(Started (*start)(JsonScanner&, OperationContext&), const PaddedText& arguments,
              OperationContext& context);

inline constexpr std::string_view kCounterPath = "experiments/counter";
// Behind it, in a shard's path, stands its number.
inline constexpr std::string_view kShardsFolder = "experiments/counter/shards/";
std::string CounterShard(std::int64_t shard);

// The number that stands behind the first `mark` in what a request says; nullopt if there is none.
std::optional<std::int64_t> NumberBehind(const HttpRequest& request, std::string_view mark);

// The arguments of an operation on the counter, and the members `more`: `,"delta":…`.
PaddedText CounterArguments(const Options& options, std::string_view delivery,
                            std::string_view more);

// A member of a result, as JSON; empty if there is none.
std::string ResultMember(const Operation& done, std::string_view member);
// A member of a result that is an integer, as a number or in quotes; 0 if there is none.
std::int64_t ResultInteger(const Operation& done, std::string_view member);

// "count": {"found", "lost", "extra"}: what the database holds; how many of those acknowledged are
// missing; and how many there are beyond those that were acknowledged or may have been done.
void WriteCount(JsonWriter& writer, std::optional<std::int64_t> found, const Outcomes& outcomes);

}  // namespace shardline::experiment
