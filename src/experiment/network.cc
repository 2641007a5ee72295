#include "experiment/network.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace shardline::experiment {

Reply DirectNetwork::Arrive(const Arrival& arrival) {
  const HttpRequest& request = arrival.request;
  simulator::Delivery delivery =
      simulator_.Handle({request.method, request.path}, PaddedText(request.body), arrival.now);
  return {delivery.lost ? Reply::Kind::kBroken : Reply::Kind::kAnswer,
          Duration(delivery.delay),
          delivery.answer.status,
          std::move(delivery.answer.body),
          Duration(delivery.wait),
          delivery.applied};
}

const Fate* ChosenFates::FateOf(std::int64_t number) const {
  if (!first_) return nullptr;
  for (const Fate& fate : fates_) {
    if (*first_ + fate.request - 1 == number) return &fate;
  }
  return nullptr;
}

Passage ChosenFates::Draw(ClientId sender, const HttpRequest& request) {
  // When the sender of a request that comes late sees the connection break.
  constexpr Duration kBreak = std::chrono::seconds(1);
  Passage passage = inner_.Draw(sender, request);
  const Fate* fate = FateOf(++sent_);
  if (!fate) return passage;
  switch (fate->kind) {
    case Fate::Kind::kLost:
      passage.arrives.reset();
      passage.breaks = fate->after;
      break;
    case Fate::Kind::kCut:
      break;
    case Fate::Kind::kTwice:
      passage.again = fate->after;
      break;
    case Fate::Kind::kLate:
      passage.arrives = fate->after;
      passage.breaks = std::min(kBreak, fate->after);
      break;
  }
  return passage;
}

Reply ChosenFates::Arrive(const Arrival& arrival) {
  Reply reply = inner_.Arrive(arrival);
  const Fate* fate = FateOf(arrival.number);
  if (fate && fate->kind == Fate::Kind::kCut) reply.kind = Reply::Kind::kBroken;
  return reply;
}

}  // namespace shardline::experiment
