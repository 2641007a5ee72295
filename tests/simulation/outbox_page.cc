#include "simulation/outbox_page.h"

#include "api/delivery_api.h"
#include "simulation/coverage.h"

namespace shardline::simulation {
namespace {

json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }

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

void OutboxPage::BeginLife() {
  NameAnew();
  clock_offset_.reset();
  forgotten_ = nullptr;
  ready_.reset();
}

// Returns the view, and stores the state.
json OutboxPage::AskQueue(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                          const Client& client, const Complain& complain) {
  arguments["state"] = state_;
  if (state_.is_null() && !forgotten_.is_null()) {
    arguments["state"] = forgotten_;
    arguments["revive"] = true;
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
  state_ = view["state"];
  forgotten_ = nullptr;
  has_entries_ = !view["entries"].empty();
  ready_.reset();
  if (view.contains("batch") && !view["batch"].value("sent", true)) {
    ready_ = ReadBatch(view["batch"]);
  }
  return view;
}

// The outbox holds what was added and is not settled.
void OutboxPage::CheckSum(const json& view, const Complain& complain) const {
  if (!view.contains("entries")) return;
  std::int64_t sum = 0;
  for (const json& entry : view["entries"]) sum += IntegerOf(entry);
  if (sum == waiting_) return;
  complain("an outbox holds " + std::to_string(sum) + " instead of " + std::to_string(waiting_));
}

json OutboxPage::Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                     const Client& client, const Complain& complain) {
  json view = AskQueue(start, std::move(arguments), client, complain);
  CheckSum(view, complain);
  return view;
}

void OutboxPage::Add(const Client& client, std::int64_t delta, const Complain& complain) {
  waiting_ += delta;
  json arguments = {{"deltas", {Integer(delta)}}, {"maxDelta", nullptr}};
  arguments["clientId"] = client_id_.empty() ? json() : json(client_id_);
  Ask(StartQueueAdd, std::move(arguments), client, complain);
}

std::optional<OutboxPage::Batch> OutboxPage::Stage(const Client& client, const Complain& complain) {
  if (state_.is_null()) return std::nullopt;
  const json view = Ask(StartQueueStage, json::object(), client, complain);
  ready_.reset();
  if (!view.contains("batch")) return std::nullopt;
  Batch batch = ReadBatch(view["batch"]);
  if (!reused_id_.empty() && reused_id_ != batch.id) batch.text["id"] = reused_id_;
  last_id_ = batch.id;
  return batch;
}

std::optional<OutboxPage::Batch> OutboxPage::TakeReady() {
  if (!ready_) return std::nullopt;
  // What was sent without being staged must not be made ready anew.
  NameAnew();
  last_id_ = ready_->id;
  return std::exchange(ready_, std::nullopt);
}

bool OutboxPage::Tidy() {
  if (!is_empty() || state_.is_null()) return false;
  forgotten_ = std::exchange(state_, nullptr);
  return true;
}

void OutboxPage::Settle(const Client& client, const Batch& batch, const json& outcome,
                        const Complain& complain) {
  const std::string kind = outcome["outcome"];
  clock_offset_ = client.server_now.micros - client.now.micros;
  if (kind != "unsettled") reused_id_.clear();
  const json before = json::parse(state_.get<std::string>());
  const json view =
      AskQueue(StartQueueSettle, {{"batch", batch.id}, {"outcome", outcome}}, client, complain);
  const bool has_failed = LastFailure(view) != LastFailure(before);
  // What is made anew goes on waiting, unless somebody else may have had it counted.
  const bool is_settled = kind == "restart" ? has_failed : kind != "unsettled";
  if (is_settled) waiting_ -= batch.delta;
  const bool told_of_copy =
      has_failed && view["failures"].back().dump().find("Another copy") != std::string::npos;
  if (told_of_copy && !may_be_copied_) {
    complain("an outbox that was never copied says that it was: " + outcome.dump() + " behind " +
             before.dump());
  }
  // What was waiting ends as unknown, too. It was never sent, at least not by this page.
  if (told_of_copy && !has_entries_) waiting_ = 0;
  CheckSum(view, complain);
}

void OutboxPage::ComeBackOlder() {
  BeginLife();
  may_be_copied_ = true;
  state_ = copy_.state;
  waiting_ = copy_.waiting;
  has_entries_ = copy_.has_entries;
}

void OutboxPage::ComeBackEmpty() {
  copy_ = {};
  ComeBackOlder();
}

}  // namespace shardline::simulation
