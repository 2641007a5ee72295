#include "simulation/hostile_network.h"

#include <utility>

namespace shardline::simulation {

using experiment::Arrival;
using experiment::ClientId;
using experiment::kOk;
using experiment::Passage;
using experiment::Reply;

namespace {

constexpr std::int64_t kSecond = 1'000'000;
constexpr int kBadGateway = 502;

}  // namespace

Duration HostileNetwork::DrawLong(std::int64_t least_seconds, int doublings) {
  const auto power = static_cast<int>(random_.Below(static_cast<std::uint64_t>(doublings)));
  const double seconds = static_cast<double>(least_seconds << power) * (1 + random_.Fraction());
  return Duration(static_cast<std::int64_t>(seconds * kSecond));
}

void HostileNetwork::Heal(ClientId sender) {
  const Duration latency = hazards_[sender].latency;
  hazards_[sender] = {};
  hazards_[sender].latency = latency;
}

Passage HostileNetwork::Draw(ClientId sender, const HttpRequest&) {
  const Hazards& hazards = hazards_[sender];
  Passage passage;
  const double way = random_.Fraction() * random_.Fraction();
  Duration arrives(static_cast<std::int64_t>(way * static_cast<double>(hazards.latency.count())));
  const bool dropped = Happens(hazards.dropped);
  const bool late = !dropped && Happens(hazards.late);
  if (late) {
    // Up to ten minutes and more: longer than anybody waits, and often longer than anybody tries.
    arrives += DrawLong(3, 8);
    ++counts_.late;
  }
  // Half of the senders learn of it; the others wait until they give up.
  if ((dropped || late) && Happens(0.5)) passage.breaks = DrawLong(0, 1) + DrawLong(1, 3) / 4;
  if (dropped) {
    passage.arrives.reset();
    return passage;
  }
  passage.arrives = arrives;
  if (Happens(hazards.doubled)) {
    passage.again = arrives + (Happens(0.5) ? DrawLong(1, 3) / 16 : DrawLong(1, 8));
    passage.loses_first_answer = Happens(0.5);
    ++counts_.doubled;
  }
  return passage;
}

// The text that a proxy puts in place of an answer, or the rest that it leaves.
void HostileNetwork::Garble(Reply& reply) {
  ++counts_.garbled;
  switch (random_.Below(5)) {
    case 0:
      reply.body.resize(static_cast<std::size_t>(random_.Below(reply.body.size() + 1)));
      break;
    case 1:
      reply.body.clear();
      break;
    case 2:
      reply.body = "<!DOCTYPE html><title>Sign in to the network</title>";
      reply.status = kOk;
      break;
    case 3:
      reply.body = "<html><body>502 Bad Gateway</body></html>";
      reply.status = kBadGateway;
      break;
    default:
      reply.body.insert(0, ")]}'\n");
      break;
  }
}

Reply HostileNetwork::Arrive(const Arrival& arrival) {
  if (arrival.now.micros < down_until_.micros)
    return {Reply::Kind::kBroken, Duration(kSecond / 10)};
  simulator::Delivery delivery = Serve(arrival);
  Reply reply{delivery.lost ? Reply::Kind::kBroken : Reply::Kind::kAnswer, Duration(delivery.delay),
              delivery.answer.status, std::move(delivery.answer.body)};
  const Hazards& hazards = hazards_[arrival.sender];
  if (Happens(hazards.garbled)) Garble(reply);
  if (Happens(hazards.slow)) reply.after += DrawLong(1, 5);
  if (Happens(hazards.broken)) reply.kind = Reply::Kind::kBroken;
  if (Happens(hazards.silent)) reply.kind = Reply::Kind::kNone;
  return reply;
}

}  // namespace shardline::simulation
