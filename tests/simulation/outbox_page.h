// A page's outbox of one counter, with what stands in the device's storage: what JavaScript does
// around src/api/delivery_api.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "simulation/part.h"

namespace shardline::simulation {

class OutboxPage {
 public:
  // What the tabs of a browser share.
  struct Device {
    json state;
    // What is not settled, by what was added and settled.
    std::int64_t waiting = 0;
    bool has_entries = false;
    // It holds something else than what was stored last.
    bool may_be_copied = false;
    int pages = 0;    // That there have ever been.
    int changes = 0;  // Of the state.
  };
  struct Batch {
    std::string id;
    std::int64_t delta = 0;
    json text;
  };

  // `client_id` is the user's choice; empty: the library draws one.
  explicit OutboxPage(std::string client_id)
      : client_id_(std::move(client_id)), device_(std::make_shared<Device>()) {}
  // Another tab of the same browser.
  OutboxPage MakeTab() const;

  // Each stores what it has done before it returns. They complain when the library refuses.
  void Add(const Client& client, std::int64_t delta, const Complain& complain);
  std::optional<Batch> Stage(const Client& client, const Complain& complain);
  // `outcome` is what counter.deliver has returned for that batch.
  void Settle(const Client& client, const Batch& batch, const json& outcome,
              const Complain& complain);
  // What the page has made ready, to be sent at once: it is being closed, and has no time to store
  // anything. Nullopt if there is nothing that only this page can send.
  std::optional<Batch> TakeReady();
  // Forgets in the storage what is settled, if all is; pages go on with what they remember.
  void Tidy();

  bool is_empty() const { return device_->waiting == 0 && !device_->has_entries; }

  // The page dies and comes back, with what is stored now, with what was stored when KeepCopy() was
  // last called, or with nothing.
  void ComeBack() { BeginLife(); }
  void KeepCopy() { copy_ = *device_; }
  void ComeBackOlder();
  void ComeBackEmpty();
  // Uses the last batch's id for the next one, which is what a mutant does.
  void ReuseBatchId() { reused_id_ = last_id_; }

 private:
  // Another page's name, and nothing of what a page remembers.
  void BeginLife();
  void NameAnew() { page_ = "page " + std::to_string(++device_->pages); }
  json AskQueue(Started (*start)(JsonScanner&, OperationContext&), json arguments,
                const Client& client, const Complain& complain);
  void CheckSum(const json& view, const Complain& complain) const;
  // AskQueue(), and CheckSum() of its view.
  json Ask(Started (*start)(JsonScanner&, OperationContext&), json arguments, const Client& client,
           const Complain& complain);

  std::string client_id_;
  std::shared_ptr<Device> device_;
  // By which the library tells what this page has made ready from what others have.
  std::string page_ = "page 0";
  // The server's clock less the client's, once the page has heard of it.
  std::optional<std::int64_t> clock_offset_;
  // The state as this page has seen it last, if everything was settled.
  json seen_settled_;
  std::optional<Batch> ready_;
  int ready_change_ = 0;  // Of the state, when it was made ready.
  Device copy_;
  std::string last_id_;
  std::string reused_id_;
};

}  // namespace shardline::simulation
