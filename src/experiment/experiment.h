// A discrete-event simulation: a load test in virtual time, whose users do real operations on an
// embedded Firestore.
//
//   auto experiment = Experiment::Make(PaddedText(R"("tenShards")"));
//   while (!(*experiment)->Advance(1'000)) ShowProgress((*experiment)->Report());
//
// It is deterministic: the same options give the same report, to the last digit.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/network.h"
#include "experiment/options.h"
#include "experiment/recorder.h"
#include "experiment/statistics.h"
#include "experiment/virtual_driver.h"
#include "experiment/workload.h"

namespace shardline::experiment {

class Experiment {
 public:
  // `json`: see Options::Read().
  static Result<std::unique_ptr<Experiment>> Make(const PaddedText& json);

  // Runs at most `steps` events (the arrival of an answer, a user who begins). Returns true at the
  // end.
  bool Advance(int steps);

  // The error of an experiment that has ended early, for another reason than its options.
  const std::optional<Error>& error() const { return error_; }

  // The present state, as JSON, at any time:
  //
  //   experiment  the options, with all defaults
  //   phase       "preparing", "load", "draining" (work that began in time comes to its end),
  //               "verifying" or "done"
  //   seconds     since the beginning of the load, at most the experiment's own
  //   users       the number of users who have arrived
  //   operations  {"started", "acknowledged", "unknown", "failed", "underWay"}: pieces of work;
  //               unknown are those that may have been done
  //   failures    {code: number}, with the unknown ones
  //   throughput  acknowledged per second, over the seconds so far
  //   latencyMs   {"p50", "p95", "p99", "max"} of acknowledged work, with the pauses before
  //               retries
  //   perSecond   see Series
  //   requests    {"sent", "conflicts", "errors", "lost", "retries"}: see RequestCounts
  //   count, ids, stock  the content of the database at the end: see WriteCount, and workloads
  //   server      see Simulator::Observation
  //   recording   see Recorder; at the end, if the options ask for it
  std::string Report() const;

 private:
  enum class Phase : std::uint8_t { kPreparing, kLoad, kDraining, kVerifying, kDone };
  // A user, or the client that prepares and verifies.
  struct Client {
    OperationContext context;
    bool arrived = false;
    int step = 0;  // The step of its piece of work.
    Instant begun{};
  };

  Experiment(Options options, const simulator::SimulatorOptions& simulator);

  Status Prepare();
  void BeginLoad();
  void BeginVerifying();
  void End(std::optional<Error> error);
  void Handle(VirtualDriver::Event event);
  void HandleObserver(const Operation& done);
  void BeginWork(VirtualDriver::ClientId user);
  void HandleWork(VirtualDriver::ClientId user, const Operation& done);
  void Acknowledge(VirtualDriver::ClientId user);
  void NoteFailure(VirtualDriver::ClientId user, const Error& error);
  // Records the end of an operation of a piece of work.
  void RecordOperation(VirtualDriver::ClientId user, const Operation& done);
  void Think(VirtualDriver::ClientId user);
  // Goes on when no event is left.
  void HandleIdle();

  User UserOf(VirtualDriver::ClientId client) {
    return {client, clients_[client].context, driver_.server_now()};
  }
  Instant Now() const { return driver_.now(); }
  Instant Deadline() const { return load_begun_ + std::chrono::seconds(options_.seconds); }
  VirtualDriver::ClientId Observer() const {
    return static_cast<VirtualDriver::ClientId>(options_.users);
  }

  Options options_;
  simulator::Faults faults_;
  simulator::Simulator simulator_;
  DirectNetwork direct_{simulator_};
  ChosenFates network_;
  VirtualDriver driver_;
  std::unique_ptr<Workload> workload_;
  std::unique_ptr<Recorder> recorder_;  // Null unless a recording was asked for.
  std::vector<Client> clients_;         // The observer comes last.
  Phase phase_ = Phase::kPreparing;
  Instant load_begun_{};
  std::optional<Error> error_;

  Outcomes outcomes_;
  std::int64_t arrived_ = 0;
  std::int64_t started_ = 0;
  std::int64_t failed_ = 0;
  std::array<std::int64_t, 18> failures_{};  // By code.
  Histogram latency_;
  Series series_;
};

}  // namespace shardline::experiment
