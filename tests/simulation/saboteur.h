// Plants the fault of a mutant (mutation testing): between a client and the server, it changes a
// request, an answer, or the server's work. The library itself is not touched.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/random.h"
#include "experiment/network.h"
#include "simulation/mutant.h"
#include "simulator/simulator.h"

namespace shardline::simulation {

class Saboteur {
 public:
  Saboteur(Mutant mutant, std::uint64_t seed) : mutant_(mutant), random_(seed) {}

  bool is_idle() const { return mutant_ == Mutant::kNone; }
  // In place of the simulator.
  simulator::Delivery Handle(simulator::Simulator& simulator, const experiment::Arrival& arrival);
  // An answer on its way back to a client.
  void OnReply(experiment::Reply& reply) const;

 private:
  using json = nlohmann::json;

  void ChangeCommit(json& body);
  void ChangeWrite(json& write);
  void ChangeRead(const experiment::Arrival& arrival, json& body);
  void ChangeAnswer(const std::string& path, const json& asked, simulator::Answer& answer);
  void ChangeList(const json& asked, json& elements);
  void DeleteMarkers(simulator::Simulator& simulator, const experiment::Arrival& arrival);

  Mutant mutant_;
  Random random_;
  int left_out_ = -1;                          // The place of a write that was left out.
  std::map<std::string, std::string> cached_;  // Answers, by request.
  std::string ids_answer_;
  std::vector<std::string> marker_names_;
};

}  // namespace shardline::simulation
