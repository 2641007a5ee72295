// The way from clients to the embedded Firestore and back. VirtualDriver asks it for the fate of
// every request.
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
  // When it arrives a second time; nullopt: it does not. Browsers send a POST again when a
  // connection that was kept alive is cut.
  std::optional<Duration> again = {};
  // The answer to the first of two arrivals does not come back.
  bool loses_first_answer = false;
  // When the sender sees the connection break, if no answer has come before; nullopt: never.
  std::optional<Duration> breaks = {};
};

inline constexpr int kOk = 200;

// The reply to an arrival.
struct Reply {
  enum class Kind : std::uint8_t {
    kAnswer,
    kBroken,  // The sender sees a network failure.
    kNone,    // Nothing: the sender waits until it gives up.
  };
  Kind kind = Kind::kAnswer;
  Duration after{};  // From the arrival.
  int status = 0;
  std::string body = {};
  // The part of `after` that the server's limits made it wait.
  Duration wait{};
  // Whether the request was carried out, and without an error: also where no answer says so.
  bool applied = false;

  bool IsOk() const { return status == kOk; }
  // ABORTED and ALREADY_EXISTS, and FAILED_PRECONDITION, which comes with the status of
  // INVALID_ARGUMENT: our operations never earn that one.
  bool IsConflict() const { return status == 409 || status == 400; }
};

struct Arrival {
  ClientId sender;
  const HttpRequest& request;
  Timestamp now;
  // The second time that this request arrives.
  bool is_second = false;
  // The sender still waits for an answer.
  bool is_awaited = true;
  // The request's number among all that were sent: from 1 on.
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

// Every request arrives at once. The simulator's own latency and faults are all that happens to it;
// the whole latency is counted on the way back.
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
  std::int64_t request = 0;  // Its number, from 1 on.
  // kLost: when the connection breaks. kTwice, kLate: when the request arrives (again).
  Duration after{};
};

// Another network, on which some requests have fates.
class ChosenFates final : public Network {
 public:
  // `inner` must outlive this.
  ChosenFates(Network& inner, std::vector<Fate> fates) : inner_(inner), fates_(std::move(fates)) {}

  // From now on requests are counted, and have their fates.
  void Begin() { first_ = sent_ + 1; }

  Passage Draw(ClientId sender, const HttpRequest& request) override;
  Reply Arrive(const Arrival& arrival) override;

 private:
  // Null for most.
  const Fate* FateOf(std::int64_t number) const;

  Network& inner_;
  std::vector<Fate> fates_;
  std::int64_t sent_ = 0;
  std::optional<std::int64_t> first_;
};

}  // namespace shardline::experiment
