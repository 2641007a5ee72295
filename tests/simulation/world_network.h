// The simulated world's network: hostile, with security rules that change, and with the mutant of
// this run. It notes the states that it sees.
#pragma once

#include <cstdint>
#include <string_view>

#include "simulation/hostile_network.h"
#include "simulation/mutant.h"
#include "simulation/saboteur.h"
#include "simulation/settings.h"
#include "simulator/simulator.h"

namespace shardline::simulation {

// The operations that rules refuse, in bits.
enum Refusals : std::uint8_t {
  kRefuseNothing = 0,
  kRefuseCommits = 1,        // All but withdrawals.
  kRefuseMarkerCommits = 2,  // All that write a marker, withdrawals among them.
  kRefuseMarkerReads = 4,
  kRefuseSums = 8,
};

class WorldNetwork final : public HostileNetwork {
 public:
  WorldNetwork(simulator::Simulator& simulator, const Hazards& hazards, std::size_t clients,
               std::uint64_t seed, const Settings& settings)
      : HostileNetwork(hazards, clients, seed),
        simulator_(simulator),
        saboteur_(settings.mutant, seed),
        traces_(settings.traces) {}

  void set_refusals(std::uint8_t refusals) { refusals_ = refusals; }

  experiment::Reply Arrive(const experiment::Arrival& arrival) override;

 private:
  simulator::Delivery Serve(const experiment::Arrival& arrival) override;
  bool IsRefused(const HttpRequest& request, Timestamp now) const;

  simulator::Simulator& simulator_;
  Saboteur saboteur_;
  std::uint8_t refusals_ = kRefuseNothing;
  bool traces_;
};

bool IsCommit(const HttpRequest& request);
bool IsMarkerRead(const HttpRequest& request);
bool IsSum(const HttpRequest& request);
bool NamesMarker(const HttpRequest& request);

}  // namespace shardline::simulation
