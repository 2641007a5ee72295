#include "experiment/virtual_driver.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace shardline::experiment {

Timestamp VirtualDriver::server_now() const {
  return Timestamp{kStartMicros + now_.time_since_epoch().count()};
}

bool VirtualDriver::Later(const Entry& a, const Entry& b) {
  return a.at != b.at ? a.at > b.at : a.order > b.order;
}

template <class T>
std::uint32_t VirtualDriver::Pool<T>::Take() {
  if (free_.empty()) {
    objects_.emplace_back();
    return static_cast<std::uint32_t>(objects_.size() - 1);
  }
  const std::uint32_t place = free_.back();
  free_.pop_back();
  return place;
}

template <class T>
void VirtualDriver::Pool<T>::Release(std::uint32_t place) {
  objects_[place] = T();
  free_.push_back(place);
}

void VirtualDriver::Push(Instant at, ClientId client, Kind kind, std::uint32_t place) {
  queue_.push_back({at, order_++, client, kind, place});
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
  assert(!state.operation);
  state.operation = std::move(operation);
  ++state.run;
  state.begun = now_;
  state.sent = 0;
  state.progress.clear();
  ++running_;
  Pump(client);
}

void VirtualDriver::SetTimer(ClientId client, Instant at) {
  assert(!clients_[client].operation);
  Push(std::max(at, now_), client, Kind::kTimer);
}

std::unique_ptr<Operation> VirtualDriver::Kill(ClientId client) {
  Client& state = clients_[client];
  if (!state.operation || state.operation->done()) return nullptr;
  --running_;
  ++state.run;
  return std::move(state.operation);
}

void VirtualDriver::Suspend(ClientId client, Instant until) {
  clients_[client].suspended_until = std::max(clients_[client].suspended_until, until);
}

bool VirtualDriver::IsAwaited(const SentRequest& sent) const {
  return sent.run != kNobody && clients_[sent.client].operation &&
         clients_[sent.client].run == sent.run;
}

void VirtualDriver::PushRequest(std::uint32_t place, Kind kind, Duration after) {
  ++sent_[place].entries;
  Push(now_ + after, sent_[place].client, kind, place);
}

void VirtualDriver::Send(ClientId client, HttpRequest request) {
  ++requests_.sent;
  ++clients_[client].sent;
  const Passage passage = network_.Draw(client, request);
  const std::uint32_t place = sent_.Take();
  SentRequest& sent = sent_[place];
  sent = {client,         clients_[client].run,       std::move(request),
          requests_.sent, passage.loses_first_answer, 0};
  if (observer_) observer_->OnSent(sent.number, client, sent.request, now_);
  if (passage.again) PushRequest(place, Kind::kSecondArrival, *passage.again);
  if (passage.breaks) PushRequest(place, Kind::kBreak, *passage.breaks);
  if (passage.arrives == Duration{}) {
    Arrive(place, false, !(passage.again && passage.loses_first_answer));
  } else if (passage.arrives) {
    PushRequest(place, Kind::kArrival, *passage.arrives);
  }
  if (sent_[place].entries == 0) sent_.Release(place);
}

void VirtualDriver::Arrive(std::uint32_t place, bool is_second, bool expects_answer) {
  SentRequest& sent = sent_[place];
  Reply reply = network_.Arrive(
      {sent.client, sent.request, server_now(), is_second, IsAwaited(sent), sent.number});
  if (observer_) observer_->OnArrived(sent.number, sent.request, reply, now_);
  if (!expects_answer || reply.kind == Reply::Kind::kNone) return;
  const std::uint32_t answer = replies_.Take();
  const Duration after = reply.after;
  replies_[answer] = {place, std::move(reply)};
  ++sent_[place].entries;
  Push(now_ + after, sent.client, Kind::kReply, answer);
}

void VirtualDriver::HandleRequestEntry(const Entry& entry) {
  const std::uint32_t place = entry.place;
  if (entry.kind == Kind::kBreak) {
    Settle(sent_[place], {Reply::Kind::kBroken});
  } else {
    const bool is_second = entry.kind == Kind::kSecondArrival;
    if (!IsAwaited(sent_[place])) ++requests_.late;
    if (is_second) ++requests_.doubled;
    Arrive(place, is_second, is_second || !sent_[place].loses_first_answer);
  }
  if (--sent_[place].entries == 0) sent_.Release(place);
}

// These answers are no longer needed. Returns how many of them had not come.
std::int64_t VirtualDriver::GiveUp(ClientId client, const std::vector<RequestId>& requests) {
  std::int64_t given_up = 0;
  for (const RequestId request : requests) {
    ++given_up;
    for (SentRequest& sent : sent_.objects()) {
      if (sent.client != client || sent.run != clients_[client].run) continue;
      if (sent.request.id != request) continue;
      sent.run = kNobody;
      if (observer_) observer_->OnSettled(sent.number, nullptr, now_);
    }
  }
  return given_up;
}

void VirtualDriver::Pump(ClientId client) {
  Client& state = clients_[client];
  for (HttpRequest& request : state.operation->TakeRequests(now_)) {
    Send(client, std::move(request));
  }
  const std::int64_t given_up = GiveUp(client, state.operation->TakeAborts());
  if (std::string told = state.operation->TakeProgress(); !told.empty()) {
    state.progress = std::move(told);
  }
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

void VirtualDriver::CountFailure(const Reply& reply, bool goes_on) {
  if (reply.kind != Reply::Kind::kAnswer) {
    ++requests_.lost;
  } else if (reply.IsConflict()) {
    ++requests_.conflicts;
  } else {
    ++requests_.errors;
  }
  if (goes_on) ++requests_.retries;
}

void VirtualDriver::Settle(SentRequest& sent, const Reply& reply) {
  if (!IsAwaited(sent)) return;
  sent.run = kNobody;
  const ClientId client = sent.client;
  Operation& operation = *clients_[client].operation;
  const bool answered = reply.kind == Reply::Kind::kAnswer;
  if (observer_) observer_->OnSettled(sent.number, &reply, now_);
  if (answered) {
    operation.HandleResponse(sent.request.id, {reply.status, PaddedText(reply.body)}, now_);
  } else {
    operation.HandleNetworkFailure(sent.request.id, now_);
  }
  if (!answered || !reply.IsOk()) CountFailure(reply, !operation.done());
  Pump(client);
}

void VirtualDriver::HandleReply(std::uint32_t place) {
  const PendingReply pending = std::move(replies_[place]);
  replies_.Release(place);
  Settle(sent_[pending.sent], pending.reply);
  if (--sent_[pending.sent].entries == 0) sent_.Release(pending.sent);
}

void VirtualDriver::HandleWake(ClientId client, Instant at) {
  Client& state = clients_[client];
  if (state.wake && *state.wake <= at) state.wake.reset();
  if (!state.operation) return;
  // An entry for an earlier operation, or for a pause that is over, does no harm.
  state.operation->HandleTime(now_);
  Pump(client);
}

void VirtualDriver::Handle(const Entry& entry) {
  switch (entry.kind) {
    case Kind::kTimer:
      break;
    case Kind::kWake:
      return HandleWake(entry.client, entry.at);
    case Kind::kReply:
      return HandleReply(entry.place);
    case Kind::kArrival:
    case Kind::kSecondArrival:
    case Kind::kBreak:
      return HandleRequestEntry(entry);
  }
}

std::optional<VirtualDriver::Event> VirtualDriver::Next(int& steps) {
  while (ended_.empty()) {
    if (steps <= 0 || queue_.empty()) return std::nullopt;
    --steps;
    const Entry entry = Pop();
    now_ = std::max(now_, entry.at);
    const bool at_server = entry.kind == Kind::kArrival || entry.kind == Kind::kSecondArrival;
    const Instant suspended_until = clients_[entry.client].suspended_until;
    if (!at_server && now_ < suspended_until) {
      Push(suspended_until, entry.client, entry.kind, entry.place);
    } else if (entry.kind == Kind::kTimer) {
      return Event{entry.client, nullptr};
    } else {
      Handle(entry);
    }
  }
  const ClientId client = ended_.back();
  ended_.pop_back();
  --running_;
  return Event{client, std::move(clients_[client].operation)};
}

}  // namespace shardline::experiment
