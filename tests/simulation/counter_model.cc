#include "simulation/counter_model.h"

#include <utility>

namespace shardline::simulation {
namespace {

struct Place {
  const char* path;
  const char* shard_collection;  // Null: the path is the collection itself.
  const char* field;
  const char* shard_count_field;  // Null: no document says how many shards there are.
  int family;                     // Of those whose shards are the same documents.
};

// Two counters with collections of their own, three that share one, two in a collection that is the
// path itself, one whose shards no operation counts.
constexpr Place kPlaces[] = {
    {"posts/p1", "shards", "count", "num_shards", 0},
    {"posts/p1", "other_shards", "count", "stats.other_shards", 1},
    {"posts/p1", "reactions", "likes", "reaction_shards", 2},
    {"posts/p1", "reactions", "views", "reaction_shards", 2},
    {"posts/p1", "reactions", "stats.seen", "reaction_shards", 2},
    {"tallies", nullptr, "Cnt", nullptr, 3},
    {"tallies", nullptr, "count", nullptr, 3},
    {"posts/p1", "loose", "count", nullptr, 4},
};
constexpr std::size_t kPlaceCount = std::size(kPlaces);
constexpr int kExtensionFamily = 5;

json Layout(const Place& place) {
  const auto text = [](const char* value) { return value != nullptr ? json(value) : json(); };
  return {{"shardCollection", text(place.shard_collection)},
          {"countField", place.field},
          {"shardCountField", text(place.shard_count_field)}};
}

const char* DrawDelivery(Random& dice) {
  const std::uint64_t kind = dice.Below(8);
  return kind < 6 ? "exactly-once" : kind == 6 ? "at-least-once" : "transaction";
}

std::unique_ptr<CounterModel> MakeCounter(const Place& place, std::int64_t shards, Random& dice) {
  auto counter = std::make_unique<CounterModel>();
  counter->shards = shards;
  counter->delivery = DrawDelivery(dice);
  counter->has_parent = place.shard_count_field != nullptr;
  counter->is_extension = place.family == kExtensionFamily;
  counter->arguments = {{"path", place.path}, {"delivery", counter->delivery}};
  if (counter->is_extension) {
    counter->arguments["layout"] = "extension";
    counter->arguments["countField"] = place.field;
  } else {
    counter->arguments["layout"] = Layout(place);
  }
  // Who does not say how many shards there are has to ask the counter's document.
  const bool says_shards = !counter->has_parent || dice.Below(3) > 0;
  if (says_shards) counter->arguments["shards"] = shards;
  counter->name = std::string(place.field) + " in " + place.path + '/' +
                  (place.shard_collection != nullptr ? place.shard_collection : "*") + ", " +
                  counter->delivery;
  return counter;
}

void SetBounds(CounterModel& counter, const Circumstances& circumstances) {
  // The browser may send a request twice, and several pages may send the same row.
  const bool repeats = counter.delivery == "at-least-once"
                           ? circumstances.loses_answers || circumstances.arrives_later ||
                                 circumstances.has_deaths || counter.has_tabs
                           : counter.delivery == "transaction" && circumstances.arrives_later;
  if (repeats) counter.tally.AllowRepeats();
}

}  // namespace

std::vector<std::unique_ptr<CounterModel>> DrawCounters(const Circumstances& circumstances,
                                                        Random& dice) {
  std::vector<std::unique_ptr<CounterModel>> counters;
  std::vector<int> families;
  const bool with_extension = dice.Below(3) == 0;
  const std::int64_t shards = dice.Below(3) == 0 ? 1 : 1 + static_cast<int>(dice.Below(12));
  // Places next to each other are neighbours, often in the same documents.
  const std::size_t first = dice.Below(kPlaceCount);
  for (std::size_t i = 0; i < 3; ++i) {
    const Place extension{"posts/p1", "_counter_shards_", "visits", nullptr, kExtensionFamily};
    const bool is_extension = with_extension && i == 2;
    const Place& place = is_extension ? extension : kPlaces[(first + i) % kPlaceCount];
    counters.push_back(MakeCounter(place, shards, dice));
    CounterModel& counter = *counters.back();
    families.push_back(place.family);
    counter.is_deleted_at_times = dice.Below(3) == 0;
    counter.has_tabs = counter.has_rows() && !circumstances.has_copies &&
                       circumstances.clients > CounterModel::kFirstTab + CounterModel::kTabs &&
                       dice.Below(2) == 0;
    SetBounds(counter, circumstances);
    for (std::size_t client = 0; client <= circumstances.clients; ++client) {
      if (counter.IsTab(client) && client > CounterModel::kFirstTab) {
        counter.pages.push_back(counter.pages[CounterModel::kFirstTab].MakeTab());
      } else {
        counter.pages.emplace_back("device" + std::to_string(client), circumstances.mutant);
      }
    }
  }
  for (std::size_t i = 0; i < counters.size(); ++i) {
    for (std::size_t j = 0; j < counters.size(); ++j) {
      if (i != j && families[i] == families[j]) counters[i]->shares_shards = true;
    }
  }
  return counters;
}

}  // namespace shardline::simulation
