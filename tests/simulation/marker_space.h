// Exhaustive model checking of one batch, in every order of events: its senders (marker_client.h),
// their requests on a network that loses, delays and repeats them, rules that change at any moment,
// a server, and weeks that go by. The search is breadth first, and ends when no new state is left.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "simulation/marker_client.h"

namespace shardline::simulation {

// Who has the batch's row.
enum class Owners : std::uint8_t {
  kOnePage,
  kTakenOver,  // A second page takes the row over at any moment; the first one may live on.
  kTwoCopies,  // Of one storage: each is the only owner, as far as it can know.
  kOneKey,     // Two calls with one key of increment(n, { key }).
};

struct Space {
  std::string_view name;
  Owners owners = Owners::kOnePage;
  // How often a request may arrive; later, if no page waits for it any more.
  int arrivals = 1;
  bool loses_answers = true;
  // Rules may refuse a commit; a withdrawal or a reading, too. At any moment, and never mind what
  // they have refused before.
  bool refuses_commits = true;
  bool refuses_markers = true;
  // The user may give the batch up.
  bool has_withdrawals = false;
  // Weeks go by: the batch gets too old, and then its marker expires.
  bool has_weeks = true;
  // The devices' clocks are a month slow, until an answer tells the time; rules refuse markers that
  // would expire too soon.
  bool has_wrong_clocks = false;
  // One verdict is right: every batch is counted.
  bool must_count = false;
};

// The violations of the protocol's promises.
enum class Wrong : std::uint8_t {
  kCountedTwice,
  kCountedWrongly,  // The answer "counted" for an increment that is not counted.
  kRefusedWrongly,  // The answer "refused" for an increment that is or will be counted.
  // The same, after commit and withdrawal were both refused: the exception that the design states.
  kRefusedUnmarked,
  kUnknownNeedlessly,
  kRefusedNeedlessly,
  kCount,
};
std::string_view Name(Wrong wrong);

struct Exploration {
  std::int64_t states = 0;
  std::int64_t edges = 0;
  // Calls that have ended so, as edges.
  std::int64_t counted = 0;
  std::int64_t refused = 0;
  std::int64_t unknown = 0;
  std::int64_t waiting = 0;
  // By Wrong: in how many states; and the shortest way to one.
  std::int64_t wrong[static_cast<std::size_t>(Wrong::kCount)] = {};
  std::vector<std::string> path[static_cast<std::size_t>(Wrong::kCount)];
  std::int64_t times[static_cast<std::size_t>(TableRow::kCount)] = {};
  bool is_off_table = false;
};

// Ends sooner when `stops` says so.
using Stop = std::function<bool(const Exploration&)>;
Exploration Explore(const Space& space, ModelMutant mutant, const Stop& stops = {});

}  // namespace shardline::simulation
