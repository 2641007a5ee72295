// A load test in virtual time: users who do real operations on an embedded Firestore of its own.
//
//   auto experiment = Experiment::Make(PaddedText(R"("tenShards")"));
//   while (!(*experiment)->Advance(1'000)) ShowProgress((*experiment)->Report());
//
// The same options give the same report, to the last digit.
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
  // `json` is what Options::Read takes.
  static Result<std::unique_ptr<Experiment>> Make(const PaddedText& json);

  // Goes on by at most so many steps (an answer that arrives, a user who begins); true when it is
  // over.
  bool Advance(int steps);

  // Why it has ended early, which is no fault of the options.
  const std::optional<Error>& error() const { return error_; }

  // How it stands, as JSON, at any time:
  //
  //   experiment  the options, with everything filled in
  //   phase       "preparing", "load", "draining" (what was begun in time comes to its end),
  //               "verifying" or "done"
  //   seconds     since the load has begun, at most the experiment's own
  //   users       who have arrived
  //   operations  {"started", "acknowledged", "unknown", "failed", "underWay"}: pieces of work;
  //               unknown are those that may have been done
  //   failures    {code: how many}, the unknown among them
  //   throughput  acknowledged per second, over the seconds so far
  //   latencyMs   {"p50", "p95", "p99", "max"} of what was acknowledged, pauses before retries
  //               included
  //   perSecond   see Series
  //   requests    {"sent", "conflicts", "errors", "lost", "retries"}: see RequestCounts
  //   count, ids, stock  what was found in the end: see WriteCount, and workloads
  //   server      see Simulator::Observation
  //   recording   see Recorder; at the end, if it was asked for
  std::string Report() const;

 private:
  enum class Phase : std::uint8_t { kPreparing, kLoad, kDraining, kVerifying, kDone };
  // A user, or the one who prepares and verifies.
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
  // For the recording: an operation of a piece of work has ended.
  void RecordOperation(VirtualDriver::ClientId user, const Operation& done);
  void Think(VirtualDriver::ClientId user);
  // Nothing more will happen by itself.
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
