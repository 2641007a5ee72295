#include "simulation/outbox_page.h"

#include "api/delivery_api.h"

namespace shardline::simulation {
namespace {

json Integer(std::int64_t value) { return {{"integerValue", std::to_string(value)}}; }

std::int64_t IntegerOf(const json& amount) {
  return std::stoll(amount.value("integerValue", std::string("0")));
}

}  // namespace

// Returns the view, and checks that the outbox holds what was added and is not settled.
json OutboxPage::Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                     OperationContext& context, const Complain& complain) {
  arguments["state"] = state_;
  Started started = StartWith(start, arguments.dump(), context);
  if (!started) {
    complain("the outbox: " + started.error().message);
    return json::object();
  }
  json view = ResultOf(**started);
  state_ = view["state"];
  std::int64_t sum = 0;
  for (const json& entry : view["entries"]) sum += IntegerOf(entry);
  has_entries_ = !view["entries"].empty();
  if (sum != waiting_) {
    complain("an outbox holds " + std::to_string(sum) + " instead of " + std::to_string(waiting_));
  }
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
  Ask(StartQueueSettle, {{"batch", batch.id}, {"outcome", told}}, context, complain);
  staged_.reset();
}

void OutboxPage::ComeBackOlder() {
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
