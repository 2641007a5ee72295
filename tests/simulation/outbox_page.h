// A page's rows of one counter, in the storage of its device: the list that web/library/outbox is.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "simulation/part.h"

namespace shardline::simulation {

// One stored batch.
struct OutboxRow {
  std::string id;
  std::int64_t delta = 0;
  std::size_t presses = 0;       // That the delta is the sum of.
  std::int64_t made_micros = 0;  // By the device's clock.
  std::string page;              // That sends it.
  int owners = 1;                // How many pages have been that.
};

class OutboxPage {
 public:
  // The common state of a browser's tabs.
  struct Device {
    std::vector<OutboxRow> rows;
    int pages = 0;                  // That there have ever been.
    std::int64_t clock_micros = 0;  // How far it is ahead of the server's.
  };
  // The parameters that a row is sent with.
  struct Sending {
    OutboxRow row;
    bool sent_before = false;
    bool sole_owner = false;
    bool is_taken_over = false;  // Just now.
  };

  // `device` tells devices apart.
  OutboxPage(std::string device, Mutant mutant)
      : name_(std::move(device)), mutant_(mutant), device_(std::make_shared<Device>()) {
    BeginLife();
  }
  // Another tab of the same browser.
  OutboxPage MakeTab() const;

  // Each stores its effects before it returns.
  //
  // Adds to the row that is open, or begins one. Returns the row's id.
  std::string Add(const Client& client, std::int64_t delta);
  // A row to be sent; it is never added to again. Nullopt if there is none. At times a row is taken
  // over from a page that is alive. `busy`: a row that another page sends just now; empty for none.
  std::optional<Sending> Take(Random& dice, const std::string& busy = {});
  // The arguments of counter.commit, beside the counter.
  json Arguments(const Client& client, const Sending& sending);
  // `result` is the result of counter.commit. False if the row stays: it waits, or another page has
  // taken it over, so that it is not for this one to say that it was refused.
  bool Settle(const Client& client, const Sending& sending, const json& result);

  // The device's clock.
  Timestamp DeviceNow(Timestamp server_now) const {
    return {server_now.micros + device_->clock_micros};
  }
  const std::vector<OutboxRow>& rows() const { return device_->rows; }
  bool is_empty() const { return device_->rows.empty(); }
  bool IsOnDeviceOf(const OutboxPage& other) const { return device_ == other.device_; }

  // The page dies and comes back, with what is stored now, with what was stored when KeepCopy() was
  // last called, or with nothing.
  void ComeBack() { BeginLife(); }
  void KeepCopy() { copy_ = device_->rows; }
  void ComeBackOlder();
  void ComeBackEmpty();
  // The page comes back with a copy of another device's storage, beside its own. Both live on.
  void ComeBackWithCopyOf(const OutboxPage& other);

 private:
  // Another page's name, and an empty memory.
  void BeginLife();
  OutboxRow* Find(const std::string& id);

  std::string name_;
  Mutant mutant_;
  std::shared_ptr<Device> device_;
  std::string page_;
  // The row that may be added to; empty: none.
  std::string open_;
  // Rows of which a request may be without an answer.
  std::set<std::string> may_arrive_;
  // The server's clock less the client's, once the page has heard of it.
  std::optional<std::int64_t> clock_offset_;
  std::vector<OutboxRow> copy_;
  std::string last_id_;
  std::string reused_id_;
};

}  // namespace shardline::simulation
