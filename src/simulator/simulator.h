// The embedded Firestore behind a simulated network: the Backend with latency, fault injection and
// limits. Owns the backend, the model of limits, the faults and the meter.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/padded_text.h"
#include "base/random.h"
#include "base/result.h"
#include "simulator/backend.h"
#include "simulator/contention.h"
#include "simulator/dialect.h"
#include "simulator/faults.h"
#include "simulator/limits.h"

namespace shardline::simulator {

struct SimulatorOptions {
  std::uint64_t seed = 1;
  BackendOptions backend;
  Limits limits;
  Faults faults;
  Dialect dialect = Dialect::kEmulator;
  // The latency of a request without faults: between these two, mostly near the first.
  std::int64_t min_latency_micros = 0;
  std::int64_t max_latency_micros = 0;
};

// Reads the options of createEmbeddedFirestore() (web/library/workbench.js) on top of `options`;
// empty text changes nothing.
Result<SimulatorOptions> ReadSimulatorOptions(const PaddedText& json,
                                              SimulatorOptions options = {});

// The answer that a client gets for a request, and its time.
struct Delivery {
  Answer answer;
  // How long after the request, in microseconds.
  std::int64_t delay = 0;
  // The part of that time that the limits made it wait.
  std::int64_t wait = 0;
  // True if the server carried the request out without an error, even if the answer is lost.
  bool applied = false;
  // True if no answer arrives: the client sees a network failure, and the request may have been
  // applied.
  bool lost = false;
};

class Simulator {
 public:
  explicit Simulator(SimulatorOptions options);

  // Changes latency, faults, limits and dialect, and leaves the other options. New limits begin
  // with empty queues.
  Status Configure(const PaddedText& json);

  void set_faults(const Faults& faults) { options_.faults = faults; }

  // A stream (Caller::kStream) sends whole queries after each write, but Firestore bills only the
  // documents that have changed. Therefore its requests are not billed; /stream/billed/N bills N
  // reads.
  Delivery Handle(const Request& request, const PaddedText& body, Timestamp now);

  // For persistence: see Backend.
  Backend& backend() { return backend_; }

  // The bill of all answers so far.
  const Billed& billed() const { return billed_; }
  const Backend& backend() const { return backend_; }
  const Contention& contention() const { return *contention_; }

  // The result of observe(), as JSON.
  std::string Observation(Timestamp now) const;

 private:
  bool Happens(double probability) { return probability > 0 && random_.Fraction() < probability; }
  std::int64_t DrawLatency();
  // The error that the faults put in place of an answer; null if they do not.
  const Error* DrawRefusal();
  void Execute(const Request& request, const PaddedText& body, Timestamp now, Delivery& delivery);

  SimulatorOptions options_;
  std::unique_ptr<Contention> contention_;
  Backend backend_;
  Random random_;
  // It has random numbers of its own, so that the faults do not depend on the dialect.
  Voice voice_;
  Billed billed_;
  std::int64_t requests_ = 0;
  std::int64_t failed_ = 0;
};

}  // namespace shardline::simulator
