#include "simulation/outbox_page.h"

#include <utility>

#include "api/delivery_api.h"
#include "simulation/coverage.h"

namespace shardline::simulation {
namespace {

std::int64_t IntegerOf(const json& amount) {
  return std::stoll(amount.value("integerValue", std::string("0")));
}

OutboxPage::Batch ReadBatch(const json& text) {
  return {text["id"], IntegerOf(text["delta"]), text};
}

// The ticket of the last failure in a state or a view; 0 for none.
std::int64_t LastFailure(const json& queue) {
  const json failures = queue.value("failures", json::array());
  return failures.empty() ? 0 : failures.back().value("ticket", std::int64_t{0});
}

}  // namespace

OutboxPage OutboxPage::MakeTab() const {
  OutboxPage tab = *this;
  tab.BeginLife();
  return tab;
}

void OutboxPage::BeginLife() {
  NameAnew();
  clock_offset_.reset();
  seen_settled_ = nullptr;
  ready_.reset();
}

// Returns the view, and stores the state.
json OutboxPage::AskQueue(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                          const Client& client, const Complain& complain) {
  arguments["state"] = device_->state;
  // One page alone goes on with the ledger of a record that was removed.
  if (device_->state.is_null() && !seen_settled_.is_null() && seen_settled_ == device_->removed) {
    arguments["state"] = std::exchange(device_->removed, json());
    Reached(State::kRevived);
  }
  arguments["page"] = page_;
  arguments["now"] = client.now.micros / 1000;
  if (clock_offset_) arguments["serverNow"] = (client.now.micros + *clock_offset_) / 1000;
  Started started = StartWith(start, arguments.dump(), client.context);
  if (!started) {
    complain("the outbox: " + started.error().message);
    return json::object();
  }
  json view = ResultOf(**started);
  ++device_->changes;
  device_->state = view["state"];
  device_->has_entries = !view["entries"].empty();
  seen_settled_ = device_->has_entries ? json() : device_->state;
  ready_.reset();
  if (view.contains("batch") && !view["batch"].value("sent", true)) {
    ready_ = ReadBatch(view["batch"]);
    ready_change_ = device_->changes;
  }
  return view;
}

// The outbox holds what was added and is not settled.
void OutboxPage::CheckSum(const json& view, const Complain& complain) const {
  if (!view.contains("entries")) return;
  std::int64_t sum = 0;
  for (const json& entry : view["entries"]) sum += IntegerOf(entry);
  if (sum == device_->waiting) return;
  complain("an outbox holds " + std::to_string(sum) + " instead of " +
           std::to_string(device_->waiting));
}

json OutboxPage::Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                     const Client& client, const Complain& complain) {
  json view = AskQueue(start, std::move(arguments), client, complain);
  CheckSum(view, complain);
  return view;
}

void OutboxPage::Add(const Client& client, std::int64_t delta, const Complain& complain) {
  device_->waiting += delta;
  json arguments = {{"deltas", {Integer(delta)}}, {"maxDelta", nullptr}};
  arguments["clientId"] = client_id_.empty() ? json() : json(client_id_);
  Ask(StartQueueAdd, std::move(arguments), client, complain);
}

std::optional<OutboxPage::Batch> OutboxPage::Stage(const Client& client, const Complain& complain) {
  if (device_->state.is_null()) return std::nullopt;
  const json view = Ask(StartQueueStage, json::object(), client, complain);
  ready_.reset();
  if (!view.contains("batch")) return std::nullopt;
  Batch batch = ReadBatch(view["batch"]);
  if (!reused_id_.empty() && reused_id_ != batch.id) batch.text["id"] = reused_id_;
  last_id_ = batch.id;
  return batch;
}

std::optional<OutboxPage::Batch> OutboxPage::TakeReady() {
  // Tabs tell each other what they change. A tab does not hear everything.
  const bool has_heard = device_->changes % 4 != 0;
  if (device_->changes != ready_change_ && has_heard) ready_.reset();
  if (!ready_) return std::nullopt;
  // What was sent without being staged must not be made ready anew.
  NameAnew();
  last_id_ = ready_->id;
  return std::exchange(ready_, std::nullopt);
}

void OutboxPage::Tidy() {
  if (is_empty()) device_->removed = std::exchange(device_->state, nullptr);
}

void OutboxPage::Settle(const Client& client, const Batch& batch, const json& outcome,
                        const Complain& complain) {
  const std::string kind = outcome["outcome"];
  clock_offset_ = client.server_now.micros - client.now.micros;
  if (kind != "unsettled") reused_id_.clear();
  // Another tab has settled it, and everything else.
  if (device_->state.is_null()) return;
  const json before = json::parse(device_->state.get<std::string>());
  const json view =
      AskQueue(StartQueueSettle, {{"batch", batch.id}, {"outcome", outcome}}, client, complain);
  const bool is_open = before.contains("staged") && before["staged"]["id"] == batch.id;
  const bool has_failed = LastFailure(view) != LastFailure(before);
  // What is made anew goes on waiting, unless somebody else may have had it counted.
  const bool is_settled = kind == "restart" ? has_failed : kind != "unsettled";
  if (is_open && is_settled) device_->waiting -= batch.delta;
  const bool told_of_copy =
      has_failed && view["failures"].back().dump().find("Another copy") != std::string::npos;
  if (told_of_copy && !device_->may_be_copied) {
    complain("an outbox that was never copied says that it was: " + outcome.dump() + " behind " +
             before.dump());
  }
  // What was waiting ends as unknown, too. It was never sent, at least not by this page.
  if (told_of_copy && !device_->has_entries) device_->waiting = 0;
  CheckSum(view, complain);
}

void OutboxPage::ComeBackOlder() {
  const int pages = device_->pages;
  *device_ = copy_;
  device_->pages = pages;
  device_->may_be_copied = true;
  BeginLife();
}

void OutboxPage::ComeBackEmpty() {
  copy_ = {};
  ComeBackOlder();
}

}  // namespace shardline::simulation
