#include "simulation/outbox_page.h"

#include <algorithm>
#include <utility>

#include "firestore/resource_name.h"

namespace shardline::simulation {

OutboxPage OutboxPage::MakeTab() const {
  OutboxPage tab = *this;
  tab.BeginLife();
  return tab;
}

void OutboxPage::BeginLife() {
  page_ = name_ + '/' + std::to_string(++device_->pages);
  open_.clear();
  may_arrive_.clear();
  clock_offset_.reset();
  if (mutant_ == Mutant::kRowIdReused) reused_id_ = last_id_;
}

OutboxRow* OutboxPage::Find(const std::string& id) {
  const auto found = std::find_if(device_->rows.begin(), device_->rows.end(),
                                  [&](const OutboxRow& row) { return row.id == id; });
  return found == device_->rows.end() ? nullptr : &*found;
}

std::string OutboxPage::Add(const Client& client, std::int64_t delta) {
  device_->clock_micros = client.now.micros - client.server_now.micros;
  OutboxRow* open = open_.empty() ? nullptr : Find(open_);
  // Another page may have taken it over.
  if (open != nullptr && open->page == page_) {
    open->delta += delta;
    ++open->presses;
    return open->id;
  }
  std::string id = MakeAutoId(client.context.random);
  if (!reused_id_.empty()) id = std::exchange(reused_id_, {});
  device_->rows.push_back({id, delta, 1, client.now.micros, page_});
  open_ = id;
  return id;
}

std::optional<OutboxPage::Sending> OutboxPage::Take(Random& dice, const std::string& busy) {
  if (is_empty()) return std::nullopt;
  // Often what another page sends; else mostly a row of its own, or what has waited longest.
  OutboxRow* taken = dice.Below(2) == 0 ? Find(busy) : nullptr;
  const bool is_busy = taken != nullptr;
  if (!is_busy) taken = device_->rows.data();
  for (OutboxRow& row : device_->rows) {
    if (!is_busy && row.page == page_ && dice.Below(3) > 0) taken = &row;
  }
  const bool is_taken_over = taken->page != page_;
  if (is_taken_over) {
    taken->page = page_;
    ++taken->owners;
  }
  if (taken->id == open_ && mutant_ != Mutant::kRowAddedToAfterSent) open_.clear();
  last_id_ = taken->id;
  const Sending sending{*taken, may_arrive_.contains(taken->id), taken->owners == 1, is_taken_over};
  if (mutant_ == Mutant::kRowDeletedBeforeAnswer) {
    device_->rows.erase(device_->rows.begin() + (taken - device_->rows.data()));
  }
  return sending;
}

json OutboxPage::Arguments(const Client& client, const Sending& sending) {
  const OutboxRow& row = sending.row;
  const std::int64_t server_micros = client.now.micros + clock_offset_.value_or(0);
  const std::int64_t age = std::max<std::int64_t>(client.now.micros - row.made_micros, 0);
  const bool is_again = sending.sent_before && mutant_ == Mutant::kNewIdWhenSentAgain;
  return {{"delta", {{"integerValue", std::to_string(row.delta)}}},
          {"id", is_again ? MakeAutoId(client.context.random) : row.id},
          {"serverNow", server_micros / 1000},
          {"ageMs", mutant_ == Mutant::kAgeForgotten ? 0 : age / 1000},
          {"sentBefore", (sending.sent_before && mutant_ != Mutant::kDoubtForgotten) ||
                             (!sending.sole_owner && mutant_ != Mutant::kOwnerTakenForSole)}};
}

bool OutboxPage::Settle(const Client& client, const Sending& sending, const json& result) {
  clock_offset_ = client.server_now.micros - client.now.micros;
  const std::string& id = sending.row.id;
  const std::string outcome = result.value("outcome", std::string());
  if (outcome == "waiting") {
    if (result.value("mayArrive", false)) may_arrive_.insert(id);
    return false;
  }
  OutboxRow* row = Find(id);
  // No other page had sent it when this one did. One may have since.
  const bool is_still_sole = row != nullptr && row->owners == 1 && row->page == page_;
  const bool must_ask_again = outcome == "refused" && sending.sole_owner && !is_still_sole &&
                              mutant_ != Mutant::kRowNotLookedAt;
  if (must_ask_again) return false;
  may_arrive_.erase(id);
  if (row != nullptr) device_->rows.erase(device_->rows.begin() + (row - device_->rows.data()));
  return true;
}

void OutboxPage::ComeBackOlder() {
  device_->rows = copy_;
  BeginLife();
}

void OutboxPage::ComeBackEmpty() {
  copy_.clear();
  ComeBackOlder();
}

void OutboxPage::ComeBackWithCopyOf(const OutboxPage& other) {
  for (const OutboxRow& row : other.device_->rows) {
    // The copy of an open row lacks later amounts.
    if (row.id != other.open_ && Find(row.id) == nullptr) device_->rows.push_back(row);
  }
  BeginLife();
}

}  // namespace shardline::simulation
