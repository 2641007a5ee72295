#include "simulation/world_network.h"

#include <cstdio>
#include <utility>

#include "simulation/coverage.h"
#include "simulator/refusal.h"

namespace shardline::simulation {
namespace {

using experiment::Arrival;
using experiment::kOk;
using experiment::Reply;

void NoteCommit(const Arrival& arrival, int status) {
  const bool applied = status == kOk;
  if (!arrival.is_awaited) {
    Reached(applied ? State::kLateCommitApplied : State::kLateCommitRefused);
  }
  if (arrival.is_second) {
    Reached(applied ? State::kDoubledCommitApplied : State::kDoubledCommitRefused);
  }
}

void Trace(const Arrival& arrival, const simulator::Answer& answer) {
  const std::string& path = arrival.request.path;
  const std::size_t verb = path.rfind(':');
  std::printf("%s client %u%s%s %s %s\n  %d %s\n", arrival.now.ToString().c_str(), arrival.sender,
              arrival.is_second ? ", second arrival" : "", arrival.is_awaited ? "" : ", late",
              path.c_str() + (verb == std::string::npos ? 0 : verb), arrival.request.body.c_str(),
              answer.status, answer.body.c_str());
}

}  // namespace

bool IsCommit(const HttpRequest& request) { return request.path.ends_with(":commit"); }
bool IsSum(const HttpRequest& request) { return request.path.ends_with(":runAggregationQuery"); }
bool NamesLedger(const HttpRequest& request) {
  return request.body.find("/shardline_ledger/") != std::string::npos ||
         request.body.find("/shardline_votes/") != std::string::npos;
}
bool IsLedgerRead(const HttpRequest& request) {
  return request.path.ends_with(":batchGet") && NamesLedger(request);
}

bool WorldNetwork::IsRefused(const HttpRequest& request) const {
  if (refusals_ == kRefuseNothing) return false;
  if (IsCommit(request)) {
    if ((refusals_ & kRefuseLedgerCommits) != 0 && NamesLedger(request)) return true;
    return (refusals_ & kRefuseCommits) != 0;
  }
  if ((refusals_ & kRefuseLedgerReads) != 0 && IsLedgerRead(request)) return true;
  return (refusals_ & kRefuseSums) != 0 && IsSum(request);
}

simulator::Delivery WorldNetwork::Serve(const Arrival& arrival) {
  const HttpRequest& request = arrival.request;
  simulator::Delivery delivery;
  if (IsRefused(request)) {
    Reached(IsCommit(request)       ? State::kRulesRefusedCommit
            : IsLedgerRead(request) ? State::kRulesRefusedLedger
                                    : State::kRulesRefusedSum);
    delivery.answer = simulator::ErrorAnswer(
        simulator::Refusal(Code::kPermissionDenied, "Missing or insufficient permissions.", 403));
    return delivery;
  }
  delivery = saboteur_.is_idle() ? simulator_.Handle({request.method, request.path, false},
                                                     PaddedText(request.body), arrival.now)
                                 : saboteur_.Handle(simulator_, arrival);
  if (traces_) Trace(arrival, delivery.answer);
  if (IsCommit(request)) NoteCommit(arrival, delivery.answer.status);
  if (delivery.answer.status == 401) Reached(State::kTokenExpired);
  if (delivery.answer.status == 429) Reached(State::kQuotaExceeded);
  if (delivery.answer.status >= 500) Reached(State::kServerError);
  if (delivery.answer.body.find("\"ABORTED\"") != std::string::npos) Reached(State::kContention);
  return delivery;
}

Reply WorldNetwork::Arrive(const Arrival& arrival) {
  const std::int64_t garbled_before = counts().garbled;
  Reply reply = HostileNetwork::Arrive(arrival);
  if (counts().garbled != garbled_before) Reached(State::kAnswerGarbled);
  const bool lost = reply.kind != Reply::Kind::kAnswer;
  if (lost && IsCommit(arrival.request) && reply.status == kOk && !reply.body.empty()) {
    Reached(State::kCommitAppliedAnswerLost);
  }
  saboteur_.OnReply(reply);
  return reply;
}

}  // namespace shardline::simulation
