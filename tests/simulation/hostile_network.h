// A network that is worse than any real one: when a request arrives, how often, and whether its
// answer comes back are drawn separately, from a seed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "experiment/network.h"

namespace shardline::simulation {

// Probabilities per request, or per answer.
struct Hazards {
  // The longest way to the server; most requests need much less.
  Duration latency{};
  // The request never arrives.
  double dropped = 0;
  // It arrives seconds to minutes later; as a rule its sender has given up by then.
  double late = 0;
  // It arrives a second time: a moment later, or minutes later.
  double doubled = 0;
  // The answer breaks off; never comes; comes up to a minute late; is not what the server said.
  double broken = 0;
  double silent = 0;
  double slow = 0;
  double garbled = 0;

  bool LosesAnswers() const {
    return dropped > 0 || late > 0 || broken > 0 || silent > 0 || slow > 0 || garbled > 0;
  }
};

class HostileNetwork : public experiment::Network {
 public:
  struct Counts {
    std::int64_t late = 0;
    std::int64_t doubled = 0;
    std::int64_t garbled = 0;
  };

  HostileNetwork(const Hazards& hazards, std::size_t clients, std::uint64_t seed)
      : random_(seed), hazards_(clients, hazards) {}

  experiment::Passage Draw(experiment::ClientId sender, const HttpRequest& request) override;
  experiment::Reply Arrive(const experiment::Arrival& arrival) override;

  // From now on the sender's requests and answers take their time, and nothing else. What has been
  // sent keeps its fate.
  void Heal(experiment::ClientId sender);
  // Nothing arrives until then.
  void BreakDown(Timestamp until) { down_until_ = until; }
  const Counts& counts() const { return counts_; }

 protected:
  // The server's treatment of a request that arrives. A lost delivery breaks the connection.
  virtual simulator::Delivery Serve(const experiment::Arrival& arrival) = 0;

 private:
  bool Happens(double probability) { return probability > 0 && random_.Fraction() < probability; }
  // Between the two, in microseconds. Each power of two is equally likely.
  Duration DrawLong(std::int64_t least_seconds, int doublings);
  void Garble(experiment::Reply& reply);

  Random random_;
  std::vector<Hazards> hazards_;  // By sender.
  Timestamp down_until_{0};
  Counts counts_;
};

}  // namespace shardline::simulation
