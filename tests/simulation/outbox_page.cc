#include "simulation/outbox_page.h"

#include "api/delivery_api.h"

namespace shardline::simulation {
namespace {

json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }

std::int64_t IntegerOf(const json& amount) {
  return std::stoll(amount.value("integerValue", std::string("0")));
}

}  // namespace

// Returns the view, and stores the state.
json OutboxPage::AskQueue(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                          OperationContext& context, const Complain& complain) {
  arguments["state"] = state_;
  Started started = StartWith(start, arguments.dump(), context);
  if (!started) {
    complain("the outbox: " + started.error().message);
    return json::object();
  }
  json view = ResultOf(**started);
  state_ = view["state"];
  has_entries_ = !view["entries"].empty();
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
                     OperationContext& context, const Complain& complain) {
  json view = AskQueue(start, std::move(arguments), context, complain);
  CheckSum(view, complain);
  return view;
}

void OutboxPage::Add(OperationContext& context, std::int64_t delta, const Complain& complain) {
  waiting_ += delta;
  json arguments = {{"deltas", {Integer(delta)}}, {"maxDelta", nullptr}};
  arguments["clientId"] = client_id_.empty() ? json() : json(client_id_);
  Ask(StartQueueAdd, std::move(arguments), context, complain);
}

std::optional<OutboxPage::Batch> OutboxPage::Stage(OperationContext& context, Timestamp now,
                                                   const Complain& complain) {
  if (state_.is_null()) return std::nullopt;
  const json view = Ask(StartQueueStage, {{"now", now.micros / 1000}}, context, complain);
  staged_.reset();
  if (!view.contains("batch")) return std::nullopt;
  staged_ = {view["batch"]["id"], IntegerOf(view["batch"]["delta"]), view["batch"]};
  if (!reused_id_.empty() && reused_id_ != staged_->id) staged_->text["id"] = reused_id_;
  last_id_ = staged_->id;
  return staged_;
}

void OutboxPage::Settle(OperationContext& context, const Batch& batch, const json& outcome,
                        const Complain& complain) {
  const std::string kind = outcome["outcome"];
  if (kind == "applied" || kind == "refused" || kind == "unknown") waiting_ -= batch.delta;
  if (kind != "unsettled") reused_id_.clear();
  json told = outcome;
  for (const char* member : {"shard", "shards", "attempts", "aborted"}) told.erase(member);
  const json view =
      AskQueue(StartQueueSettle, {{"batch", batch.id}, {"outcome", told}}, context, complain);
  const json failures = view.value("failures", json::array());
  const bool told_of_copy =
      !failures.empty() && failures.back().dump().find("Another copy") != std::string::npos;
  if (told_of_copy && !has_entries_ && waiting_ != 0) {
    // What was waiting ends as unknown, too. It was never sent, at least not by this page.
    if (!may_be_copied_) complain("an outbox that was never copied says that it was");
    waiting_ = 0;
  }
  CheckSum(view, complain);
  staged_.reset();
}

void OutboxPage::ComeBackOlder() {
  may_be_copied_ = true;
  state_ = copy_.state;
  waiting_ = copy_.waiting;
  has_entries_ = copy_.has_entries;
  staged_.reset();
}

void OutboxPage::ComeBackEmpty() {
  copy_ = {};
  ComeBackOlder();
}

}  // namespace shardline::simulation
