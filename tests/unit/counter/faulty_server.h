#pragma once

#include <chrono>
#include <cstdint>

#include "base/random.h"
#include "unit/support/operation_driver.h"
#include "unit/support/simulated_server.h"

namespace shardline {

// A server behind a bad network.
class FaultyServer {
 public:
  // `rate`: of all requests, in percent. `loses_answers`: also faults that leave a write in doubt.
  FaultyServer(std::uint64_t seed, int rate, bool loses_answers)
      : random_(seed), rate_(rate), loses_answers_(loses_answers) {}

  Reply operator()(const SentRequest& request) {
    Reply reply = Break(request);
    // Answers overtake each other.
    reply.latency = std::chrono::milliseconds(1 + random_.Below(500));
    return reply;
  }

  SimulatedServer& server() { return server_; }

 private:
  Reply Break(const SentRequest& request) {
    if (random_.Below(100) >= static_cast<std::uint64_t>(rate_)) return server_(request);
    switch (random_.Below(loses_answers_ ? 12 : 3)) {
      case 0:
        return Refusal("ABORTED");
      case 1:
        return Refusal("RESOURCE_EXHAUSTED");
      case 2:
        return Refusal("UNAUTHENTICATED");
      case 3:
        return Cut();
      case 4:
        return Silence();
      case 5:
        return Refusal("UNAVAILABLE");
      case 6:
        server_(request);
        return Cut();
      case 7:
        server_(request);
        return Silence();
      case 8:
        server_(request);
        return Refusal("INTERNAL");
      case 9:
        server_(request);
        return Answer(502, "<!DOCTYPE html>");
      case 10: {
        Reply reply = server_(request);
        reply.body.resize(random_.Below(reply.body.size()));
        return reply;
      }
      default: {
        Reply reply = server_(request);
        if (reply.body.back() != ']') return Cut();
        reply.body.back() = ',';
        reply.body += R"({"error":{"code":500,"message":"Broken off.","status":"INTERNAL"}}])";
        return reply;
      }
    }
  }

  SimulatedServer server_;
  Random random_;
  int rate_;
  bool loses_answers_;
};

}  // namespace shardline
