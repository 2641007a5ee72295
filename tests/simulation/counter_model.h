// The counters of a seed: their documents and fields, the operations on them, and the bounds of
// their totals.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulation/outbox_page.h"
#include "simulation/part.h"
#include "simulation/tally.h"

namespace shardline::simulation {

// One counter. All counters of a seed are at the document posts/p1, or in the collection tallies.
struct CounterModel {
  std::string name;  // For messages.
  json arguments;    // As the API takes a counter.
  std::string delivery;
  std::int64_t shards = 1;  // As created.
  bool has_parent = true;   // A document says how many shards there are.
  bool is_extension = false;
  bool is_deleted_at_times = false;
  // Its fields are in the same shards as other counters'.
  bool shares_shards = false;
  // Three clients are tabs of one browser, and each may send the rows of their common storage.
  static constexpr std::size_t kFirstTab = 3;
  static constexpr std::size_t kTabs = 3;
  bool has_tabs = false;
  static bool MayBeTab(std::size_t client) {
    return client >= kFirstTab && client < kFirstTab + kTabs;
  }
  bool IsTab(std::size_t client) const { return has_tabs && MayBeTab(client); }

  // ---- The knowledge about it. ----
  Tally tally;
  enum class Fate : std::uint8_t { kAsked, kAcknowledged, kRefused };
  // The amount that was asked for under one id.
  struct Batch {
    struct Press {
      std::int64_t delta;
      Tally::Epoch asked;
    };
    std::vector<Press> presses;
    Fate fate = Fate::kAsked;
    bool is_forgotten = false;  // Its storage is gone.
    bool is_told = false;       // Its outcome.
  };
  std::unordered_map<std::string, Batch> batches;
  std::vector<OutboxPage> pages;  // By client; the last one is the observer's.
  int resizes = 0;                // Under way.
  int creates = 0;
  bool was_deleted = false;

  bool is_exactly_once() const { return delivery == "exactly-once"; }
  // Its increments are rows of an outbox.
  bool has_rows() const { return delivery != "transaction"; }
  // {"counter": …} and the amounts.
  std::string With(json more = json::object()) const {
    more["counter"] = arguments;
    return more.dump();
  }
};

std::vector<std::unique_ptr<CounterModel>> DrawCounters(const Circumstances& circumstances,
                                                        Random& dice);

}  // namespace shardline::simulation
