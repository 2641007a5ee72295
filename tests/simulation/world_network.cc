#include "simulation/world_network.h"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
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
bool NamesMarker(const HttpRequest& request) {
  return request.body.find("/shardline_markers/") != std::string::npos;
}
bool IsMarkerRead(const HttpRequest& request) {
  return request.path.ends_with(":batchGet") && NamesMarker(request);
}

namespace {

// As counterRules() writes it: a marker, and a key's, expires 28 to 400 days ahead.
bool IsDatedWrongly(const nlohmann::json& writes, Timestamp now) {
  constexpr std::int64_t kDay = std::int64_t{24} * 3600 * 1'000'000;
  for (const nlohmann::json& write : writes) {
    if (!write.contains("update") || !write["update"].contains("fields")) continue;
    const std::string name = write["update"]["name"];
    const nlohmann::json& fields = write["update"]["fields"];
    const bool is_marker = name.find("/shardline_markers/") != std::string::npos ||
                           name.find("/shardline_keys/") != std::string::npos;
    if (!is_marker) continue;
    if (!fields.contains("expireAt")) return true;
    const auto expires = Timestamp::Parse(fields["expireAt"]["timestampValue"].get<std::string>());
    const std::int64_t ahead = expires->micros - now.micros;
    if (ahead < 28 * kDay || ahead > 400 * kDay) return true;
  }
  return false;
}

}  // namespace

bool WorldNetwork::IsRefused(const HttpRequest& request, Timestamp now) const {
  if (!IsCommit(request)) {
    if ((refusals_ & kRefuseMarkerReads) != 0 && IsMarkerRead(request)) return true;
    return (refusals_ & kRefuseSums) != 0 && IsSum(request);
  }
  const bool names_key = request.body.find("/shardline_keys/") != std::string::npos;
  const bool names_marker = NamesMarker(request);
  if (!names_marker && !names_key) return (refusals_ & kRefuseCommits) != 0;
  const nlohmann::json body = nlohmann::json::parse(request.body);
  if (IsDatedWrongly(body["writes"], now)) {
    Reached(State::kMarkerDatedWrongly);
    return true;
  }
  if ((refusals_ & kRefuseMarkerCommits) != 0 && names_marker) return true;
  const bool is_withdrawal = names_marker && body["writes"].size() == 1;
  return (refusals_ & kRefuseCommits) != 0 && !is_withdrawal;
}

simulator::Delivery WorldNetwork::Serve(const Arrival& arrival) {
  const HttpRequest& request = arrival.request;
  simulator::Delivery delivery;
  if (IsRefused(request, arrival.now)) {
    Reached(IsCommit(request)       ? State::kRulesRefusedCommit
            : IsMarkerRead(request) ? State::kRulesRefusedMarker
                                    : State::kRulesRefusedSum);
    delivery.answer = simulator::ErrorAnswer(
        simulator::Refusal(Code::kPermissionDenied, "Missing or insufficient permissions.", 403));
    return delivery;
  }
  delivery = saboteur_.is_idle() ? simulator_.Handle({request.method, request.path},
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
