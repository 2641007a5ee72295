#include "experiment/network.h"

#include <utility>

namespace shardline::experiment {

Reply DirectNetwork::Arrive(const Arrival& arrival) {
  const HttpRequest& request = arrival.request;
  simulator::Delivery delivery = simulator_.Handle({request.method, request.path, false},
                                                   PaddedText(request.body), arrival.now);
  return {delivery.lost ? Reply::Kind::kBroken : Reply::Kind::kAnswer, Duration(delivery.delay),
          delivery.answer.status, std::move(delivery.answer.body)};
}

}  // namespace shardline::experiment
