// Fault injection between clients and the embedded Firestore. VirtualDriver asks the network for
// the fate of every request.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "firestore/timestamp.h"
#include "operation/operation.h"
#include "simulator/simulator.h"

namespace shardline::experiment {

using ClientId = std::uint32_t;

// The fate of a request on its way to the server. Times count from its sending.
struct Passage {
  // When it arrives; nullopt: never.
  std::optional<Duration> arrives = Duration{};
  // The time of a second arrival; nullopt: it arrives once. Browsers send a POST again if a
  // kept-alive connection breaks.
  std::optional<Duration> again = {};
  // The answer to the first of two arrivals does not come back.
  bool loses_first_answer = false;
  // The time when the sender sees the connection break, if no answer has come before; nullopt:
  // never.
  std::optional<Duration> breaks = {};
};

inline constexpr int kOk = 200;

// The reply to an arrival.
struct Reply {
  enum class Kind : std::uint8_t {
    kAnswer,
    kBroken,  // The sender sees a network failure.
    kNone,    // No reply: the sender waits until it gives up.
  };
  Kind kind = Kind::kAnswer;
  Duration after{};  // Counts from the arrival.
  int status = 0;
  std::string body = {};
  // The part of `after` that the server's limits made it wait.
  Duration wait{};
  // True if the server carried the request out without an error, even if the answer is lost.
  bool applied = false;

  bool IsOk() const { return status == kOk; }
  // True for ABORTED and ALREADY_EXISTS, and for FAILED_PRECONDITION, which shares its status with
  // INVALID_ARGUMENT: operations never send invalid arguments.
  bool IsConflict() const { return status == 409 || status == 400; }
};

struct Arrival {
  ClientId sender;
  const HttpRequest& request;
  Timestamp now;
  // True for the second arrival of a request.
  bool is_second = false;
  // True if the sender still waits for an answer.
  bool is_awaited = true;
  // The request's number among all sent ones, from 1.
  std::int64_t number = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  // Called once for each request, when it is sent.
  virtual Passage Draw(ClientId sender, const HttpRequest& request) = 0;
  // Called for each arrival, in the order of arrivals. The server applies the request now.
  virtual Reply Arrive(const Arrival& arrival) = 0;
};

// Every request arrives at once. Only the simulator's own latency and faults affect it, and the
// answer's way has all of the latency.
class DirectNetwork final : public Network {
 public:
  // The simulator must outlive the network.
  explicit DirectNetwork(simulator::Simulator& simulator) : simulator_(simulator) {}

  Passage Draw(ClientId, const HttpRequest&) override { return {}; }
  Reply Arrive(const Arrival& arrival) override;

 private:
  simulator::Simulator& simulator_;
};

// The fate of one request, chosen by hand.
struct Fate {
  enum class Kind : std::uint8_t {
    kLost,   // It never arrives, and the sender sees the connection break.
    kCut,    // It is carried out, and its answer does not come back.
    kTwice,  // It arrives a second time.
    kLate,   // The sender sees the connection break, and the request arrives nevertheless.
  };
  Kind kind = Kind::kCut;
  std::int64_t request = 0;  // The request's number, from 1.
  // kLost: the time of the break. kTwice, kLate: the time of the (second) arrival.
  Duration after{};
};

// A decorator of another network: some requests have chosen fates.
class ChosenFates final : public Network {
 public:
  // `inner` must outlive this.
  ChosenFates(Network& inner, std::vector<Fate> fates) : inner_(inner), fates_(std::move(fates)) {}

  // From now on, counts the requests, and applies their fates.
  void Begin() { first_ = sent_ + 1; }

  Passage Draw(ClientId sender, const HttpRequest& request) override;
  Reply Arrive(const Arrival& arrival) override;

 private:
  // Null if the request has no chosen fate.
  const Fate* FateOf(std::int64_t number) const;

  Network& inner_;
  std::vector<Fate> fates_;
  std::int64_t sent_ = 0;
  std::optional<std::int64_t> first_;
};

}  // namespace shardline::experiment
