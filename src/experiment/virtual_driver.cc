#include "experiment/virtual_driver.h"

#include <algorithm>
#include <utility>

namespace shardline::experiment {
namespace {

constexpr int kConflict = 409;            // ABORTED, ALREADY_EXISTS
constexpr int kFailedPrecondition = 400;  // Also INVALID_ARGUMENT, which our operations never earn.

}  // namespace

Timestamp VirtualDriver::server_now() const {
  return Timestamp{kStartMicros + now_.time_since_epoch().count()};
}

bool VirtualDriver::Later(const Entry& a, const Entry& b) {
  return a.at != b.at ? a.at > b.at : a.order > b.order;
}

void VirtualDriver::Push(Instant at, ClientId client, Kind kind, std::uint32_t answer) {
  queue_.push_back({at, order_++, client, kind, answer});
  std::push_heap(queue_.begin(), queue_.end(), Later);
}

VirtualDriver::Entry VirtualDriver::Pop() {
  std::pop_heap(queue_.begin(), queue_.end(), Later);
  const Entry entry = queue_.back();
  queue_.pop_back();
  return entry;
}

void VirtualDriver::Run(ClientId client, std::unique_ptr<Operation> operation) {
  Client& state = clients_[client];
  state.operation = std::move(operation);
  ++state.run;
  ++running_;
  Pump(client);
}

void VirtualDriver::SetTimer(ClientId client, Instant at) {
  Push(std::max(at, now_), client, Kind::kTimer);
}

void VirtualDriver::Send(ClientId client, const HttpRequest& request) {
  simulator::Delivery delivery = simulator_.Handle({request.method, request.path, false},
                                                   PaddedText(request.body), server_now());
  ++requests_.sent;
  std::uint32_t index = 0;
  if (free_answers_.empty()) {
    index = static_cast<std::uint32_t>(answers_.size());
    answers_.emplace_back();
  } else {
    index = free_answers_.back();
    free_answers_.pop_back();
  }
  answers_[index] = {client,
                     request.id,
                     clients_[client].run,
                     delivery.lost,
                     delivery.answer.status,
                     std::move(delivery.answer.body)};
  Push(now_ + Duration(delivery.delay), client, Kind::kAnswer, index);
}

// Nobody waits for these answers any more. Returns how many of them had not come.
std::int64_t VirtualDriver::GiveUp(ClientId client, const std::vector<RequestId>& requests) {
  std::int64_t given_up = 0;
  for (const RequestId request : requests) {
    for (PendingAnswer& answer : answers_) {
      if (answer.client != client || answer.run != clients_[client].run) continue;
      if (answer.request != request) continue;
      answer.run = kNobody;
      ++given_up;
    }
  }
  return given_up;
}

void VirtualDriver::Pump(ClientId client) {
  Client& state = clients_[client];
  for (const HttpRequest& request : state.operation->TakeRequests(now_)) Send(client, request);
  const std::int64_t given_up = GiveUp(client, state.operation->TakeAborts());
  requests_.lost += given_up;
  if (state.operation->done()) {
    ended_.push_back(client);
    return;
  }
  requests_.retries += given_up;
  const std::optional<Instant> wake = state.operation->NextWake();
  if (!wake || (state.wake && *state.wake <= *wake)) return;
  state.wake = wake;
  Push(*wake, client, Kind::kWake);
}

void VirtualDriver::CountFailure(const PendingAnswer& answer, bool goes_on) {
  if (answer.lost) {
    ++requests_.lost;
  } else if (answer.status == kConflict || answer.status == kFailedPrecondition) {
    ++requests_.conflicts;
  } else {
    ++requests_.errors;
  }
  if (goes_on) ++requests_.retries;
}

void VirtualDriver::HandleAnswer(ClientId client, std::uint32_t index) {
  const PendingAnswer answer = std::move(answers_[index]);
  answers_[index].run = kNobody;
  free_answers_.push_back(index);
  Client& state = clients_[client];
  if (!state.operation || state.run != answer.run) return;
  if (answer.lost) {
    state.operation->HandleNetworkFailure(answer.request, now_);
  } else {
    state.operation->HandleResponse(answer.request, {answer.status, PaddedText(answer.body)}, now_);
  }
  const bool failed = answer.lost || answer.status != 200;
  if (failed) CountFailure(answer, !state.operation->done());
  Pump(client);
}

void VirtualDriver::HandleWake(ClientId client, Instant at) {
  Client& state = clients_[client];
  if (state.wake == at) state.wake.reset();
  if (!state.operation) return;
  // An entry for an earlier operation, or for a pause that is over, does no harm.
  state.operation->HandleTime(now_);
  Pump(client);
}

std::optional<VirtualDriver::Event> VirtualDriver::Next(int& steps) {
  while (ended_.empty()) {
    if (steps <= 0 || queue_.empty()) return std::nullopt;
    --steps;
    const Entry entry = Pop();
    now_ = std::max(now_, entry.at);
    switch (entry.kind) {
      case Kind::kTimer:
        return Event{entry.client, nullptr};
      case Kind::kWake:
        HandleWake(entry.client, entry.at);
        break;
      case Kind::kAnswer:
        HandleAnswer(entry.client, entry.answer);
        break;
    }
  }
  const ClientId client = ended_.back();
  ended_.pop_back();
  --running_;
  return Event{client, std::move(clients_[client].operation)};
}

}  // namespace shardline::experiment
