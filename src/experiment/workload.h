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

// The numbers of pieces of work, by their ends.
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

  // Prepares the database before the first user arrives; null if there is nothing to do. Fails if
  // the options let no user do anything.
  virtual Started Prepare(OperationContext& context) = 0;

  // Begins a piece of work: returns its first operation, or null if it needs no operation.
  virtual Started Begin(const User& user) = 0;
  // Takes operation number `step` of a piece of work, which has succeeded. Returns the next one,
  // null if it was the last, or the error if the work has failed.
  virtual Started Continue(const User& user, int step, const Operation& done);

  // Whether the user has no more work. By default users work until the load ends.
  virtual bool IsDone(std::size_t user) const;

  // The shard that a request is for, from 0; nullopt for all shards, or none.
  virtual std::optional<std::int64_t> ShardOf(const HttpRequest& request) const;
  // The path of the document whose field `count` is the shard's; empty if there is none.
  virtual std::string CountDocument(std::int64_t shard) const;
  // The outcome of the piece of work that has just succeeded, an id or a total; nullopt if it has
  // no outcome.
  virtual std::optional<std::int64_t> TakeValue();

  // Reads the content of the database at the end.
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
std::unique_ptr<Workload> MakeRatingsWorkload(const Options& options);

// An operation of src/api, with its arguments as JSON.
Started Start(Started (*start)(JsonScanner&, OperationContext&), const PaddedText& arguments,
              OperationContext& context);

inline constexpr std::string_view kCounterPath = "experiments/counter";
// A shard's path is this and the shard's number.
inline constexpr std::string_view kShardsFolder = "experiments/counter/shards/";
std::string CounterShard(std::int64_t shard);

// The number behind the first `mark` in a request's body; nullopt if there is none.
std::optional<std::int64_t> NumberBehind(const HttpRequest& request, std::string_view mark);

// The arguments of an operation on the counter, and the members `more`: `,"delta":…`.
PaddedText CounterArguments(const Options& options, std::string_view delivery,
                            std::string_view more);

// A member of a result, as JSON; empty if there is none.
std::string ResultMember(const Operation& done, std::string_view member);
// A member of a result that is an integer, as a number or in quotes; 0 if there is none.
std::int64_t ResultInteger(const Operation& done, std::string_view member);

// "count": {"found", "lost", "extra"}: the count in the database; the number of acknowledged
// increments that are missing; and the number beyond those that were acknowledged or may have been
// done.
void WriteCount(JsonWriter& writer, std::optional<std::int64_t> found, const Outcomes& outcomes);

}  // namespace shardline::experiment
